"""A list, such as an inventory, is edited item by item: whatever stays in it stays as the GM wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.destiny.position import DECK
from vaultkit.vault import Note
from vaultkit.vault.writing.properties import edit_list

NAME = "destiny-inventory"
NAMES = [card.name for card in DECK]
LIST = """\
---
tags:
  - party
destiny-inventory:
  - "[[standard-deck#Cards|3 of Hearts]]"
  # won at cards
  - 5 of Spades # from mother
  - Ace of Spades   # the first
  - '9 of Clubs'
level: 4 # at last
---
A thief.
"""
FLOW = """---\ndestiny-inventory: ["[[deck|3 of Hearts]]", 5 of Spades, 'Ace of Spades'] # mine\n---\n"""


def after(text: str, gone: str = "", *added: str) -> str:
    note = Note("Pell.md", text.encode("utf-8"))
    splice = edit_list(note, NAME, lambda entry: not gone or not any(word in entry for word in gone.split(", ")), added)
    return splice.apply(note.text) if splice else note.text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["  ", ""])
def test_comments_quotes_links_and_order_stay_with_their_entries(newline: str, indent: str) -> None:
    text = LIST.replace("  - ", f"{indent}- ").replace("\n", newline)
    wanted = text.replace(f"{indent}- 5 of Spades # from mother{newline}", "")
    wanted = wanted.replace(f"'9 of Clubs'{newline}", f"'9 of Clubs'{newline}{indent}- King of Hearts{newline}")
    assert after(text, "5 of", "King of Hearts") == wanted


def test_a_list_in_one_line_keeps_its_quotes() -> None:
    assert after(FLOW, "5 of", "King of Hearts") == FLOW.replace(
        "5 of Spades, 'Ace of Spades'", "'Ace of Spades', King of Hearts"
    )


def test_unrelated_lines_among_the_entries_are_preserved() -> None:
    text = "---\r\ndestiny-inventory:\r\n\r\n  - 5 of Spades\r\n  # won\r\n\r\n  - 2 of Hearts\r\n---\r\n"
    told = Note("Pell.md", after(text, "of").encode())
    assert told.property("destiny-inventory") == [] and "  # won\r\n" in told.text


def test_emptied_list_keeps_the_comments_between_its_entries() -> None:
    told = after(LIST, "of")
    assert "destiny-inventory: []\n  # won at cards\nlevel: 4 # at last\n" in told
    assert Note("Pell.md", told.encode()).property("destiny-inventory") == []


@pytest.mark.parametrize(
    ("before", "inventory"),
    [
        ("---\ntags:\n  - party\n---\n", "destiny-inventory:\n  - King of Hearts\n"),
        ("---\ntags:\n- party\n---\n", "destiny-inventory:\n- King of Hearts\n"),
        ("A thief.\n", "destiny-inventory:\n  - King of Hearts\n"),
        ("---\ndestiny-inventory: []\n---\n", "destiny-inventory:\n  - King of Hearts\n"),
        ("---\ndestiny-inventory: [] # none\n---\n", "destiny-inventory: # none\n  - King of Hearts\n"),
    ],
)
def test_first_entry_is_written_like_other_lists_of_the_note(before: str, inventory: str) -> None:
    assert inventory in after(before, "", "King of Hearts")


def test_unchanged_list_gives_no_splice() -> None:
    assert edit_list(Note("Pell.md", LIST.encode()), NAME, lambda _: True, []) is None


entries = st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True)
written = st.sampled_from(["{}", '"{}"', "'{}'", "{} # a gift", '"[[deck#Cards|{}]]"', '"[[{}]]" # won'])


@pytest.mark.slow
@given(cards=entries, styles=st.lists(written, min_size=6, max_size=6), gone=st.sets(st.integers(0, 5)), more=entries)
def test_remaining_entries_keep_their_lines_and_order(
    cards: list[str], styles: list[str], gone: set[int], more: list[str]
) -> None:
    lines = [f"  - {style.format(card)}\n" for card, style in zip(cards, styles, strict=False)]
    note = Note("Pell.md", f"---\nlevel: 1\ndestiny-inventory:\n{''.join(lines)}race: elf\n---\nx\n".encode())
    leaving = {card for place, card in enumerate(cards) if place in gone}
    added = [card for card in more if card not in cards]
    splice = edit_list(note, NAME, lambda entry: not any(f"{card}" in entry for card in leaving), added)
    told = splice.apply(note.text) if splice else note.text
    staying = "".join(line for place, line in enumerate(lines) if place not in gone)
    assert (
        staying in told
        and told.startswith("---\nlevel: 1\ndestiny-inventory:")
        and told.endswith("race: elf\n---\nx\n")
    )
    held = Note("Pell.md", told.encode()).property("destiny-inventory")
    assert isinstance(held, list) and held[len(held) - len(added) :] == added
    assert len(held) == len(cards) - len(leaving) + len(added)
