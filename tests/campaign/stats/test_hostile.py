"""Notes of games with hostile properties, which must not break the tables or the note."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.campaign.stats.regenerate import plan_statistics
from tests.campaign.stats.samples import make_vault
from tests.counts import count
from vaultkit.campaign.stats.game_list import gather_games
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.campaign.stats.stats_document import stats_document
from vaultkit.campaign.stats.stats_page import NAME
from vaultkit.cli import stats
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import facts_of
from vaultkit.vault.tables import markdown_tables
from vaultkit.vault.writing import marked_region
from vaultkit.vault.writing.escape import format_yaml_scalar

pytestmark = pytest.mark.slow

NASTY = ("[[Ysolde Marr]]", "[[gone|x]]", "[[ ]]", "%% vaultkit stats end %%", "{{ begin }}", "|---|", "=x",
         "Bot 1 (greedy)")  # fmt: skip
WORDS = st.text(st.sampled_from('ab |[]#^`"%\\{}<>;:*_$🐉אñ\u202e'), max_size=12) | st.sampled_from(NASTY)
SCALARS = ("", "null", "true", ".inf", "-.nan", "1e999", "-3", "{a: [b]}", "[[x]]", "2026-11-03T10:00", "99")
LISTS = st.lists(WORDS.map(format_yaml_scalar), max_size=4).map(lambda items: f"[{', '.join(items)}]")
VALUES = WORDS.map(format_yaml_scalar) | LISTS | st.sampled_from(SCALARS)
KEYS = ("game", "date", "players", "winners", "outcome", "mode", "bots", "options", "tags", "score-x",
        "score-ysolde-marr")  # fmt: skip
PLAYERS = st.fixed_dictionaries({"players": LISTS, "winners": LISTS, "game": WORDS.map(format_yaml_scalar)})
NOTES = st.lists(PLAYERS | st.dictionaries(st.sampled_from(KEYS), VALUES), min_size=1,
                 max_size=4)  # fmt: skip


@settings(max_examples=count(60, 1_000))
@given(NOTES)
def test_any_properties_are_handled(notes: list[dict[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        games = []
        for number, properties in enumerate(notes):
            lines = [f"vaultkit-session: s{number}", *(f"{key}: {value}" for key, value in properties.items())]
            games.append((f"Games/{number}.md", "---\n" + "\n".join(lines) + "\n---\n"))
        vault = make_vault(Path(folder), games)
        told = Statistics.from_sessions(gather_games(vault).sessions, bots=True)
        assert told.sessions == len(notes)
        stats_document(told)
        assert list(stats.statistics_rows(told)) and list(stats.statistics_sentences(told))
        assert plan_statistics(vault)[1].commit()
        note = Vault(vault.root).read("Games/Statistics.md")
        assert marked_region.find_region(note, NAME)
        _check(note, Statistics.from_sessions(gather_games(vault).sessions))
        assert plan_statistics(vault)[1].commit() == ()


def _check(note: Note, told: Statistics) -> None:
    """Check that every table has its rows and columns, and that no name became a heading or tag."""
    found = markdown_tables(note)
    by_head = {table.header.cells[0]: table for table in found}
    assert ("Player" in by_head) is bool(told.players)
    if told.players:
        assert len(by_head["Player"].rows) in {len(told.players), len(told.pairs)}
    assert len(by_head["Game"].rows) == len(told.games)
    for table in found:
        assert all(len(row.cells) == len(table.header.cells) for row in table.rows)
    assert facts_of(note.path, note.data).tags == ()
