"""What is typed with `--light`: any spelling, one reason for what cannot be, and the nearest name for a slip."""

from random import Random

import pytest

from tests.games.conformance import Case, deck_of
from tests.games.ledgers import ENTRIES, played, typed
from vaultkit.campaign.entries import read_entry
from vaultkit.errors import UsageError
from vaultkit.games.ledger import EntryRefused, Ledger, open_ledger
from vaultkit.games.registry import rules
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import score_sheet

NAMES = ("Ysolde", "Bram", "Sefa", "Odhran", "Nettle", "Corvin", "Maud")


def begun(game: str, seats: int, *lines: str, **options: object) -> Ledger:
    """A ledger with these lines in it."""
    kind = rules(game)
    ledger = open_ledger(score_sheet(game), seats, settle(kind, options), deck_of(kind))
    for line in lines:
        ledger.take(read_entry(line, NAMES[:seats], ledger))
    return ledger


@pytest.mark.slow
@pytest.mark.parametrize("game", ENTRIES)
def test_what_people_type_is_the_entry_that_they_mean(game: str) -> None:
    case, rng = Case(rules(game), {}), Random(f"{game} typed")
    whole = played(case, rng)
    names, deck = NAMES[: whole.state.seats], deck_of(case.game)
    ledger = open_ledger(score_sheet(game), whole.state.seats, settle(case.game, {}), deck)
    for entry in ENTRIES[game](whole):
        line = typed(entry, names, deck)
        assert read_entry(rng.choice((line, line.upper(), line.replace(",", ""))), names, ledger) == entry
        ledger.take(entry)


WON = "6sw bram 7sw"
SPREAD = "wizard ysolde 3st bram 9st sefa raven"
REFUSED = [
    ((), "berserkr bram 7sw", "Did you mean 'Berserker'?"),
    ((), "6sw brm 7sw", "Did you mean 'Bram'?"),
    ((), "6sw bram m", "could be"),
    ((), "6sw", "Who took it?"),
    ((), "6sw lost bram 7sw", "Either somebody took it"),
    ((), "ghost sefa", "What of"),
    ((), "6sw 7sw", "Who? Type the name before it."),
    ((), "6sw bram 7st", "does not answer the"),
    ((), "6sw bram 7sw sefa 8sw", "One card answers a number"),
    ((), "bram 7sw", "A line begins with the dealer's card."),
    ((), "seer", "Who played the"),
    ((), "beast bram out sefa out", "At most one forfeits"),
    ((), "wizard bram 9st", "What has"),
    ((), "wizard bram 9st bram 8st sefa 7st ysolde 1st", "has put down two cards"),
    ((), "6sw bram over", "type it alone"),
    ((WON,), "7sw lost", "has won the"),
    ((WON,), "8sw sefa 6sw", "has won the"),
    ((SPREAD,), "raven", "lies open before"),
    ((SPREAD, "beast sefa out"), "8gl raven", "that of"),
    ((SPREAD, "beast sefa out"), "8gl sefa 9gl", "has forfeited already"),
    (("beast",), "beast", "has been discarded already"),
]


@pytest.mark.parametrize(("before", "line", "reason"), REFUSED)
def test_dragon_citadel_refuses_with_one_reason(before: tuple[str, ...], line: str, reason: str) -> None:
    ledger = begun("dragon-citadel", 3, *before)
    with pytest.raises(UsageError, match=reason.replace("?", r"\?")) as refused:
        ledger.take(read_entry(line, NAMES[:3], ledger))
    assert "\n" not in refused.value.message and len(refused.value.message) < 110


OTHERS = [
    ("propheta", 3, (), "ram ysolde", "begins with the name"),
    ("propheta", 3, (), "ysolde bram", "What did"),
    ("propheta", 3, (), "ysolde bram aries ram", "only the winner of a trick"),
    ("propheta", 3, (), "ysolde taurus bull", "only who has lost"),
    ("propheta", 3, ("ysolde aries ram",), "bram, ysolde gemini ribbon, virgo 1", "one prophecy after a trick"),
    ("propheta", 3, ("ysolde aries ram",), "bram aries ram", "turned up already"),
    ("prophets-gambit", 3, (), "ysolde 1sw 2sw 3sw 4sw", "First: who deals"),
    ("prophets-gambit", 3, ("ysolde dealer", "bram killed 1sw"), "sefa 1sw 2sw 3sw 4sw", "was the Focus"),
    ("prophets-gambit", 3, ("ysolde dealer", "bram killed 1sw"), "sefa 2sw 3sw 4sw", "has 4 cards"),
    ("prophets-gambit", 3, ("ysolde dealer",), "bram focus 1sw", "The Focus is judged"),
    ("turn-of-fate", 2, (), "ysolde", "a temple"),
    ("turn-of-fate", 2, ("ysolde moons",), "journey", "Only Citizens"),
    ("turn-of-fate", 2, ("ysolde moons", "author savage painter soldier"), "pass", "Who was introduced"),
    ("turn-of-fate", 2, ("ysolde moons", "author savage painter soldier"), "author", "Which Fate was played"),
    ("turn-of-fate", 2, ("ysolde moons", "author savage painter soldier"), "pass author", "introduced already"),
    ("turn-of-fate", 2, ("ysolde moons", "author savage painter soldier"), "origin merchant", "On whom"),
    ("deck-of-destiny", 1, ("ah",), "ah", "was laid already"),
    ("deck-of-destiny", 1, ("ysolde ah",), "ysolde", "one way"),
    ("deck-of-destiny", 1, ("ah",), "won lost pair", "one way"),
    ("deck-of-destiny", 1, ("ah",), "won", "With which hand"),
    ("deck-of-destiny", 1, ("ah",), "lost pair 2c", "Only a win"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "before", "line", "reason"), OTHERS)
def test_so_do_the_others(game: str, seats: int, before: tuple[str, ...], line: str, reason: str) -> None:
    ledger = begun(game, seats, *before)
    with pytest.raises(EntryRefused, match=reason):
        ledger.take(read_entry(line, NAMES[:seats], ledger))


def test_a_number_alone_is_of_the_dealers_suit() -> None:
    ledger = begun("dragon-citadel", 3, "6 of swords, taken by Bram with the 7")
    assert ledger.standings()[1].points == 13


def test_open_crowns_are_spent_and_hero_rounds_open_them() -> None:
    """DC-10, DC-16, DC-19: in a hero round the Crowns that were played lie open, and may be spent later."""
    ledger = begun("dragon-citadel", 3, SPREAD, "6sw raven", "ghost bram out", "over")
    assert ledger.over and ledger.tally().seats[2].answers["crowns.count"] == 0
    assert ledger.tally().seats[1].answers["forfeited"] == "yes"
    assert ledger.result().facts[-1][0] == "Not noted"


def test_a_match_of_propheta_goes_on_until_the_target() -> None:
    """VA-19: with real cards whole, that cannot be refereed; written down, it can."""
    lines = ["ysolde"] * 12 + ["ysolde"] * 11
    ledger = begun("propheta", 3, *lines, target=20)
    assert not ledger.over
    ledger.take(("@0",))
    assert ledger.over and ledger.outcome().kind == "match" and ledger.tally().common == {"deals": 2}
