"""A match at the table, game after game, and a GM who plays the dealer's cards behind a cover."""

import errno
import shutil
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.terminal.test_gm import begin
from tests.web.driver import Table
from tests.web.test_game_at_the_table import BOT, YSOLDE, go_on, play_out, workspace  # noqa: F401
from tests.web.test_troubles import refuse
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.turn import Chance
from vaultkit.host.advice import markdown_to_text
from vaultkit.host.game_host import GameHost
from vaultkit.host.match_host import MatchHost

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)


def open_match(playing: MatchNotes) -> Table:
    log = partial(playing.log, None, now=NOON)
    held = MatchHost(playing, markdown_to_text, 0, lambda: NOON, log)
    table = Table(held, playing.notes.deck_note.deck.by_id)
    go_on(table)
    return table.sit()


@pytest.mark.slow
def test_match_is_played_on_one_page_left_in_the_middle_and_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    notes, rng = GameNotes.from_name(Workspace(vault, cached=False), "turn-of-fate"), Random(3)
    begun = notes.begin_match(2, (YSOLDE, BOT), 3, clock=lambda: NOON, options=notes.options(()))
    table = open_match(MatchNotes(notes, begun))
    held = table.held
    assert isinstance(held, MatchHost)
    assert table.order("next").status == 422, "the game is on"
    play_out(table, held.session, rng)
    scene = str(table.scene())
    assert "Game 2 of at most 2" in scene
    assert "It is saved." in scene
    assert "Standing" in scene
    winners = held.match_notes.match.games[0].winners
    headline = "leads the match 1 to 0" if len(winners) == 1 else "The match is level, with "
    assert headline in scene, "its headline is the match, not the game"
    assert headline not in str(table.scene()["regions"]["top"])
    assert not held.over, "nobody closes the table between two games"
    old = table.scene()["question"]
    assert table.order("next").status == 200
    assert table.post(f"{table.at}order", {"question": old, "do": "next"}).status in (200, 409), "sent twice"
    top = str(table.scene()["regions"]["top"])
    assert "game 2 of at most 2" in top and headline in top
    assert held.session.header.session.endswith("g002")
    held.close()
    playing = MatchNotes.from_saved(notes.workspace, begun.id)
    assert playing
    again = open_match(playing)
    assert isinstance(again.held, MatchHost)
    with monkeypatch.context() as patch:
        patch.setattr("vaultkit.vault.writing.atomic_file.exchange", refuse(errno.ENOSPC))
        play_out(again, again.held.session, rng)
        assert str(again.scene()) == Says("Not written: Campaign Log.md")
        assert not again.held.over
    assert again.order("write-again").status == 200
    scene = str(again.scene())
    assert "match" in scene and "Not written" not in scene
    assert (again.held.over, again.order("next").status) == (True, 422)
    assert again.held.logged
    assert (vault / again.held.logged.note).is_file()
    assert again.order("finish").status == 200
    assert again.held.closed


def test_dc_2_a_gm_chooses_behind_a_cover_of_their_own(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    with begin(tmp_path, gm="Maud") as session:
        notes = GameNotes.from_name(workspace, "dragon-citadel")
        held = GameHost.from_notes(session, notes, markdown_to_text, 0, None)
        table = Table(held, session.deck.by_id)
        go_on(table)
        table.sit()
        turn = session.turn
        assert isinstance(turn, Chance)
        hidden = [session.deck[card].title for card in turn.options]
        scene = str(table.scene())
        assert "Maud decides" in scene and "Show the hand of Maud" in scene
        assert not any(title in scene for title in hidden)
        assert table.order("offer", offer=0).status == 422, "the cover is closed"
        assert table.order("uncover").status == 200
        scene = str(table.scene())
        assert all(f"Play the {title}" in scene for title in hidden)
        assert "b-hint" not in scene, "no bot knows what is good for a dealer"
        other = next(card.id for card in session.deck if card.id not in turn.options)
        assert table.order("name", words=other).status == 422
        assert (
            hidden[1]
            in table.order("why", card=table.page.sight(table.door.clients[0]).marks.card(turn.options[1])).json["html"]
        )
        steps = len(session.steps)
        assert table.order("offer", offer="1", sure=True).status == 200
        assert session.steps[steps].move.operands == turn.options[1:2]
        assert "Show the hand of Maud" not in str(table.scene()) or session.turn != turn
