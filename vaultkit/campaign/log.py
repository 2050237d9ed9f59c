"""Logging a finished game: its own note, and one line in the campaign's log. Doing it twice adds nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime

from vaultkit.campaign.destiny import inventory
from vaultkit.campaign.page import Page
from vaultkit.campaign.placing.line import find_line, plan_line, remarks
from vaultkit.campaign.placing.paths import folder_of_games, new_path, title_in_path
from vaultkit.campaign.placing.target import Target, settle
from vaultkit.campaign.placing.world import in_world
from vaultkit.campaign.players import Players, shown
from vaultkit.campaign.result import Result
from vaultkit.campaign.session_note import block_id, log_line, session_note
from vaultkit.errors import Problem, VaultkitError, WriteError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.linkstyle import Linker
from vaultkit.vault.writing.write import Writer, vault_lock


@dataclass(frozen=True)
class Logged:
    """What logging did, or would do: vault paths, and the unified `diff`.

    `campaign_note` is the note with the line, "" if there is none: the one where it stood already, if it did.

    `remarks` are sentences for the GM; `problems` are about names that could not be linked.
    """

    note: str
    campaign_note: str
    written: tuple[str, ...]
    diff: str
    remarks: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def record(
    result: Result,
    vault: Vault,
    settings: Settings,
    *,
    campaign: str | None = None,
    now: datetime,
    dry_run: bool = False,
) -> Logged:
    """Write what is not there yet of a game's session note and campaign line; with `dry_run` only say what that is.

    `campaign` is the note for the line, or one of `placing.target.WORDS`; None for what the settings say and "" for
    none. A line that stands in any other note of the vault already is not added again. Everything is looked at afresh
    under the vault's lock. Raises InvalidError or WriteError before anything is written, if one of the two cannot be;
    where that is the campaign note, the hint says how to log the game elsewhere.
    """
    return carry_out(vault, lambda fresh: _planned(result, fresh, settings, campaign, now), dry_run=dry_run)


def carry_out(vault: Vault, plan: Callable[[Vault], tuple[Logged, Writer]], *, dry_run: bool) -> Logged:
    """Write what `plan` finds to be written in the vault as it is under its lock; with `dry_run` nothing is.

    It is planned anew if that cannot be written and something else is to be by then, as where Obsidian makes the daily
    note in that very moment.
    """
    if dry_run:
        return plan(vault)[0]
    with vault_lock(vault.root):
        logged, writer = plan(vault.afresh())
        try:
            written = writer.commit()
        except WriteError:
            before = logged.diff
            logged, writer = plan(vault.afresh())
            if logged.diff == before:
                raise
            written = writer.commit()
    for path in written:
        vault.forget(path)
    return replace(logged, written=written)


def check_target(vault: Vault, settings: Settings, campaign: str | None, on: date | None = None) -> str:
    """The vault path of the note for the line of a game on that day, or today's; "" if there is none.

    Nothing is written, and the note may not be there yet. Raises what `record` would for that note, so that it can be
    said before a game and not after it.
    """
    return checked_target(vault, settings, campaign, on or date.today()).path


def checked_target(vault: Vault, settings: Settings, campaign: str | None, on: date) -> Target:
    """As `check_target`, with the reason why it is that note."""
    target = settle(vault, settings, campaign, datetime(on.year, on.month, on.day))
    folder_of_games(settings.campaign.folder)
    if target.path:
        block = block_id("check")
        plan_line(Writer(vault, "log", datetime.min), target, settings.campaign.heading, f"- Game. ^{block}", block)
    return target


def find_session_note(vault: Vault, session: str, folder: str) -> str | None:
    """The vault path of the note with the property `vaultkit-session`, wherever it was moved; `folder` first."""
    found = [facts.path for facts in vault.note_facts if facts.property("vaultkit-session") == session]
    return min(found, key=lambda path: not path.startswith(f"{folder}/"), default=None)


def _planned(
    result: Result, vault: Vault, settings: Settings, campaign: str | None, now: datetime
) -> tuple[Logged, Writer]:
    folder = folder_of_games(settings.campaign.folder)
    there = find_session_note(vault, result.session, folder)
    path = there or new_path(title_in_path(result.title, "Game"), result.date, vault, folder)
    with _way_on(result):
        target = settle(vault, settings, campaign, datetime.combine(result.date, now.timetz()))
    players, linker = Players(vault, settings.players), Linker(vault, [path])
    notes = [
        players.note(seat.name) if seat.is_person or players.in_party(seat.name) else None for seat in result.seats
    ]
    result = _with_plain_names(result, notes)
    result = replace(result, in_world=result.in_world or in_world(vault, settings, target.path, result.date))
    writer = Writer(vault, "log", now, result.session)
    inventory_left = ""
    if there is None:
        writer.create(path, session_note(Page(result, path, notes, linker), vault.root))
        inventory_left = _plan_inventory(writer, result, vault)
    block = block_id(result.session)
    line_at = find_line(vault, block, target)
    if target.path and not line_at:
        line = log_line(Page(result, target.path, notes, linker), path, vault.root)
        with _way_on(result):
            plan_line(writer, target, settings.campaign.heading, line, block)
    told = (*filter(None, [inventory_left]), *remarks("game", there, target, line_at, vault))
    logged = Logged(path, line_at or target.path, (), writer.diff(), told, tuple(players.problems))
    return logged, writer


def _plan_inventory(writer: Writer, result: Result, vault: Vault) -> str:
    """The inventory goes with the game's note, and so no more than once; a remark where it cannot be written."""
    change = result.inventory
    if change is None:
        return ""
    left = inventory.remark(change, vault, result.card_names)
    if not left:
        writer.change(change.note, lambda note: inventory.write(change, note, result.card_names))
        writer.check(change.note)
    return left


@contextmanager
def _way_on(result: Result) -> Iterator[None]:
    """What is wrong with the campaign note costs nobody the game: its journal is there to be logged elsewhere."""
    try:
        yield
    except VaultkitError as error:
        if result.journal:
            way_on = f"vaultkit log --session {result.session} --campaign NOTE"
            error.hint = error.hint.replace("vaultkit log --session ID", way_on)
            if way_on not in error.hint:
                error.hint = f"{error.hint} The game is kept. To log it: {way_on}".strip()
        raise


def _with_plain_names(result: Result, notes: Sequence[str | None]) -> Result:
    """A seat called `[[Zoë Müller|Zoë]]` is Zoë, if it leads to a note; the brackets of all others stay as they are."""
    named = zip(result.seats, notes, strict=True)
    seats = tuple(replace(seat, name=shown(seat.name)) if note else seat for seat, note in named)
    return replace(result, seats=seats)
