"""Bytes that are no UTF-8: what they are called, and where they stop being text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit import files
from vaultkit.errors import BudgetExceeded
from vaultkit.vault import Note
from vaultkit.vault.checking.check import inspect
from vaultkit.vault.checking.checks import null_characters
from vaultkit.vault.encoding import EncodingError, decode


def refused(data: bytes) -> EncodingError:
    with pytest.raises(EncodingError) as caught:
        decode(data, "N.md")
    return caught.value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encoding", "named", "text"),
    [
        ("cp1252", "Windows-1252", "Das Café “Zur Brücke”"),
        ("latin-1", "Windows-1252", "Señor Muñoz vive en España."),
        ("mac_roman", "Mac Roman", "François a mangé à l’été."),
        ("cp1250", "Windows-1250", "Zażółć gęślą jaźń."),
        ("cp1251", "Windows-1251", "Привет, дракон."),
        ("koi8_r", "KOI8-R", "Привет, это заметка о драконе."),
        ("cp437", "DOS (CP437)", "Für Müller, größer"),
        ("cp932", "Shift JIS", "これは日本語のメモです。竜と騎士。"),
        ("gb18030", "GB 18030", "这是一个关于龙的笔记。"),
        ("big5", "Big5", "這是一個關於龍的筆記。"),
        ("euc_kr", "EUC-KR", "안녕하세요 용과 기사"),
    ],
)
def test_legacy_encoding_is_named_with_the_decoded_line(encoding: str, named: str, text: str) -> None:
    error = refused(f"# Title\n\n{text}\nEnd\n".encode(encoding))
    assert f"probably {named}: '{text}'" in error.message
    assert f"as {named}" in error.hint
    assert error.line == 3


def test_one_undecodable_word_is_enough() -> None:
    assert "probably Windows-1252: 'Café'" in refused(b"Caf\xe9").message


@pytest.mark.parametrize(
    ("before", "place"),
    [
        ("", (1, 1)),
        ("ä\rb\rcé", (3, 3)),
        ("a\r\nb\r", (3, 1)),
        ("\ufeffé\n漢 ", (2, 3)),
        ("a\n\n", (3, 1)),
        ("a\u2028b", (1, 4)),
    ],
)
def test_place_of_the_undecodable_byte_is_exact(before: str, place: tuple[int, int]) -> None:
    error = refused(before.encode() + b"\xff\n")
    assert (error.line, error.column, error.where) == (*place, f"N.md:{place[0]}")


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["# Café\nBeer", "# 龍と騎士\n\nOne two three\n", "x"])
def test_wide_encodings_with_and_without_a_byte_order_mark(encoding: str, mark: bool, text: str) -> None:
    error = refused(("\ufeff" * mark + text).encode(encoding))
    name = encoding[:6].upper()
    assert error.message == f"This note is {name}, not UTF-8: '{text.splitlines()[0]}'."
    assert (error.line, error.column) == (0, 0)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF"),
        (b"PK\x03\x04\x14\0\0\0\x08\0\xff", "a ZIP archive"),
        (bytes(range(256)) * 8, "a file of another kind"),
    ],
)
def test_file_that_is_not_text(data: bytes, kind: str) -> None:
    assert f"not a note but {kind}" in refused(data).message


def test_truncated_note() -> None:
    error = refused("Café über".encode() + "é".encode()[:1])
    assert "ends in the middle of a character" in error.message
    assert (error.line, error.column) == (1, 10)


def test_file_of_nul_characters_only() -> None:
    assert "only NUL" in refused(b"\0" * 4096).message


def test_single_nul_characters_are_read_and_reported() -> None:
    note = Note("N.md", b"ab\nc\0d\0")
    assert note.text == "ab\nc\0d\0"
    (problem,) = inspect(note, (null_characters.CHECK,)).problems
    assert (problem.line, problem.column, problem.code, problem.severity) == (2, 2, "nul", "warning")
    assert "2 NUL characters" in problem.message
    assert inspect(Note("N.md", b"clean"), (null_characters.CHECK,)).problems == ()


def test_a_note_too_large_is_refused_with_the_limit() -> None:
    data = b"x" * files.NOTE_BYTES.maximum
    assert decode(data, "N.md").text
    with pytest.raises(BudgetExceeded, match="more than 16 MB") as caught:
        decode(data + b"x", "N.md")
    assert caught.value.where == "N.md"


@pytest.mark.parametrize("data", [b"", codecs.BOM_UTF8, b"a\r\nb\rc\n", "é漢😀\u2028".encode(), b"\x1b[0m"])
def test_utf8_round_trips_byte_for_byte(data: bytes) -> None:
    encoded = decode(data, "N.md")
    assert encoded.to_bytes(encoded.text) == data


@given(st.binary(max_size=60) | st.text().map(lambda text: text.encode("cp1252", "replace")))
def test_any_bytes_are_read_exactly_or_refused(data: bytes) -> None:
    try:
        encoded = decode(data, "N.md")
    except EncodingError as error:
        assert error.hint and error.message.isprintable()
        assert (error.line > 0) == (error.column > 0)
    else:
        assert encoded.to_bytes(encoded.text) == data
