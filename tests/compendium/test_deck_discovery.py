from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import Compendium, DeckNote
from vaultkit.compendium.decks.markers import is_converted

TAROKKA = known_deck("tarokka")
assert TAROKKA is not None


def card(kind: str, properties: str = "", body: str = "") -> str:
    return f"---\nvaultkit-deck: {kind}\n{properties}\n---\n{body}"


def tarokka_notes(folder: str) -> dict[str, str | bytes]:
    """One note for each of the 54 cards, by suit in a folder of its own."""
    found: dict[str, str | bytes] = {}
    for known in TAROKKA or ():
        properties = f"suit: {known.suits[0]}\nrank: {known.rank}" if known.suits else ""
        found[f"{folder}/{(*known.suits, 'High')[0]}/{known.name}.md"] = card("tarokka", properties, "Text.")
    return found


def read(root: Path, files: dict[str, str | bytes]) -> tuple[DeckNote, ...]:
    return Compendium(make_files(root, files)).decks


def shape(decks: tuple[DeckNote, ...]) -> list[tuple[str, list[str]]]:
    """Each deck's note and the names of its cards."""
    return [(deck.note.path, [entry.card.name for entry in deck.entries]) for deck in decks]


def codes(deck: DeckNote) -> list[tuple[str, str]]:
    return [(problem.note, problem.code) for problem in deck.problems]


@pytest.mark.parametrize("head", ["Cards/Cards.md", "Tarokka.md", "Cards/Any Name.md"])
def test_a_whole_tarokka_of_card_notes(tmp_path: Path, head: str) -> None:
    (deck,) = read(tmp_path, {head: card("tarokka"), **tarokka_notes("Cards")})
    assert (deck.note.path, deck.problems, len(deck.deck), deck.headed) == (head, (), 54, True)
    assert TAROKKA is not None and deck.deck.fingerprint == TAROKKA.fingerprint
    entry = deck.by_id["3-swords"]
    assert (entry.link, entry.line, entry.text) == ("Cards/Swords/Soldier.md", 1, "Text.")


def test_each_folder_without_a_deck_note_is_a_deck(tmp_path: Path) -> None:
    decks = read(tmp_path, tarokka_notes("Cards"))
    assert [(deck.note.path.split("/")[1], len(deck.deck)) for deck in decks] == [
        ("Coins", 10),
        ("Glyphs", 10),
        ("High", 14),
        ("Stars", 10),
        ("Swords", 10),
    ]
    assert all(not deck.sound and codes(deck) == [(deck.note.path, "card-missing")] for deck in decks)
    assert "in the folder above them" in decks[0].problems[0].hint


def test_decks_of_different_kinds_share_a_folder(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/Ace.md": card("cups", "suit: Cups"),
        "a/Bee.md": card("bugs", "suit: Bugs"),
        "a/Cup.md": card("cups"),
        "a/Dog.md": card("dogs", "", "### Rex\n"),
        "a/Elk.md": "---\ncssclasses: json5e-deck\n---\n## Cards\n### Elk\n",
    }
    assert shape(read(tmp_path, files)) == [
        ("a/Ace.md", ["Ace", "Cup"]),
        ("a/Bee.md", ["Bee"]),
        ("a/Dog.md", ["Rex"]),
        ("a/Elk.md", ["Elk"]),
    ]


def test_a_deck_note_beside_card_notes_of_its_kind(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/Ace.md": card("cups", "suit: Cups\nrank: 1"),
        "a/Old Cups.md": card("cups", "", "## Cards\n### King\n### Queen\n"),
        "a/Plain Cups.md": card("cups", "", "### Jack\n\n*Jack of Cups*\n"),
        "a/Fool.md": card("cups", "", "### Upright\n\nUp.\n\n### Reversed\n\nDown.\n"),
    }
    assert shape(read(tmp_path, files)) == [
        ("a/Ace.md", ["Ace", "Fool"]),
        ("a/Old Cups.md", ["King", "Queen"]),
        ("a/Plain Cups.md", ["Jack"]),
    ]


def test_table_with_links_to_card_notes_is_their_deck_note(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/Index.md": card("cups", "", "| Name | Suit |\n|--|--|\n| [[Ace]] | Cups |\n| [[Two]] | |\n"),
        "a/Ace.md": card("cups", "suit: Cups\nrank: 1"),
        "a/Two.md": card("cups", "suit: Cups\nrank: 2"),
        "a/Three.md": card("cups", "suit: Cups\nrank: 3"),
    }
    (deck,) = read(tmp_path, files)
    assert [(entry.card.name, entry.card.suits, entry.card.rank) for entry in deck.entries] == [
        ("Ace", ("Cups",), None),
        ("Two", ("Cups",), 2),
        ("Three", ("Cups",), 3),
    ]


def test_deck_note_supplies_the_translations(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "t/Wörter.md": card("tarokka", "vaultkit-suits: [Schwerter = Swords]\nvaultkit-names: [Der Rabe = Raven]"),
        "t/Soldat.md": card("tarokka", "suit: Schwerter\nrank: Three"),
        "t/Der Rabe.md": card("tarokka"),
        "t/Bauer.md": card("tarokka", "suit: Klingen\nrank: 4"),
    }
    (deck,) = read(tmp_path, files)
    assert sorted(deck.by_id) == ["3-swords", "raven"]
    assert codes(deck) == [("t/Bauer.md", "card-suit"), ("t/Wörter.md", "card-missing")]
    assert 'vaultkit-suits: ["Klingen = Swords"]' in deck.problems[0].hint


def test_contradictory_properties_of_a_known_card_are_reported(tmp_path: Path) -> None:
    properties = 'suit: Swords\nrank: 3\ndeck: "[[Tarokka]]"\nvalue: 12 gp\nmood: grim\nmodified: 2026-11-03'
    (deck,) = read(tmp_path, {"Soldier.md": card("tarokka", properties)})
    assert [problem.code for problem in deck.problems] == ["card-missing"]
    assert dict(deck.by_id["3-swords"].card.traits) == {"deck": "common"}


@pytest.mark.parametrize(
    ("properties", "code", "hint"),
    [
        ("rank: 3", "card-facts", "suit: Swords, rank: 3"),
        ("suit: Swords", "card-rank", "The ranks: Master, 1"),
        ("suit: [[Swords]]\ncard: Soldier", "card-line", '"[[Swords]]" in quotes'),
        ("suit: a: b\ncard: Soldier", "card-line", "suit: Swords, rank: 3"),
        ("suit: Swords\nrank: 4", "card-facts", "suit: Swords, rank: 3"),
        ("card: Soldier", "card-line", "suit: Swords, rank: 3"),
    ],
)
def test_unreadable_card_note_is_reported(tmp_path: Path, properties: str, code: str, hint: str) -> None:
    (deck,) = read(tmp_path, {"Soldier.md": card("tarokka", properties)})
    told = next(problem for problem in deck.problems if problem.code not in ("frontmatter", "card-missing"))
    assert (told.code, deck.sound, deck.entries) == (code, False, ())
    assert hint in told.hint


def test_two_notes_for_one_card(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/Miser.md": card("tarokka", "suit: Coins\nrank: 9"),
        "a/Scrooge.md": card("tarokka", "suit: Coins\nrank: 9"),
    }
    (deck,) = read(tmp_path, files)
    told = deck.problems[0]
    assert (told.note, told.code) == ("a/Scrooge.md", "card-twice")
    assert told.message == Says("Miser (9 of Coins)", "twice", "Miser", "Scrooge", "a/Miser.md")


def test_a_card_note_may_have_an_article_in_its_title(tmp_path: Path) -> None:
    (deck,) = read(tmp_path, {"a/Raven.md": card("tarokka", "", "# The Raven\n"), "a/Ghost.md": card("tarokka")})
    assert {entry.card.id: entry.card.name for entry in deck.entries} == {"ghost": "Ghost", "raven": "The Raven"}


def test_missing_picture_is_reported(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Ace.md": card("cups", "suit: Cups\nimage: ace.png"),
        "Two.md": card("cups", 'suit: Cups\nimage: "[[two.png]]"'),
        "Three.md": card("cups", "suit: Cups\nimage: https://example.org/three.png"),
        "Four.md": card("cups", "suit: Cups\nimage: Ace"),
    }
    (deck,) = read(tmp_path, files)
    assert [entry.image for entry in deck.entries] == [None] * 4
    assert codes(deck) == [("Ace.md", "card-image"), ("Four.md", "card-image")]
    assert deck.sound


def test_picture_with_a_number_sign_in_its_name(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Ace.md": card("cups", 'suit: Cups\nimage: "art/Cups #1.png"'),
        "Two.md": card("cups", 'suit: Cups\nimage: "art/plain.png#card"'),
        "art/Cups #1.png": b"",
        "art/plain.png": b"",
    }
    (deck,) = read(tmp_path, files)
    assert [entry.image for entry in deck.entries] == ["art/Cups #1.png", "art/plain.png"]
    assert codes(deck) == []


def test_single_marked_note_without_cards_is_an_empty_deck(tmp_path: Path) -> None:
    (deck,) = read(tmp_path, {"Tarokka.md": card("tarokka"), "x/Note.md": "vaultkit-deck"})
    assert (codes(deck), deck.sound) == ([("Tarokka.md", "deck-empty")], False)


@pytest.mark.parametrize(
    "frontmatter",
    [
        "cssclasses:\n- json5e-deck",
        "cssclasses: json5e-deck",
        "cssclass: json5e-deck",
        "cssclasses: wide json5e-deck",
        "CSSClasses:\n  - wide\n  - json5e-deck",
        "cssclass: [wide]\ncssclasses: [json5e-deck]",
        'aliases: ["Laiba "Nana" Rosse"]\ncssclasses: json5e-deck',
    ],
)
def test_every_deck_marker_of_the_converter_is_recognized(tmp_path: Path, frontmatter: str) -> None:
    vault = make_files(tmp_path, {"D.md": f"---\n{frontmatter}\n---\n", "E.md": "---\ncssclasses: json5e-note\n---\n"})
    assert is_converted(vault.read("D.md"))
    assert not is_converted(vault.read("E.md"))


FOLDERS = st.sampled_from(["", "a/", "a/b/", "c/"])
PROPERTIES = st.sampled_from(["", "suit: Cups", "rank: 1", "card: X", "vaultkit-suits: [A = B]", "suit: [[X]]"])
BODIES = st.sampled_from(["", "# T\n", "## Cards\n### A\n", "### A\n*One of Cups*\n", "| Name |\n|--|\n| [[n1]] |\n"])
KINDS = st.sampled_from(["cups", "tarokka", "a"])


@pytest.mark.slow
@settings(max_examples=count(40, 1_000))
@given(st.lists(st.tuples(FOLDERS, KINDS, PROPERTIES, BODIES), max_size=8))
def test_every_marked_note_belongs_to_a_deck(
    tmp_path_factory: pytest.TempPathFactory, notes: list[tuple[str, str, str, str]]
) -> None:
    files: dict[str, str | bytes] = {
        f"{folder}n{number}.md": card(kind, properties, body)
        for number, (folder, kind, properties, body) in enumerate(notes)
    }
    decks = read(tmp_path_factory.mktemp("vault"), files)
    used = {path for deck in decks for path in (deck.note.path, *(entry.link.split("#")[0] for entry in deck.entries))}
    told = {problem.note for deck in decks for problem in deck.problems}
    listed = {path for deck in decks for link in deck.note.links for path in files if path.endswith(f"{link.path}.md")}
    assert set(files) <= used | told | listed
    assert all(len(deck.by_id) == len(deck.entries) for deck in decks)
