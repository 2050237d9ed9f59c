"""Games recorded before an option existed: a missing option has the value that it had at that time."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from vaultkit.cards.deck import known_deck
from vaultkit.errors import InvalidError
from vaultkit.games.options import NumberOption, Option, SwitchOption, resolve, resolve_recorded
from vaultkit.games.registry import GAMES, rules
from vaultkit.session import Session
from vaultkit.session.history import replay
from vaultkit.session.journal import read
from vaultkit.session.match import read_match
from vaultkit.session.options import house_rules, settle, settle_recorded

RECORDED = Path(__file__).parents[1] / "data" / "journals" / "0.3.0-rivals"
"""Dragon Citadel games among rivals from version 0.3.0, in each of which a rival passes a hero they could answer."""
OPEN, OVER, MATCH = (f"20261120-dragon-citadel-{name}" for name in ("open", "over", "many"))
GAME = rules("dragon-citadel")
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
_deck = known_deck("tarokka")
assert _deck is not None
DECK = _deck

OPTIONS = (
    Option("old", "T-1", ("a", "b"), "One that always existed."),
    SwitchOption("switch", "T-2", ("yes", "no"), "A newer one.", before="no"),
    NumberOption("number", "T-3", (3, "none"), "A newer number.", 1, 9, before="none"),
)


def test_option_missing_from_a_record_has_its_former_default() -> None:
    assert resolve_recorded(OPTIONS, {}, "Toy") == {"old": "a", "switch": "no", "number": "none"}
    assert resolve(OPTIONS, {}, "Toy") == {"old": "a", "switch": "yes", "number": 3}


def test_option_in_a_record_has_the_recorded_value() -> None:
    assert resolve_recorded(OPTIONS, {"old": "b", "switch": "yes", "number": 5}, "Toy") == resolve(
        OPTIONS, {"old": "b", "switch": "yes", "number": 5}, "Toy"
    )


@pytest.mark.parametrize("name", GAMES)
def test_former_default_is_an_accepted_value_of_its_option(name: str) -> None:
    for option in rules(name).options:
        assert option.before is None or option.parse(option.before) == option.before != option.default


def test_dc_40_new_game_has_the_duty_and_an_old_record_without_it_has_not() -> None:
    assert settle(GAME, {})["must_answer"] == "yes"
    assert settle_recorded(GAME, {"mode": "competitive"})["must_answer"] == "no"


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    shutil.copytree(RECORDED, tmp_path / "journals")
    return tmp_path / "journals"


def resume(path: Path) -> Session:
    return Session.resume(path, GAME, DECK, clock=lambda: NOON)


def test_dc_40_old_game_with_a_pass_on_a_hero_is_resumed_and_continued(journals: Path) -> None:
    path = journals / f"{OPEN}.jsonl"
    before, recorded = path.read_bytes(), read(path)
    assert "must_answer" not in recorded.header.options
    with resume(path) as session:
        assert session.header.options["must_answer"] == "no"
        assert [step.record for step in session.steps] == [line.record for line in recorded.steps]
        assert "must_answer = no instead of yes (DC-40)" in " ".join(house_rules(GAME, session.header.options))
        while session.outcome is None:
            for _ in session.advance():
                pass
            if session.prompt:
                quiet = [move for move in session.prompt.moves if move.verb != "joker"]
                session.submit(quiet[-1])
    assert path.read_bytes() == before
    written = journals / f"{OPEN}.journal"
    assert read(written).header.options["must_answer"] == "no"
    contents, steps = replay(written, GAME, DECK)
    assert contents.end and len(steps) > len(recorded.steps)


def test_dc_40_a_finished_game_of_an_earlier_version_is_replayed_to_the_same_end(journals: Path) -> None:
    path = journals / f"{OVER}.jsonl"
    recorded = read(path)
    contents, steps = replay(path, GAME, DECK)
    assert [step.record for step in steps] == [line.record for line in recorded.steps]
    assert recorded.end and contents.end
    before, now = recorded.end.outcome, contents.end.outcome
    assert (now.kind, now.winners, now.scores, now.ranks) == (before.kind, before.winners, before.scores, before.ranks)


def test_dc_40_match_continues_with_the_options_of_its_first_game(journals: Path) -> None:
    match = read_match(journals / f"{MATCH}.match")
    assert match.header.options["must_answer"] == "no"
    assert all(contents.header.options["must_answer"] == "no" for contents in match.journals)
    header = match.next_header(GAME, NOON)
    assert header.options["must_answer"] == "no"
    with Session.begin(journals, GAME, DECK, header, clock=lambda: NOON) as session:
        assert session.header.options["must_answer"] == "no"
    assert read(journals / f"{header.session}.journal").header.options["must_answer"] == "no"


def test_a_match_of_a_game_that_is_unknown_is_refused(journals: Path) -> None:
    path = journals / f"{MATCH}.match"
    path.write_bytes(path.read_bytes().replace(b'"game":"dragon-citadel"', b'"game":"dragon-castle"'))
    with pytest.raises(InvalidError, match="no game 'dragon-castle'"):
        read_match(path)


def test_new_journal_names_every_option(tmp_path: Path, journals: Path) -> None:
    header: Any = read(journals / f"{OPEN}.jsonl").header
    header = msgspec.structs.replace(header, options=settle(GAME, header.options))
    with Session.begin(tmp_path, GAME, DECK, header, clock=lambda: NOON) as session:
        written = read(session.path).header.options
    assert written.keys() == {option.key for option in GAME.options} | {"undo"}
    assert written["must_answer"] == "yes"
