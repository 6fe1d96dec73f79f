"""What the API says of somebody in a chat, by status. Knows no chat."""

from __future__ import annotations

from tests.telegram.server.errors import Json

ADMINISTRATOR = "administrator"
_MAY_AS_ADMINISTRATOR = [
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
]
_MAY_IF_RESTRICTED = [
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
]


def member(user: Json, status: str) -> Json:
    """A ChatMember: creator, administrator, member, restricted (may nothing), left or kicked."""
    known: Json = {"status": status, "user": user}
    match status:
        case "creator":
            return known | {"is_anonymous": False}
        case "administrator":
            return known | {"can_be_edited": False, "is_anonymous": False} | dict.fromkeys(_MAY_AS_ADMINISTRATOR, True)
        case "restricted":
            return known | {"is_member": True, "until_date": 0} | dict.fromkeys(_MAY_IF_RESTRICTED, False)
        case "kicked":
            return known | {"until_date": 0}
        case _:
            return known
