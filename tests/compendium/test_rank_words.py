from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import make_files, note
from vaultkit.cards import Rank
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import DeckNote
from vaultkit.compendium.decks import deck_note
from vaultkit.compendium.decks.card_line import Words, parse_card_line, parse_suits, read_translations
from vaultkit.compendium.decks.discovery import DeckSource

TAROKKA = known_deck("tarokka")
assert TAROKKA is not None
SUITS = {"Swords": "Schwerter", "Stars": "Sterne", "Coins": "Münzen", "Glyphs": "Glyphen"}
NUMBERS = ("Eins", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun")
RANKS: dict[Rank, str] = {"Master": "Meister", **dict(enumerate(NUMBERS, 1))}
HIGH = {card.name: f"Hohe Karte {number}" for number, card in enumerate(TAROKKA, 1) if not card.suits}
GERMAN = {
    "vaultkit-suits": [f"{german} = {suit}" for suit, german in SUITS.items()],
    "vaultkit-ranks": [f"{german}={rank}" for rank, german in RANKS.items()],
    "vaultkit-names": [f"{german} = {name}" for name, german in HIGH.items()],
}
WORDS = Words(
    {"schwerter": "Swords", "glyphen": "Glyphs", "grosse schwerter": "Swords", "monde": "Moons", "knoten": "Knots"},
    {"meister": "Master", "drei": "3", "eins": "1"},
)


def german_tarokka(root: Path, **changed: str) -> DeckNote:
    """All 54 cards under invented German names, with other lines for some."""
    blocks = []
    for number, card in enumerate(TAROKKA or (), 1):
        line = f"*{RANKS[card.rank]} der {SUITS[card.suits[0]]}*" if card.suits else ""
        name = HIGH.get(card.name, f"Karte {number}")
        blocks.append(f"### {name}\n\n{changed.get(card.id.replace('-', '_'), line)}\n\nEin Satz.\n")
    frontmatter = "".join(f"{key}: {list(map(str, value))}\n".replace("'", '"') for key, value in GERMAN.items())
    text = f"---\nvaultkit-deck: tarokka\n{frontmatter}---\n# Das Tarokka\n\n## Cards\n\n" + "\n".join(blocks)
    vault = make_files(root, {"Tarokka.md": text})
    return deck_note.read_deck(DeckSource(vault.read("Tarokka.md")), vault)


def test_complete_german_tarokka_has_no_problems(tmp_path: Path) -> None:
    deck = german_tarokka(tmp_path)
    assert (deck.problems, deck.sound, len(deck.deck)) == ((), True, 54)
    assert TAROKKA is not None and deck.deck.fingerprint == TAROKKA.fingerprint
    assert deck.by_id["raven"].card.name == HIGH["Raven"]
    assert deck.by_id["3-swords"].link == "Tarokka.md#Karte 4"


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("*Drei der Schwertter*", "card-line", "Words that are known: schwerter, sterne,"),
        ("*Droi der Schwerter*", "card-line", 'vaultkit-ranks: ["Meister = Master"]'),
        ("", "card-unknown", 'vaultkit-suits: ["Schwerter = Swords"]'),
        ("*Drei of Klingen*", "card-suit", 'vaultkit-suits: ["Klingen = Swords"]'),
        ("*Elf of Schwerter*", "card-rank", 'vaultkit-ranks: ["Elf = Master"]'),
        ("*Vier der Schwerter*", "card-twice", "Delete one of them, or rename it."),
    ],
)
def test_unknown_word_is_a_problem(tmp_path: Path, line: str, code: str, hint: str) -> None:
    deck = german_tarokka(tmp_path, **{"3_swords": line})
    told = next(problem for problem in deck.problems if problem.code != "card-missing")
    assert (told.code, deck.sound) == (code, False)
    assert hint in told.hint
    assert "3-swords" not in deck.by_id


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("*Drei der Glyphen*", (("Glyphs",), 3)),
        ("_DREI  von den Schwertern_", None),
        ("*drei von den schwerter*  ", (("Swords",), 3)),
        ("*Glyphen-Drei*", (("Glyphs",), 3)),
        ("*Glyphen, Meister*", (("Glyphs",), "Master")),
        ("*3 der Großen Schwerter*", (("Swords",), 3)),
        ("*Drei der Monde und Knoten*", (("Moons", "Knots"), 3)),
        ("*Knoten/Monde: Eins*", (("Knots", "Moons"), 1)),
        ("*Three of Glyphs*", (("Glyphs",), 3)),
        ("*Drei of glyphen*", (("Glyphs",), 3)),
        ("*Drei der Glyphs*", (("Glyphs",), 3)),
        ("*Zehn der Glyphen*", None),
        ("*Drei Könige suchen das Glück aller Glyphen*", None),
        ("*Eins ist sicher*", None),
        ("*Dreierlei Glyphen*", None),
        ("Drei der Glyphen", None),
    ],
)
def test_rank_and_suit_in_either_order(line: str, expected: tuple[tuple[str, ...], Rank] | None) -> None:
    facts = parse_card_line(line, WORDS)
    assert (facts and (facts.suits, facts.rank)) == expected


def test_longest_word_is_preferred_and_case_is_ignored() -> None:
    assert parse_suits("Große SCHWERTER und Monde", WORDS) == ("Swords", "Moons")
    assert parse_suits("Kelche und Monde", WORDS) == ("Kelche und Monde",)
    assert parse_suits("–", WORDS) == ()


def test_translations_as_list_text_and_map() -> None:
    frontmatter = "Vaultkit-Suits: Schwerter = Swords\nvaultkit-ranks: {Eins: 1, Meister: Master}\n"
    words, problems = read_translations(note(f"---\n{frontmatter}vaultkit-names: [Der Rabe=Raven]\n---\n"))
    assert problems == ()
    assert (words.suit("schwerter"), words.rank("eins"), words.name("DER RABE")) == ("Swords", 1, "Raven")
    assert (words.suit("Kelche"), words.rank("4"), words.name("Bär")) == ("Kelche", 4, "Bär")


def test_invalid_translations_are_reported() -> None:
    frontmatter = "vaultkit-suits:\n  - Schwerter\n  - Sterne = Stars\n  - sterne = Swords\n"
    words, problems = read_translations(note(f"---\nvaultkit-deck: tarokka\n{frontmatter}---\n"))
    assert [(told.code, told.line) for told in problems] == [("card-words", 4), ("card-words", 6)]
    assert words.suit("Sterne") == "Stars"


def test_own_deck_with_unknown_words_is_read(tmp_path: Path) -> None:
    lines = ["Eins der Kelche", "Zwei der Kelche", "Drei der Kelche", "Eins der Bücher", "Zwei der Bücher"]
    cards = "".join(f"### K{number}\n\n*{line}*\n\n" for number, line in enumerate(lines))
    vault = make_files(tmp_path, {"D.md": f"---\nvaultkit-deck: kelchspiel\n---\n## Cards\n{cards}### Narr\n"})
    deck = deck_note.read_deck(DeckSource(vault.read("D.md")), vault)
    assert [(told.code, told.severity, told.line) for told in deck.problems] == [
        ("card-line", "warning", line) for line in (7, 11, 15, 19, 23)
    ]
    assert "vaultkit-suits" in deck.problems[0].hint


def test_italics_under_a_card_need_not_be_a_card_line(tmp_path: Path) -> None:
    cards = "".join(
        f"### K{n}\n\n*{text}*\n\n" for n, text in enumerate(["Wondrous item, rare", "So it goes", "Unique"])
    )
    vault = make_files(tmp_path, {"D.md": f"---\nvaultkit-deck: own\n---\n## Cards\n{cards}"})
    assert deck_note.read_deck(DeckSource(vault.read("D.md")), vault).problems == ()


@pytest.mark.slow
@given(
    st.sampled_from(sorted(WORDS.ranks)),
    st.lists(st.sampled_from(sorted(WORDS.suits)), min_size=1, max_size=3),
    st.sampled_from(["", "der", "von den", "de las"]),
    st.booleans(),
)
def test_every_known_card_line_is_read(rank: str, named: list[str], between: str, rank_first: bool) -> None:
    parts = [rank, between, " und ".join(named)]
    facts = parse_card_line("*" + " ".join(filter(None, parts if rank_first else parts[::-1])) + "*", WORDS)
    assert facts is not None
    assert (facts.rank, facts.suits) == (WORDS.rank(rank), tuple(map(WORDS.suit, named)))


@given(st.text("*_ ofdreigylphn0123-,·", max_size=80), st.text("a.*[(?|\\ß ", max_size=10))
def test_no_line_and_no_word_raises(line: str, word: str) -> None:
    parse_card_line(f"*{line}*", Words({word: "Swords", "glyphen": "Glyphs"}, {word: "3", "drei": "3"}))
