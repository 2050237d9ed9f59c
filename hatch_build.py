"""What an index shows: the README with links that lead somewhere, and where the project lives.

A checkout does not know where it lives. Whoever publishes says so: `VAULTKIT_HOME=https://... python -m build`.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)(?P<words>\[[^\]]*\])\((?!https?://|#)(?P<target>[^)\s]+)\)")
"""A link of Markdown into the project."""
PAGES = {
    "Homepage": "",
    "Documentation": "/blob/main/docs",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Source": "",
    "Issues": "/issues",
}
"""What an index shows beside the README, and where it lies below the project's address."""


class AbsoluteLinks(MetadataHookInterface):
    """Fills in `readme` and `urls`; without an address relative links are only their words, and pictures are gone."""

    def update(self, metadata: dict[str, Any]) -> None:
        home = os.environ.get("VAULTKIT_HOME", "").rstrip("/")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        shown = LINK.sub(lambda link: _absolute(link, home), text)
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
        metadata["urls"] = {name: f"{home}{page}" for name, page in PAGES.items()} if home else {}


def _absolute(link: re.Match[str], home: str) -> str:
    if not home:
        return "" if link["picture"] else link["words"][1:-1]
    kind = "raw" if link["picture"] else "blob"
    return f"{link['picture']}{link['words']}({home}/{kind}/main/{link['target']})"
