"""Rewards into the game's note, and loot into the notes of characters: once and only once, in one write."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign.played import Participant, PlayedGame, listed
from vaultkit.campaign.rewards.page import RewardsPage, loot_id, rewards_id
from vaultkit.campaign.rewards.reckoning import Rolled
from vaultkit.campaign.rewards.sharing import Share
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import linked
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.linkstyle import Linker
from vaultkit.vault.writing.splice import Splice, append, insert_under
from vaultkit.vault.writing.write import Plan, Writer, carry_out

COMMAND = "rewards"
_COLOPHON = re.compile(
    r"(?:^|(?<=\n)|(?<=\r))> ?\[![^\]\r\n]*\][^\r\n]*(?:\r\n|\n|\r)(?:>[^\r\n]*(?:\r\n|\n|\r|\Z))*\s*\Z"
)
_OURS = "Written by vaultkit"


@dataclass(frozen=True)
class Written:
    """What was written, or would be: vault paths and a unified diff; `remarks` are sentences for the GM."""

    paths: tuple[str, ...]
    diff: str
    remarks: tuple[str, ...]
    already: bool = False


def recorded(note: Note, session: str) -> str | None:
    """The section with the rewards in the note of a game, None if they have not been rolled."""
    block = rewards_id(session)
    if block not in note.blocks:
        return None
    place = re.search(rf"\^{block}[ \t]*(?=[\r\n]|\Z)", note.text, re.IGNORECASE)
    at = place.start() if place else len(note.text)
    above = [heading for heading in note.headings if heading.start < at]
    if not above:
        return note.text[note.body_start :].strip()
    end = min(note.section_end(above[-1]), _colophon(note) or len(note.text))
    return note.text[above[-1].start : max(end, place.end() if place else 0)].strip()


def looted(game: PlayedGame, vault: Vault) -> tuple[str, ...]:
    """The notes of characters that list loot of this game."""
    block = loot_id(game.session)
    notes = dict.fromkeys(one.note for one in game.participants if one.note)
    return tuple(note for note in notes if block in vault.read(note).blocks)


def taken_back_by(game: PlayedGame, vault: Vault) -> str:
    """The number by which `undo` takes the rewards back, "" where the history does not reach so far."""
    wrote = (entry for entry in History(vault).entries() if entry.command == COMMAND and entry.session == game.session)
    return next((entry.number for entry in wrote if not entry.undone), "")


def record(rolled: Rolled, vault: Vault, *, loot_heading: str = "", now: datetime, dry_run: bool = False) -> Written:
    """Write the rewards into the game's note, and with a `loot_heading` each player's into the character's note.

    Under the vault's lock everything is looked at afresh; rewards that were rolled meanwhile are `already` there, and
    nothing is written. Raises InvalidError or WriteError before anything is.
    """
    written, paths = carry_out(vault, lambda fresh: _planned(rolled, fresh, loot_heading, now), dry_run=dry_run)
    return replace(written, paths=paths)


def _planned(rolled: Rolled, vault: Vault, loot_heading: str, now: datetime) -> tuple[Written, Writer | None]:
    game = rolled.game
    if recorded(vault.read(game.note), game.session) is not None:
        return Written((), "", (), already=True), None
    writer = Writer(vault, COMMAND, now, game.session)
    linker = Linker(vault)
    section = RewardsPage(rolled, game.note, linker).section(vault.root)
    block = rewards_id(game.session)
    _add(writer, game.note, lambda note: None if block in note.blocks else _section(note, section, block))
    remarks = tuple(_Loot(rolled, vault, linker, loot_heading).plan(writer)) if loot_heading else ()
    return Written((), writer.diff(), remarks), writer


def _add(writer: Writer, path: str, plan: Plan) -> None:
    writer.change(path, plan)
    writer.check(path)


def _section(note: Note, section: str, block: str) -> Splice:
    """Before the record at the end of the note, if that is ours; else at the end.

    Raises WriteError where it could not be seen there, as below a code fence that was never closed.
    """
    newline = note.encoded.newline
    text = newline.join(section.split("\n"))
    start = _colophon(note)
    splice = append(note, text) if start is None else Splice(start, "", f"{text}{newline * 2}")
    after = Note(note.path, note.encoded.to_bytes(splice.apply(note.text)))
    old = [heading.text for heading in note.headings]
    kept = [heading.text for heading in after.headings if heading.text in old][: len(old)] == old
    if kept and (note.blocks | {block}) <= after.blocks and _shows_its_end(note):
        return splice
    raise WriteError(
        "The rewards would not show up at the end of this note: a code block or comment above is not closed.",
        where=note.path,
        hint="Close it in the note, then try again.",
    )


def _shows_its_end(note: Note) -> bool:
    """Whether a heading and a line at the end of the note would be read as that."""
    try:
        insert_under(note, "vaultkit rewards trial", "- Trial. ^vk-rewards-trial")
    except WriteError:
        return False
    return True


def _colophon(note: Note) -> int | None:
    """Where the callout begins with which our notes end, None if the note ends otherwise."""
    match = _COLOPHON.search(note.text, note.body_start)
    return match.start() if match and _OURS in match[0] else None


@dataclass(frozen=True)
class _Loot:
    """Lines for the notes of those who get something."""

    rolled: Rolled
    vault: Vault
    linker: Linker
    heading: str

    def plan(self, writer: Writer) -> Iterator[str]:
        """Plans a line for each player; a remark for each who goes without one."""
        planned: set[str] = set()
        for share in self.rolled.shares.shares:
            if share.things or any(share.coins.values()):
                left = self._left_out(share.player, planned) or self._planned(writer, share)
                planned.add(share.player.note)
                if left:
                    yield left

    def _left_out(self, player: Participant, planned: Collection[str]) -> str:
        """Why a player's note gets no line, "" if it does; `planned` are notes that get one already."""
        if not player.note:
            return f"{player.name} has no note of a character, so there is no place for the loot."
        if player.note in planned:
            return f"{player.name} sat there twice, so the loot of the second seat was not written: {player.note}"
        source = self.rolled.game.note
        for text in listed(self.vault.read(source).property("players")):
            link = linked(text)
            found = self.vault.files.resolve(link[1], source) if link else None
            if found and found.status == "ambiguous" and found.path == player.note:
                several = " or ".join((player.note, *found.others))
                return f"{player.name} may be {several}, so the loot was written into neither."
        return ""

    def _planned(self, writer: Writer, share: Share) -> str:
        """Plans the line; says why, where the note cannot take it."""
        path, block = share.player.note, loot_id(self.rolled.game.session)
        line = RewardsPage(self.rolled, path, self.linker).loot_line(share, self.vault.root)

        def plan(note: Note) -> Splice | None:
            return None if block in note.blocks else insert_under(note, self.heading, line)

        try:
            if block in self.vault.read(path).blocks:
                return f"{path} lists loot of this game already, and keeps that line: ^{block}"
            _add(Writer(self.vault, COMMAND, datetime.min), path, plan)
        except VaultkitError as error:
            return f"The loot of {share.player.name} was not written: {error.message} ({path})"
        writer.change(path, plan)
        return ""
