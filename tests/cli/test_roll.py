"""`vaultkit roll`, as a user runs it."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.errors import ExitCode

BELLS = "# Bells\n\n| d4 | Sound |\n|---|---|\n| 1-4 | as [[Gongs#^gongs]] |\n\n^bells\n"
GONGS = "| d4 | Sound |\n|---|---|\n| 1-2 | **Boom** |\n| 9 | clang |\n^gongs\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "Bells.md").write_text(BELLS, encoding="utf-8")
    (tmp_path / "Gongs.md").write_text(GONGS, encoding="utf-8")
    return tmp_path


def test_roll_prints_a_number_and_the_text_of_its_row(vk: Vaultkit, example: Path) -> None:
    done = vk("roll", "Magic Item Table A", "--times", "20", "--seed", "7", cwd=example)
    assert done.code == ExitCode.OK
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert len(lines) == 20
    assert all(1 <= int(number) <= 100 and words and "[" not in words for number, words in lines)
    assert "seed 7" in done.err


def test_same_seed_gives_the_same_rolls(vk: Vaultkit, example: Path) -> None:
    words = ("roll", "magic-item-table-b#^magic-item-table-b", "--json", "--seed", "3", "--times")
    five, again, two = (vk(*words, times, cwd=example).json for times in ("5", "5", "2"))
    assert five == again
    assert five["rolls"][:2] == two["rolls"]
    assert vk(*words[:-2], "4", "--times", "5", cwd=example).json["rolls"] != five["rolls"]


def test_json_has_the_table_the_rolls_and_the_follow_up_rolls(vk: Vaultkit, vault: Path) -> None:
    found = vk("roll", "Bells", "--json", "--seed", "1", "--times", "30", cwd=vault).json
    assert (found["table"], found["seed"], len(found["rolls"])) == ("Bells#^bells", 1, 30)
    first = found["rolls"][0]
    assert (first["row"], first["text"]) == ("1-4", "as Gongs")
    later = [other for rolled in found["rolls"] for other in rolled["chain"]]
    assert {other["table"] for other in later} == {"Gongs#^gongs"}
    assert {(other["row"], other["text"]) for other in later} == {
        *(("1-2", "Boom"), (None, "3 is in no row."), (None, "4 is in no row."))
    }


def test_one_line_shows_the_whole_chain_of_rolls(vk: Vaultkit, vault: Path) -> None:
    out = vk("roll", "Bells#^bells", "--times", "30", "--seed", "1", cwd=vault).out.splitlines()
    assert len(out) == 30
    assert any(line.endswith("\tas Gongs > Gongs 2: Boom") for line in out)
    assert any(line.endswith("3: 3 is in no row.") for line in out)


def test_dice_need_no_vault(vk: Vaultkit, tmp_path: Path) -> None:
    done = vk("roll", "2d6 + 1", "--times", "50", cwd=tmp_path)
    assert done.code == ExitCode.OK
    assert all(3 <= int(line) <= 13 for line in done.out.splitlines())
    found = vk("roll", "d%", "--json", "--seed", "1", cwd=tmp_path).json
    assert (found["table"], found["rolls"][0]["row"], found["rolls"][0]["chain"]) == ("d100", None, [])


def test_all_tables_are_listed_without_an_argument(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    lines = vk("roll", cwd=example).out.splitlines()
    assert len(lines) == 9
    path = "3-Mechanics/CLI/tables/magic-item-table-a.md"
    assert f"magic-item-table-a\td100\t9\tMagic Item Table A\t{path}" in lines
    found = vk("roll", "--json", cwd=example).json
    assert [item["table"].partition("#")[0] for item in found] == [line.split("\t")[0] for line in lines]
    (tmp_path / "empty" / ".obsidian").mkdir(parents=True)
    done = vk("roll", cwd=tmp_path / "empty")
    assert (done.code, done.out) == (ExitCode.OK, "")
    assert "no roll table" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("roll", "Magic Item Tabel A"), ExitCode.NOTHING, "magic-item-table-a"),
        (("roll", "magic-item-table-a#^table"), ExitCode.NOTHING, "magic-item-table-a#^magic-item-table-a"),
        (("roll", "Home"), ExitCode.NOTHING, "vaultkit roll"),
        (("roll", "7"), ExitCode.NOTHING, "vaultkit roll"),
        (("roll", "2000d6"), ExitCode.USAGE, "1000 dice"),
        (("roll", "2d6+"), ExitCode.USAGE, "2d6+1"),
        (("roll", "d6", "--times", "0"), ExitCode.USAGE, "--times"),
        (("roll", "d6", "--seed", "x"), ExitCode.USAGE, "--seed"),
        (("roll", "d6", "--sed", "3"), ExitCode.USAGE, "'--sed'"),
        (("roll", "d6", "-v"), ExitCode.USAGE, "'-v'"),
    ],
)
def test_invalid_rolls_are_refused(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    done = vk(*words, cwd=example)
    assert done.code == code
    assert said in done.err
    assert done.out == ""


@pytest.mark.slow
def test_words_filter_the_list_of_tables(vk: Vaultkit, example: Path) -> None:
    lines = vk("roll", "--list", "table", "ITEM", "a", cwd=example).out.splitlines()
    assert 0 < len(lines) < 8 and all("magic-item-table" in line for line in lines)
    assert vk("roll", "--list", cwd=example).out == vk("roll", cwd=example).out
    done = vk("roll", "--list", "zzz", cwd=example)
    assert (done.code, done.out) == (ExitCode.OK, "") and "'zzz'" in done.err


def test_table_name_needs_no_quotes(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    assert vk("roll", "Magic", "Item", "Table", "A", cwd=example).code == ExitCode.OK
    for words in (["d20", "+3"], ["d20", "-", "3"], ["d20", "-3"], ["d20", "-d4"], ["2d6", "+", "d4"]):
        assert vk("roll", *words, cwd=tmp_path).code == ExitCode.OK


@pytest.mark.parametrize(("words", "said"), [("1W6", "1d6."), ("2 k 10+1", "2d10+1."), ("3t20", "3d20.")])
def test_dice_in_other_languages_get_a_hint_how_to_write_them(
    vk: Vaultkit, tmp_path: Path, words: str, said: str
) -> None:
    done = vk("roll", words, cwd=tmp_path)
    assert done.code == ExitCode.USAGE
    assert f"With a d, for die: {said}" in done.err and "d20" in done.err


def test_a_note_with_several_tables_lists_them(vk: Vaultkit, vault: Path) -> None:
    (vault / "Both.md").write_text(f"{BELLS}\n{GONGS}", encoding="utf-8")
    done = vk("roll", "Both", cwd=vault)
    assert done.code == ExitCode.INVALID
    assert "Both#^bells" in done.err and "Both#^gongs" in done.err


def test_missing_vault_gives_one_clear_error(vk: Vaultkit, tmp_path: Path) -> None:
    assert vk("roll", "Bells", cwd=tmp_path).code == ExitCode.INVALID


def test_control_characters_of_a_table_never_reach_the_terminal(vk: Vaultkit, vault: Path) -> None:
    (vault / "Odd.md").write_text("| d4 | x |\n|--|--|\n| 1-4 | \x1b[31mred\u202e\x9b |\n", encoding="utf-8")
    out = vk("roll", "Odd", cwd=vault).out
    assert "red" in out
    assert not any(character in out for character in "\x1b\u202e\x9b")


def test_several_tables_are_one_result_in_order(vk: Vaultkit, vault: Path) -> None:
    found = vk("roll", "Bells", "2d6", "Gongs", "--seed", "4", "--times", "2", "--json", cwd=vault).json
    assert found["seed"] == 4
    assert [result["table"] for result in found["results"]] == ["Bells#^bells", "2d6", "Gongs#^gongs"]
    assert [len(result["rolls"]) for result in found["results"]] == [2, 2, 2]
    lines = [
        line.split("\t") for line in vk("roll", "Bells", "2d6", "Gongs", "--seed", "4", cwd=vault).out.splitlines()
    ]
    assert [line[0] for line in lines] == ["Bells", "2d6", "Gongs"]
    assert [int(line[1]) for line in lines] == [result["rolls"][0]["roll"] for result in found["results"]]


def test_unquoted_words_name_several_tables(vk: Vaultkit, vault: Path) -> None:
    (vault / "Deep Bells.md").write_text(GONGS, encoding="utf-8")
    lines = vk("roll", "Deep", "Bells", "d6", "d8", cwd=vault).out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["Deep Bells", "d6", "d8"]
    done = vk("roll", "Bells", "Nowhere", cwd=vault)
    assert done.code == ExitCode.NOTHING and "'Nowhere'" in done.err and done.out == ""


def test_roll_is_logged_as_one_undoable_line(vk: Vaultkit, vault: Path) -> None:
    log = vault / "My Log.md"
    log.write_text("# Log\n\n- before\n", encoding="utf-8")
    shown = vk("roll", "Bells", "d6", "--seed", "1", "--log", "My Log", "--dry-run", cwd=vault)
    assert shown.code == ExitCode.OK and "+- " in shown.out and log.read_text(encoding="utf-8").count("\n") == 3
    done = vk("roll", "Bells", "d6", "--seed", "1", "--log", "My Log", cwd=vault)
    assert done.code == ExitCode.OK and "Written: My Log.md" in done.err
    line = log.read_text(encoding="utf-8").splitlines()[-1]
    assert line.startswith("- 20") and "[[Bells#^bells|Bells]] 1: as [[Gongs#^gongs|Gongs]] > " in line
    assert "; d6: " in line and " ^vk-" in line
    assert vk("undo", cwd=vault).code == ExitCode.OK
    assert log.read_text(encoding="utf-8") == "# Log\n\n- before\n"


def test_roll_is_logged_to_the_note_of_the_settings(vk: Vaultkit, vault: Path) -> None:
    done = vk("roll", "Bells", "--log", cwd=vault)
    assert done.code == ExitCode.INVALID and "--log NOTE" in done.err
    (vault / ".vaultkit").mkdir()
    (vault / ".vaultkit" / "config.toml").write_text('[campaign]\nnote = "Chronicle"\n', encoding="utf-8")
    (vault / "Chronicle.md").write_text("", encoding="utf-8")
    found = vk("roll", "Gongs", "--log", "--json", "--seed", "3", cwd=vault).json
    assert found["note"] == "Chronicle.md" and len(found["rolls"]) == 1
    assert "## Log" in (vault / "Chronicle.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("roll", "Bells", "--dry-run"), "--log"),
        (("roll", "--log", "Bells"), "Name the table first"),
        (("roll", "d6", "--times", "21", "--log", "Bells"), "At most 20"),
    ],
)
def test_rolls_that_cannot_be_logged_are_refused(vk: Vaultkit, vault: Path, words: tuple[str, ...], said: str) -> None:
    done = vk(*words, cwd=vault)
    assert done.code == ExitCode.USAGE and said in done.err and done.out == ""


def test_missing_log_note_gets_a_suggestion(vk: Vaultkit, vault: Path) -> None:
    done = vk("roll", "Bells", "--log", "Gnogs", cwd=vault)
    assert done.code == ExitCode.NOTHING and "Gongs" in done.err and done.out == ""


def test_list_shows_which_tables_cannot_be_rolled(vk: Vaultkit, vault: Path) -> None:
    (vault / "Sky.md").write_text("| d6 | Sky |\n| 1-6 | dark |\n", encoding="utf-8")
    done = vk("roll", cwd=vault)
    assert len(done.out.splitlines()) == 2
    assert done.err == Says("Sky.md:1", "cannot", "rolled", "no", "---", "---")
    assert "Sky.md" not in vk("roll", "--list", "bells", cwd=vault).err
