"""All decks and rule notes of one vault."""

from collections.abc import Iterable
from functools import cached_property

from vaultkit.cards.known import known_deck
from vaultkit.compendium import decknote, rulenote
from vaultkit.compendium.decknote import DeckNote
from vaultkit.compendium.rulenote import RuleNote
from vaultkit.errors import InvalidError, NothingFound, Problem
from vaultkit.vault import Note, Vault

_DECK_MARKS = (b"vaultkit-deck", b"json5e-deck")


class Compendium:
    """Reads a vault's decks and rule notes; problems are collected, one bad note stops nothing."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault

    @cached_property
    def _read(self) -> tuple[tuple[Note, ...], tuple[Problem, ...]]:
        problems: list[Problem] = []
        return tuple(self.vault.notes(problems)), tuple(problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The notes that cannot be read at all."""
        return self._read[1]

    @cached_property
    def decks(self) -> tuple[DeckNote, ...]:
        """Every deck, in the order of paths."""
        marked = (note for note in self._read[0] if any(mark in note.data for mark in _DECK_MARKS))
        return tuple(decknote.read(note, self.vault) for note in marked if decknote.is_deck_note(note))

    def deck(self, name: str) -> DeckNote:
        """The deck that goes by `name`: kind, title, note name or alias. Raises NothingFound with a suggestion."""
        wanted = name.strip().casefold()
        for deck in self.decks:
            if wanted in {known.casefold() for known in _names(deck)}:
                return deck
        from difflib import get_close_matches

        names = {known.casefold(): known for deck in self.decks for known in _names(deck)}
        near = get_close_matches(wanted, names, n=1, cutoff=0.5)
        listed = ", ".join(deck.deck.kind for deck in self.decks) or "this vault has none"
        hint = f"Did you mean '{names[near[0]]}'?" if near else f"Decks: {listed}."
        raise NothingFound(f"There is no deck '{name}'.", where=str(self.vault.root), hint=hint)

    def deck_of_kind(self, kind: str, game: str) -> DeckNote:
        """The sound deck of a kind that a game needs.

        Raises InvalidError if the vault has none (the hint names `init --with`), or only one with mistakes.
        """
        decks = [deck for deck in self.decks if deck.deck.kind == kind]
        if not decks:
            expected = known_deck(kind)
            count = f" of {len(expected)} cards" if expected else ""
            raise InvalidError(
                f"This vault has no {kind} deck{count}, which {game} needs.",
                where=str(self.vault.root),
                hint=f"Copy one in with: vaultkit init --with {game}",
            )
        sound = next((deck for deck in decks if deck.sound), None)
        if sound is None:
            first = next(problem for problem in decks[0].problems if problem.severity == "error")
            where = f"{first.note}:{first.line}" if first.line else first.note
            raise InvalidError(
                f"The {kind} deck cannot be played with: {first.message}",
                where=where,
                hint=first.hint or "All its problems: vaultkit check",
            )
        return sound

    def rule_note(self, game: str, titles: Iterable[str]) -> RuleNote | None:
        """The note that explains a game, None if the vault has none. One that names the game in frontmatter wins."""
        folded = frozenset(title.casefold() for title in titles)
        found = [note for note in self._read[0] if rulenote.is_rule_note(note, game, folded)]
        said = [note for note in found if note.property("vaultkit-game")]
        best = next(iter(said or found), None)
        return RuleNote(game, best) if best else None


def _names(deck: DeckNote) -> tuple[str, ...]:
    return (deck.deck.kind, deck.deck.title, deck.note.name, *deck.note.aliases)
