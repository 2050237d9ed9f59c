"""Where the note of a game or a reading lies."""

import posixpath
import re
from datetime import date

from vaultkit.vault import Vault
from vaultkit.vault.writing.names import checked, file_name


def folder_of_games(name: str) -> str:
    """The folder of `campaign.folder` as a vault path. Raises InvalidError for one that cannot be (F4)."""
    return "/".join(checked(name, f"campaign.folder: {name}", "Set campaign.folder to another name."))


def new_path(title: str, day: date, vault: Vault, folder: str) -> str:
    """`Games/2026-11-03 Dragon Citadel 2.md`: after the last number of that day, wherever its notes lie by now.

    So no number comes twice, and every link by name goes on leading to the game that it meant.
    """
    stem = f"{day.isoformat()} {title}"
    pattern = re.compile(rf"{re.escape(stem)} (\d{{1,6}})\.md", re.IGNORECASE)
    taken = (pattern.fullmatch(posixpath.basename(path)) for path in vault.files.paths)
    number = max((int(match[1]) for match in taken if match), default=0) + 1
    return posixpath.join(folder, f"{stem} {number}.md")


def title_in_path(title: str, otherwise: str, longest: int = 150) -> str:
    """A title as a file's name can hold it, at most so many characters of it; `otherwise` if nothing is left."""
    return file_name(title, longest) or otherwise
