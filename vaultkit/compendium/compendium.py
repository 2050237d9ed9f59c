"""All decks and rule notes of one vault."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from vaultkit.cards.deck import known_deck
from vaultkit.compendium.decks import deck_note, discovery, markers
from vaultkit.compendium.decks.deck_note import DeckNote
from vaultkit.compendium.rule_note import GAME_PROPERTY, RuleNote, explained_games
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.spelling import did_you_mean_by, map_words_to_names
from vaultkit.text import name_key
from vaultkit.vault import Note, Vault

_MIN_DECK_SIMILARITY_PERCENT = 65
_MIN_WORD_LENGTH = 4
"""The minimum length of a deck name's words that are compared with a misspelt name."""
_MAX_HINT_NAMES = 8
"""The maximum number of kinds of decks that a hint lists."""


class Compendium:
    """The decks and rule notes of a vault. Problems are collected, so that one bad note does not stop the others."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault

    @cached_property
    def decks(self) -> tuple[DeckNote, ...]:
        """Every deck, in the order of paths."""
        marked_paths = [facts.path for facts in self.vault.note_facts if markers.is_marked(facts)]
        if len(marked_paths) > 1:
            from vaultkit.vault.conflict_copies import find_conflict_copies  # late, since few vaults have several decks

            conflict_copies = find_conflict_copies(self.vault)
            marked_paths = [path for path in marked_paths if path not in conflict_copies]
        sources = discovery.find_decks(self._readable(marked_paths), self.vault)
        return deck_note.add_warnings(deck_note.read_deck(source, self.vault) for source in sources)

    def deck(self, name: str) -> DeckNote:
        """Return the deck with the name `name`: its kind, title, note name, alias or the path that `deck` shows.

        Raise NothingFound with a suggestion if there is none.
        """
        path = name_key(name.replace("\\", "/")).removesuffix(".md")
        decks_at_path = [deck for deck in self.decks if name_key(deck.note.path).removesuffix(".md") == path]
        matching_decks = decks_at_path or [deck for deck in self.decks if name_key(name) in map(name_key, deck.names)]
        if matching_decks:
            return deck_note.preferred_deck(matching_decks)
        where = str(self.vault.root)
        hint = self._suggest_name(name) or self._unmarked_note_hint(name) or self._kinds_hint()
        raise NothingFound(f"There is no deck '{name}'.", where=where, hint=hint)

    def _suggest_name(self, name: str) -> str:
        """Suggest the deck with the nearest name, or with the nearest word in its name; "" if none is near."""
        names = [deck_name for deck in self.decks for deck_name in deck.names]
        words = map_words_to_names(names, _MIN_WORD_LENGTH)
        return did_you_mean_by(name, words, min_score=_MIN_DECK_SIMILARITY_PERCENT)

    def _unmarked_note_hint(self, name: str) -> str:
        """Return a hint for a note that has this name and is not marked as a deck; "" if there is no such note."""
        with suppress(VaultkitError):
            note = self.vault.lookup(name)
            if note is not None and not markers.is_marked(note):
                if property_name := markers.written_property(note):
                    advice = "Write its kind there; a # would begin a comment."
                    return f"The property '{property_name}' of '{note.path}' names no deck. {advice}"
                property_name = markers.DECK_PROPERTY
                return f"The note '{note.path}' has no property '{property_name}', which says that it is a deck."
        return ""

    def _kinds_hint(self) -> str:
        kinds = [*dict.fromkeys(deck.deck.kind for deck in self.decks)]
        if not kinds:
            return "Decks: this vault has none."
        rest_count = len(kinds) - _MAX_HINT_NAMES
        rest_text = f" and {rest_count} more; see: vaultkit deck" if rest_count > 0 else ""
        return f"Decks: {', '.join(kinds[:_MAX_HINT_NAMES])}{rest_text}."

    def own_words(self, kind: str) -> Mapping[str, str]:
        """Return the words of a kind of deck for suits and ranks, by the English words; empty for an English deck."""
        decks = [deck for deck in self.decks if deck.deck.kind == kind]
        return deck_note.preferred_deck(decks).own_words if decks else {}

    def deck_of_kind(self, kind: str, game: str, *, game_to_copy: str = "") -> DeckNote:
        """Return the deck of a kind that a game needs: of several, the one with `vaultkit-default: true`, or the first.

        Raise InvalidError if the vault has none, or the deck has mistakes. `game_to_copy` is the game with which `init
        --with` copies such a deck in, if that is another game.
        """
        decks = [deck for deck in self.decks if deck.deck.kind == kind]
        if not decks:
            expected = known_deck(kind)
            size_text = f" of {len(expected)} cards" if expected else ""
            in_cloud = "Notes of this vault are in the cloud: vaultkit check. " if self.vault.listing.evicted else ""
            message = f"This vault has no {kind} deck{size_text}, which {game} needs."
            hint = f"{in_cloud}Copy one in with: vaultkit init --with {game_to_copy or game}"
            raise InvalidError(message, where=str(self.vault.root), hint=hint)
        best_deck = deck_note.preferred_deck(decks)
        if best_deck.first_error is not None:
            problem = best_deck.first_error
            where = f"{problem.note}:{problem.line}" if problem.line else problem.note
            message = f"The {kind} deck cannot be used: {problem.message}"
            raise InvalidError(message, where=where, hint=problem.hint or "All its problems: vaultkit check")
        return best_deck

    def rule_note(self, game: str, titles: Iterable[str]) -> RuleNote | None:
        """Return the note that explains a game, or None. A note that names the game in its frontmatter comes first."""
        games_by_title = {title.casefold(): game for title in titles}
        candidates = [facts for facts in self.vault.note_facts if game in explained_games(facts, games_by_title)]
        explicit_paths = [facts.path for facts in candidates if facts.property(GAME_PROPERTY)]
        best_note = next(self._readable(explicit_paths or [facts.path for facts in candidates]), None)
        return RuleNote(game, best_note) if best_note else None

    def _readable(self, paths: Iterable[str]) -> Iterator[Note]:
        """Yield the notes at `paths`, skipping notes that were deleted or became unreadable since they were listed."""
        for path in paths:
            with suppress(VaultkitError):
                yield self.vault.read(path)
