"""Repairs of any note, however odd or large, change nothing else and take no longer than its size explains."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.growth import IN_STEP, TIMES, growth
from tests.vault.making import check, make_files, repairer, repairs
from tests.vault.test_repair import FILES, SOURCE, repaired
from vaultkit.vault import Note, Vault


@pytest.mark.short(4)
@pytest.mark.parametrize(
    "text",
    [
        "---\n" + "".join(f"a{number}: [[old/Ivo]]\n" for number in range(60)) + "---\n",
        "---\na: " + "{b: " * 80 + "[[Ivo]]" + "}" * 80 + "\n---\n",
        "---\na: " + "[" * 3000 + "]" * 3000 + "\n---\n[[The Bird]]",
        "[t](my note.md" * 3000,
        "[[old/Ivo" * 3000,
        "![" * 3000 + "[[The Bird]]",
    ],
)
def test_hostile_notes_neither_hang_nor_crash(tmp_path: Path, text: str) -> None:
    repaired(tmp_path, text)


_PIECES = st.sampled_from(
    [
        "[[The Bird]]",
        "[[items\\crown of x]]",
        "[[old/Ivo|I]]",
        "[t](my note.md)",
        "[t](old/Ivo.md)",
        "[[Ivo]]",
        "![[img\\a b.png|100]]",
        "`[[The Bird]]`",
        "`dice: [](items\\crown%20of%20x.md#^a)`",
        "| ",
        "|---|\n",
        "> ",
        "# ",
        "\n",
        "\r\n",
        "\n\n",
        "%%",
        "```\n",
        "$",
        "*",
        "[",
        "](",
        ")",
        "é𝄞",
        " ^id\n",
        "<a href='old/Ivo.md'>",
        "- ",
        "\\",
        "a",
        " ",
    ]
)


_BLOCKS = st.sampled_from(
    ["", "---\na: [[Ivo]]\ntags: a, b\n---\n", '---\r\na:\r\n- [[The Bird]]\r\n- "[[old/Ivo]]"\r\n---\r\n', "---\n"]
)


@pytest.fixture(scope="module")
def shared() -> Iterator[Vault]:
    with tempfile.TemporaryDirectory() as folder:
        vault = make_files(Path(folder), FILES)
        _ = vault.facts
        yield vault


def _holds(vault: Vault, text: str) -> None:
    """Only the spans of the repairs change, no link that led somewhere is lost, and a second run finds nothing."""
    mender = repairer(vault)
    note = Note(SOURCE, text.encode())
    made = mender.repairs(note)
    after, behind = "", 0
    for repair in made:
        after += text[behind : repair.splice.offset] + repair.splice.inserted
        behind = repair.splice.end
    after += text[behind:]
    splice = mender.plan(note)
    assert (splice.apply(text) if splice else text) == after
    second = Note(SOURCE, after.encode())
    assert mender.repairs(second) == ()
    assert len(_leading(vault, second)) >= len(_leading(vault, note))
    assert set(_leading(vault, note)) <= set(_leading(vault, second))


def _leading(vault: Vault, note: Note) -> list[tuple[str, str, str]]:
    found = ((link.kind, link.subpath, vault.files.resolve(link.path, note.path).path) for link in note.links)
    return [(kind, subpath, path) for kind, subpath, path in found if path]


@pytest.mark.slow
@given(block=_BLOCKS, pieces=st.lists(_PIECES, max_size=14))
def test_repairs_make_no_other_changes(shared: Vault, block: str, pieces: list[str]) -> None:
    _holds(shared, block + "".join(pieces))


@pytest.mark.slow
@given(
    block=_BLOCKS,
    pieces=st.lists(_PIECES | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4), max_size=30),
)
@settings(max_examples=count(600, 50_000))
def test_repairs_make_no_other_changes_in_many_cases(shared: Vault, block: str, pieces: list[str]) -> None:
    _holds(shared, block + "".join(pieces))


@pytest.mark.slow
@pytest.mark.parametrize("anchors", ["a: &{} x\n", "a: &" + "{}" * 9 + " x\n"])
def test_yaml_anchors_take_linear_time(tmp_path: Path, anchors: str) -> None:
    vault = make_files(tmp_path, {})

    def mended(size: int) -> None:
        yaml = "".join(f"{number}{anchors.format(*[number] * 9)}" for number in range(size))
        assert repairs(vault, Note("N.md", f"---\n{yaml}---\n[[Gone]]\n".encode())) == ()

    assert growth(mended, 2_000) < IN_STEP


@pytest.mark.slow
def test_many_notes_with_one_name_take_linear_time(tmp_path: Path) -> None:
    vaults = {
        size: make_files(tmp_path / str(size), {f"f{n}/Note.md": f"[[g{n}/Note]]" for n in range(size)})
        for size in (600 // TIMES, 600)
    }
    assert growth(lambda size: check(vaults[size]), 600) < IN_STEP
