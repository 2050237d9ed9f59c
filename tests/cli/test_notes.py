"""`vaultkit notes`, as a user runs it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from vaultkit.errors import ExitCode

IVO = "---\naliases: [The Old]\ntags: [NPC]\nlevel: 5\nborn: 1204-03-01\nodd: .inf\n---\n# Ivo the Old\n"
FILES: dict[str, str | bytes] = {
    ".obsidian/types.json": '{"types": {"level": "number", "notes": "text"}}',
    "NPCs/Ivo.md": IVO,
    "NPCs/Ana.md": "#npc/dead and #Place\n",
    "Inn.md": "#place/inn\n",
    "Plain.md": "",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_files(tmp_path / "vault", FILES).root


def test_all_notes_with_title_and_tags(vk: Vaultkit, vault: Path) -> None:
    done = vk("notes", cwd=vault)
    assert (done.code, done.err) == (ExitCode.OK, "4 notes.\n")
    assert done.out.splitlines() == [
        "Inn.md\tInn\t#place/inn",
        "NPCs/Ana.md\tAna\t#npc/dead #Place",
        "NPCs/Ivo.md\tIvo\t#NPC",
        "Plain.md\tPlain\t",
    ]


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        ("npc", ["NPCs/Ana.md", "NPCs/Ivo.md"]),
        ("#Npc/", ["NPCs/Ana.md", "NPCs/Ivo.md"]),
        ("NPC/Dead", ["NPCs/Ana.md"]),
        ("PLACE", ["Inn.md", "NPCs/Ana.md"]),
    ],
)
def test_tag_includes_its_subtags(vk: Vaultkit, vault: Path, tag: str, names: list[str]) -> None:
    assert [row["note"] for row in vk("notes", "--tag", tag, "--json", cwd=vault).json] == names
    assert len(vk("notes", "--tag", tag, "--no-cache", cwd=vault).out.splitlines()) == len(names)


def test_several_tags_must_all_match(vk: Vaultkit, vault: Path) -> None:
    rows = vk("notes", "--tag", "npc", "--tag", "#place", "--json", cwd=vault).json
    assert [row["note"] for row in rows] == ["NPCs/Ana.md"]
    done = vk("notes", "--tag", "npc", "--tag", "place/inn", cwd=vault)
    assert (done.code, done.out) == (ExitCode.NOTHING, "")
    assert "'#npc' and '#place/inn' together" in done.err
    assert "did you mean '#place'?" in vk("notes", "--tag", "npc", "--tag", "palce", cwd=vault).err.lower()


def test_word_without_its_option_is_reported_with_the_right_place(vk: Vaultkit, vault: Path) -> None:
    done = vk("notes", "npc", cwd=vault)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert "vaultkit notes --tag npc" in done.err
    assert "--tag" in vk("notes", "--help", cwd=vault).out and "WORDS" not in vk("notes", "--help", cwd=vault).out


def test_json_has_properties_with_their_types(vk: Vaultkit, vault: Path) -> None:
    ivo = next(row for row in vk("notes", "--json", "--vault", str(vault)).json if row["note"] == "NPCs/Ivo.md")
    assert ivo == {
        "note": "NPCs/Ivo.md",
        "title": "Ivo",
        "heading": "Ivo the Old",
        "aliases": ["The Old"],
        "tags": ["NPC"],
        "properties": {
            "aliases": {"type": "aliases", "value": ["The Old"]},
            "tags": {"type": "tags", "value": ["NPC"]},
            "level": {"type": "number", "value": 5},
            "born": {"type": "date", "value": "1204-03-01"},
            "odd": {"type": "number", "value": ".inf"},
        },
    }


@pytest.mark.short(6)
@pytest.mark.parametrize(
    ("tag", "code", "said"),
    [
        ("npcs", ExitCode.NOTHING, "'#NPC'"),
        ("ncp", ExitCode.NOTHING, "'#NPC'"),
        ("np", ExitCode.NOTHING, "'#NPC'"),
        ("x", ExitCode.NOTHING, "vaultkit notes"),
        ("abc", ExitCode.NOTHING, "vaultkit notes"),
        ("place/in", ExitCode.NOTHING, "'#place/inn'"),
        ("dragon", ExitCode.NOTHING, "vaultkit notes"),
        ("#", ExitCode.USAGE, "--tag npc"),
        ("", ExitCode.USAGE, "--tag npc"),
    ],
)
def test_tag_without_notes(vk: Vaultkit, vault: Path, tag: str, code: ExitCode, said: str) -> None:
    done = vk("notes", "--tag", tag, cwd=vault)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_the_index_forgets_a_tag_with_its_note(vk: Vaultkit, vault: Path) -> None:
    assert vk("notes", "--tag", "inn-keeper", cwd=vault).code == ExitCode.NOTHING
    (vault / "Plain.md").write_text("#inn-keeper\n", encoding="utf-8")
    assert vk("notes", "--tag", "inn-keeper", cwd=vault).out == "Plain.md\tPlain\t#inn-keeper\n"
    (vault / "Plain.md").unlink()
    assert vk("notes", "--tag", "inn-keeper", cwd=vault).code == ExitCode.NOTHING


def test_one_unreadable_note_stops_nothing(vk: Vaultkit, vault: Path) -> None:
    (vault / "Bad.md").write_bytes(b"\xff\xfe#npc")
    done = vk("notes", cwd=vault)
    assert (done.code, len(done.out.splitlines())) == (ExitCode.OK, 4)
    assert "1 more cannot be read" in done.err


def test_an_empty_vault_has_no_notes(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / "empty" / ".obsidian").mkdir(parents=True)
    assert vk("notes", "--json", cwd=tmp_path / "empty").json == []
    assert vk("notes", cwd=tmp_path / "empty").code == ExitCode.OK
    assert vk("notes", "--tag", "npc", cwd=tmp_path / "empty").code == ExitCode.NOTHING


def test_odd_properties_still_give_one_json_document(vk: Vaultkit, vault: Path) -> None:
    odd = '---\na: [.nan, -.inf, {b: "\\ud83d"}]\nbig: 99999999999999999999999\nm: {x: {y: 1}}\n1: !!binary aGk=\n---\n'
    (vault / "Odd.md").write_text(odd, encoding="utf-8")
    rows = json.loads(vk("notes", "--json", cwd=vault).out)["items"]
    found = next(row for row in rows if row["note"] == "Odd.md")["properties"]
    assert found["m"] == {"type": "unknown", "value": {"x": {"y": 1}}}


def test_notes_are_sorted_in_natural_order(vk: Vaultkit, tmp_path: Path) -> None:
    make_files(
        tmp_path, dict.fromkeys(("Zebra.md", "Ärger.md", "anna.md", "Session 10.md", "Session 9.md"), "[[Tom]]\n")
    )
    wanted = ["anna.md", "Ärger.md", "Session 9.md", "Session 10.md", "Zebra.md"]
    assert [row["note"] for row in vk("notes", "--json", cwd=tmp_path).json] == wanted
    assert [row["note"] for row in vk("check", "--json", cwd=tmp_path).json["problems"]] == wanted
