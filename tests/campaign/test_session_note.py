from dataclasses import replace
from pathlib import Path

import pytest

from tests.campaign.regenerate import GOLDEN, golden_texts
from tests.campaign.samples import SESSION, finished_game, log
from vaultkit.campaign.result import verbatim_sentence
from vaultkit.campaign.session_note import SessionPage, log_line
from vaultkit.games.messages import Sentence, Table
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing.escape import escape_markdown
from vaultkit.vault.writing.link_style import Linker

HOSTILE = (
    "[[x]]",
    "a|b",
    "# heading",
    "#tag",
    '"quoted": [1]',
    "it's",
    "first\nsecond",
    "x\u2028## y",
    "🦊 Fox",
    "{{ 7*7 }}",
    "{% for x in y %}",
    "<% tp.user.evil() %>",
    "<script>alert(1)</script>",
    "![[Ivo]]",
    "[t](https://example.com)",
    "https://example.com",
    "%%",
    "`= this`",
    "mood:: bad",
    "x ^vk-forged",
    "---",
    "- item",
    "1. item",
    "> quote",
    "yes",
    "\ud83d half",
    "\u202eevil",
    "$x$ ==y== ~~z~~ **w**",
    "C:\\dir\\",
)


@pytest.mark.slow
def test_written_files_match_the_golden_files(tmp_path: Path) -> None:
    for name, text in golden_texts(tmp_path).items():
        assert text == (GOLDEN / name).read_text("utf-8"), "see tests/campaign/regenerate.py"


def test_properties_are_flat_and_typed(vault: Vault) -> None:
    properties = vault.read(log(vault).note).properties
    assert properties["vaultkit-session"] == SESSION
    assert properties["game"] == "[[dragon-citadel|Dragon Citadel]]"
    assert str(properties["date"]) == "2026-11-03"
    assert properties["players"] == ["[[Ysolde Marr|Ysolde]]", "[[Bram Tolliver]]", "Priya's cousin"]
    assert properties["bots"] == ["Bot 1 (greedy)"] and "score-bot-1-greedy" not in properties
    assert properties["seed"] == 7
    assert properties["score-ysolde-marr"] == 45
    assert properties["options"] == ["must_win=yes", "rewards=treasure"]
    assert not any(isinstance(value, dict) for value in properties.values())


def test_every_link_of_a_session_note_resolves(vault: Vault) -> None:
    logged = log(vault)
    for path in (logged.note, logged.campaign_note):
        note = vault.read(path)
        assert {vault.resolve(link, path).status for link in note.links} <= {"ok"}
    assert {link.subpath for link in vault.read(logged.note).links} >= {"Berserker", "Raven", "Miser"}


@pytest.mark.short(2)
@pytest.mark.parametrize("markdown", [False, True])
@pytest.mark.parametrize("form", ["shortest", "relative", "absolute"])
def test_links_in_every_style(vault: Vault, form: str, markdown: bool) -> None:
    app = f'{{"newLinkFormat": "{form}", "useMarkdownLinks": {str(markdown).lower()}}}'
    (vault.root / ".obsidian/app.json").write_text(app)
    logged = log(vault)
    note = vault.read(logged.note)
    assert {vault.resolve(link, note.path).status for link in note.links} == {"ok"}
    assert {link.kind for link in note.links} == {"property", "markdown" if markdown else "wikilink"}


def test_hostile_names_change_only_the_names(vault: Vault) -> None:
    tame = vault.read(log(vault, finished_game(*(f"Guest {number}" for number, _ in enumerate(HOSTILE)))).note)
    logged = log(vault, finished_game(*HOSTILE, session="20261103-dragon-citadel-2222"))
    note, campaign = vault.read(logged.note), vault.read(logged.campaign_note)
    assert not note.problems
    assert [heading.text for heading in note.headings] == [heading.text for heading in tame.headings]
    assert [(link.kind, link.target) for link in note.links] == [(link.kind, link.target) for link in tame.links]
    assert len(note.text.splitlines()) == len(tame.text.splitlines())
    assert note.blocks == tame.blocks == frozenset()
    added = note.properties.keys() - tame.properties.keys()
    assert all(key.startswith("score-") and note.properties[key] for key in added)
    assert campaign.blocks == {"vk-20261103-dragon-citadel-k3f9", "vk-20261103-dragon-citadel-2222"}
    assert "<%" not in note.text + campaign.text
    assert "49" not in note.text


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_name_in_the_log_line_stays_one_line(name: str, vault: Vault) -> None:
    page = SessionPage(finished_game(name), "Campaign Log.md", [None], Linker(vault, ["x.md"]))
    line = log_line(page, "x.md", None)
    note = Note("Campaign Log.md", line.encode())
    assert len(line.splitlines()) == 1
    assert [link.target for link in note.links] == ["x"]
    assert note.blocks == {f"vk-{SESSION}"}
    assert not note.headings


def test_hostile_name_with_a_note_is_still_linked(vault: Vault) -> None:
    (vault.root / "1-Party/Ysolde Marr.md").write_text('---\naliases: ["[*Y*]"]\n---\n')
    note = vault.read(log(vault, finished_game("[*Y*]", "Guest")).note)
    assert "[\\[\\*Y\\*\\]](Ysolde%20Marr.md)" in note.text
    assert note.properties["players"] == ["[*Y*]", "Guest"]


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("seat", "player"),
    [
        ("[[Ysolde Marr]]", "[[Ysolde Marr]]"),
        ("[[ysolde marr|Y.]]", "[[Ysolde Marr|Y.]]"),
        ("[[Bram]]", "[[Bram Tolliver|Bram]]"),
        ("[[1-Party/Bram Tolliver#Fears]]", "[[Bram Tolliver]]"),
        ("[[Nobody|N.]]", "[Nobody|N.]"),
        ("[[]]", "[]"),
    ],
)
def test_a_seat_may_be_a_link(vault: Vault, seat: str, player: str) -> None:
    note = vault.read(log(vault, finished_game(seat, "Guest")).note)
    assert note.properties["players"][0] == player  # type: ignore[index]
    assert "[[[" not in note.text
    assert note.text.count("\\[\\[") == (0 if player.startswith("[[") else note.text.count(escape_markdown(seat)))


def rows_below(text: str, title: str) -> list[str]:
    return text.partition(f"## {title}\n\n")[2].partition("\n\n")[0].splitlines()


def test_score_column_is_right_aligned_with_or_without_heroes(vault: Vault) -> None:
    cells = (("", "18 + 1 hero", "0", "2 × row 1", "\u2013", "7 Dwarves"), ("", "0", "-3", "-", "1", "4"))
    table = Table("Sheet", ("Player", "a", "b", "c", "d", "e"), cells, (0, 1))
    numbered = Table("Numbered", ("Round", "a"), (("1", "2"),))
    text = vault.read(log(vault, finished_game(tables=(table, numbered))).note).text
    assert rows_below(text, "Sheet")[1] == "|---|---:|---:|---:|---:|---|"
    assert rows_below(text, "Numbered")[1] == "|---|---:|"


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("minutes", "moves", "said"),
    [(0, 25, "25 moves\n"), (None, 2, "2 moves\n"), (1, 1, "1 move in 1 minute\n"), (9, 2, "2 moves in 9 minutes\n")],
)
def test_duration_is_shown_from_one_minute_on(vault: Vault, minutes: int | None, moves: int, said: str) -> None:
    assert f", {said}" in vault.read(log(vault, finished_game(minutes=minutes, moves=moves)).note).text


def test_facts_with_one_label_share_one_line(vault: Vault) -> None:
    text = vault.read(log(vault, finished_game("A", "B")).note).text
    assert "> **Forfeits:** B in round 6; A in round 8\n" in text
    assert "> **Champion:** A with 45\n" in text
    assert "**Forfeit:**" not in text


def test_paragraphs_are_about_equally_long(vault: Vault) -> None:
    story = tuple(verbatim_sentence(f"Sentence{number}.") for number in range(11))
    page = SessionPage(finished_game("A", story=story), "x.md", [None], Linker(vault, ["x.md"]))
    assert [len(paragraph.split()) for paragraph in page.story] == [4, 4, 3]


def test_equal_keys_stay_separate(vault: Vault) -> None:
    properties = vault.read(log(vault, finished_game("A b", "a-B", "§", "¤")).note).properties
    assert [key for key in properties if key.startswith("score-")] == [
        "score-a-b",
        "score-a-b-2",
        "score-seat-3",
        "score-seat-4",
    ]


def test_real_cards_have_no_seed_and_a_lost_game_no_winners(vault: Vault) -> None:
    result = finished_game(seed=None, minutes=None)
    text = vault.read(log(vault, result).note).text
    assert "seed" not in text
    assert Note("x.md", text.encode()).property("winners")


def test_real_cards_are_recorded_by_a_property_and_in_words(vault: Vault) -> None:
    logged = log(vault, finished_game(seed=None, real_cards=True))
    note = vault.read(logged.note)
    assert note.property("real-cards") is True
    assert ", the real one on the table" in note.text
    assert "|Dragon Citadel]], with real cards: " in vault.read(logged.campaign_note).text
    assert "real-cards" not in vault.read(log(vault, finished_game(session="20261103-dragon-citadel-0002")).note).text


def session_words(vault: Vault, words: str) -> str:
    """Return how the session note shows these words of a player."""
    tales = ((Sentence("{s0} plays the {c0}.", (0,), ("raven",)), words),)
    text = vault.read(log(vault, finished_game(tales=tales)).note).text
    line, _, below = text.partition("## As It Was Told\n\n")[2].partition("\n")
    assert below.startswith("\n> Ysolde plays the Raven.\n")
    return line


def test_tf_29_words_of_players_are_in_the_note_as_plain_text(vault: Vault) -> None:
    line = session_words(vault, "He *laughs*. [[Nobody]] #no ![[Ysolde Marr]] [[#Here]] [[a.png]] [[]]")
    links = r"\[\[Nobody\]\] \#no !\[\[Ysolde Marr\]\] \[\[\#Here\]\] \[\[a.png\]\] \[\[\]\]"
    assert line == rf"He \*laughs\*. {links}"


def test_tf_29_link_to_a_note_in_the_words_of_a_player_stays_a_link(vault: Vault) -> None:
    line = session_words(vault, "- [[Ysolde Marr]], [[ysolde marr#Life|the *old* friend]] and [[dragon-citadel|it]] <")
    assert line == (r"\- [[Ysolde Marr]], [the \*old\* friend](Ysolde%20Marr.md#Life) and [[dragon-citadel|it]] \<")


def test_words_of_players_may_contain_braces(vault: Vault) -> None:
    outcome = replace(finished_game().outcome, reason=verbatim_sentence("They {s0} won | [[Ivo]]"), winners=())
    text = vault.read(log(vault, finished_game(outcome=outcome)).note).text
    assert "> [!failure] They {s0} won \\| \\[\\[Ivo\\]\\]\n" in text
    assert "winners: []\n" in text
