"""Where a card is named in a note, and where the same letters are something else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import IN_STEP, growth
from tests.vault.making import note
from vaultkit.cards import Card, Deck
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.linking.mentions import CardNameIndex, find, make_finder, spellings
from vaultkit.vault import Note
from vaultkit.vault.dialect import events
from vaultkit.vault.plaintext import BLANK, plain_text
from vaultkit.vault.text_positions import offset_converter

CARDS = (
    *("Raven", "Seer", "Thief", "Horseman", "Mists", "Guild Member", "Member", "Hooded One", "Ace of Moons", "Sea"),
    *("Master of Stars", "Lady", "Priest", "Séance", "Ferryman's Bell", "Half-Light", "7", "A", "fool", "McDuck"),
)


def deck(*cards: str, path: str = "Deck.md") -> DeckNote:
    entries = tuple(CardEntry(Card(name.lower(), name), f"{path}#{name}", line) for line, name in enumerate(cards, 5))
    return DeckNote(note("", path), Deck("own", "Own", tuple(entry.card for entry in entries)), entries, ())


NAMES = CardNameIndex([deck(*CARDS)])


def named(body: str, any_case: bool = False, names: CardNameIndex = NAMES) -> list[str]:
    """The text of each mention, and the card's name if that is another."""
    found = find(note(body), names, any_case)
    cards = [(item.text, item.entry.card.name if item.entry else "?") for item in found]
    return [text if text == card else f"{text}={card}" for text, card in cards]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("The Raven flies.", ["Raven"]),
        ("Raven", ["Raven"]),
        ("Ravens, two Ravens' nests", ["Ravens=Raven", "Ravens=Raven"]),
        ("the Raven's eye, the Raven’s eye, the Raven'll", ["Raven", "Raven", "Raven"]),
        ("Thieves, Thiefs, Horsemen", ["Thieves=Thief", "Thiefs=Thief", "Horsemen=Horseman"]),
        ("the Ladies and Priests", ["Ladies=Lady", "Priests=Priest"]),
        ("Masters of Stars and the Aces of Moons", ["Masters of Stars=Master of Stars", "Aces of Moons=Ace of Moons"]),
        ("Masters of the Stars", []),
        ("Hooded Ones", ["Hooded Ones=Hooded One"]),
        ("a Guild Member, a Member", ["Guild Member", "Member"]),
        ("RAVEN, THIEVES", ["RAVEN=Raven", "THIEVES=Thief"]),
        ("the Ferryman’s Bell's rope", ["Ferryman’s Bell=Ferryman's Bell"]),
        ("Half-Light", ["Half-Light"]),
        ("Raven–Seer, Raven—Seer, Raven--Seer", ["Raven", "Seer"] * 3),
        ("l'Lady d’Raven", ["Lady", "Raven"]),
        ("Raven(s), (Raven), “Raven”, 'Raven'", ["Raven"] * 4),
        ("The Raven.", ["Raven"]),
    ],
)
def test_names_are_found_in_plural_and_possessive(body: str, found: list[str]) -> None:
    assert named(body) == found


@pytest.mark.parametrize(
    "body",
    [
        *("Ravenous", "Craven Ravenna", "ravenRaven", "Raven2", "Raven_wing", "O'Raven", "Raven'en", "Thieving"),
        *("Raven-like", "half-Raven", "Raven‑Queen", "img/Raven.png", "Raven.png", "v1.Raven", "Raven/Seer", "a@Raven"),
        *(
            "Raven\u0301",
            "Rave\u0301n",
            "Ra\u00advens",
            "Raven\u200dx",
            "Raven:: black",
            "*Rav*en",
            "**R**aven",
            "*Raven*s",
        ),
        *("Hooded\nOne", "Hooded  \nOne", "Hooded *One*", "Hooded-One", "7 A I"),
    ],
)
def test_parts_of_other_words_are_not_mentions(body: str) -> None:
    assert named(body, any_case=True) == []


@pytest.mark.parametrize(
    ("body", "found", "in_any_case"),
    [
        ("the sea, a thief, ravens", [], ["sea=Sea", "thief=Thief", "ravens=Raven"]),
        ("rAVEN SeA", [], ["rAVEN=Raven", "SeA=Sea"]),
        ("hooded one, Hooded one", ["hooded one=Hooded One", "Hooded one=Hooded One"], None),
        (
            "a fool, Fool, FOOLS, fOol",
            ["fool", "Fool=fool", "FOOLS=fool"],
            [*("fool", "Fool=fool", "FOOLS=fool"), "fOol=fool"],
        ),
        ("McDuck MCDUCK Mcduck", ["McDuck", "MCDUCK=McDuck"], ["McDuck", "MCDUCK=McDuck", "Mcduck=McDuck"]),
    ],
)
def test_single_lower_case_word_is_not_a_mention(body: str, found: list[str], in_any_case: list[str] | None) -> None:
    assert named(body) == found
    assert named(body, any_case=True) == (found if in_any_case is None else in_any_case)


@pytest.mark.parametrize(
    "body",
    [
        "# Raven\n\nRaven\n=====\n",
        "`Raven` ``a ` Raven``",
        "```\nRaven\n```\n\n~~~statblock\nRaven\n~~~\n\n    Raven\n",
        "$Raven$ and $$Raven$$",
        "<div>\nRaven\n</div>\n",
        '<span title="Raven"> <a href="x">Raven</a> <kbd>Raven</kbd>',
        "%% Raven %% %%\n\nRaven\n\n%%",
        "%% never closed\n\nRaven",
        "[[Raven]] [[Deck#Raven|the Raven]] ![[Raven]] ![[x.png|Raven]]",
        "[Raven](x.md) [the Raven](<a b>) ![Raven](x.png) [Raven][r] [Raven]\n\n[r]: x.md 'Raven'\n[Raven]: x.md",
        "[the Raven card](my notes/x.md) [[a\n b Raven]] [Raven] [Raven and",
        "#Raven #cards/Raven ^Raven\n\nText ^Raven",
        "Text[^Raven] [^Raven]\n\n[^Raven]: note",
        "https://example.org/Raven <https://Raven.org> www.Raven.org/Raven mailto:Raven Raven@example.org obsidian://Raven",
        "> [!Raven] and\n",
        "<% tp.Raven() Raven %> {{ Raven }}",
        "&Raven; [x](Raven) \\[Raven]",
    ],
)
def test_l5_mentions_are_found_only_where_links_are_possible(body: str) -> None:
    assert named(body) == []
    assert named(body.replace("\n", "\r\n")) == []


def test_y1_frontmatter_contains_no_mentions() -> None:
    found = find(note("---\naliases: Raven\n---\nThe Raven"), NAMES)
    assert [item.start for item in found] == [27]


@pytest.mark.parametrize(
    "body",
    [
        *("*Raven*", "**Raven**", "***Raven***", "_Raven_", "~~Raven~~", "==Raven==", "**the Raven's**", "*Raven*'s"),
        *("- Raven", "1. Raven", "- [ ] Raven", "> Raven", "> [!note] Raven", "> [!note]\n> > Raven"),
        *("a[^1]\n\n[^1]: Raven", "a^[the Raven calls]", "| a |\n|---|\n| Raven |", "| Raven |\n|---|\n| a |"),
        *(
            "<b>Raven</b>",
            "`x`Raven",
            "50 % off, Raven",
            "# H\nRaven\n# H",
            "[x](y) Raven",
            "a\n\n%%c%% Raven",
            "é Raven",
        ),
    ],
)
def test_names_are_found_in_all_kinds_of_text(body: str) -> None:
    (found,) = find(note(body), NAMES)
    assert body[found.start : found.end] == found.text == "Raven"
    assert found.table == body.startswith("|")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("At the end of the round, each player sails the sea", []),
        ("The end. The sea is deep", []),
        ("the End, The Sea, THE MARKET", ["the End=The End", "The Sea", "THE MARKET=The Market"]),
        ("The Markets are shut", ["The Markets=The Market"]),
        ("la mort, die sonne, l'étoile, une clé", []),
        ("La Mort, der Die Sonne, L’Étoile, une Clé", ["La Mort", "Die Sonne", "L’Étoile=L'Étoile", "une Clé=Une Clé"]),
        ("the last light, The Last Light", ["the last light=The Last Light", "The Last Light"]),
    ],
)
def test_word_after_an_article_needs_its_capital(body: str, found: list[str]) -> None:
    cards = ("The End", "The Market", "The Sea", "La Mort", "Die Sonne", "L'Étoile", "Une Clé", "The Last Light")
    names = CardNameIndex([deck(*cards)])
    assert named(body, names=names) == found


@pytest.mark.parametrize(
    ("card", "plain", "name"),
    [
        ("Man", "men, wolves", "Men"),
        ("Wolf", "wolves", "Wolves"),
        ("Wife", "wives", "Wives"),
        ("Fe", "ves", "Fes"),
        ("Horseman", "horsemen", "Horsemen"),
        ("Key", "keys", "Keys"),
        ("City", "cities", "Cities"),
    ],
)
def test_plural_needs_its_capital_too(card: str, plain: str, name: str) -> None:
    names = CardNameIndex([deck(card)])
    assert named(f"two {plain}", names=names) == []
    assert named(f"two {name}, {name.upper()}", names=names) == [f"{name}={card}", f"{name.upper()}={card}"]


BEGINNINGS = ["", "x\n", "x\n\n", "- ", "  - [x] ", "12) ", "> ", "> [!note]- ", "| ", "x[^1]\n\n[^1]: ", "x. ", "x! "]
BEGINNINGS += ["x?” ", "x: ", "**x.** ", "(x.) ", "x (", "x “", '"', "*x* (*", "x… *", "| x |\n|---|\n| ", "x<br>"]


@pytest.mark.parametrize("body", ["*Sea shines* on", "- **Sea points** count", "x.\n_Sea's end is_ near"])
def test_emphasis_of_more_than_the_name_does_not_count(body: str) -> None:
    assert named(body) == []


@pytest.mark.short(43)
@pytest.mark.parametrize("before", BEGINNINGS)
@pytest.mark.parametrize(
    "after", [" saving throw", "  points", "\nshines", "\r\n> shines", "'s door is", " *saves*", "’s _door_"]
)
def test_capital_at_the_start_of_a_sentence_does_not_count(before: str, after: str) -> None:
    text = f"{before}Sea{after}"
    assert named(text) == []
    assert named(text, any_case=True) == ["Sea"]
    assert named(f"x the {text[len(before) :]}") == ["Sea"]


@pytest.mark.parametrize(
    "body",
    [
        *("Sea.", "Sea, wind", "Sea (high) wins", "Sea: wet", "Sea – wet", "Sea | wet", "Sea\n\nis wet", "Sea\n- wet"),
        *("**Sea** is wet", "*Sea* is wet", "- __Sea__ is wet", "==Sea== is wet", "The Sea is wet", "x, Sea is wet"),
        *("SEA is wet", "Sea", "| Sea | is wet |\n|---|---|", "Sea 2 is wet", "“Sea” is wet", "Sea [[Wet]]"),
    ],
)
def test_name_alone_or_inside_a_sentence_counts(body: str) -> None:
    assert [text.title()[:3] for text in named(body)] == ["Sea"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Ravens fly. Draw the Raven.", 2),
        ("Draw the Raven. Ravens fly.", 2),
        ("Ravens fly. **Raven** is black.", 2),
        ("Ravens fly. Draw the [[Deck#Raven|Raven]].", 1),
        ("Ravens fly. Draw the [Ravens](Deck.md#Raven).", 1),
        ("Ravens fly. [[Deck#Raven|Raven]] is black.", 0),
        ("Ravens fly. Draw the Seer.", 1),
        ("Ravens fly. Raven, fly.", 1),
        ("Ravens fly. Raven, fly. Draw the Raven.", 3),
        ("Ravens fly. A raven flies past. Draw the Raven.", 1),
        ("Ravens fly. Draw the [[Deck#Raven|Raven]], a raven.", 0),
        ("---\nsee: the [[Deck#Raven|Raven]]\n---\nRavens fly.", 0),
        ("Raven [[x|flies]]. Raven [[x|Flies]].", 1),
    ],
)
def test_name_used_only_as_a_name_in_the_note_counts_everywhere(body: str, found: int) -> None:
    assert len(named(body)) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("the Raven Queen, a Sea Monster", []),
        ("**Raven** Queen, the *Raven* Queen", ["Raven", "Raven"]),
        ("the Raven Seer, Raven Ravens", ["Raven", "Seer", "Raven", "Ravens=Raven"]),
        ("If you hold the Raven I win. Raven\nQueen", ["Raven", "Raven"]),
        ("the Raven, Queen; Raven (Queen)", ["Raven", "Raven"]),
        ("the Raven [[Queen]]", ["Raven"]),
        ("the Hooded One Queen", ["Hooded One"]),
    ],
)
def test_name_before_another_capitalized_word_is_part_of_a_longer_one(body: str, found: list[str]) -> None:
    assert named(body) == found


def test_longer_name_does_not_confirm_a_word_in_it() -> None:
    names = CardNameIndex([deck("One", "Hooded One")])
    assert named("One player draws the Hooded One.", names=names) == ["Hooded One"]


def test_a_name_is_found_in_either_normal_form() -> None:
    composed, decomposed = (unicodedata.normalize(form, "die Séance") for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert [item.end for item in find(note(composed), NAMES)] == [len(composed)]
    assert [item.end for item in find(note(decomposed), NAMES)] == [len(decomposed)]


def test_longer_of_two_overlapping_names_counts() -> None:
    names = CardNameIndex([deck("High Tower", "Tower Guard Captain", "Captain")])
    assert named("the High Tower Guard Captain", names=names) == ["Tower Guard Captain"]


def test_a_name_of_two_decks_is_found_without_a_card() -> None:
    names = CardNameIndex([deck("Raven", "Star"), deck("Raven", "Stars", path="Other.md")])
    assert named("Raven, Ravens, Stars, Star", names=names) == ["Raven=?", "Ravens=?", "Stars", "Star"]


def test_plurals_of_names() -> None:
    assert spellings("Ace of Moons") == ("Ace of Moons", "Aces of Moons")
    assert spellings("Witch")[1:] == ("Witches",)
    assert spellings("Hero")[1:] == ("Heros", "Heroes")
    assert spellings("Wife")[1:] == ("Wives", "Wifes")
    assert spellings("Joy")[1:] == ("Joys",)
    meant = make_finder([("Thief", 1), ("Thieves", 2)])
    assert meant("thieves") == meant("Thief") == 1 and meant("thievery") is None


WORDS = ["Raven", "Ravens", "Hooded One", "the sea", "Sea flows", "Queen", ". ", "é", "\n", "\r\n", "\n\n", " "]
MARKS = [
    "*",
    "**",
    "_",
    "`",
    "```\n",
    "[[",
    "]]",
    "[",
    "](x)",
    "|",
    "\n|---|\n",
    "%%",
    "# ",
    "> ",
    "- ",
    "<b>",
    "</b>",
    "$",
]
PIECES = st.sampled_from([*WORDS, *MARKS, "[^1]", "^", "\\"])
BODIES = st.lists(PIECES, max_size=14).map("".join)


@pytest.mark.slow
@given(BODIES)
def test_mentions_are_exact_pieces_of_the_text(body: str) -> None:
    read = note(body)
    behind = 0
    for item in find(read, NAMES):
        assert item.start >= behind and read.text[item.start : item.end] == item.text
        assert item.entry is not None and make_finder([(item.entry.card.name, 1)])(item.text)
        assert not any(link.start <= item.start < link.end for link in read.links)
        behind = item.end


CLOSED = ("Heading", "CodeBlock", "Link", "Image", "Code", "HtmlBlock", "InlineMath", "DisplayMath")


@given(BODIES, st.booleans())
def test_l5_mentions_are_never_in_a_heading_code_or_link(body: str, any_case: bool) -> None:
    read = note(f"---\na: Raven\n---\n{body}")
    offset = offset_converter(read.body, read.body_start)
    closed = [
        (offset(span["start"]), offset(span["end"])) for event, span in events(read.body) if _kind(event) in CLOSED
    ]
    for item in find(read, NAMES, any_case):
        assert item.start >= read.body_start
        assert not any(start < item.end and item.start < end for start, end in closed)


def _kind(event: object) -> str:
    ((what, tag),) = event.items() if isinstance(event, dict) else ((str(event), ""),)
    tag = tag if what == "Start" else what
    return tag if isinstance(tag, str) else next(iter(tag))


@given(BODIES)
def test_option_any_case_finds_more_and_loses_nothing(body: str) -> None:
    read = note(body)
    assert set(find(read, NAMES)) <= set(find(read, NAMES, any_case=True))


@given(BODIES)
def test_plain_text_is_as_long_as_the_note(body: str) -> None:
    read = note(f"---\na: 1\n---\n{body}")
    plain = plain_text(read).text
    assert len(plain) == len(read.text)
    assert all(char in (BLANK, own) for char, own in zip(plain, read.text, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("[", "[[", "a" * 9, "%%", "<%", "{{", "a@", "Raven ", "| Raven |\n|---|\n\n", "*Raven", "Raven flies. "),
        *("\n- > Raven", f"Raven{' ' * 90}", "[[x|Raven]] ", f"{' > ' * 30}Raven", f"\n[{'x' * 90}", ". ' Sea"),
    ],
)
def test_hostile_note_takes_linear_time(piece: str) -> None:
    assert growth(lambda size: find(Note("Note.md", (piece * size).encode()), NAMES), 4_000) < IN_STEP


@pytest.mark.slow
def test_cards_that_start_with_the_same_word_take_linear_time() -> None:
    def look(size: int) -> None:
        cards = [f"Card {number}" for number in range(size)]
        found = find(note(". ".join(cards)), CardNameIndex([deck(*cards)]))
        meant = make_finder((card, card) for card in cards)
        assert [meant(mention.text) for mention in found] == cards

    assert growth(look, 1_200) < IN_STEP
