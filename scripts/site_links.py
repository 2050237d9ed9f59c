"""Check of the links of the site that `make site` builds: internal ones must have a target, external ones are listed.

Nothing is requested from the network. A page that loads a file from outside, such as a font or a script, is a fault.

Usage: python -m scripts.site_links FOLDER
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = re.compile(r"""(?:@import\s+|url\()\s*["']?((?:https?:)?//[^"')\s]+)""")
_FETCHED = re.compile(r"""(?:fetch|import|importScripts)\(\s*["'`]((?:https?:)?//[^"'`]+)""")


@dataclass
class Page(HTMLParser):
    """A page of the site: addresses of its links (`goes`), of files that it loads (`loads`), and its own anchors."""

    goes: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and given.get("href"):
            self.goes.append(given["href"])
        if tag == "link" and given.get("rel") not in {"index", "search", "next", "prev", "canonical"}:
            self.loads.append(given.get("href", ""))
        if tag != "a" and given.get("src"):
            self.loads.append(given["src"])


def read(file: Path) -> Page:
    """Parse an HTML file into its links, loaded files and anchors."""
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def faults(folder: Path) -> Iterator[str]:
    """Yield a line for each broken internal link and for each file loaded from another site, with its page."""
    pages = {file.resolve(): read(file) for file in sorted(folder.rglob("*.html"))}
    for file, page in pages.items():
        shown = file.relative_to(folder.resolve())
        yield from (f"{shown} loads {address}" for address in page.loads if is_outside(address))
        inside = [address for address in (*page.goes, *page.loads) if not is_outside(address)]
        yield from (f"{shown}: {address} leads nowhere" for address in inside if not _leads(file, address, pages))
    for file in sorted((*folder.rglob("*.css"), *folder.rglob("*.js"))):
        text = file.read_text(encoding="utf-8")
        for address in (*_LOADED.findall(text), *_FETCHED.findall(text)):
            yield f"{file.relative_to(folder)} loads {address}"


def is_outside(address: str) -> bool:
    """Return whether an address leads out of the site."""
    return bool(urlsplit(address).scheme or urlsplit(address).netloc)


def _leads(file: Path, address: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(address)
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    anchor = unquote(parts.fragment)
    return target.is_file() and (not anchor or target not in pages or anchor in pages[target].anchors)


def outside(folder: Path) -> list[str]:
    """Return the sorted addresses of links that lead out of the site, without checking them."""
    return sorted({address for file in folder.rglob("*.html") for address in read(file).goes if is_outside(address)})


def main(folder: Path) -> int:
    """Print the faults and the external links, and return 1 if there are faults, else 0."""
    wrong = list(faults(folder))
    print("\n".join(wrong or ["Every link inside the site leads somewhere, and nothing is loaded from outside."]))
    print("Links that lead out, which were not followed:", *outside(folder), sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
