"""Quiz files: reading them, what is wrong with them, and the schema for editors. Knows nothing of chats or sessions."""

from bot.content.editor import schema_text
from bot.content.loader import Loaded, load_file, load_folder
from bot.content.problems import Problem, Severity

__all__ = ["Loaded", "Problem", "Severity", "load_file", "load_folder", "schema_text"]
