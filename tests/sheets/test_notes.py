"""What notes and finished games become on their sheets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from vaultkit.resources import shipped
from vaultkit.sheets import notes
from vaultkit.sheets.notes import Played, print_played_scores
from vaultkit.sheets.scores.page import Entry, ScorePage
from vaultkit.vault import Vault

SUITS = ("swords", "stars", "glyphs", "coins")
NOTHING = {f"{suit}.{part}": 0 for suit in SUITS for part in ("total", "rolls", "row", "heroes")}
PARTS = {**NOTHING, "crowns.count": 0, "crowns.rolls": 0, "crowns.row": 0, "total": 0}


def played(scores: tuple[Mapping[str, int], ...]) -> Played:
    return Played("dragon-citadel", "k3f9", "2026-11-03", {"mode": "coop"}, ("Ysolde", "Bram"), scores)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    entries: list[Entry] = []
    draw = ScorePage.draw

    def remember(self: ScorePage, entry: Entry) -> None:
        entries.append(entry)
        draw(self, entry)

    monkeypatch.setattr(ScorePage, "draw", remember)
    return entries


def print_them(tmp_path: Path, game: Played) -> None:
    print_played_scores(game, Vault(shipped("vault-example")), paper="a4", out=tmp_path / "s.pdf")


def test_each_player_has_the_own_fate_ticked(tmp_path: Path, drawn: list[Entry]) -> None:
    print_them(tmp_path, played(({**PARTS, "survived": 1}, {**PARTS, "survived": 0})))
    assert [entry.ticked for entry in drawn] == [{"mode.coop", "forfeited.no"}, {"mode.coop", "forfeited.yes"}]


def test_a_game_that_does_not_tell_leaves_it_open(tmp_path: Path, drawn: list[Entry]) -> None:
    print_them(tmp_path, played((PARTS, PARTS)))
    assert [entry.ticked for entry in drawn] == [{"mode.coop"}, {"mode.coop"}]


def test_a_sheet_that_does_not_ask_is_printed_all_the_same(
    tmp_path: Path, drawn: list[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = notes.score_design.load

    def without(*given: Any) -> Any:
        from dataclasses import replace

        design = load(*given)
        return replace(design, ticks=tuple(group for group in design.ticks if group.id == "mode"))

    monkeypatch.setattr(notes.score_design, "load", without)
    print_them(tmp_path, played(({**PARTS, "survived": 1}, {**PARTS, "survived": 0})))
    assert [entry.ticked for entry in drawn] == [{"mode.coop"}, {"mode.coop"}]


def test_cards_carry_the_facts_of_their_deck_but_not_what_they_show_anyway() -> None:
    from vaultkit.compendium import Compendium

    vault = Vault(shipped("vault-example"))
    deck = Compendium(vault).deck("Astromancy Deck")
    facts = {entry.card.name: notes._printable(entry, vault).facts for entry in deck.entries}
    assert facts["Aries Ribbon"] == (
        ("Season", "Spring"), ("Modality", "Cardinal"), ("Element", "Fire"), ("Ribbon", "inscribed"),
    )  # fmt: skip
    assert facts["Gemini 0"][-1] == ("Number", "0")
