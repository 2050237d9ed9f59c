from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.campaign.samples import NOW, SETTINGS, make_vault, tree
from tests.counts import count
from tests.vault.making import make_files
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.reading import Reading, draw_cards, lay_reading, text_lines
from vaultkit.campaign.record_reading import record_reading
from vaultkit.campaign.undo import undo
from vaultkit.compendium import Compendium, DeckNote
from vaultkit.compendium.spreads import Spread, SpreadPosition
from vaultkit.errors import InvalidError, UsageError
from vaultkit.session.session_ids import is_id
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Note, Vault

pytestmark = pytest.mark.usefixtures("trusting")

NOTE = "Games/2026-11-03 Two Roads 1.md"
SPREAD = Spread(
    "two-roads", "Two Roads", (SpreadPosition("Left", "a way"), SpreadPosition("Right")), "birds", "Two Roads.md"
)
DECK = "---\nvaultkit-deck: birds\n---\n# Birds\n\n## Cards\n\n"
OWL = "### Owl\n\nDo **not** ask the [[Ivo|boy]].\n\n- [ ] one <% x %> #tag\n- two ^id\n\n"
BIRDS = f"{DECK}{OWL}### Crow\n\nIt has seen you.\n"


@pytest.fixture
def birds(vault: Vault) -> DeckNote:
    return birds_in(vault)


def birds_in(vault: Vault, text: str = BIRDS) -> DeckNote:
    make_files(vault.root, {"Birds.md": text, "Two Roads.md": "---\nvaultkit-spread: [Left, Right]\n---\n"})
    return Compendium(Vault(vault.root)).deck("birds")


def two_roads(deck: DeckNote, seed: int = 7, question: str = "") -> Reading:
    return lay_reading(SPREAD, deck, seed=seed, question=question, now=NOW)


def log(vault: Vault, reading: Reading, settings: Settings = SETTINGS, **more: object) -> LogResult:
    return record_reading(reading, Vault(vault.root), settings, now=NOW, **more)  # type: ignore[arg-type]


def text(vault: Vault, path: str = NOTE) -> str:
    return (vault.root / path).read_bytes().decode()


def test_same_seed_gives_the_same_reading_and_id(birds: DeckNote) -> None:
    one = two_roads(birds)
    assert two_roads(birds) == one
    assert is_id(one.id) and one.id.startswith("20261103-reading-")
    others = [two_roads(birds, question="Why?"), two_roads(birds, 8), draw_cards(birds, 2, seed=7, now=NOW)]
    assert len({one.id, *(other.id for other in others)}) == 4
    assert {entry.card.name for entry in one.cards} == {"Owl", "Crow"}


def test_more_cards_begin_with_the_same_ones(birds: DeckNote) -> None:
    for seed in range(5):
        assert draw_cards(birds, 2, seed=seed, now=NOW).cards[:1] == draw_cards(birds, 1, seed=seed, now=NOW).cards
    with pytest.raises(UsageError, match="2 cards"):
        draw_cards(birds, 10**12, seed=1, now=NOW)


def test_logging_writes_a_note_and_a_line(vault: Vault, birds: DeckNote) -> None:
    reading = two_roads(birds, question="Which way?")
    logged = log(vault, reading)
    assert logged.written == (NOTE, "Campaign Log.md")
    note = Note(NOTE, text(vault).encode())
    assert note.problems == ()
    assert note.property("vaultkit-reading") == reading.id
    assert (note.property("deck"), note.property("spread")) == ("[[Birds]]", "[[Two Roads]]")
    assert (note.property("question"), note.property("seed")) == ("Which way?", 7)
    assert note.property("cards") == [entry.card.title for entry in reading.cards]
    assert [heading.text for heading in note.headings] == ["Two Roads, 3 November 2026", "Left", "Right"]
    line = next(line for line in text(vault, "Campaign Log.md").splitlines() if "reading" in line)
    assert line.startswith("- 2026-11-03 [[2026-11-03 Two Roads 1|Two Roads]], asking *Which way?*: Left, [[Birds#")
    assert line.endswith(f". ^vk-{reading.id}")


def test_every_link_resolves_to_its_card_and_no_others_exist(vault: Vault, birds: DeckNote) -> None:
    reading = two_roads(birds)
    log(vault, reading)
    after = Vault(vault.root)
    note = after.read(NOTE)
    assert {after.resolve(link, NOTE).status for link in note.links} == {"ok"}
    inside = [link.subpath for link in note.links if link.subpath]
    assert inside == [entry.card.name for entry in reading.cards]
    assert note.blocks == frozenset()
    assert after.facts[NOTE].tags == ("reading",)


def test_links_and_pictures_follow_the_style_of_the_vault(vault: Vault) -> None:
    make_files(vault.root, {".obsidian/app.json": '{"useMarkdownLinks": true}', "img/the owl.png": b""})
    deck = birds_in(vault, f"{DECK}### Owl\n\n![[the owl.png]]\n\nWise.\n")
    log(vault, draw_cards(deck, seed=1, now=NOW))
    told = text(vault, "Games/2026-11-03 Draw from Birds 1.md")
    assert "> [!quote] [Owl](Birds.md#Owl)\n> ![120](the%20owl.png)\n>\n> Wise.\n" in told
    assert 'deck: "[[Birds]]"' in told
    assert "[Owl](Birds.md#Owl). ^vk-" in text(vault, "Campaign Log.md")


def test_texts_are_quoted_in_plain_words(vault: Vault, birds: DeckNote) -> None:
    log(vault, two_roads(birds))
    told = text(vault)
    assert "> Do not ask the boy.\n" in told
    assert "> It has seen you.\n" in told
    assert "> two\n" in told
    assert "<%" not in told.replace("<\\%", "") and "[ ]" not in told


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        ("One\ntwo.\n\nThree.", ("One two.", "Three.")),
        ("1. a\n2. b\n   - c\n", ("a", "b", "c")),
        ("> [!note] Mind\n> this", ("Mind", "this")),
        ("| A | B |\n|---|---|\n| 1 | 2 |", ("A – B", "1 – 2")),
        ("<div>no</div>\n\n%%no%%\n\n```\ncode\n```", ("code",)),
        ("", ()),
    ],
)
def test_text_is_converted_to_plain_words(written: str, lines: tuple[str, ...]) -> None:
    assert text_lines(written) == lines


def test_logging_twice_adds_nothing_even_for_a_moved_note(vault: Vault, birds: DeckNote) -> None:
    reading = two_roads(birds)
    log(vault, reading)
    (vault.root / NOTE).rename(vault.root / "1-Party/What the birds said.md")
    before = tree(vault.root)
    again = log(vault, reading)
    assert tree(vault.root) == before
    assert (again.written, again.diff, len(again.remarks)) == ((), "", 2)
    assert again.note == "1-Party/What the birds said.md"


def test_dry_run_writes_nothing_and_reports_the_same(vault: Vault, birds: DeckNote) -> None:
    reading, before = two_roads(birds), tree(vault.root)
    planned = log(vault, reading, dry_run=True)
    assert tree(vault.root) == before
    assert planned.diff == log(vault, reading).diff
    assert f"+++ b/{NOTE}" in planned.diff and f"^vk-{reading.id}" in planned.diff


def test_undo_removes_the_note_and_the_line(vault: Vault, birds: DeckNote) -> None:
    before = text(vault, "Campaign Log.md")
    log(vault, two_roads(birds))
    undone = undo(Vault(vault.root))
    assert set(undone.restored) == {NOTE, "Campaign Log.md"}
    assert undone.title == "reading, 3 November"
    assert text(vault, "Campaign Log.md") == before
    assert not (vault.root / NOTE).exists()


def test_reading_without_a_campaign_note_writes_only_its_own(vault: Vault, birds: DeckNote) -> None:
    logged = log(vault, draw_cards(birds, 1, seed=1, now=NOW), Settings(campaign=CampaignSettings(folder="a\\b/.")))
    assert logged.written == ("a/b/2026-11-03 Draw from Birds 1.md",)
    assert "vaultkit config set campaign.note" in logged.remarks[0]
    assert "## " not in text(vault, logged.note)


@pytest.mark.slow
def test_reading_numbers_increase(vault: Vault, birds: DeckNote) -> None:
    paths = [log(vault, two_roads(birds, seed)).note for seed in range(3)]
    assert [path[-4] for path in paths] == ["1", "2", "3"]
    odd = replace(SPREAD, title=f"?/*{'long ' * 50}")
    assert len(log(vault, lay_reading(odd, birds, seed=1, now=NOW)).note) < 80


def test_long_draws_are_shortened_in_the_line(vault: Vault) -> None:
    names = [f"Bird {letter}" for letter in "ABCDEFGHI"]
    deck = birds_in(vault, DECK + "".join(f"### {name}\n\nText.\n\n" for name in names))
    log(vault, draw_cards(deck, 9, seed=1, now=NOW))
    assert "; and 2 more. ^vk-" in text(vault, "Campaign Log.md")


def test_template_of_the_vault_is_used_and_must_contain_the_id(vault: Vault, birds: DeckNote) -> None:
    own = vault.root / ".vaultkit/templates"
    own.mkdir(parents=True)
    (own / "reading.md.j2").write_text('{% extends "shipped/reading.md.j2" %}{% block colophon %}{% endblock %}')
    assert "The record" not in log(vault, two_roads(birds), dry_run=True).diff
    (own / "reading.md.j2").write_text("# Mine\n")
    with pytest.raises(InvalidError, match="vaultkit-reading") as caught:
        log(vault, two_roads(birds))
    assert caught.value.where == ".vaultkit/templates/reading.md.j2"
    assert "`vaultkit-reading: {{ reading }}`" in caught.value.hint
    (own / "reading.md.j2").unlink()
    (own / "reading-line.md.j2").write_text("- a line without its id\n")
    with pytest.raises(InvalidError, match="block id"):
        log(vault, two_roads(birds))
    assert not (vault.root / "Games").exists()


WORDS = st.text(st.sampled_from("ab \n[]|#^*_`<%>:/=~$&-\\{}\"'é\ud800\u202e"), max_size=30)


@pytest.mark.slow
@settings(max_examples=count(10, 200))
@given(question=WORDS, name=WORDS, meaning=WORDS)
def test_any_words_leave_the_note_and_the_line_intact(
    tmp_path_factory: pytest.TempPathFactory, question: str, name: str, meaning: str
) -> None:
    vault = make_vault(tmp_path_factory.mktemp("vault"))
    spread = Spread("s", "S", (SpreadPosition(name, meaning),))
    reading = lay_reading(spread, birds_in(vault), seed=1, question=question, now=datetime(2026, 11, 3))
    logged = log(vault, reading)
    note = Note(logged.note, text(vault, logged.note).encode())
    assert note.problems == ()
    assert note.property("vaultkit-reading") == reading.id
    assert len([link for link in note.links if link.subpath]) == 1
    line = Note("Campaign Log.md", text(vault, "Campaign Log.md").encode())
    assert f"vk-{reading.id}" in line.blocks
    assert len(line.links) == 2
