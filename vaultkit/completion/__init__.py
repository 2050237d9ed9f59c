"""Names in a vault for shell completion, read from a small file that the last run left beside the index.

Neither Typer nor a reading of the vault is needed.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from vaultkit import files
from vaultkit.user_folders import names_file


class Names:
    """The names in the vault at `root`; there are none if `root` is None."""

    def __init__(self, root: str | None) -> None:
        self._root = root

    def find_names(self, kind: str) -> list[str]:
        """Return the sorted names of one kind: `note`, `deck`, `game`, `session` or `player`."""
        return sorted(dict.fromkeys([*self._stored_names(kind), *self._vault_names(kind)])) if self._root else []

    def _stored_names(self, kind: str) -> list[str]:
        """Return the names that the last run stored, or none if it stored nothing or the file is for another vault."""
        file = names_file(self._root) if self._root else None
        if file is None:
            return []
        try:
            text = files.read(file).decode("utf-8", "surrogateescape")
        except OSError:
            return []
        header, *rows = text.split("\n")
        is_of_this_vault = header.partition("\t")[0] == ascii(self._root)
        lines = (row.split("\t") for row in rows if is_of_this_vault and row.startswith(f"{kind}\t"))
        return next(lines, [kind])[1:]

    def _vault_names(self, kind: str) -> Iterable[str]:
        """Return the names stored in the vault itself: games and sessions by their files, players in the settings."""
        if kind == "game":
            return self._file_stems(".vaultkit/games", ".toml")
        if kind == "session":
            return (
                name
                for suffix in (".journal", ".jsonl", ".match")
                for name in self._file_stems(".vaultkit/journals", suffix)
            )
        return self._settings_players() if kind == "player" else ()

    def _settings_players(self) -> Iterable[str]:
        """Return the players in the settings of the vault, or none if the settings cannot be read."""
        try:
            text = files.read_state(f"{self._root}/.vaultkit/config.toml")
            return map(strip_brackets, texts(_parse_settings(text).get("players")))
        except Exception:  # noqa: BLE001 - a shell has no place to show an error
            return ()

    def _file_stems(self, folder: str, ending: str) -> Iterator[str]:
        folder_path = f"{self._root}/{folder}"
        names = os.listdir(folder_path) if os.path.isdir(folder_path) else []
        return (name.removesuffix(ending) for name in names if name.endswith(ending) and name[0] != ".")


def _parse_settings(data: bytes) -> dict[str, Any]:
    text = files.decode_text(data)
    return files.parse_toml(text) if "players" in text else {}


def name_of(path: str) -> str:
    """Return the name of a note, which is the name of its file without the suffix."""
    return path.rpartition("/")[2].removesuffix(".md")


def texts(value: object) -> list[str]:
    """Return the texts in the value of a property, which is a list or a single value; other types are left out."""
    return [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]


def strip_brackets(name: str) -> str:
    """Return the display text of a Wikilink such as `[[Note|Name]]`; return any other text unchanged."""
    if not (name.startswith("[[") and name.endswith("]]")):
        return name
    target, bar, alias = name[2:-2].partition("|")
    return alias if bar else name_of(target)
