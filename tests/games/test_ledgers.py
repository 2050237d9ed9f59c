"""Games entered with `--light`: they have the score sheet of the whole game with a third of the entries."""

from random import Random

import pytest

from tests.games.conformance import Case, cases
from tests.games.ledgers import ENTRIES, play_game, write_ledger
from tests.games.scoresheets.papers import WRITERS, options_of, result_of
from vaultkit.games.registry import rules
from vaultkit.session.scoresheets import score_sheet

FEW, MANY = 3, 40
MODES = {"dragon-citadel": [{"mode": "coop"}, {"mode": "competitive"}]}


def check(case: Case, rng: Random) -> tuple[int, int]:
    """Check that the ledger of a game has its outcome and tables and no doubts.

    Return the numbers of entries in the ledger and in the whole game.
    """
    whole = play_game(case, rng)
    ledger, engine, game = write_ledger(case, whole), result_of(whole.state), case.game
    assert ledger.over, str(case)
    outcome, sheet = ledger.outcome(), score_sheet(game.id)
    assert (outcome.kind, outcome.winners, outcome.ranks) == (engine.kind, engine.winners, engine.ranks), str(case)
    assert outcome.scores == engine.scores and game.score_tables(outcome) == game.score_tables(engine)
    tally = ledger.tally()
    by_hand = WRITERS[game.id](whole.state, options_of(case))
    if game.id != "deck-of-destiny":
        assert tally.common == by_hand.common
        assert [seat.answers for seat in tally.seats] == [seat.answers for seat in by_hand.seats]
    assert list(sheet.doubts(tally)) == []
    return len(ledger.pages), whole.typed


@pytest.mark.parametrize("game", ENTRIES)
def test_score_sheet_matches_that_of_the_whole_game(game: str) -> None:
    rng = Random(f"{game} light")
    for given in MODES.get(game, [{}]):
        counts = [check(Case(rules(game), dict(given)), rng) for _ in range(FEW)]
        entries, typed = (sum(column) for column in zip(*counts, strict=True))
        print(f"{game} {given}: {entries} entries, {typed} in whole games: {entries / typed:.0%}")  # noqa: T201
        assert entries <= 0.4 * typed


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in cases() if case.game.id in ENTRIES], ids=str)
def test_score_sheet_matches_under_every_option(case: Case) -> None:
    rng = Random(str(case))
    for _ in range(FEW):
        check(case, rng)


@pytest.mark.slow
@pytest.mark.parametrize("game", ENTRIES)
def test_score_sheet_matches_in_many_games(game: str) -> None:
    rng = Random(f"{game} light, many")
    for given in MODES.get(game, [{}]):
        for _ in range(MANY):
            check(Case(rules(game), dict(given)), rng)
