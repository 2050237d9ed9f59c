"""Encounters of the Deck of Destiny: notes that say what is faced, and what a loss would mean (DD-11, DD-14)."""

from dataclasses import dataclass

from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.deck_of_destiny import OPTIONS
from vaultkit.games.options import Value
from vaultkit.vault import Note, Vault
from vaultkit.vault.facts import texts

KINDS = ("combative", "passive")
SAID = ("strength", "requires", "reward")
"""The properties of an encounter's note that are options of the game."""
SETTLED = "settled"
"""The note of a session's header that lists the options, divided by spaces, that the vault's notes settled."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """What the note at this vault path says: options of the game, and the text for the log after a loss."""

    note: str
    options: dict[str, Value]
    on_loss: str = ""


def read(vault: Vault, name: str) -> Encounter:
    """The encounter whose note goes by `name`. Raises MissingNote, or InvalidError for what is wrong in it."""
    note = vault.find(name)
    given = {key: said for key in SAID if (said := _text(note, key))}
    options = {option.key: _parsed(note, option.key, given[option.key]) for option in OPTIONS if option.key in given}
    return Encounter(note.path, {**options, **_kind(note, options)}, _text(note, "on_loss"))


def _text(note: Note, key: str) -> str:
    return " ".join(" ".join(texts(note.property(key))).split())


def _parsed(note: Note, key: str, said: str) -> Value:
    option = next(option for option in OPTIONS if option.key == key)
    try:
        return option.parse(said)
    except UsageError as error:
        raise InvalidError(error.message, where=note.path, hint=error.hint) from error


def _kind(note: Note, options: dict[str, Value]) -> dict[str, Value]:
    """`kind` decides; without it an encounter that asks for a hand is passive (DD-9)."""
    passive = options.get("requires", "none") != "none"
    kind = _text(note, "kind").lower() or KINDS[passive]
    if kind not in KINDS:
        raise InvalidError(f"'{kind}' is no kind of encounter.", where=note.path, hint=f"Kinds: {', '.join(KINDS)}.")
    if kind == "passive" and not passive:
        hint = "Write the hand under 'requires', such as: requires: flush"
        raise InvalidError("A passive encounter asks for a hand, and this one names none.", where=note.path, hint=hint)
    if kind == "combative":
        if not passive and "strength" not in options:
            hint = "Write the opponent's cards under 'strength', from 1 to 7, or the hand under 'requires'."
            raise InvalidError("This note tells of no encounter.", where=note.path, hint=hint)
        return {"requires": "none"}
    return {}
