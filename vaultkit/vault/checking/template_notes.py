"""Recognition of template notes, whose links may be placeholders."""

import re
from functools import cached_property
from pathlib import Path

from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.resolve import key

_TEMPLATE_WORD = re.compile(
    r"(?:^|[\W\d_])templates?(?:[\W\d_]|$)"
    r"|^[\W\d_]*(?:vorlagen|plantillas|mod[eè]les|modelli|sjablonen|szablony|шаблоны)$",
    re.IGNORECASE,
)
"""A match in the name of a folder or note with templates; in other languages than English, only such folder names."""


class TemplateNotes:
    """The notes in the template folders that are set in Obsidian, or below a folder or with a name that says so."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __contains__(self, path: str) -> bool:
        parts = path.removesuffix(".md").split("/")
        return key(path).startswith(self._prefixes) or any(map(_TEMPLATE_WORD.search, parts))

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return tuple(key(f"{folder}/") for folder in template_folders(self._root))
