"""Notes of games as people leave them: edited, moved, copied by a sync tool, or unreadable."""

from pathlib import Path

from tests.campaign.stats.samples import BRAM, EVENING, GUEST, YSOLDE, make_vault, session
from tests.wording import Says
from vaultkit.campaign.logged_game import played_games
from vaultkit.campaign.stats.game_list import gather_games
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.vault import Vault


def test_one_person_by_link_name_and_alias_is_one_player(tmp_path: Path) -> None:
    spellings = [YSOLDE, "[[Ysolde]]", "ysolde", "Ysolde  Marr", "[[1-Party/Ysolde Marr]]"]
    games = [session(number, "2026-09-05", [name, BRAM], [name]) for number, name in enumerate(spellings, 1)]
    told = Statistics.from_sessions(gather_games(make_vault(tmp_path, games)).sessions)
    assert [(one.name, one.games, one.won) for one in told.players] == [
        ("Ysolde Marr", 5, 5),
        ("Bram Tolliver", 5, 0),
    ]


def test_guest_is_one_player_in_any_case(tmp_path: Path) -> None:
    games = [session(1, "2026-09-05", ["ANNA", BRAM], ["anna"]), session(2, "2026-09-06", ["Anna", BRAM], [BRAM])]
    told = Statistics.from_sessions(gather_games(make_vault(tmp_path, games)).sessions)
    assert [(one.name, one.won) for one in told.players] == [("Anna", 1), ("Bram Tolliver", 1)]


def test_players_of_the_settings_are_preferred_to_namesakes(tmp_path: Path) -> None:
    vault = make_vault(tmp_path, [session(1, "2026-09-05", ["Bram", "Anna"], [])])
    (tmp_path / "Bram Two.md").write_text("---\naliases: [Bram]\n---\n", encoding="utf-8")
    assert [one.note for one in next(played_games(vault)).participants] == ["", ""], "it may be either"
    game = next(played_games(Vault(tmp_path), ["Bram Tolliver"]))
    assert game.participants[0].note == "1-Party/Bram Tolliver.md"


def test_scores_survive_renaming_a_note(tmp_path: Path) -> None:
    text = session(
        1, "2026-09-05", ["[[Yrsa Marr]]", BRAM], [], scores={"score-ysolde-marr": 5, "score-bram-tolliver": 7}
    )
    vault = make_vault(tmp_path, [text])
    (tmp_path / "1-Party/Ysolde Marr.md").rename(tmp_path / "1-Party/Yrsa Marr.md")
    game = next(played_games(Vault(vault.root)))
    assert [(one.name, one.score) for one in game.participants] == [("Yrsa Marr", 5), ("Bram Tolliver", 7)]


def test_game_is_recognized_without_its_tag(tmp_path: Path) -> None:
    path, text = session(1, "2026-09-05", [YSOLDE, BRAM], [])
    for said in ("  - game/tuesdays\n  - game/propheta", "  - cards"):
        vault = make_vault(tmp_path, [(path, text.replace("  - game/propheta", said))])
        assert next(played_games(Vault(vault.root))).game == "propheta"


def test_copy_of_a_session_counts_once_and_is_reported(tmp_path: Path) -> None:
    path, text = EVENING[0]
    copy = path.replace(".md", " (conflicted copy 2026-09-06).md")
    gathered = gather_games(make_vault(tmp_path, [*EVENING, (copy, text), (f"Elsewhere/{path}", text)]))
    assert {one.game.note for one in gathered.sessions} == {each for each, _ in EVENING}
    assert gathered.copies == {copy: path, f"Elsewhere/{path}": path}
    assert Statistics.from_sessions(gathered.sessions) == Statistics.from_sessions(
        gather_games(make_vault(tmp_path / "other")).sessions
    )


def test_session_notes_count_in_any_folder(tmp_path: Path) -> None:
    moved = [(f"Archive/{number}/game.md", text) for number, (_, text) in enumerate(EVENING)]
    told = Statistics.from_sessions(gather_games(make_vault(tmp_path, moved)).sessions)
    assert told.sessions == len(EVENING) and told.players[0].won == 3


def test_unreadable_notes_are_reported_with_their_line_and_stop_nothing(tmp_path: Path) -> None:
    vault = make_vault(tmp_path)
    (tmp_path / "Games/latin.md").write_bytes("---\nvaultkit-session: x\n---\nfür".encode("latin-1"))
    (tmp_path / "Games/open.md").write_text("---\nvaultkit-session: y\nplayers: [\n", encoding="utf-8")
    (tmp_path / "Games/wide.md").write_bytes("---\nvaultkit-session: z\n---\n".encode("utf-16"))
    (tmp_path / "Other.md").write_bytes("nothing of a game: für".encode("latin-1"))
    (tmp_path / "Games/undated.md").write_text(
        '---\nvaultkit-session: "u"\nplayers: [Anna]\nwinners: []\ndate: 31.10.2026\n---\n', encoding="utf-8"
    )
    gathered = gather_games(Vault(vault.root))
    told = {(one.note, one.line) for one in gathered.problems}
    assert ("Games/latin.md", 4) in told and ("Games/undated.md", 5) in told
    assert {"Games/open.md", "Games/wide.md"} <= {note for note, _ in told}
    assert "Other.md" not in {note for note, _ in told}
    assert len(gathered.sessions) == len(EVENING) + 1
    assert gathered.sessions[0].game.note == "Games/undated.md", "no date comes before all dates"


def test_list_converted_to_text_is_split_at_its_commas(tmp_path: Path) -> None:
    path, text = session(1, "2026-09-05", [YSOLDE, BRAM, GUEST], [YSOLDE])
    block = text[text.index("players:") : text.index("tags:")]
    said = 'players: "[[Ysolde Marr|Ysolde, the Wise]], Bram, Priya\'s cousin"\nwinners: "ysolde, [[Bram Tolliver]]"\n'
    game = next(played_games(make_vault(tmp_path, [(path, text.replace(block, said))])))
    assert [(one.name, one.won) for one in game.participants] == [
        ("Ysolde Marr", True),
        ("Bram Tolliver", True),
        (GUEST, False),
    ]


def test_absent_winner_and_ambiguous_name_are_reported(tmp_path: Path) -> None:
    games = [session(1, "2026-09-05", [YSOLDE, "Bram"], ["[[Anna]]"]), session(2, "2026-09-06", [], [YSOLDE])]
    vault = make_vault(tmp_path, games)
    (tmp_path / "Bram Two.md").write_text("---\naliases: [Bram]\n---\n", encoding="utf-8")
    gathered = gather_games(Vault(vault.root))
    told = [(one.code, one.note, one.line) for one in gathered.problems]
    assert told[:2] == [("game-winners", games[0][0], 8), ("game-players", games[1][0], 5)]
    assert [code for code, *_ in told[2:]] == ["ambiguous-player"]
    assert "called 'Anna'" in gathered.problems[0].message
    assert Statistics.from_sessions(gathered.sessions).games[0].seats == (2, 2), "a game without players has no seats"


def test_score_that_is_not_a_number_is_reported_with_its_line(tmp_path: Path) -> None:
    scores = {"score-ysolde-marr": 27, "score-bram-tolliver": 8}
    path, text = session(1, "2026-09-05", [YSOLDE, BRAM], [YSOLDE], scores=scores)
    text = text.replace("score-bram-tolliver: 8", "score-bram-tolliver: lots")
    (told,) = gather_games(make_vault(tmp_path, [(path, text)])).problems
    assert told.line == text.splitlines().index("score-bram-tolliver: lots") + 1
    assert told.message == Says("score-bram-tolliver", "lots", "not", "number", "not")


def test_total_changed_only_in_the_table_is_reported_with_its_line(tmp_path: Path) -> None:
    scores = {"score-ysolde-marr": 27, "score-bram-tolliver": 8}
    path, text = session(1, "2026-09-05", [YSOLDE, BRAM], [YSOLDE], scores=scores)
    table = "\n| Player | Stars | Total |\n|---|---:|---:|\n| [[Ysolde Marr]] | 17 | 27 |\n| Bram | 8 | 8 |\n"
    assert not gather_games(make_vault(tmp_path / "same", [(path, text + table)])).problems
    changed = text + table.replace("27", "**37**")
    gathered = gather_games(make_vault(tmp_path / "other", [(path, changed)]))
    (told,) = gathered.problems
    assert (told.note, told.line) == (path, changed.splitlines().index("| [[Ysolde Marr]] | 17 | **37** |") + 1)
    assert told.message == Says("Ysolde Marr", "37", "property", "27")
    assert gathered.sessions[0].game.participants[0].score == 27


def test_cards_are_found_by_their_own_heading_note_and_other_links(tmp_path: Path) -> None:
    path, text = session(1, "2026-09-05", [YSOLDE, GUEST], [])
    text += """
Outside [[tarokka#Miser]].

## cards that mattered!

[[tarokka#raven|the bird]] · [x](../3-Mechanics/tarokka.md#Raven) · [[Ysolde Marr]] · [[gone#Ghost]]
· [[tarokka#Nobody]] · <https://example.org>

### Below

[[tarokka#Berserker]]

## After

[[tarokka#Miser]]
"""
    (one,) = gather_games(make_vault(tmp_path, [(path, text)])).sessions
    assert [card.name for card in one.cards] == ["Raven", "Ysolde Marr", "Ghost", "Nobody", "Berserker"]
    assert one.cards[0].note == "3-Mechanics/tarokka.md" and one.cards[2].note == ""


def test_cards_in_table_rows_are_named_by_the_aliases_of_their_links(tmp_path: Path) -> None:
    path, text = session(1, "2026-09-05", [YSOLDE, GUEST], [])
    text += """
## Cards That Mattered

[[Birds#Cards|Owl]] · [[Birds#Cards|crow]] · [the Rook](../Birds.md#cards) · [[Birds#Cards|Crow]] · [[Birds#Cards]]
· [[Birds#Wren|Jenny]]
"""
    birds = "---\nvaultkit-deck: birds\n---\n## Cards\n\n| Name |\n| --- |\n| Owl |\n| Crow |\n| Rook |\n\n## Wren\n"
    (one,) = gather_games(make_vault(tmp_path, [(path, text), ("Birds.md", birds)])).sessions
    assert [card.name for card in one.cards] == ["Owl", "the Rook", "Crow", "Cards", "Wren"]
    assert {(card.note, card.subpath) for card in one.cards[:4]} == {("Birds.md", "Cards")}
