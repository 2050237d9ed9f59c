"""Names that are lost on other systems or to links (F2, F4)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wording import Says
from vaultkit.errors import Problem
from vaultkit.vault.checking.checks.unsafe_file_names import find_name_problems
from vaultkit.vault.checking.similar_names import plain_words
from vaultkit.vault.resolve import key


@given(st.text("aB`'´’-–—… \u200b\t«é", max_size=20))
def test_plain_words_are_alike_with_and_without_other_letters(text: str) -> None:
    assert plain_words(text) == plain_words(f"{text}é").removesuffix("é").rstrip()


NFC, NFD = (unicodedata.normalize(form, "Café.md") for form in ("NFC", "NFD"))


def found(*paths: str) -> list[Problem]:
    return list(find_name_problems(paths))


@pytest.mark.parametrize("sign", ["#", "^", "[", "]", "%%"])
def test_f4_note_name_that_cannot_be_linked_is_reported(sign: str) -> None:
    (problem,) = found(f"a/Log {sign}2.md", f"a/Log {sign}2.png")
    assert (problem.note, problem.line, problem.code, problem.severity) == (
        f"a/Log {sign}2.md",
        0,
        "file-name",
        "warning",
    )
    assert f"'{sign}'" in problem.message and "link" in problem.message and problem.hint


@pytest.mark.parametrize("sign", ["*", '"', "\\", "<", ">", ":", "?", "\n", "\x1b", "\x7f"])
@pytest.mark.parametrize("path", ["Who{}.md", "raven{}.webp", "a{}/Note.md"])
def test_f4_name_invalid_on_windows_is_reported(sign: str, path: str) -> None:
    (problem,) = found(path.format(sign))
    assert problem.message.startswith("Windows and Android cannot hold the name")
    assert problem.message.isprintable()


def test_f4_bar_is_reported_for_both_reasons() -> None:
    assert [problem.message.split()[0] for problem in found("a|b.md")] == ["A", "Windows"]


@pytest.mark.parametrize(
    "path", ["a./N.md", "a /N.md", "N.", "N.md ", "CON.md", "nul", "a/Com1.tar.md", "lpt¹.md", "aux /N.md"]
)
def test_names_invalid_only_on_windows_are_reported_as_such(path: str) -> None:
    (problem,) = found(path)
    assert problem.message.startswith("Windows cannot hold")


def test_name_of_more_than_255_bytes_is_reported() -> None:
    assert found("龍" * 84 + ".md", "a" * 252 + ".md") == []
    (problem,) = found("龍" * 85 + ".md")
    assert "longer than 255 bytes" in problem.message and len(problem.message) < 200


@pytest.mark.parametrize(
    "name",
    ["Con artist", "Console", "Nulb", "COM10", "a.b", "100%", "Mr. X", "L'Été", "龍", "a & b", "(1)", "~x", "{a}", ""],
)
def test_valid_names_are_not_reported(name: str) -> None:
    assert found(f"{name or 'x'}.md", f"{name or 'x'}/N.md") == []


def test_f2_names_that_differ_only_in_case_or_in_accents() -> None:
    (case,) = found("A.md", "a.md", "b/A.md")
    assert (case.note, case.code) == ("a.md", "file-case")
    assert case.message == Says("a.md", "A.md", "differ only in case")
    (accents,) = found(NFC, NFD)
    assert accents.code == "file-case" and "accents" in accents.message


def test_f2_pictures_and_folders_are_compared_too() -> None:
    told = [(problem.note, problem.message.split(" differ")[0]) for problem in found("A/x.png", "a/X.png", "a/y.png")]
    assert told == [("a/X.png", "'a' and 'A'"), ("a/X.png", "'a/X.png' and 'A/x.png'")]


def test_folder_is_reported_once() -> None:
    assert [problem.note for problem in found("C#/a.md", "C#/b.md", "C#/d/e.md", "[x]/a.md")] == ["C#/a.md"]


@pytest.mark.slow
@given(st.lists(st.text("aAbéE\u0301.# /", min_size=1, max_size=8), unique=True))
def test_every_clashing_pair_of_names_is_reported(paths: list[str]) -> None:
    clashes = {problem.note for problem in find_name_problems(paths) if f"'{problem.note}' and" in problem.message}
    firsts = {key(path): path for path in sorted(paths, reverse=True)}
    assert {path for path in paths if firsts[key(path)] != path} <= clashes
