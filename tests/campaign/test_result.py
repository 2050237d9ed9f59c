from dataclasses import replace
from pathlib import Path

import pytest

from tests.campaign.samples import log
from tests.session.helpers import ID, begin, play_first, settle
from tests.session.toy import TOY_DECK
from vaultkit.campaign.result import GameResult, Sources, from_session, verbatim_sentence
from vaultkit.errors import InvalidError
from vaultkit.vault import Vault


def play_toy(folder: Path, **more: object) -> GameResult:
    with begin(folder, "Ysolde", "bot:first", **more) as session:
        play_first(session)
        return from_session(session, Sources())


def test_g_12_result_contains_everything_a_log_needs(tmp_path: Path) -> None:
    result = play_toy(tmp_path, hands="hidden")
    assert (result.session, result.game, result.title, result.seed) == (ID, "toy", "Toy Game", 7)
    assert (result.deck, result.deck_title, result.fingerprint) == ("toy", "Toy Deck", TOY_DECK.fingerprint)
    assert result.options == {"hands": "hidden"}
    assert result.date.isoformat() == "2026-11-03"
    assert result.minutes == 0
    assert result.moves == 12
    assert result.journal == f".vaultkit/journals/{ID}.journal"
    assert [seat.strategy for seat in result.seats] == [None, "first"]
    assert result.scores == tuple(parts["prizes"] for parts in result.outcome.scores)
    assert result.story and "Ysolde" in result.say(result.story[0])  # a game without phrases is told by its scores
    assert result.headline is None and result.cards == ()


def test_unfinished_game_has_no_result(tmp_path: Path) -> None:
    with begin(tmp_path, "Ysolde", "Bram") as session:
        settle(session)
        with pytest.raises(InvalidError) as caught:
            from_session(session, Sources())
    assert f"vaultkit resume {ID}" in caught.value.hint


def test_result_can_be_logged(tmp_path: Path, vault: Vault) -> None:
    logged = log(vault, replace(play_toy(tmp_path), sources=Sources(card_links={"x": "y"})))
    note = vault.read(logged.note)
    assert "| [[Ysolde Marr\\|Ysolde]] | " in note.text
    assert isinstance(note.property("score-ysolde-marr"), int)
    assert not note.problems


def test_seed_is_left_out_with_real_cards(tmp_path: Path) -> None:
    with begin(tmp_path, "bot:first", "bot:first", real_cards=True) as session:
        while session.outcome is None:
            settle(session)
            turn = session.turn
            if turn is not None:
                from vaultkit.games.turn import Chance
                from vaultkit.session.seeded_choices import deal

                assert isinstance(turn, Chance)
                session.submit(deal(turn, 1, len(session.steps)))
        result = from_session(session, Sources())
        assert result.seed is None and result.real_cards


def test_sentences_of_a_game_are_used_verbatim(tmp_path: Path) -> None:
    assert play_toy(tmp_path).say(verbatim_sentence("We {won} {0}")) == "We {won} {0}"


def test_tf_29_words_of_players_are_recorded_with_the_events(tmp_path: Path) -> None:
    with begin(tmp_path, "Ysolde", "bot:first") as session:
        settle(session)
        assert session.prompt
        session.submit(session.prompt.moves[0], "A bell rings.")
        play_first(session)
        result = from_session(session, Sources())
    ((happened, told),) = result.tales
    assert told == "A bell rings." and result.say(happened).startswith("Ysolde")
