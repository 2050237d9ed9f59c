"""`vaultkit links`, as a user runs it."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import ExitCode

BOARD = (
    '{"nodes": [{"id": "1", "type": "file", "file": "Ford.md"}, {"id": "2", "type": "text", "text": "[[map.png]]"}]}'
)
FILES: dict[str, str | bytes] = {
    "Ford.md": "# Ford\n\n![[map.png]] and [[Mill#Wheel|the wheel]], [[Nowhere#There]]\n",
    "Mill.md": "## Wheel\n\n[[Ford]]\n",
    "Alone.md": "",
    "img/map.png": b"PNG",
    "Board.canvas": BOARD,
    "a/Twin.md": "",
    "b/Twin.md": "",
    "a/two.png": b"",
    "b/two.png": b"",
    "Bad.canvas": b"\xff",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_files(tmp_path / "vault", FILES).root


def test_links_are_listed_with_their_place_and_target(vk: Vaultkit, vault: Path) -> None:
    done = vk("links", "Ford", cwd=vault)
    assert done.out.splitlines() == [
        "3:1\tmap.png\timg/map.png\tok",
        "3:18\tthe wheel\tMill.md#Wheel\tok",
        "3:44\tNowhere#There\tNowhere#There\tunresolved",
    ]
    assert done.err == "3 links in Ford.md.\n"


def test_links_json_has_each_link_as_written_and_its_path(vk: Vaultkit, vault: Path) -> None:
    text = '---\nfrom: "[[Old mill|it]]"\n---\n[the ford](Old%20ford.md#Bank) ![[map.png|100]]\n'
    make_files(vault, {"Raw.md": text})
    rows = vk("links", "Raw", "--json", cwd=vault).json
    assert [(row["raw"], row["path"], row["target"]) for row in rows] == [
        ("[[Old mill|it]]", "Old mill", None),
        ("[the ford](Old%20ford.md#Bank)", "Old ford.md", None),
        ("![[map.png|100]]", "map.png", "img/map.png"),
    ]
    (row,) = vk("links", "Old ford", "--back", "--json", cwd=vault).json
    assert (row["note"], row["raw"]) == ("Raw.md", "[the ford](Old%20ford.md#Bank)")


@pytest.mark.parametrize(
    ("name", "lines", "said"),
    [
        ("Ford", ["Board.canvas\t1:49\t\t\tok", "Mill.md\t3:1\tFord\t\tok"], "2 links to Ford.md."),
        ("Mill", ["Ford.md\t3:18\tthe wheel\tWheel\tok"], "1 link to Mill.md."),
        ("map.png", ["Board.canvas\t1:97\tmap.png\t\tok", "Ford.md\t3:1\tmap.png\t\tok"], "2 links to img/map.png."),
        ("Board.canvas", [], "no links to Board.canvas."),
    ],
)
def test_links_back_lists_the_sources_of_a_note_or_any_other_file(
    vk: Vaultkit, vault: Path, name: str, lines: list[str], said: str
) -> None:
    done = vk("links", name, "--back", cwd=vault)
    assert (done.code, done.out.splitlines(), done.err.strip()) == (ExitCode.OK, lines, said)


def test_links_of_a_canvas_are_listed(vk: Vaultkit, vault: Path) -> None:
    targets = [row["target"] for row in vk("links", "Board.canvas", "--json", cwd=vault).json]
    assert targets == ["Ford.md", "img/map.png"]
    assert vk("links", "Alone", cwd=vault).err == Says("no", "links", "Alone.md")


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("map.png", ExitCode.USAGE, "vaultkit links 'img/map.png' --back"),
        ("Bad.canvas", ExitCode.INVALID, "UTF-8"),
        ("Twin", ExitCode.INVALID, "'a/Twin.md' or 'b/Twin.md'"),
        ("two.png", ExitCode.INVALID, "'a/two.png' or 'b/two.png'"),
        ("Frod", ExitCode.NOTHING, "Did you mean 'Ford.md'?"),
    ],
)
def test_files_without_links(vk: Vaultkit, vault: Path, name: str, code: ExitCode, said: str) -> None:
    done = vk("links", name, cwd=vault)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert vk("links", "a/Twin", cwd=vault).code == ExitCode.OK


def test_header_is_not_broken_at_80_columns(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = "3-Mechanics/CLI/variant-rules/a-rather-long-name-of-a-note-phb.md"
    make_files(vault, {long: f"{'[[Ford|the ford at the old mill by the river road]] ' * 3}\n"})
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("TERM")
    for words, header in [
        (("Ford", "--back"), ["note", "place", "text", "subpath", "status"]),
        ((long,), ["place", "text", "target", "status"]),
    ]:
        assert vk("links", *words, cwd=vault).out.split("\n")[1].split() == header


def test_links_to_a_missing_note_are_listed(vk: Vaultkit, vault: Path) -> None:
    done = vk("links", "nowhere", "--back", cwd=vault)
    assert "Ford.md" in done.out and done.err == Says("1", "link", "nowhere", "not")
    assert vk("links", "Nobody", "--back", cwd=vault).code == ExitCode.NOTHING
