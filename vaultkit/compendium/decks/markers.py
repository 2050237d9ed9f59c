"""Marks of a note as a deck or part of one: the property `vaultkit-deck`, or the converter's class `json5e-deck`."""

from vaultkit.vault import Note
from vaultkit.vault.note_facts import Facts, texts

DECK_PROPERTY = "vaultkit-deck"
_ACCEPTED_SPELLINGS = ("vaultkitdeck", "vaultkitdecks")
_CLASS_PROPERTIES = frozenset({"cssclasses", "cssclass"})


def is_marked(note: Note | Facts) -> bool:
    """Return whether a note is marked as a deck or as part of one."""
    return kind_of(note) != "" or (
        not _CLASS_PROPERTIES.isdisjoint(map(str.lower, note.properties)) and is_converted(note)
    )


def is_converted(note: Note | Facts) -> bool:
    """Return whether any version of the converter wrote the note as a deck."""
    classes = (*texts(note.property("cssclasses")), *texts(note.property("cssclass")))
    return "json5e-deck" in " ".join(classes).replace(",", " ").split()


def kind_of(note: Note | Facts) -> str:
    """Return the kind of deck in a note's property `vaultkit-deck`, in lower case; "" if it has none."""
    name = written_property(note)
    return next((text.strip().lower() for text in texts(note.properties[name])), "") if name else ""


def written_property(note: Note | Facts) -> str:
    """Return the name of the property `vaultkit-deck` as the note spells it, or "" if the note has none.

    `vaultkit_deck` and `vaultkit-decks` are accepted as misspellings.
    """
    candidates = (name for name in note.properties if name[:8].lower() == _ACCEPTED_SPELLINGS[0][:8])
    names = [name for name in candidates if "".join(filter(str.isalnum, name.lower())) in _ACCEPTED_SPELLINGS]
    return min(names, key=lambda name: name.lower() != DECK_PROPERTY, default="")
