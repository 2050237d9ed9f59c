"""Setting a table: from flags, settings and notes to a session, and from a finished session to the campaign notes."""

import random
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from vaultkit.bots import registry as bots
from vaultkit.campaign.destiny.encounter import SETTLED
from vaultkit.campaign.log import Logged, record
from vaultkit.campaign.result import Sources, from_session
from vaultkit.cards.known import known_deck
from vaultkit.cli import house_rules
from vaultkit.cli.common import Workspace, now
from vaultkit.cli.output import document, terminal
from vaultkit.cli.reference import NoteReference
from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games import registry
from vaultkit.games.base import AnyGame
from vaultkit.games.registry import GameInfo
from vaultkit.games.words import Outcome
from vaultkit.play.real_cards import refereeing
from vaultkit.session import Session
from vaultkit.session.ids import new_id
from vaultkit.session.journal import Contents
from vaultkit.session.options import faults, overruling, settle
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.session.store import Saved, Store
from vaultkit.vault.writing.history import private_folder

if TYPE_CHECKING:
    from rich.console import Console

    from vaultkit.play.sources import Source


NO_NOTES: Mapping[str, str] = MappingProxyType({})
NO_OPTIONS: Mapping[str, object] = MappingProxyType({})
NO_CARDS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True)
class GameTable:
    """A game with the notes of one vault that it is played from."""

    workspace: Workspace
    info: GameInfo
    wanted: str
    """The kind or name of the deck that is played with."""

    @classmethod
    def of(cls, workspace: Workspace, name: str, given: Sequence[str] = (), *, deck: str = "") -> "GameTable":
        """The table for a game by its id or title, with the `deck` of a session, or the one that options call for.

        `given` are the options of `--set`. Raises UsageError for a game or option that is unknown, InvalidError
        without a sound deck for the game.
        """
        info = registry.find(name)
        table = cls(workspace, info, deck or registry.rules(info.id).deck)
        if not deck:
            settled = settle(table.game, table.options(given))
            table = replace(table, wanted=table.game.deck_for(settled))
        assert table.deck_note, "what cannot be played with is refused here"
        return table

    @classmethod
    def of_saved(cls, workspace: Workspace, wanted: str) -> "tuple[GameTable, Saved, Contents]":
        """A game of this vault by its id or last letters, "" for the last unfinished one, at its table.

        Raises NothingFound if there is none, InvalidError if its journal is damaged, or of a game that is unknown.
        """
        saved, contents = _saved_game(workspace, wanted)
        try:
            return cls.of(workspace, contents.header.game, deck=contents.header.deck), saved, contents
        except UsageError as error:
            hint = "The journal was changed by hand, or written by another version of vaultkit."
            raise InvalidError(error.message, where=str(saved.path), hint=hint) from error

    @cached_property
    def deck_note(self) -> DeckNote:
        """The deck's note. Raises InvalidError or NothingFound without a sound one."""
        compendium = self.workspace.compendium
        if self.wanted == self.info.deck or known_deck(self.wanted):
            return compendium.deck_of_kind(self.wanted, self.info.id, comes_with=self._comes_with())
        return compendium.deck(self.wanted)

    def _comes_with(self) -> str:
        """The game that `init --with` brings the deck for: this one, unless an option calls for the deck of another."""
        others = (info.id for info in registry.GAMES.values() if info.deck == self.wanted)
        return self.info.id if self.wanted == self.info.deck else next(others, self.info.id)

    @cached_property
    def game(self) -> AnyGame:
        return registry.rules(self.info.id)

    @cached_property
    def rule_note(self) -> RuleNote | None:
        return self.workspace.rule_note(self.info)

    @property
    def sources(self) -> Sources:
        """The notes behind the game, for links out of the session note."""
        return Sources(
            rule_note=self.rule_note.note.path if self.rule_note else "",
            deck_note=self.deck_note.note.path,
            card_links={entry.card.id: entry.link for entry in self.deck_note.entries},
        )

    def reference(self, session: Session) -> NoteReference:
        """What `?` shows in this session, where house rules may overrule the notes."""
        header = session.header
        told = partial(overruling, self.game, header.options, header.notes.get(SETTLED, "").split())
        return NoteReference(self.rule_note, self.deck_note, told)

    def options(self, given: Sequence[str], asked: Mapping[str, object] = NO_OPTIONS) -> dict[str, object]:
        """House rules in force: the settings, then the rule note, then what an encounter asks, then `--set` (G-11).

        Raises InvalidError that names the file whose rules are wrong, UsageError for what `--set` says.
        """
        given_here: dict[str, object] = {}
        for layer in house_rules.layers(self.workspace, self.info):
            for _, error in faults(self.game, layer.options):
                raise InvalidError(error.message, where=layer.where, hint=error.hint) from error
            given_here |= layer.options
        return {**given_here, **asked, **pairs(given)}

    def seats(self, given: Sequence[str]) -> tuple[SeatSpec, ...]:
        """The seats that `--seat` names; without it the party of the settings."""
        named = tuple(given) or self.workspace.settings.players
        if not named:
            raise UsageError("Who plays?", hint="Name each seat: --seat Ysolde --seat Bram --seat bot:greedy")
        seats = parse_seats(named, bots.names())
        bots.check_strategies((seat.strategy for seat in seats), self.game)
        return seats

    def begin(
        self,
        seats: Sequence[SeatSpec],
        seed: int | None,
        options: Mapping[str, object],
        *,
        real_cards: bool = False,
        notes: Mapping[str, str] = NO_NOTES,
        known: Mapping[str, tuple[str, ...]] = NO_CARDS,
    ) -> Session:
        """A new session with its journal in the vault; `notes` are there again after a resume.

        With `real_cards` the deck lies on the table, and people turn its cards. `known` are the cards of chance turns
        that are not left to luck. Raises UsageError where such a game cannot be refereed.
        """
        if real_cards and seed is not None:
            raise UsageError("A seed deals nothing with real cards.", hint="Leave out --seed, or --real-cards.")
        unseen = refereeing(self.info.id, settle(self.game, options), seats).unseen if real_cards else ()
        chosen = secrets.randbelow(10**6) if seed is None else seed
        folder = private_folder(self.workspace.root, "journals")
        return Session.create(
            folder,
            self.game,
            self.deck_note.deck,
            seats,
            id=self._fresh_id(folder, chosen),
            seed=chosen,
            clock=now,
            bots=bots.make,
            options=options,
            real_cards=real_cards,
            unseen=unseen,
            notes=notes,
            known=known,
        )

    def _fresh_id(self, folder: Path, seed: int) -> str:
        """A session id that depends on seed and time alone, unless that one is taken."""
        moment = now()
        rng = random.Random(f"{seed} {moment.isoformat()}")
        while (folder / f"{(found := new_id(self.info.id, moment, rng))}.jsonl").exists():
            pass
        return found

    def resume(self, path: Path) -> Session:
        """A session from its journal."""
        return Session.resume(path, self.game, self.deck_note.deck, clock=now, bots=bots.make)

    def log(self, session: Session, campaign: str | None, dry_run: bool = False) -> Logged:
        """A finished session into the campaign's notes."""
        result = from_session(session, self.sources)
        vault, settings = self.workspace.vault, self.workspace.settings
        return record(result, vault, settings, campaign=campaign, now=now(), dry_run=dry_run)


@dataclass(frozen=True)
class Screen:
    """Where a game is shown, and who answers."""

    console: "Console"
    source: "Source"
    plain: bool = False

    @classmethod
    def open(cls, seats: Sequence[SeatSpec], script: str | None, *, plain: bool, to_stderr: bool) -> "Screen":
        """The screen for these seats, before anything is dealt.

        Raises UsageError where there are people and neither a terminal nor a script to ask, InvalidError for a
        script that cannot be read.
        """
        from vaultkit.play.sources import Script, Terminal

        console = terminal(stderr=to_stderr)
        if script == "-":
            return cls(console, Script(console, "stdin", sys.stdin.read().splitlines()), plain)
        if script is not None:
            return cls(console, Script.from_file(console, Path(script)), plain)
        if any(seat.is_person for seat in seats) and not sys.stdin.isatty():
            raise UsageError("There is nobody to ask: this is no terminal.", hint="Give the moves with --script FILE.")
        return cls(console, Terminal(console), plain)

    def play(self, table: GameTable, session: Session) -> Outcome | None:
        """Let the people play; None if they left before the end."""
        from vaultkit.play import line

        return line.play(session, self.console, self.source, table.reference(session), plain=self.plain)


def pairs(given: Sequence[str]) -> dict[str, str]:
    """`key=value` words as a mapping. Raises UsageError for a word without `=`."""
    pairs = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"'--set {word}' sets nothing.", hint="Write it as --set option=value.")
        pairs[key.strip()] = value.strip()
    return pairs


def _saved_game(workspace: Workspace, wanted: str) -> tuple[Saved, Contents]:
    saved = Store(workspace.journals).find(wanted)
    if saved.contents is None:
        raise InvalidError(
            f"This game's journal cannot be read: {saved.problem}",
            where=str(saved.path),
            hint=saved.hint or "A journal that cannot be mended can be removed with: vaultkit sessions --discard ID",
        )
    return saved, saved.contents


def show_again(table: GameTable, saved: Saved, *, plain: bool, as_json: bool) -> None:
    """A saved game from its first deal on."""
    from vaultkit.play import rerun
    from vaultkit.session.replay import replay

    deck = table.deck_note.deck
    contents, steps = replay(saved.path, table.game, deck)
    if as_json:
        document(
            {"session": saved.id, "game": table.info.id, "steps": rerun.as_documents(table.game, deck, contents, steps)}
        )
    else:
        rerun.show(terminal(), table.game, deck, contents, steps, plain=plain)
