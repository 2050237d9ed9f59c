"""Recognition of template notes, whose links may be placeholders."""

import re
from functools import cached_property
from pathlib import Path

from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.resolve import key

_TEMPLATE_WORD = re.compile(
    r"(?:\b|[\d_])templates?(?:\b|[\d_])"
    r"|(?:\A|/)[^\w/]*[\d_]*[^\w/]*(?:vorlagen|plantillas|mod[eè]les|modelli|sjablonen|szablony|шаблоны)/"
)
"""A match in the key of a path with templates; in other languages than English, only the names of folders."""


class TemplateNotes:
    """The notes in the template folders that are set in Obsidian, or below a folder or with a name that says so."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __contains__(self, path: str) -> bool:
        path_key = key(path)
        return path_key.startswith(self._prefixes) or _TEMPLATE_WORD.search(path_key) is not None

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return tuple(key(f"{folder}/") for folder in template_folders(self._root))
