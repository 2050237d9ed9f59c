"""Generator of docs/pictures/note.png: a game's note as Obsidian's reading view shows it.

Obsidian is not run: a browser renders the note's Markdown, with properties, callouts and links styled like Obsidian.

Usage: python -m scripts.note_picture
"""

import html
import os
import re
import tempfile
from pathlib import Path

import frontmatter
import pyromark
from PIL import Image

from scripts import gallery, paste
from scripts.pictures import EVENING
from scripts.table_pictures import browser

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "note.png"
WIDTH, HEIGHT = 900, 1050
NOTE = "Games/*.md"
READING = pyromark.Markdown(
    options=pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_YAML_STYLE_METADATA_BLOCKS
)
CALLOUT = re.compile(r"<blockquote>\s*<p>\[!(\w+)\]([-+]?) *(.*?)(?:\n|(?=</p>))", re.DOTALL)
LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]")
LOOK = """
:root { --accent: #7852ee; --faint: #707070; --line: #e3e3e3 }
body { font: 16px/1.5 Inter, "DejaVu Sans", sans-serif; color: #222; background: #fff; margin: 0 }
main { width: 700px; margin: 0 auto; padding: 34px 0 }
h1.name { font-size: 1.7em; margin: 0 0 .6em } h1 { font-size: 1.6em } h2 { font-size: 1.35em; margin: 1.2em 0 .5em }
a { color: var(--accent); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 2px }
dl { display: grid; grid-template-columns: 180px 1fr; gap: 5px 8px; margin: 0 0 1.6em; font-size: .86em }
dt { color: var(--faint) } dd { margin: 0 }
dd span { background: #efeafe; color: #54369f; border-radius: 11px; padding: 1px 9px; margin-right: 4px }
th { text-align: left }
table { border-collapse: collapse; font-size: .95em } td, th { border: 1px solid var(--line); padding: 4px 11px }
blockquote { margin: 1em 0; padding: 12px 12px 12px 24px; border-radius: 4px; background: rgb(8 185 78 / 10%) }
blockquote p { margin: .55em 0 } blockquote .title { color: #08913e; font-weight: 600; margin: 0 }
blockquote .title::before { content: "✓ " }
"""


def page(note: Path) -> str:
    """Return a note as an HTML page that looks like Obsidian's reading view."""
    text = note.read_text(encoding="utf-8")
    set_text = CALLOUT.sub(r'<blockquote class="\1"><p class="title">\3</p><p>', READING.html(text))
    properties = "".join(f"<dt>{html.escape(key)}</dt><dd>{_value(value)}</dd>" for key, value in _properties(text))
    parts = (f'<h1 class="name">{html.escape(note.stem)}</h1>', f"<dl>{properties}</dl>", set_text)
    return f'<!doctype html><meta charset="utf-8"><style>{LOOK}</style><main>{"".join(parts)}</main>'


def _properties(text: str) -> list[tuple[str, object]]:
    return list(frontmatter.parse(text)[0].items())


def _value(value: object) -> str:
    if isinstance(value, list):
        return " ".join(f"<span>{_value(part)}</span>" for part in value)
    said = html.escape(str(value))
    return LINK.sub(r"<a>\1</a>", said) if "[[" in said else said


def main() -> None:
    """Play the game of the demo, and save a screenshot of the upper part of its note."""
    os.environ |= EVENING
    with tempfile.TemporaryDirectory() as folder:
        demo = Path(folder) / "demo"
        gallery.run("demo", str(demo))
        (note,) = demo.glob(NOTE)
        set_page, shot = Path(folder) / "note.html", Path(folder) / "note.png"
        set_page.write_text(page(note), encoding="utf-8")
        driver = browser()
        metrics = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        driver.get(set_page.as_uri())
        driver.save_screenshot(str(shot))
        driver.quit()
        paste.save(Image.open(shot).convert("RGB"), PICTURE, colours=64)


if __name__ == "__main__":
    main()
