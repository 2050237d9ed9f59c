"""QR codes as rows of modules (the dark and light squares), for printed sheets and web pages."""

import re
from collections.abc import Iterator, Sequence

QUIET_ZONE_WIDTH = 4
"""The width of the white margin that the standard requires on every side, in modules."""
_DARK_RUN = re.compile("1+")


def qr_rows(text: str) -> tuple[str, ...]:
    """Return the modules of a QR code by row from the top, `1` for a dark one, without the quiet zone."""
    import segno

    code = segno.make_qr(text, error="m", boost_error=False)
    return tuple("".join("1" if is_dark else "0" for is_dark in row) for row in code.matrix)


def dark_runs(modules: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield row, column and length of each run of dark modules in a row; a run drawn as one shape has no gaps."""
    return ((y, run.start(), len(run[0])) for y, row in enumerate(modules) for run in _DARK_RUN.finditer(row))
