"""Setting a table: from flags, settings and notes to a session, and from a finished session to the campaign notes."""

import random
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from vaultkit.bots import registry as bots
from vaultkit.campaign.log import Logged, record
from vaultkit.campaign.result import Sources, from_session
from vaultkit.cli.common import Workspace, now
from vaultkit.cli.reference import NoteReference
from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games import registry
from vaultkit.games.base import Game
from vaultkit.games.registry import GameInfo
from vaultkit.games.words import Outcome
from vaultkit.session import Session
from vaultkit.session.ids import new_id
from vaultkit.session.journal import Contents
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.session.store import Saved, Store
from vaultkit.vault.history import private_folder


@dataclass(frozen=True)
class GameTable:
    """A game with the notes of one vault that it is played from."""

    workspace: Workspace
    info: GameInfo

    @classmethod
    def of(cls, workspace: Workspace, name: str) -> "GameTable":
        """The table for a game by its id or title. Raises UsageError for an unknown one."""
        return cls(workspace, registry.find(name))

    @cached_property
    def game(self) -> Game[Any]:
        return registry.rules(self.info.id)

    @cached_property
    def deck_note(self) -> DeckNote:
        return self.workspace.compendium.deck_of_kind(self.info.deck, self.info.id)

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

    @property
    def reference(self) -> NoteReference:
        return NoteReference(self.rule_note, self.deck_note)

    def options(self, given: Sequence[str]) -> dict[str, object]:
        """House rules in force: the settings, then the rule note, then `--set` (G-11)."""
        own = self.rule_note.options if self.rule_note else {}
        return {**self.workspace.settings.games.get(self.info.id, {}), **own, **_pairs(given)}

    def seats(self, given: Sequence[str]) -> tuple[SeatSpec, ...]:
        """The seats that `--seat` names; without it the party of the settings."""
        named = tuple(given) or self.workspace.settings.players
        if not named:
            raise UsageError("Who plays?", hint="Name each seat: --seat Ysolde --seat Bram --seat bot:greedy")
        return parse_seats(named, bots.names())

    def begin(self, seats: Sequence[SeatSpec], seed: int | None, options: Mapping[str, object]) -> Session:
        """A new session with its journal in the vault."""
        chosen = secrets.randbelow(10**6) if seed is None else seed
        deck = self.deck_note.deck
        folder = private_folder(self.workspace.root, "journals")
        return Session.create(
            folder,
            self.game,
            deck,
            seats,
            id=self._fresh_id(folder, chosen),
            seed=chosen,
            clock=now,
            bots=bots.make,
            options=options,
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


def play_out(table: GameTable, session: Session, script: str | None, plain: bool, to_stderr: bool) -> Outcome | None:
    """Let the people at the screen play; None if they left before the end.

    Raises UsageError where there are people and neither a terminal nor a script to ask.
    """
    from rich.console import Console

    from vaultkit.play import line
    from vaultkit.play.sources import Script, Terminal

    console = Console(stderr=to_stderr, highlight=False)
    if script == "-":
        return line.play(
            session, console, Script(console, "stdin", sys.stdin.read().splitlines()), table.reference, plain=plain
        )
    if script is not None:
        return line.play(session, console, Script.from_file(console, Path(script)), table.reference, plain=plain)
    if session.people and session.outcome is None and not sys.stdin.isatty():
        raise UsageError("There is nobody to ask: this is no terminal.", hint="Give the moves with --script FILE.")
    return line.play(session, console, Terminal(console), table.reference, plain=plain)


def _pairs(given: Sequence[str]) -> dict[str, str]:
    """`key=value` words as a mapping. Raises UsageError for a word without `=`."""
    pairs = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"'--set {word}' sets nothing.", hint="Write it as --set option=value.")
        pairs[key.strip()] = value.strip()
    return pairs


def saved_game(workspace: Workspace, wanted: str) -> tuple[Saved, Contents]:
    """A game of this vault by its id or last letters, "" for the last unfinished one.

    Raises NothingFound if there is none, InvalidError if its journal is damaged.
    """
    saved = Store(workspace.journals).find(wanted)
    if saved.contents is None:
        raise InvalidError(
            f"This game's journal is damaged: {saved.problem}",
            where=str(saved.path),
            hint="A journal that cannot be mended can be removed with: vaultkit sessions --discard ID",
        )
    return saved, saved.contents


def show_again(table: GameTable, saved: Saved, plain: bool) -> None:
    """A saved game from its first deal on."""
    from rich.console import Console

    from vaultkit.play import rerun
    from vaultkit.session.replay import replay

    deck = table.deck_note.deck
    contents, steps = replay(saved.path, table.game, deck)
    rerun.show(Console(highlight=False), table.game, deck, contents, steps, plain=plain)
