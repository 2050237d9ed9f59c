"""One vault with its settings and compendium, each loaded on first use."""

import os
import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vaultkit.errors import InvalidError, MissingNote, NothingFound, VaultkitError
from vaultkit.text import strip_article
from vaultkit.vault import Note, Vault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    # Imported on first use, so that a command loads only the layers that it needs.
    from vaultkit.compendium import Compendium, DeckNote
    from vaultkit.compendium.rule_note import RuleNote
    from vaultkit.games.registry import GameInfo
    from vaultkit.session.scoresheets import ScoreSheets
    from vaultkit.settings import Settings
    from vaultkit.vault.file_facts import Inspection
    from vaultkit.vault.index.index_file import Index
    from vaultkit.vault.walk import Progress

_GAME_ID = re.compile(r"[a-z0-9-]+")
"""The pattern of a game's id."""


class Workspace(msgspec.Struct, frozen=True, dict=True):
    """A vault with its settings and compendium; `root` is its folder.

    It is read through the index if `cached`; `progress` is called while it is read.
    """

    root: Path
    cached: bool = True
    progress: "Progress | None" = None

    @cached_property
    def vault(self) -> Vault:
        return Vault(self.root, self.index if self.cached else None, self.progress, _inspect)

    def index(self) -> "Index | None":
        """Return the index of the vault; None if the user has no cache folder."""
        from vaultkit.vault.index.index_file import index_of

        return index_of(self.root)

    def with_vault(self, vault: Vault) -> "Workspace":
        """Return a workspace for the same folder that reads the notes of `vault`."""
        workspace = Workspace(self.root, self.cached, self.progress)
        workspace.__dict__["vault"] = vault
        return workspace

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
        from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

        return self.root / JOURNALS_FOLDER

    def rule_note(self, game: "GameInfo") -> "RuleNote | None":
        return self.compendium.rule_note(game.id, (game.title, *game.aliases))

    def note(self, name: str) -> Note:
        """Return the note that `name` names; a game's id, or a title that no note has, names the game's rule note.

        Raises MissingNote.
        """
        rules = self._find_rules(name) if _GAME_ID.fullmatch(name) else None  # loading all games is slow
        if rules and rules.game == name:
            return rules.note
        try:
            return self.vault.find(name)
        except MissingNote:
            rules = rules or self._find_rules(name)
            if rules is None:
                raise
            return rules.note

    def notes(self, names: "Sequence[str]") -> list[Note]:
        """Return the note that each name names, as `note` does; the name of a folder stands for all notes in it.

        All names together may be the name of a note. Raises MissingNote.
        """
        return [note for note, _ in self.sections(names, with_headings=False)]

    def sections(self, names: "Sequence[str]", *, with_headings: bool = True) -> list[tuple[Note, str]]:
        """Return the note that each name names, with the heading that follows its name and `#`, or "".

        The name of a folder stands for all notes in it, but empty ones. All names together may be the name of a note.
        Raises MissingNote.
        """
        try:
            return [section for name in names for section in self._find_sections(name, with_headings=with_headings)]
        except MissingNote:
            if len(names) > 1:
                with suppress(MissingNote):
                    return self._find_sections(" ".join(names), with_headings=with_headings)
            raise

    def _find_sections(self, name: str, *, with_headings: bool) -> list[tuple[Note, str]]:
        note_name, _, heading = name.partition("#") if with_headings else (name, "", "")
        if not note_name.strip():
            raise MissingNote(f"There is no note '{heading.strip()}'.", where=str(self.root), hint="Name a note.")
        try:
            return [(self.note(note_name), heading.strip())]
        except MissingNote:
            from vaultkit.vault.queries import find_notes_in_folder

            folder_notes: list[Note] = []
            with suppress(NothingFound):
                note_facts = find_notes_in_folder(self.vault, self.vault_path(note_name))
                folder_notes = [self.vault.read(facts.path) for facts in note_facts if not facts.unreadable]
            sections = [(note, "") for note in folder_notes if note.body.strip()]
            if not sections:
                raise
            return sections

    def _find_rules(self, name: str) -> "RuleNote | None":
        with suppress(VaultkitError):
            return self.rule_note(self.score_sheets.find_info(name))
        return None

    def own_words(self, game: str) -> "Mapping[str, str]":
        """Return the deck's own names for suits and ranks, by the English ones, for the game with the given id."""
        from vaultkit.games.registry import GAMES

        return self.compendium.own_words(GAMES[game].deck) if game in GAMES else {}

    def deck(self, name: str) -> "DeckNote":
        """Return the deck that `name` names.

        Raises NothingFound; for a card's name the hint lists the decks with it.
        """
        try:
            return self.compendium.deck(name)
        except NothingFound as error:
            card_name = strip_article(name)
            cards = [(card.name, deck.deck.kind) for deck in self.compendium.decks for card in deck.deck]
            card_by_deck = {kind: card for card, kind in cards if card.casefold() == card_name}
            if card_by_deck:
                error.hint = f"{next(iter(card_by_deck.values()))} is a card of: {', '.join(card_by_deck)}."
            raise

    def vault_path(self, word: str) -> str:
        """Return the vault path of a typed path that is absolute or relative to the current folder: `.`, `./x`, `../x`.

        Any other word is returned unchanged. Raises InvalidError for an existing file outside of the vault, if the path
        is absolute or the current folder is in the vault.
        """
        is_absolute = Path(word).is_absolute()
        if not is_absolute and Path(word).parts[:1] not in ((), ("..",)) and word[:2] not in ("./", f".{os.sep}"):
            return word
        current_folder = Path.cwd().resolve()
        target = Path(os.path.normpath(current_folder / word))
        for path in (target, Path(os.path.realpath(target))):
            if path.is_relative_to(self.root):
                return path.relative_to(self.root).as_posix()
        if os.path.lexists(target) and (is_absolute or current_folder.is_relative_to(self.root)):
            raise InvalidError(f"'{word}' is outside of the vault.", where=str(self.root), hint="Name a note in it.")
        return word


def _inspect(note: Note) -> "Inspection":
    """Run every check on a note; the checks are imported when the first note is read."""
    from vaultkit.session.checks import every_check
    from vaultkit.vault.checking.check import inspect

    return inspect(note, every_check())
