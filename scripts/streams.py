"""Check for faults of a PDF that qpdf and veraPDF accept: missing fonts, text off the page, mislabelled streams.

Usage: python -m scripts.streams FILE.pdf...
"""

import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pikepdf

Matrix = tuple[float, float, float, float, float, float]
_PLAIN: Matrix = (1, 0, 0, 1, 0, 0)
_SLACK = 1.0
"""The distance in points beyond the page that is accepted: a rounding error, or the white beside a letter."""
_SHOWS = {"Tj", "TJ", "'", '"'}
_STARTS = {"/DCTDecode": b"\xff\xd8", "/JPXDecode": b"\x00\x00\x00\x0cjP"}


def main() -> int:
    """Print every fault in the files of the arguments, and return 1 if there is one, else 0."""
    found = [f"{path}: {fault}" for path in sys.argv[1:] for fault in faults(Path(path))]
    print("\n".join(found))
    return int(bool(found))


def faults(path: Path) -> list[str]:
    """Return the faults of a PDF, one line each: its streams, its pages, and the appearance of its fields."""
    with pikepdf.open(path) as pdf:
        found = list(_false_streams(pdf))
        for number, page in enumerate(pdf.pages, 1):
            drawn = Drawn(tuple(float(edge) for edge in page.mediabox))
            drawn.draw(page, page.obj.get("/Resources", {}), State())
            for note in page.obj.get("/Annots", []):
                drawn.draw_look(note)
            found += [f"page {number}: {fault}" for fault in drawn.faults]
    return found


def _false_streams(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield a fault for each stream whose bytes do not have the format that its filter declares."""
    for one in pdf.objects:
        if not isinstance(one, pikepdf.Stream):
            continue
        named: Any = one.get("/Filter", [])
        filters = [str(name) for name in (named if isinstance(named, pikepdf.Array) else [named])]
        raw = one.read_raw_bytes()
        if filters == ["/FlateDecode"] and not _inflates(raw):
            yield f"object {one.objgen[0]} is not compressed as it says"
        elif len(filters) == 1 and not raw.startswith(_STARTS.get(filters[0], b"")):
            yield f"object {one.objgen[0]} is no {filters[0]}"


def _inflates(raw: bytes) -> bool:
    try:
        zlib.decompress(raw)
    except zlib.error:
        return False
    return True


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


@dataclass(frozen=True)
class State:
    """The graphics state: the values that earlier operators have set."""

    matrix: Matrix = _PLAIN
    font: Any = None
    size: float = 0.0
    leading: float = 0.0
    rise: float = 0.0


@dataclass
class Drawn:
    """A page that is being drawn, its `box` in points, and the faults found so far."""

    box: tuple[float, ...]
    faults: list[str] = field(default_factory=list)

    def draw_look(self, note: Any) -> None:
        """Check the fonts of a field's appearance; positions are not checked, since it has a box of its own."""
        look = note.get("/AP", {}).get("/N")
        if isinstance(look, pikepdf.Stream):
            inside = Drawn((-1e9, -1e9, 1e9, 1e9), self.faults)
            inside.draw(look, look.get("/Resources", {}), State())

    def draw(self, content: Any, resources: Any, state: State) -> None:
        """Follow the operators of a page or form, and of the forms that it draws, and collect faults."""
        saved: list[State] = []
        line = text = _PLAIN
        fonts, forms = resources.get("/Font", {}), resources.get("/XObject", {})
        for step in pikepdf.parse_content_stream(content):
            operator, values = str(step.operator), step.operands
            if operator in {"q", "Q"}:
                state = self._save_or_restore(operator, state, saved)
            elif operator in {"cm", "Tf", "TL", "Ts"}:
                state = self._set_value(operator, values, state, fonts)
            elif operator == "BT":
                line = text = _PLAIN
            elif operator == "Tm":
                line = text = _matrix(values)
            elif operator in {"Td", "TD", "T*"}:
                down = (0.0, -state.leading) if operator == "T*" else (float(values[0]), float(values[1]))
                line = text = _times((1, 0, 0, 1, *down), line)
            elif operator in _SHOWS:
                text = self._show(values[-1], state, text)
            elif operator == "Do":
                self._form(forms.get(str(values[0])), resources, state)

    def _save_or_restore(self, operator: str, state: State, saved: list[State]) -> State:
        """Save the graphics state (q) or return the state saved last (Q); a Q without a q is a fault."""
        if operator == "q":
            saved.append(state)
        elif saved:
            return saved.pop()
        else:
            self.faults.append("a state is restored that was never saved (Q without q)")
        return state

    def _set_value(self, operator: str, values: Any, state: State, fonts: Any) -> State:
        """Return the graphics state after an operator that sets one of its values."""
        if operator == "cm":
            return replace(state, matrix=_times(_matrix(values), state.matrix))
        if operator == "Tf":
            return self._font(state, fonts, values)
        if operator == "TL":
            return replace(state, leading=float(values[0]))
        return replace(state, rise=float(values[0]))

    def _font(self, state: State, fonts: Any, values: Any) -> State:
        font = fonts.get(str(values[0]))
        if font is None:
            self.faults.append(f"there is no font {values[0]}")
        return replace(state, font=font, size=float(values[1]))

    def _form(self, form: Any, resources: Any, state: State) -> None:
        if form is not None and form.get("/Subtype") == "/Form":
            matrix = _times(_matrix(form.get("/Matrix", _PLAIN)), state.matrix)
            self.draw(form, form.get("/Resources", resources), replace(state, matrix=matrix))

    def _show(self, shown: Any, state: State, text: Matrix) -> Matrix:
        """Check the font and place of a text, and return the text matrix with which the next text begins."""
        if state.font is None:
            self.faults.append(f"text without a font: {shown!r}"[:60])
            return text
        pieces = list(shown) if isinstance(shown, pikepdf.Array) else [shown]
        words = b"".join(bytes(piece) for piece in pieces if isinstance(piece, pikepdf.String))
        end = _times((1, 0, 0, 1, _width(state.font, words) * state.size / 1000, 0.0), text)
        for place in (text, end) if words.strip() else ():
            *_, x, y = _times((1, 0, 0, 1, 0.0, state.rise), _times(place, state.matrix))
            left, bottom, right, top = self.box
            if not (left - _SLACK <= x <= right + _SLACK and bottom - _SLACK <= y <= top + _SLACK):
                self.faults.append(f"text at {x:.0f}, {y:.0f} is beyond the page")
        return end


def _matrix(values: Any) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in values)
    return a, b, c, d, e, f


def _width(font: Any, words: bytes) -> float:
    """Return the width of a text in thousandths of its size; 0 for a font without /Widths."""
    widths, first = font.get("/Widths"), int(font.get("/FirstChar", 0))
    if widths is None:
        return 0.0
    return sum(float(widths[code - first]) for code in words if 0 <= code - first < len(widths))


if __name__ == "__main__":
    sys.exit(main())
