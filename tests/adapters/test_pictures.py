"""Pictures of cards: their words where they cannot be shown, and their files as they are when they are needed."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.pictures import described, read
from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.messages import Block, Card, Role
from bot.present import post
from tests.present.sample import QUIZ
from tests.present.scenes import POSTS

PNG = b"\x89PNG\r\n\x1a\n and so on"
ASKED = post(POSTS["asked-private"], QUIZ, "en")


def _image(path: str = "curve.png") -> Image:
    return Image(path, LocalisedText({NEUTRAL: "A falling <curve> by @Ann"}))


def test_a_picture_that_cannot_be_shown_is_told_after_the_stem() -> None:
    card = replace(ASKED, image=_image())
    blocks = described(card).blocks
    assert described(card).image is None
    assert blocks[2] == Block(Role.REMARK, "[A falling <curve> by @Ann]")
    assert (*blocks[:2], *blocks[3:]) == card.blocks
    assert described(ASKED) == ASKED


def test_a_card_without_a_stem_begins_with_its_picture() -> None:
    card = Card((Block(Role.LINE, "Look"),), image=_image())
    assert [block.role for block in described(card).blocks] == [Role.REMARK, Role.LINE]


async def test_the_file_is_read_from_the_folder_that_its_path_begins_in(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "curve.png").write_bytes(PNG)
    assert await read(tmp_path, _image("img/curve.png")) == PNG


@pytest.mark.parametrize("path", ["none.png", "../outside.png", "text.png"])
async def test_a_file_that_is_no_longer_what_was_checked_is_none_and_noted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    folder = tmp_path / "content"
    folder.mkdir()
    (tmp_path / "outside.png").write_bytes(PNG)
    (folder / "text.png").write_text("no picture")
    with caplog.at_level(logging.WARNING):
        assert await read(folder, _image(path)) is None
    (record,) = caplog.records
    assert path.removeprefix("../") in record.getMessage()
