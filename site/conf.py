"""How Sphinx makes the site out of README.md, docs/ and the changelog, as `make docs` calls it."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

project = "vaultkit"
html_title = "vaultkit"
root_doc = "docs/index"
include_patterns = ["docs/**", "print/fonts/README.md", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
exclude_patterns = [
    ".*", "bench", "dist", "scoresheets", "scripts", "site", "templates", "tests", "vault-example", "vaultkit",
]  # fmt: skip
extensions = ["myst_parser"]
smartquotes_action = "qe"  # the dashes of options such as --fix stay as they are typed
myst_heading_anchors = 6
suppress_warnings = ["myst.header", "misc.highlighting_failure", "toc.not_included"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
templates_path = ["templates"]
html_additional_pages = {"index": "front.html"}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_domain_indices = False
html_use_index = False

_SECTION = re.compile(r"(?m)^## (.+)$")
_ITEM = re.compile(r"(?m)^- \[([^\]]+)\]\(([^)#:]+)\.md\)")
BELOW = {"docs/cli": ("cli/*",), "docs/printing/README": ("*", "designs/*")}
"""Pages under which the pages of a folder stand in the navigation."""


def add_navigation(_app: object, name: str, source: list[str]) -> None:
    """Give Sphinx the navigation: docs/index.md lists all pages in their order, in plain Markdown."""
    if name in BELOW:
        source[0] += _contents("", BELOW[name], ":glob:\n")
    if name == root_doc:
        _, *parts = _SECTION.split(source[0].replace("`", ""))
        pairs = zip(parts[::2], parts[1::2], strict=True)
        lists = [(title, [f"{_plain(words)} <{page}>" for words, page in _ITEM.findall(text)]) for title, text in pairs]
        source[0] += "".join(_contents(f":caption: {title}\n", pages) for title, pages in lists if pages)


def _plain(words: str) -> str:
    """The words of a link without the signs of Markdown, which the navigation would show as they are."""
    return words.replace("`", "")


def _contents(caption: str, pages: Iterable[str], more: str = "") -> str:
    return "\n\n```{toctree}\n:hidden:\n" + caption + more + "\n" + "\n".join(pages) + "\n```\n"


FOR_ALL = (
    ('<div id="search-results"></div>', '<h1>Search</h1><div id="search-results"></div>'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
)
"""The theme leaves these out: wide tables are scrolled by keys, too, and a screen reader tells both lists apart."""

_BLOCK = re.compile(r"(?s)<pre>(?:<span></span>)?(.*?)\n?</pre>")
_DRAWN = re.compile(r"[\u2500-\u257f]")
_HYPHENATED = re.compile(r"<[^>]*>|[^\s<>]*-[^\s<>]*")


def _breakable(block: re.Match[str]) -> str:
    """A block whose long lines go on below, further in; a screen with lines drawn in it is scrolled, also by keys."""
    if _DRAWN.search(block[1]):
        return f'<pre class="drawn" tabindex="0">{block[1]}\n</pre>'
    words = _HYPHENATED.sub(lambda it: it[0] if it[0][0] == "<" else f'<span class="word">{it[0]}</span>', block[1])
    lines = "".join(f'<span class="line">{line}\n</span>' for line in words.split("\n"))
    return f'<pre class="lines">{lines}</pre>'


def open_to_all(app: Any, error: Exception | None) -> None:
    """Mend the pages once they are built."""
    for file in () if error else Path(app.outdir).rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        for old, new in FOR_ALL:
            text = text.replace(old, new)
        text = _BLOCK.sub(_breakable, text)
        file.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", add_navigation)
    app.connect("build-finished", open_to_all)
