"""Cards as headings: `### Raven`, and below it a picture, a line with rank and suit, and text."""

from collections.abc import Iterator, Mapping

from vaultkit.compendium import cardline, pictures
from vaultkit.compendium.cardline import Facts
from vaultkit.compendium.words import Words
from vaultkit.compendium.written import WrittenCard, body
from vaultkit.vault import Heading, Note, Vault
from vaultkit.vault.subpath import comparable, find_heading, to_subpath

Firsts = Mapping[str, Heading]


def card_headings(note: Note) -> Iterator[Heading]:
    """Headings of level 3, without those in quotes and callouts."""
    return (heading for heading in note.headings if heading.level == 3 and _is_at_margin(heading, note))


def firsts(note: Note) -> Firsts:
    """The first heading of each name, which is the one that links lead to (S2)."""
    found: dict[str, Heading] = {}
    for heading in note.headings:
        found.setdefault(comparable(heading.text), heading)
    return found


def section_end(note: Note, heading: Heading) -> int:
    """Where the section under `heading` ends; a heading in a quote or callout does not end it."""
    below = (other for other in note.headings if other.start > heading.start and other.level <= heading.level)
    return next((other.start for other in below if _is_at_margin(other, note)), len(note.text))


def card(note: Note, heading: Heading, first: Firsts, vault: Vault, words: Words) -> WrittenCard:
    """The card whose section begins with `heading`; `first` are the note's `firsts`."""
    found = body(note, heading.end, section_end(note, heading), vault, words)
    name = pictures.shown(heading.text).strip("*_ ")
    return WrittenCard(
        name=name,
        path=note.path,
        link=f"{note.path}#{_subpath(note, heading, first)}",
        line=heading.line,
        facts=found.facts or _from_name(name, words),
        image=found.image,
        text=found.text,
        unread=found.unread,
    )


def _from_name(name: str, words: Words) -> Facts | None:
    """`Ace of Moons` is a rank and a suit, `Wheel of Fortune` is not."""
    facts = cardline.parse(f"*{name}*", words)
    return facts if facts and words.is_rank(str(facts.rank)) else None


def _subpath(note: Note, heading: Heading, first: Firsts) -> str:
    """The heading as links name it: with the one above it where another heading of its name comes first (S2)."""
    plain = to_subpath(heading.text)
    if first.get(comparable(plain)) == heading:
        return plain
    above = [other for other in note.headings if other.start < heading.start and other.level < heading.level]
    nested = f"{to_subpath(above[-1].text)}#{plain}" if above else plain
    return nested if find_heading(note.headings, nested) == heading else plain


def _is_at_margin(heading: Heading, note: Note) -> bool:
    """Whether nothing but blanks stands before a heading: no `>` of a quote, no dash of a list."""
    return not note.text[note.places.offset(heading.line, 1) : heading.start].strip()
