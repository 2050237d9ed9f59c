"""The line in the campaign's log: who won, how, and with what score, in each of the five games."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.samples import finished_game
from tests.sessions import create_session
from tests.wording import Says
from vaultkit.bots.registry import make_bot
from vaultkit.campaign.result import PRICE_LABEL, GameResult, Sources, from_session, verbatim_sentence
from vaultkit.campaign.session_note import SessionPage, log_line
from vaultkit.cards.deck import known_deck
from vaultkit.games import registry
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.session import parse_seats
from vaultkit.session.journal_records import Agreement
from vaultkit.vault import Vault
from vaultkit.vault.writing.link_style import Linker

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)


def play_game(folder: Path, game: str, seats: int, seed: int, **agreed: Any) -> GameResult:
    """Play a game of random bots to its end."""
    rules = registry.rules(game)
    deck = known_deck(rules.deck)
    assert deck
    bots = parse_seats(["bot:random"] * seats)
    with create_session(
        folder, rules, deck, bots, id=f"20261103-{game}-{seed:04d}", seed=seed, clock=lambda: NOON, bots=make_bot,
        agreement=Agreement(**agreed),
    ) as session:  # fmt: skip
        assert list(session.advance()) and session.outcome
        return from_session(session, Sources())


def line(result: GameResult, vault: Vault) -> str:
    """Return the log line without its date, link and block id."""
    page = SessionPage(result, "Campaign Log.md", [None] * len(result.seats), Linker(vault, []))
    told = log_line(page, "Games/Game.md", None)
    return told.removesuffix(f" ^vk-{result.session}").removeprefix("- 2026-11-03 ")


ONE = r"Bot \d \(random\)"
LINES = {
    "prophets-gambit": (3, rf".*{ONE}.*(High card|two Pairs|a [A-Z][a-z]+) .+"),
    "propheta": (3, rf".*{ONE}.* Scores:( {ONE} \d+,){{2}} {ONE} \d+\."),
    "turn-of-fate": (2, rf".*{ONE}.* Scores: {ONE} \d+, {ONE} \d+\."),
    "deck-of-destiny": (
        1,
        rf"({ONE} (won|made|lost|retreated|did not|got|and the opponent were) .+"
        rf"|.*{ONE}( won|, with .+|)|.+ beat {ONE})\.",
    ),
    "dragon-citadel": (3, rf"The (dealer|party|Seer) .+\. Scores:( {ONE} \d+,){{2}} {ONE} \d+\."),
}


@pytest.mark.short(2)
@pytest.mark.parametrize("game", LINES)
@pytest.mark.parametrize("seed", [1, 2])
def test_g_12_line_of_every_game_names_winner_reason_and_score(
    game: str, seed: int, vault: Vault, tmp_path: Path
) -> None:
    seats, expected = LINES[game]
    told = line(play_game(tmp_path, game, seats, seed), vault)
    title = re.escape(registry.rules(game).title)
    assert re.fullmatch(rf"{title}: {expected}", told), told


def make_outcome(reason: str, winners: tuple[int, ...], *values: int | str) -> Outcome:
    outcome = finished_game("Ysolde", "Bram").outcome
    return replace(outcome, reason=Sentence(reason, (0, 1), (), values), winners=winners, facts=(), ranks=(1, 1))


def test_a_shared_win_names_both_and_their_scores_once(vault: Vault) -> None:
    level = finished_game("Ysolde", "Bram", title="Turn of Fate", scores=(50, 50))
    won = "Nobody is left: {s0} and {s1} share the win with {v0} each."
    told = line(replace(level, outcome=make_outcome(won, (0, 1), 50)), vault)
    assert told == Says("Fate", "Nobody", "Ysolde", "Bram", "share", "50")
    told = line(replace(level, outcome=make_outcome("{s0} and {s1} are level.", (0, 1))), vault)
    assert told == Says("Turn of Fate", "Ysolde", "Bram", "level", "Scores", "Ysolde 50", "Bram 50")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("win", "{s0} wins with a pair against a single card."),
        ("loss", "{s0} loses with a pair against a flush."),
        ("tie", "{s0} and the opponent make equal hands, a pair, and so the encounter is not won."),
        ("retreat", "{s0} retreats at the end of phase 1."),
    ],
)
def test_dd_11_encounter_is_named_and_a_loss_states_its_cost(vault: Vault, kind: str, reason: str) -> None:
    cost = (("What it costs", verbatim_sentence("The ferry burns.")),) if kind == "loss" else ()
    outcome = replace(finished_game("Ysolde").outcome, kind=kind, reason=Sentence(reason, (0,)), facts=cost)
    about = (("Character", "1-Party/Ysolde Marr.md"), ("Encounter", "2-World/Ivo.md"))
    result = finished_game("Ysolde", title="Deck of Destiny", outcome=outcome, scores=(None,), about=about)
    costs = " The ferry burns." if kind == "loss" else ""
    assert line(result, vault) == f"Deck of Destiny, [[Ivo]]: {reason.format(s0='Ysolde')}{costs}"


@pytest.mark.slow
def test_dd_11_only_a_loss_has_a_cost(tmp_path: Path) -> None:
    found = [play_game(tmp_path, "deck-of-destiny", 1, seed, on_loss="One year of life.") for seed in range(8)]
    assert {one.outcome.kind for one in found} >= {"win", "loss", "retreat"}
    for one in found:
        assert (PRICE_LABEL in dict(one.outcome.facts)) is (one.outcome.kind == "loss")


def test_best_players_come_first_and_those_without_a_score_are_left_out(vault: Vault) -> None:
    outcome = replace(make_outcome("The deck is empty.", (1,)), ranks=(2, 1, 3))
    told = line(finished_game("Ysolde", "Bram", "Sefa", outcome=outcome, scores=(4, 9, None)), vault)
    assert told == Says("Dragon Citadel", "deck is empty", "Bram 9", "Ysolde 4")
