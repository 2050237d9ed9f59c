"""One vault with its settings and compendium, opened when first asked for."""

import os
import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vaultkit.errors import MissingNote, NothingFound, VaultkitError
from vaultkit.sorting import without_article
from vaultkit.vault import Note, Vault

if TYPE_CHECKING:
    from collections.abc import Mapping

    # Imported when first used: a command pays for the layers that it needs, and no more.
    from vaultkit.compendium import Compendium, DeckNote
    from vaultkit.compendium.rulenote import RuleNote
    from vaultkit.games.registry import GameInfo
    from vaultkit.session.scoresheets import ScoreSheets
    from vaultkit.settings import Settings
    from vaultkit.vault.file_facts import Inspected
    from vaultkit.vault.index.index_file import Index
    from vaultkit.vault.walk import Progress

_ID = re.compile(r"[a-z0-9-]+")
"""The id of a game."""


class Workspace(msgspec.Struct, frozen=True, dict=True):
    """The vault in the folder `root`. It is read through the index if `cached`; `progress` is told how far that is."""

    root: Path
    cached: bool = True
    progress: "Progress | None" = None

    @cached_property
    def vault(self) -> Vault:
        return Vault(self.root, self.index if self.cached else None, self.progress, _inspect)

    def index(self) -> "Index | None":
        """The index of the vault; None where the user has no cache folder."""
        from vaultkit.vault.index.index_file import index_of

        return index_of(self.root)

    @cached_property
    def settings(self) -> "Settings":
        from vaultkit.settings import load

        return load(self.root)

    @cached_property
    def compendium(self) -> "Compendium":
        from vaultkit.compendium import Compendium

        return Compendium(self.vault)

    @cached_property
    def score_sheets(self) -> "ScoreSheets":
        from vaultkit.session.scoresheets import ScoreSheets

        return ScoreSheets(self.vault)

    @property
    def journals(self) -> Path:
        from vaultkit.vault.writing.history.entry import JOURNALS

        return self.root / JOURNALS

    def rule_note(self, game: "GameInfo") -> "RuleNote | None":
        return self.compendium.rule_note(game.id, (game.title, *game.aliases))

    def note(self, name: str) -> Note:
        """The note that goes by `name`; by a game's id, or a title that no note has, its rule note.

        Raises MissingNote.
        """
        rules = self._rules_of(name) if _ID.fullmatch(name) else None  # to know all games takes a while
        if rules and rules.game == name:
            return rules.note
        try:
            return self.vault.find(name)
        except MissingNote:
            rules = rules or self._rules_of(name)
            if rules is None:
                raise
            return rules.note

    def _rules_of(self, name: str) -> "RuleNote | None":
        with suppress(VaultkitError):
            return self.rule_note(self.score_sheets.known(name))
        return None

    def own_words(self, game: str) -> "Mapping[str, str]":
        """The words of the deck of a game with this id for suits and ranks, by the English ones."""
        from vaultkit.games.registry import GAMES

        return self.compendium.own_words(GAMES[game].deck) if game in GAMES else {}

    def deck(self, name: str) -> "DeckNote":
        """The deck that goes by `name`. Raises NothingFound; for a card's name the hint lists the decks with it."""
        try:
            return self.compendium.deck(name)
        except NothingFound as error:
            wanted = without_article(name)
            cards = [(card.name, deck.deck.kind) for deck in self.compendium.decks for card in deck.deck]
            holders = {kind: card for card, kind in cards if card.casefold() == wanted}
            if holders:
                error.hint = f"{next(iter(holders.values()))} is a card of: {', '.join(holders)}."
            raise

    def vault_path(self, word: str) -> str:
        """The vault path of `.`, `..`, `./x`, `../x` or a whole path, as a shell in the current folder means them.

        Any other word is returned as it is. Raises MissingNote for a file that lies outside of the vault.
        """
        whole = Path(word).is_absolute()
        if not whole and Path(word).parts[:1] not in ((), ("..",)) and word[:2] not in ("./", f".{os.sep}"):
            return word
        here = Path.cwd().resolve()
        meant = Path(os.path.normpath(here / word))
        for place in (meant, Path(os.path.realpath(meant))):
            if place.is_relative_to(self.root):
                return place.relative_to(self.root).as_posix()
        if os.path.lexists(meant) and (whole or here.is_relative_to(self.root)):
            raise MissingNote(f"'{word}' lies outside of the vault.", where=str(self.root), hint="Name a note in it.")
        return word


def _inspect(note: Note) -> "Inspected":
    """Asks every check, which are loaded once notes are read."""
    from vaultkit.session.checks import every_check
    from vaultkit.vault.checking.check import inspect

    return inspect(note, every_check())
