"""The files of version 0.3.0 are complete, and are left as they are by whoever only looks at them."""

import json
import re
from pathlib import Path

import pytest

from tests.frozen.journals import EXPECTED, HERE, LATER, about, give
from tests.frozen.running import Recording, quiet_machine
from vaultkit.games.registry import GAMES
from vaultkit.web.saved_tables import SavedTable

KINDS = ("unfinished", "finished", "with decisions taken back", "its last line torn", "real cards", "light", "paper")


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_each_game_is_recorded(game: str) -> None:
    kinds = [one["what"] for session, one in about().items() if f"-{game}-" in session]
    assert [kind for kind in KINDS if not any(kind in what for what in kinds)] == []


def test_each_file_belongs_to_a_recorded_session() -> None:
    files = [path for folder in ("journals", "tables") for path in (HERE / folder).iterdir()]
    assert len(files) >= 60
    assert all(path.stem in about() or path.stem.rpartition("-g")[0] in about() for path in files)
    assert {f"Games/{path.name}" for path in (HERE / "notes").iterdir()} == {
        one["note"] for one in about().values() if "note" in one
    }


def test_recordings_contain_swapped_cards_and_undone_decisions() -> None:
    lines = [line for path in (HERE / "journals").glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    assert sum(line.startswith('{"swap":') for line in lines) > 20
    assert sum(line.startswith('{"undo_to":') for line in lines) > 10
    assert any('"free":true' in line for line in lines) and any('"tale":' in line for line in lines)


@pytest.mark.slow
def test_dc_40_rivals_passed_against_a_hero_with_an_answer_in_hand() -> None:
    """DC-40: a journal that does not name the option `must_answer` is played without that duty, and fits its rules."""
    rivals = [session for session, one in about().items() if "somebody passes in a hero round" in one["what"]]
    assert len(rivals) == 4
    with quiet_machine() as folder:
        recording = Recording(folder, HERE / "vault")
        for session in rivals:
            give(recording, session)
            code, out, _ = recording.call("replay", session, "--json", at=LATER)
            told = [event["text"] for step in json.loads(out)["steps"] for event in step["events"]]
            assert code == 0 and any(" passes" in text for text in told)


@pytest.mark.slow
def test_reading_commands_change_no_file() -> None:
    with quiet_machine() as folder:
        recording = Recording(folder, HERE / "vault")
        for session in list(about())[::5]:
            give(recording, session)
        before = journals(recording.root)
        for words in (("sessions",), ("log",), ("stats",), *(("replay", one) for one in list(about())[::20])):
            recording.call(*words, "--json", at=LATER)
        assert journals(recording.root) == before


def journals(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / ".vaultkit" / "journals").glob("[!.]*")}


def test_tables_are_found_again_with_the_seats_of_phones() -> None:
    with quiet_machine() as folder:
        recording = Recording(folder, HERE / "vault")
        kept = {}
        for session in (path.stem for path in (HERE / "tables").iterdir()):
            give(recording, session)
            table = SavedTable.of_session(session)
            assert table
            kept[about()[session]["what"]] = table
    torn = kept.pop("propheta, unfinished, with a table whose file is torn")
    assert (torn.port, torn.table, torn.seated, torn.phones) == (0, "", [], None)
    screen, begun, lobby = (kept[what] for what in sorted(kept, key=lambda what: kept[what].port))
    assert {table.table for table in kept.values()} == {"Tk3f9-table_address"}
    assert screen.port == 43211 and screen.seated == ["c" * 43] and screen.phones is None
    assert begun.phones and begun.phones.is_begun and begun.phones.port == 43212
    assert {seat: one.sign for seat, one in begun.phones.seats.items()} == {0: "red lantern", 1: "blue owl"}
    assert lobby.phones and not lobby.phones.is_begun and lobby.phones.bots == {2}
    assert lobby.phones.code == ("k3f9-p7", "K3F9")


OUTCOME = re.compile(r'(?m)^outcome:(?: \{|\n  )"?kind"?: "([\w-]+)",?\s*"?winners"?: (\[.*?\])')
"""The outcome of a game in the recording of `resume --json`."""
FACTS = re.compile(r"(?m)^(?:outcome|match|mode|score-[\w-]+): .*$")
"""Properties of a note that say how a game ended."""


@pytest.mark.parametrize("session", [session for session, one in about().items() if "ended" in one])
def test_continued_game_ends_as_in_0_3_0(session: str) -> None:
    """Words of recordings may be renewed, but not outcomes."""
    found = OUTCOME.search((EXPECTED / f"{session}.txt").read_text("utf-8"))
    assert found
    assert {"kind": found[1], "winners": json.loads(found[2])} == about()[session]["ended"]


@pytest.mark.parametrize("session", [session for session, one in about().items() if "note" in one])
def test_a_finished_game_is_logged_with_the_outcome_of_0_3_0(session: str) -> None:
    then = (HERE / "notes" / Path(about()[session]["note"]).name).read_text("utf-8")
    today = (EXPECTED / f"{session}.txt").read_text("utf-8").partition(": new\n")[2].partition("\n# ")[0]
    facts = FACTS.findall(today)
    assert facts and facts == FACTS.findall(then)[: len(facts)]
