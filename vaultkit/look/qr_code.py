"""QR codes as rows of modules, for paper and for pages."""


def rows(text: str) -> tuple[str, ...]:
    """The modules, row by row from the top, `1` for a dark one, without the quiet zone."""
    import segno

    made = segno.make_qr(text, error="m", boost_error=False)
    return tuple("".join("1" if dark else "0" for dark in row) for row in made.matrix)
