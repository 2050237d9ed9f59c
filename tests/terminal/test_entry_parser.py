"""Entries typed with `--light`: spellings, reasons for a refusal, and suggestions for misspelt names."""

from random import Random

import pytest

from tests.games.conformance import Case, deck_of
from tests.games.ledgers import ENTRIES, play_game, typed_entry
from vaultkit.campaign.entry_parser import read_entry
from vaultkit.errors import UsageError
from vaultkit.games.ledger import EntryRefused, Ledger, open_ledger
from vaultkit.games.registry import rules
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import score_sheet

NAMES = ("Ysolde", "Bram", "Sefa", "Odhran", "Nettle", "Corvin", "Maud")


def begin_ledger(game: str, seats: int, *lines: str, **options: object) -> Ledger:
    """Return a ledger with these lines entered."""
    kind = rules(game)
    ledger = open_ledger(score_sheet(game), seats, settle(kind, options), deck_of(kind))
    for line in lines:
        ledger.add_entry(read_entry(line, NAMES[:seats], ledger))
    return ledger


@pytest.mark.slow
@pytest.mark.parametrize("game", ENTRIES)
def test_typed_lines_become_the_intended_entry(game: str) -> None:
    case, rng = Case(rules(game), {}), Random(f"{game} typed")
    whole = play_game(case, rng)
    names, deck = NAMES[: whole.state.seats], deck_of(case.game)
    ledger = open_ledger(score_sheet(game), whole.state.seats, settle(case.game, {}), deck)
    for entry in ENTRIES[game](whole):
        line = typed_entry(entry, names, deck)
        assert read_entry(rng.choice((line, line.upper(), line.replace(",", ""))), names, ledger) == entry
        ledger.add_entry(entry)


WON = "6sw bram 7sw"
SPREAD_2 = "warrior ysolde 3sw bram 9sw sefa beast"
SPREAD = "wizard ysolde 3st bram 9st sefa raven"
REFUSED = [
    ((), "berserkr bram 7sw", "Did you mean 'Berserker'?"),
    ((), "6sw brm 7sw", "Did you mean 'Bram'?"),
    ((), "6sw bram m", "could be"),
    ((), "6sw", "Who took it?"),
    ((), "6sw lost bram 7sw", "Either somebody took it"),
    ((), "ghost sefa", "What did"),
    ((), "6sw 7sw", "Who? Type the name before it."),
    ((), "6sw bram 7st", "does not answer the"),
    ((), "6sw bram 7sw sefa 8sw", "One card answers a number"),
    ((), "bram 7sw", "A line begins with the dealer's card."),
    ((), "seer", "Who played the"),
    ((), "beast bram out sefa out", "At most one forfeits"),
    ((), "wizard bram 9st", "What did"),
    ((), "wizard bram 9st bram 8st sefa 7st ysolde 1st", "has put down two cards"),
    ((), "6sw bram over", "type it alone"),
    ((WON,), "7sw lost", "has won the"),
    ((WON,), "8sw sefa 6sw", "has won the"),
    ((SPREAD,), "raven", "lies open before"),
    ((SPREAD, "beast sefa out"), "8gl raven", "belongs to"),
    ((SPREAD, "beast sefa out"), "8gl sefa 9gl", "has forfeited already"),
    (("beast",), "beast", "has been discarded already"),
    # Results that contradict, or that the rules do not allow (DC-9, DC-15, DC-19 to DC-22).
    ((), "mists lost", "Who is out?"),
    ((), "ghost bram wizard lost", "Who is out?"),
    ((), "ghost ysolde wizard bram rogue sefa raven lost", "Everybody has paid"),
    ((), "priest lost", "Who is out?"),
    ((), "priest bram 9gl lost", "Who is out?"),
    ((), "wizard ysolde 3st bram 9st sefa raven lost", "Everybody has answered"),
    ((), "wizard ysolde 3st bram 9st bram out sefa raven", "has put down the"),
    ((), "ghost bram wizard bram out", "and so is not out"),
    ((), "1sw lost", "No card is left that is lower"),
    ((), "6sw bram lost", "Is Bram out?"),
    ((), "priest lost bram", "What did Bram do?"),
    ((), "lost 6sw", "A line begins with the dealer's card."),
    ((), "6sw out bram", "What did Bram do?"),
    ((), "6sw bram 7sw ysolde seer", "ends the game at once"),
    (("2sw bram 1sw",), "3sw bram 2sw", "has been discarded already"),
    (("2sw bram 1sw", "4sw bram 3sw"), "1sw lost", "has been discarded already"),
    (("2sw bram 3sw",), "1sw lost", "No card is left that is lower"),
    (("2sw bram 1sw",), "3sw lost", "No card is left that is lower"),
    ((SPREAD,), "ghost sefa rogue sefa raven", "Whom did the Raven save?"),
    ((SPREAD,), "ghost raven sefa out", "has saved Sefa"),
    ((SPREAD,), "6sw bram raven", "lies open before Sefa"),
    ((SPREAD, SPREAD_2), "ghost raven beast", "Whom did the Beast save?"),
    ((SPREAD, "beast sefa out"), "ghost bram out bram raven", "who has forfeited"),
]


@pytest.mark.short(9)
@pytest.mark.parametrize(("before", "line", "reason"), REFUSED)
def test_dragon_citadel_refuses_with_one_reason(before: tuple[str, ...], line: str, reason: str) -> None:
    error = refusal(begin_ledger("dragon-citadel", 3, *before), line)
    assert reason in error
    assert "\n" not in error and len(error) < 125


def refusal(ledger: Ledger, line: str) -> str:
    """Return the message with which a line is refused."""
    names = NAMES[: ledger.seats]
    with pytest.raises(UsageError) as refused:
        ledger.add_entry(read_entry(line, names, ledger))
    error = refused.value
    if isinstance(error, EntryRefused):
        return error.sentence.render(names.__getitem__, lambda card: ledger.deck[card].name)
    return error.message


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


# The same for the other four: a seat named twice, a card that lies elsewhere, results that contradict.
FATE = ("ysolde moons", "author savage painter soldier")
GAMBIT = ("ysolde dealer", "bram killed 1sw")
CONTRADICTIONS = [
    ("propheta", 3, ("ysolde aries ram",), "sefa, bram aries ram", "turned up already"),
    ("propheta", 3, (), "ysolde aries ram, ysolde cancer crab", "one prophecy after a trick"),
    ("propheta", 3, (), "bram ysolde", "What did Ysolde turn up?"),
    ("prophets-gambit", 3, (), "ysolde dealer bram dealer", "One player deals"),
    ("prophets-gambit", 3, ("ysolde dealer",), "bram dealer", "One player deals"),
    ("prophets-gambit", 3, ("ysolde dealer",), "bram killed saved 1sw", "only once"),
    ("prophets-gambit", 3, ("ysolde dealer",), "bram ended saved 1sw", "Nobody judges the Focus"),
    ("prophets-gambit", 3, ("ysolde dealer", "bram ended"), "sefa saved 1sw", "Nobody judges the Focus"),
    ("prophets-gambit", 3, ("ysolde dealer", "bram ended"), "sefa ended focus 1sw", "ends the game once"),
    ("prophets-gambit", 3, GAMBIT, "sefa saved 2sw", "only once"),
    ("prophets-gambit", 3, GAMBIT, "sefa ended 2sw 3sw 4sw 5sw", "before the Focus is judged"),
    ("prophets-gambit", 3, (*GAMBIT, "sefa 2sw 3sw 4sw 5sw"), "sefa 6sw 7sw 8sw 9sw", "is known already"),
    ("prophets-gambit", 3, (*GAMBIT, "sefa 2sw 3sw 4sw 5sw"), "bram 5sw 7sw 8sw 9sw", "lies in another hand"),
    ("prophets-gambit", 3, GAMBIT, "sefa 2sw 2sw 4sw 5sw", "named twice"),
    ("turn-of-fate", 2, (), "ysolde moons bram suns", "the two are rivals"),
    ("turn-of-fate", 2, (), "ysolde moons ysolde wyrms", "Each player serves one temple"),
    ("turn-of-fate", 2, ("ysolde suns",), "author", "one temple is that of the Moons"),
    ("turn-of-fate", 2, ("ysolde moons",), "author savage painter soldier sailor", "4 Citizens are in play"),
    ("turn-of-fate", 2, FATE, "ysolde pass merchant", "It is the turn of Bram"),
    ("turn-of-fate", 2, FATE, "pass origin author merchant", "Either a Fate is played"),
    ("turn-of-fate", 2, FATE, "origin author pass merchant", "Either a Fate is played"),
    ("turn-of-fate", 2, FATE, "chance meeting author merchant", "bears the suit of the Moons, so Bram cannot hold it"),
    ("turn-of-fate", 2, FATE, "pass merchant sailor", "comes too early"),
    ("turn-of-fate", 2, FATE, "over", "may still be introduced"),
    ("turn-of-fate", 2, FATE, "pass over", "may still be introduced"),
    ("turn-of-fate", 2, FATE, "stalled", "two turns in a row"),
    ("turn-of-fate", 2, FATE, "pass stalled", "line of its own"),
    ("turn-of-fate", 2, FATE, "over pass", "at the end of a line"),
    ("turn-of-fate", 2, FATE, "pass merchant over", "may still be introduced|Nobody is introduced after over"),
    ("deck-of-destiny", 1, (), "won pair", "the first phase takes one"),
    ("deck-of-destiny", 1, ("ah",), "retreat pair", "makes no hand"),
    ("deck-of-destiny", 1, ("ah",), "won pair flush", "With which hand"),
    ("deck-of-destiny", 1, ("ah",), "won flush 2c 2c", "named twice"),
    ("deck-of-destiny", 1, ("ah",), "won flush 2c 3c 4c 5c 6c 7c 8c 9c 10c", "gained 9 cards|This win earns"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "before", "line", "reason"), [*OTHERS, *CONTRADICTIONS])
def test_other_games_refuse_with_one_reason(
    game: str, seats: int, before: tuple[str, ...], line: str, reason: str
) -> None:
    error = refusal(begin_ledger(game, seats, *before), line)
    assert any(words in error for words in reason.split("|")), error


def test_tf_3_player_whose_turn_it_is_may_be_named() -> None:
    ledger = begin_ledger("turn-of-fate", 2, *FATE, "bram pass merchant", "ysolde pass sailor")
    assert len(ledger.pages) == 4


def test_dc_22_crown_entered_alone_was_paid_for_by_all() -> None:
    ledger = begin_ledger("dragon-citadel", 3, "mists", "ghost bram out lost")
    assert [event.kind for event in ledger.pages[0].events] == ["turn-up", "paid"]
    assert [event.kind for event in ledger.pages[1].events][:2] == ["turn-up", "lost"]


def test_beginning_of_two_names_is_asked_about() -> None:
    ledger = open_ledger(
        score_sheet("dragon-citadel"), 3, settle(rules("dragon-citadel"), {}), deck_of(rules("dragon-citadel"))
    )
    with pytest.raises(UsageError, match="'xi' could be: Xiomara; Xin"):
        read_entry("6sw xi 7sw", ("Xiomara", "Xin", "Sefa"), ledger)


def test_a_number_alone_is_of_the_dealers_suit() -> None:
    ledger = begin_ledger("dragon-citadel", 3, "6 of swords, taken by Bram with the 7")
    assert ledger.standings()[1].points == 13


def test_open_crowns_are_spent_and_hero_rounds_open_them() -> None:
    """DC-10, DC-16, DC-19: Crowns played in a hero round lie open and may be spent later."""
    ledger = begin_ledger("dragon-citadel", 3, SPREAD, "6sw raven", "ghost bram out", "over")
    assert ledger.over and ledger.tally().seats[2].answers["crowns.count"] == 0
    assert ledger.tally().seats[1].answers["forfeited"] == "yes"
    assert ledger.result().facts[-1][0] == "Not noted"


def test_match_of_propheta_continues_until_the_target() -> None:
    """VA-19: a whole match with real cards cannot be refereed, but its scores can be written down."""
    lines = ["ysolde"] * 12 + ["ysolde"] * 11
    ledger = begin_ledger("propheta", 3, *lines, target=20)
    assert not ledger.over
    ledger.add_entry(("@0",))
    assert ledger.over and ledger.outcome().kind == "match" and ledger.tally().common == {"deals": 2}
