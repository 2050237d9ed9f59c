"""Mutations that know what text files are made of: lines, words, brackets, numbers, and the bytes of encodings."""

import re

from hypothesis import strategies as st

INTERESTING = [value.encode("utf-8", "surrogatepass") for value in (
    "", "0", "-1", "1e999", "-0.0", "nan", "inf", "9" * 30, "9" * 5_000, "0x" + "f" * 40, "2026-02-30", "0000-00-00",
    "9999-12-31", "10000-01-01", "true", "null", "~", "[]", "{}", "''", '""', "[[", "]]", "![[", "|", "#", "^", "---\n",
    "\n---\n", "```\n", "~~~", "> ", "> [!note]- ", "- ", "- [ ] ", "%%", "$$", "<!--", "-->", "<div>", "</table>",
    "&#x110000;", "&#xd800;", "&amp;", "\\", "\\ud800", "\\u0000", "\r", "\r\n", "\t", "\u2028", "\x0b", "\x0c",
    "\x1b[31m", "\x85", "\x7f", "\ufeff", "\u202e", "\u200d", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "e\u0301",
    "\ud800", "\U0010ffff", "ﬁ", "ß", "İ", "龍の城", "مرحبا", "a" * 3_000, "a.b.c.d", "../../etc/passwd", "/dev/zero",
    "CON", "~/x", "%2e%2e/", "C:\\x", "file:///etc/passwd", "javascript:x", "&a *a", "<<: *a", "!!python/none x", "? ",
    ": ", "|-\n  x", ">+\n", "{{ x }}", "{% for a in range(9999) %}", "{x}", "{0.__class__}", "{", "}", "=", "==", "**",
    "1d6", "d0", "0d6", "99999d99999", "d%", "4dF", "1d6!", "(((1d6)))", "1-1-1", "100000-1", "½", "٣", "²", "1_000",
    "tags: [a]\n", "aliases: x\n", "- null\n", "a: {b: {c: [d, [e]]}}\n", "x = [[1]]\n", "[a.b]\n", "[[a]]\n", "\"\"\"",
)]  # fmt: skip
_TOKEN = re.compile(rb"\n|[A-Za-z0-9_]+|[\x80-\xff]+|[ \t]+|.", re.DOTALL)
_BRACKETS = [(b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'"', b'"'), (b"'", b"'"), (b"[[", b"]]"), (b"<b>", b"</b>"),
             (b"> ", b"\n"), (b"- ", b"\n"), (b"*", b"*"), (b"`", b"`"), (b"{a: ", b"}"), (b'{"a":', b"}"),
             (b"? ", b"\n"), (b"%%", b"%%"), (b"==", b"=="),
             (b"<!--", b"-->"), (b"#", b"#"), (b"  ", b"")]  # fmt: skip
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "cp1252")
_KINDS = ["insert", "insert", "replace", "replace", "replace", "delete", "repeat", "pattern", "swap", "splice", "nest",
          "nest", "truncate", "flip", "encode", "ends"]  # fmt: skip
MAX_BYTES = 60_000


@st.composite
def mutants(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Return one of the inputs with a few mutations."""
    data = draw(_inputs(seeds))
    for _ in range(draw(st.sampled_from((1, 1, 2, 2, 3, 5, 8, 13)))):
        data = _mutate(draw, data, seeds)[:MAX_BYTES]
    return data


@st.composite
def repeated_parts(draw: st.DrawFn, seeds: list[bytes]) -> tuple[bytes, bytes, bytes]:
    """Return an input as three parts, of which the second is to be repeated."""
    data = draw(_inputs(seeds))[:4_000]
    tokens = _split(draw, data)
    start, end = _range(draw, tokens, 12)
    part = b"".join(tokens[start:end]) or draw(st.sampled_from(INTERESTING))
    return b"".join(tokens[:start]), part[:120], b"".join(tokens[end:])


def _inputs(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """Return a strategy for inputs, of which short ones come more often: a mutation hits more of them."""
    ordered = sorted(seeds, key=len)
    return st.sampled_from([*ordered[: len(ordered) // 4], *ordered[: len(ordered) // 2], *ordered])


def _mutate(draw: st.DrawFn, data: bytes, seeds: list[bytes]) -> bytes:
    kind = draw(st.sampled_from(_KINDS))
    if kind in {"truncate", "flip"}:
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        byte = bytes([draw(st.integers(0, 255))]) + data[place + 1 :] if kind == "flip" else b""
        return data[:place] + byte
    if kind == "encode":
        return data.decode("utf-8", "replace").encode(draw(st.sampled_from(_ENCODINGS)), "replace")
    if kind == "ends":
        return data.replace(b"\n", draw(st.sampled_from((b"\r\n", b"\r", b"\n\n", b""))))
    tokens = _split(draw, data)
    start, end = _range(draw, tokens, 40)
    head, part, tail = (b"".join(tokens[a:b]) for a, b in ((0, start), (start, end), (end, len(tokens))))
    if kind == "insert":
        part = draw(st.sampled_from(INTERESTING)) + part
    elif kind == "replace":
        part = draw(st.sampled_from(INTERESTING) | st.binary(max_size=4))
    elif kind == "delete":
        part = b""
    elif kind == "repeat":
        part *= draw(st.sampled_from((2, 3, 10, 100, 1_000)))
    elif kind == "pattern":
        pieces = st.sampled_from(INTERESTING) | st.sampled_from(tokens or INTERESTING)
        part = b"".join(draw(st.lists(pieces, min_size=1, max_size=4)))[:60] * draw(
            st.sampled_from((2, 20, 300, 4_000))
        )
    elif kind == "swap":
        head, part = part, head
    elif kind == "splice":
        other = _split(draw, draw(st.sampled_from(seeds)))
        first, last = _range(draw, other, 200)
        part += b"".join(other[first:last])
    elif kind == "nest":
        opening, closing = draw(st.sampled_from(_BRACKETS))
        depth = draw(st.sampled_from((1, 2, 30, 300, 3_000)))
        part = opening * depth + part + closing * depth
    return head + part + tail


def _split(draw: st.DrawFn, data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) if draw(st.booleans()) else _TOKEN.findall(data)


def _range(draw: st.DrawFn, tokens: list[bytes], longest: int) -> tuple[int, int]:
    start = draw(st.integers(0, len(tokens)))
    return start, min(len(tokens), start + draw(st.integers(0, longest)))
