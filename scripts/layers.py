"""Generator of docs/layers.svg: the layers of pyproject.toml, and which lower layers each one imports.

Usage: python -m scripts.layers
"""

import ast
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "layers.svg"
_WIDTH, _LEFT, _STEP = 900, 420, 46
_INK, _PALE, _FILL = "#1c2733", "#4a5866", "#e8eef5"


def layers() -> list[list[str]]:
    """Return the packages and modules of each layer, highest layer first, from the import contract."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [layer.split(" | ") for layer in contract["layers"]]


def uses(part: str) -> set[str]:
    """Return the other top-level packages and modules of vaultkit that a package or module imports."""
    folder = ROOT / "vaultkit" / part
    files = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    return {name for file in files for name in _imports(file)} - {part}


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("vaultkit"):
            continue
        _, _, below = (node.module or "").partition(".")
        yield from ([below.partition(".")[0]] if below else [name.name for name in node.names])


def picture() -> str:
    """Return the SVG: a box for each layer, and beside it the parts that the layer imports."""
    order = [part for layer in layers() for part in layer]
    rows = [line for number, layer in enumerate(layers()) for line in _row(number, layer, order)]
    height = _STEP * len(layers()) + 40
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="12">'
    )
    titles = [_text(210, 22, "layer", _PALE, "middle"), _text(_LEFT + 20, 22, "uses, beside the last layer", _PALE)]
    return "\n".join([head, f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>', *titles, *rows, "</svg>", ""])


def _row(number: int, layer: list[str], order: list[str]) -> Iterator[str]:
    top = 34 + number * _STEP
    yield f'<rect x="8" y="{top}" width="{_LEFT - 8}" height="{_STEP - 10}" rx="6" fill="{_FILL}" stroke="{_PALE}"/>'
    yield from _words(210, top, [" | ".join(line) for line in _lines(layer, 6)], "middle")
    known = {name for part in layer for name in uses(part)} - set(layer) - set(layers()[-1])
    below = sorted(known & set(order), key=order.index)
    yield from _words(_LEFT + 20, top, [", ".join(line) or "nothing" for line in _lines(below, 7)], "start")


def _words(x: int, top: int, lines: list[str], anchor: str) -> Iterator[str]:
    """Yield SVG text for lines of words, centred in the height of the row whose upper edge is `top`."""
    for place, line in enumerate(lines):
        yield _text(x, top + 22 - 7 * (len(lines) - 1) + 14 * place, line, _INK, anchor)


def _lines(names: list[str], most: int) -> list[list[str]]:
    return [names[start : start + most] for start in range(0, len(names), most)] or [[]]


def _text(x: int, y: int, words: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
