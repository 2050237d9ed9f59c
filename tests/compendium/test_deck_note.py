from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import DeckNote
from vaultkit.compendium.decks import deck_note
from vaultkit.compendium.decks.discovery import DeckSource, read_cards
from vaultkit.vault.text_positions import LINE_END

TAROKKA = known_deck("tarokka")
assert TAROKKA is not None
CARDS = {
    card.name: f"### {card.name}\n\n" + (f"*{card.rank} of {card.suits[0]}*\n\n" if card.suits else "") + "Text.\n\n"
    for card in TAROKKA
}


def read(root: Path, text: str) -> DeckNote:
    vault = make_files(root, {"Deck.md": text, "img/raven.webp": ""})
    return deck_note.read_deck(DeckSource(vault.read("Deck.md")), vault)


def tarokka(root: Path, **changed: str) -> DeckNote:
    """The whole deck, with other text under the headings of some cards."""
    blocks = {**CARDS, **{name.replace("_", " "): text for name, text in changed.items()}}
    return read(root, "---\nvaultkit-deck: Tarokka\n---\n# Cards\n" + "".join(blocks.values()))


def codes(deck: DeckNote) -> list[str]:
    return [problem.code for problem in deck.problems]


def test_a_whole_deck(tmp_path: Path) -> None:
    deck = tarokka(tmp_path)
    assert (deck.problems, deck.sound, deck.deck.kind) == ((), True, "tarokka")
    assert deck.deck.fingerprint == TAROKKA.fingerprint if TAROKKA else False


def test_missing_card_is_reported(tmp_path: Path) -> None:
    deck = tarokka(tmp_path, Raven="")
    assert codes(deck) == ["card-missing"]
    assert deck.problems[0].message == Says("One card", "missing", "tarokka", "Raven")
    assert (deck.problems[0].line, deck.sound) == (0, False)


def test_duplicate_card_is_reported(tmp_path: Path) -> None:
    deck = tarokka(tmp_path, Raven="### Raven\n\n### Raven\n")
    assert codes(deck) == ["card-twice"]
    assert len(deck.entries) == 54


def test_unknown_card_is_reported(tmp_path: Path) -> None:
    deck = tarokka(tmp_path, Raven="### Ravne\n")
    assert codes(deck) == ["card-unknown", "card-missing"]
    assert deck.problems[0].hint == "Did you mean 'Raven'?"


@pytest.mark.parametrize(
    ("block", "code", "hint"),
    [
        ("### Soldier\n\nText.\n", "card-line", "Put *3 of Swords* on a line of its own under the heading."),
        ("### Soldier\n\n*Three of Sords*\n", "card-suit", "Did you mean 'Swords'?"),
        ("### Soldier\n\n*Four of Swords*\n", "card-facts", "Correct the line."),
        ("### Soldier\n\n*Three of Stars*\n", "card-facts", "Correct the line."),
    ],
)
def test_faulty_card_is_one_problem_and_is_left_out(tmp_path: Path, block: str, code: str, hint: str) -> None:
    deck = tarokka(tmp_path, Soldier=block)
    assert codes(deck) == [code]
    assert deck.problems[0].hint == hint
    assert "3-swords" not in deck.by_id
    assert deck.note.text.split("\n")[deck.problems[0].line - 1] in block


def test_high_card_with_a_suit_is_reported(tmp_path: Path) -> None:
    assert codes(tarokka(tmp_path, Raven="### Raven\n\n*Three of Swords*\n")) == ["card-facts"]


def test_case_does_not_matter_and_a_renamed_card_keeps_its_name(tmp_path: Path) -> None:
    deck = tarokka(tmp_path, Soldier="### soldier\n\n*three of swords*\n", Miser="### Geizhals\n\n*Nine of Coins*\n")
    assert deck.problems == ()
    assert deck.by_id["3-swords"].card.suits == ("Swords",)
    assert deck.by_id["9-coins"].card.name == "Geizhals"
    assert deck.by_id["9-coins"].link == "Deck.md#Geizhals"


def test_deck_is_recognized_by_its_cards(tmp_path: Path) -> None:
    text = "---\ncssclasses: json5e-deck\n---\n## Cards\n" + "".join(CARDS.values())
    assert read(tmp_path, text).deck.kind == "tarokka"


def test_text_picture_and_line_of_a_card(tmp_path: Path) -> None:
    above = "## Cards\r\n\r\n### A: B\r\n![A](img/raven.webp#card)\r\n\r\n"
    text = f"{above}*Two of Cups*\r\n\r\nOne.\u2028Still.\r\n\r\nTwo.\r\n"
    (entry,) = read(tmp_path, text).entries
    assert (entry.card.id, entry.card.suits, entry.card.rank) == ("a-b", ("Cups",), 2)
    assert (entry.image, entry.text) == ("img/raven.webp", "One.\u2028Still.\n\nTwo.")
    assert (entry.link, entry.line) == ("Deck.md#A B", 3)


def test_remote_pictures_are_not_files(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, "### A\n![A](https://x.y/a.webp)\n\nSee ![[raven.webp]] here.\n").entries
    assert (entry.image, entry.text) == ("img/raven.webp", "See ![[raven.webp]] here.")


def test_line_of_a_card_is_correct_below_an_underlined_heading(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"D.md": "Cards\n===\n### A\n*Two of Cups*\n"})
    (card,) = read_cards(vault.read("D.md"), vault)
    assert card.facts is not None and card.facts.line == 4


def test_s2_card_named_like_an_earlier_heading_is_linked_below_its_own(tmp_path: Path) -> None:
    text = "# Deck\n### Raven\nOf the suits.\n## Cards\n### [[Raven|The Raven]]\n### raven\n### A: B\n"
    deck = read(tmp_path, f"---\nvaultkit-deck: own\n---\n{text}")
    assert [entry.card.name for entry in deck.entries] == ["The Raven", "raven", "A: B"]
    assert [entry.link for entry in deck.entries] == ["Deck.md#Raven The Raven", "Deck.md#Cards#raven", "Deck.md#A B"]


def test_s6_headings_in_quotes_are_not_cards_and_do_not_end_one(tmp_path: Path) -> None:
    deck = read(tmp_path, "## Cards\n### A\n> ## Quoted\n> ### Too\n\nStill A.\n### B\n")
    assert [(entry.card.name, entry.text) for entry in deck.entries] == [
        ("A", "> ## Quoted\n> ### Too\n\nStill A."),
        ("B", ""),
    ]


@pytest.mark.parametrize("name", ["Wheel of Fortune", "Child of Night", "Two of a Kind"])
def test_name_that_contains_of_is_not_rank_and_suit(tmp_path: Path, name: str) -> None:
    (entry,) = read(tmp_path, f"---\ncssclasses: [json5e-deck]\n---\n## Cards\n### {name}\nText.\n").entries
    assert (entry.card.suits, entry.card.rank) == ((), None)


@pytest.mark.parametrize(
    ("embed", "found"),
    [
        ("![[raven.webp#card|100x145]]", True),
        ("![100](img/raven.webp#center)", True),
        ("![Raven](/img/raven.webp)", True),
        ("![](./img/raven.webp)", True),
        ("![](<img/raven.webp>)", True),
        ("![[missing.webp]]\n\n![[raven.webp]]", True),
        ("![[Deck]]", False),
        ("![[RAVEN]]", False),
    ],
)
def test_l4_the_picture_of_a_card(tmp_path: Path, embed: str, found: bool) -> None:
    (entry,) = read(tmp_path, f"### Raven\n{embed}\n").entries
    assert (entry.image, entry.text) == ("img/raven.webp" if found else None, "")


def test_a_table_in_a_card_makes_no_cards(tmp_path: Path) -> None:
    text = "## Cards\n### A\n| Card | Meaning |\n|--|--|\n| x | y |\n### B\n"
    assert [entry.card.name for entry in read(tmp_path, text).entries] == ["A", "B"]


def test_tables_of_suits_under_headings_are_cards(tmp_path: Path) -> None:
    tables = "".join(f"### {suit}\n| Name | Suits |\n|--|--|\n| {suit} 1 | {suit} |\n" for suit in ("A", "B & C"))
    entries = read(tmp_path, f"## Cards\n{tables}").entries
    assert [(entry.card.suits, entry.link) for entry in entries] == [
        (("A",), "Deck.md#A"),
        (("B", "C"), "Deck.md#B & C"),
    ]


def test_a_name_without_letters_has_an_id_too(tmp_path: Path) -> None:
    assert [entry.card.id for entry in read(tmp_path, "### ???\n### !\n").entries] == ["card", "card-2"]


def test_row_without_a_name_is_named_by_its_facts(tmp_path: Path) -> None:
    entries = read(tmp_path, "| Card | Rank | Suit |\n|--|--|--|\n| | 3 | Cups |\n| | | |\n").entries
    assert [entry.card.name for entry in entries] == ["3 of Cups"]


TABLE = "| Name | Image |\n|--|--|\n| [[A]] | ![[x]] |\n"
CARDS_OR_NOT = ["## Cards\n", "### A\n", "### A: B\n", "*Two of Cups*\n", TABLE, "> ### Q\n", "![[raven.webp]]\n"]
PIECES = st.sampled_from([*CARDS_OR_NOT, "# T\n", "\n", "\u2028", "```\n", "|", "[[", "Text\r\n", "---\n"])


@pytest.mark.slow
@given(st.lists(PIECES, max_size=14), st.sampled_from(["tarokka", "own", "[1]", "''"]))
def test_reading_a_deck_note_never_raises(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], kind: str
) -> None:
    deck = read(tmp_path_factory.getbasetemp() / "any", f"---\nvaultkit-deck: {kind}\n---\n{''.join(pieces)}")
    lines = len(LINE_END.split(deck.note.text))
    assert all(entry.line <= lines for entry in deck.entries)
    assert all(0 <= problem.line <= lines for problem in deck.problems)
    assert len(deck.by_id) == len(deck.entries)


def test_own_decks_may_contain_two_cards_with_one_name(tmp_path: Path) -> None:
    deck = read(tmp_path, "---\ncssclasses: [json5e-deck]\n---\n## Cards\n### Goblin\n### Kobold\n### Goblin\n")
    assert [entry.card.id for entry in deck.entries] == ["goblin", "kobold", "goblin-2"]
    assert [entry.card.name for entry in deck.entries] == ["Goblin", "Kobold", "Goblin (2)"]
    assert [(p.code, p.severity, p.line) for p in deck.problems] == [("card-twice", "warning", 7)]
    assert deck.sound


def test_table_with_additional_columns_of_the_gm(tmp_path: Path) -> None:
    known = known_deck("french52")
    assert known is not None
    rows = "".join(f"| {card.name} | {card.rank} | {card.suits[0]} | omen |\n" for card in known)
    text = f"---\nvaultkit-deck: french52\n---\n## All\n| Name | Rank | Suits | Meaning |\n|--|--|--|--|\n{rows}"
    deck = read(tmp_path, text)
    assert (deck.problems, len(deck.deck), deck.entries[0].link) == ((), 52, "Deck.md#All")


def test_different_astromancy_card_is_a_correction(tmp_path: Path) -> None:
    row = "| Name | Rank | Suits | Number |\n|--|--|--|--|\n| Virgo 1 | 3 | virgo | 3 |\n"
    deck = read(tmp_path, f"---\nvaultkit-deck: astromancy\n---\n{row}")
    assert [(p.code, p.severity) for p in deck.problems] == [("card-facts", "warning"), ("card-missing", "error")]
    (card,) = deck.deck
    assert (card.suits, card.rank, card.traits["number"]) == (("Virgo",), 3, "3")


@pytest.mark.parametrize("text", ["", "## Cards\n", "| Name |\n|--|\n", "---\na: b: c\n---\n"])
def test_a_deck_without_cards(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).entries == ()


def test_broken_frontmatter_is_a_problem_of_the_deck(tmp_path: Path) -> None:
    text = '---\naliases: ["Deck "of" Many"]\n---\n### A\n'
    assert codes(read(tmp_path, text)) == ["frontmatter"]
