"""The files that a GM has told Obsidian to leave out, under Files and links, Excluded files (F5)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vaultkit.vault.resolve import key


@dataclass(frozen=True)
class Excluded:
    """Plain filters are beginnings of paths, and those between slashes are regular expressions."""

    prefixes: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def of(cls, app: Mapping[str, object]) -> "Excluded":
        """The filters of `.obsidian/app.json`; one that is no regular expression excludes nothing."""
        filters = app.get("userIgnoreFilters")
        prefixes: list[str] = []
        patterns: list[re.Pattern[str]] = []
        for item in filters if isinstance(filters, list) else []:
            if not isinstance(item, str) or not item:
                continue
            if len(item) > 2 and item.startswith("/") and item.endswith("/"):
                try:
                    patterns.append(re.compile(item[1:-1]))
                except re.error:
                    continue
            else:
                prefixes.append(key(item))
        return cls(tuple(prefixes), tuple(patterns))

    def matches(self, path: str) -> bool:
        return key(path).startswith(self.prefixes) or any(pattern.search(path) for pattern in self.patterns)
