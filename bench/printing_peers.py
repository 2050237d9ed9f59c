"""The same deck and rule note printed by other tools, each in a process of its own.

Usage: PYTHON bench/printing_peers.py (fpdf2 | weasyprint | typst) (deck | rules) FOLDER OUT
"""

import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

CARD, EDGE = (63.0, 88.0), (10.5, 16.5)
"""Millimetres: a poker card, and the margins of nine of them on A4."""

PICTURE, INSET, PER_PAGE = 50.0, 3.0, 9
PLAIN = str.maketrans("\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2022\u2212\u00d7", "--''\"\".*-x")

Told = list[dict[str, Any]]


def _slots(cards: Told) -> Iterator[tuple[float, float, bool, dict[str, Any]]]:
    """x and y of each card in millimetres from the upper left, and whether a page begins with it."""
    for number, card in enumerate(cards):
        row, column = divmod(number % PER_PAGE, 3)
        yield EDGE[0] + column * CARD[0], EDGE[1] + row * CARD[1], number % PER_PAGE == 0, card


def fpdf2_deck(cards: Told, out: str) -> None:
    """Nine cards a page with fpdf2's own fonts, which know Latin-1 only."""
    from fpdf import FPDF  # type: ignore[import-untyped]

    pdf = FPDF()
    pdf.set_auto_page_break(False)
    for x, y, first, card in _slots(cards):
        if first:
            pdf.add_page()
        pdf.rect(x, y, *CARD)
        pdf.image(card["image"], x + INSET, y + INSET, h=PICTURE)
        pdf.set_font("helvetica", "B", 11)
        pdf.text(x + INSET, y + PICTURE + 9, _latin(card["title"]))
        pdf.set_font("helvetica", "", 8)
        pdf.set_xy(x + INSET, y + PICTURE + 11)
        pdf.multi_cell(CARD[0] - 2 * INSET, 3.2, _latin(card["text"]))
    pdf.output(out)


def _latin(text: str) -> str:
    return text.translate(PLAIN).encode("latin-1", "replace").decode("latin-1")


def fpdf2_rules(blocks: Told, out: str) -> None:
    """Two columns of text by fpdf2, tables across them."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", "", 10)
    for block in blocks:
        if block["kind"] == "table":
            with pdf.table(first_row_as_headings=True) as table:
                for cells in block["rows"]:
                    row = table.row()
                    for cell in cells:
                        row.cell(_latin(cell))
            continue
        with pdf.text_columns(ncols=2, gutter=7) as columns:
            columns.write(("* " if block["kind"] == "item" else "") + _latin(block["text"]))
    pdf.output(out)


def weasyprint_deck(cards: Told, out: str) -> None:
    """Nine cards a page by WeasyPrint."""
    style = (
        "@page {size: A4; margin: 0} .page {position: relative; height: 297mm; break-after: page}"
        f".card {{position: absolute; width: {CARD[0]}mm; height: {CARD[1]}mm; font-size: 8pt}} img {{height: 50mm}}"
    )
    pages = []
    for x, y, first, card in _slots(cards):
        if first:
            pages.append("")
        pages[-1] += (
            f"<div class=card style='left:{x}mm;top:{y}mm'><img src='{Path(card['image']).as_uri()}'>"
            f"<h3>{escape(card['title'])}</h3><p>{escape(card['text'])}</p></div>"
        )
    _html(f"<style>{style}</style>" + "".join(f"<div class=page>{page}</div>" for page in pages), out)


def weasyprint_rules(blocks: Told, out: str) -> None:
    """Two columns by WeasyPrint."""
    style = "<style>@page {size: A4; margin: 16mm} body {columns: 2; font-size: 10.5pt}</style>"
    _html(style + "".join(_as_html(block) for block in blocks), out)


def _as_html(block: dict[str, Any]) -> str:
    if block["kind"] == "table":
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in block["rows"])
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    tag = {"heading": f"h{block.get('level')}", "item": "li"}.get(block["kind"], "p")
    return f"<{tag}>{escape(block['text'])}</{tag}>"


def _html(text: str, out: str) -> None:
    from weasyprint import HTML  # type: ignore[import-not-found]

    HTML(string=f"<meta charset=utf-8>{text}").write_pdf(out)


def typst_deck(cards: Told, out: str) -> None:
    """Nine cards a page by Typst."""
    source = ['#set page("a4", margin: 0mm)\n#set text(size: 8pt)\n']
    for x, y, first, card in _slots(cards):
        if first and len(source) > 1:
            source.append("#pagebreak()\n")
        source.append(
            f"#place(dx: {x}mm, dy: {y}mm, block(width: {CARD[0]}mm, height: {CARD[1]}mm)["
            f"#image({_string(card['image'])}, height: {PICTURE}mm)\n"
            f"#strong({_string(card['title'])})\n\n#text({_string(card['text'])})])\n"
        )
    _typst("".join(source), out)


def typst_rules(blocks: Told, out: str) -> None:
    """Two columns by Typst."""
    source = ['#set page("a4", margin: 16mm, columns: 2)\n#set text(size: 10.5pt)\n']
    _typst("".join(source + [_as_typst(block) for block in blocks]), out)


def _as_typst(block: dict[str, Any]) -> str:
    if block["kind"] == "table":
        cells = ", ".join(_string(cell) for row in block["rows"] for cell in row)
        return f"#table(columns: {len(block['rows'][0])}, {cells})\n"
    words = _string(block["text"])
    if block["kind"] == "heading":
        return f"#heading(level: {block['level']}, {words})\n"
    return f"#list.item({words})\n" if block["kind"] == "item" else f"#par({words})\n"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\\b", " ").replace("\\f", " ")


def _typst(source: str, out: str) -> None:
    import typst  # type: ignore[import-not-found]

    Path(out).write_bytes(typst.compile(source.encode(), root="/"))


TOOLS = {
    "fpdf2": {"deck": fpdf2_deck, "rules": fpdf2_rules},
    "weasyprint": {"deck": weasyprint_deck, "rules": weasyprint_rules},
    "typst": {"deck": typst_deck, "rules": typst_rules},
}


if __name__ == "__main__":
    tool, what, folder, target = sys.argv[1:]
    told = json.loads((Path(folder) / "peers.json").read_text(encoding="utf-8"))
    TOOLS[tool][what](told["cards" if what == "deck" else "rules"], target)
