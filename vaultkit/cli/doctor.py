"""`vaultkit doctor`: which vault, settings and files are in use, and what is missing."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import typer

from vaultkit import resources
from vaultkit.campaign import house_rules
from vaultkit.campaign.log import checked_target
from vaultkit.campaign.placing.sessions import gm_sessions, looked_for
from vaultkit.campaign.placing.target import DAILY, NEWEST, Target
from vaultkit.campaign.undo import unfinished
from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import JsonOption, VaultOption, now, open_workspace
from vaultkit.cli.games import standing
from vaultkit.cli.output import document, say
from vaultkit.errors import ExitCode, VaultkitError
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.session.options import faults
from vaultkit.settings import CONFIG, user_file
from vaultkit.vault.writing.splice import find_heading
from vaultkit.wording import counted

_MOST_NAMES = 9
"""Of a kind of design, all are named if there are no more."""


@dataclass(frozen=True)
class Check:
    """One thing looked at. What this vault does not have, and need not have, is not `here`."""

    name: str
    ok: bool
    detail: str
    hint: str = ""
    here: bool = True

    @property
    def mark(self) -> str:
        return "!!" if not self.ok else "ok" if self.here else "- "


def doctor(vault: VaultOption = None, as_json: JsonOption = False) -> None:
    """Show which vault, settings, decks and rule notes are in use.

    Only reads. Exits with 1 if something is missing that a game or a result needs.
    """
    workspace = open_workspace(vault)
    checks = list(_checks(workspace))
    if as_json:
        document({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            say(f"{check.mark}  {check.name}: {check.detail}")
            if check.hint:
                say(f"      {check.hint}")
    if not all(check.ok for check in checks):
        raise typer.Exit(ExitCode.PROBLEMS)


def _checks(workspace: Workspace) -> Iterator[Check]:
    yield Check("vault", True, f"{workspace.root} ({len(workspace.vault.note_paths)} notes)")
    try:
        settings = workspace.settings
    except VaultkitError as error:
        yield Check("settings", False, f"{error.where}: {error.message}", error.hint)
    else:
        yield _settings(workspace)
        yield _paper(workspace)
        yield _theme(workspace)
        yield from _campaign(workspace)
        yield from _players(workspace, settings.players)
        yield from _house_rules(workspace)
        yield from _history(workspace)
    yield from _games(workspace)
    yield from _decks(workspace)
    yield _templates(workspace)
    yield from _designs(workspace)
    yield _left_behind(workspace)


def _settings(workspace: Workspace) -> Check:
    origins = workspace.settings.origins
    files = [str(file) for file in (user_file(), workspace.root / CONFIG) if file.is_file()]
    if not files:
        return Check("settings", True, "defaults only", "To have a file to edit: vaultkit init")
    told = (
        f"{file} ({', '.join(key for key, origin in origins.items() if origin == file) or 'nothing set'})"
        for file in files
    )
    return Check("settings", True, "; ".join(told))


def _paper(workspace: Workspace) -> Check:
    from vaultkit.sheets.geometry.paper import load_stock

    paper = workspace.settings.print.paper
    try:
        load_stock(workspace.root).paper(paper)
    except VaultkitError as error:
        return Check("print.paper", False, error.message, error.hint)
    return Check("print.paper", True, paper)


def _theme(workspace: Workspace) -> Check:
    from vaultkit.look.theme import INK, Theme

    name = workspace.settings.print.theme
    try:
        Theme(workspace.root, name).code(INK)
    except VaultkitError as error:
        return Check("print.theme", False, error.message, error.hint)
    return Check("print.theme", True, name)


def _house_rules(workspace: Workspace) -> Iterator[Check]:
    """House rules that a game would refuse, before anybody sits down."""
    for name in workspace.settings.games:
        if name not in GAMES:
            error = house_rules.no_game(name)
            yield Check(f"games.{name}", False, f"{CONFIG}: {error.message}", error.hint)
    for game in GAMES.values():
        try:
            for layer in house_rules.layers(workspace, game):
                for key, error in faults(game.rules(), layer.options):
                    where = house_rules.place(workspace.root, layer.where)
                    yield Check(f"games.{game.id}.{key}", False, f"{where}: {error.message}", error.hint)
        except VaultkitError as unread:
            yield Check(f"games.{game.id}", False, f"{unread.where}: {unread.message}", unread.hint)


def _campaign(workspace: Workspace) -> Iterator[Check]:
    """Which note gets the line of a game that ends today, and why; then what that was settled by."""
    settings = workspace.settings
    try:
        target = checked_target(workspace.vault, settings, None, now().date())
    except VaultkitError as error:
        yield Check("campaign note", False, f"{error.where}: {error.message}", error.hint)
    else:
        yield _target(workspace, target)
    word = settings.campaign.log_to.strip().lower()
    if word == NEWEST:
        yield from _sessions(workspace)
    if word == DAILY:
        yield _daily(workspace)


def _target(workspace: Workspace, target: Target) -> Check:
    if not target.path:
        hint = "Set campaign.note or campaign.log-to in .vaultkit/config.toml, or give --campaign NOTE."
        return Check("campaign note", True, "none set: a game writes its own note only", hint)
    heading = workspace.settings.campaign.heading
    if target.is_new:
        detail = f"{target.path}, which will be made ({target.why})"
        return Check("campaign note", True, detail, " ".join(target.remarks))
    there = find_heading(workspace.vault.read(target.path), heading) is not None
    where = f"under '{heading}'" if there else f"'{heading}' will be added to it"
    return Check("campaign note", True, f"{target.path}, {where} ({target.why})", " ".join(target.remarks))


def _sessions(workspace: Workspace) -> Iterator[Check]:
    try:
        found = len(list(gm_sessions(workspace.vault, workspace.settings)))
    except VaultkitError as error:
        yield Check("session notes", False, error.message, error.hint)
    else:
        yield Check("session notes", found > 0, f"{found}: {looked_for(workspace.settings)}")


def _daily(workspace: Workspace) -> Check:
    from vaultkit.vault.daily import daily_notes

    daily = daily_notes(workspace.vault)
    told = f"{daily.format} in {daily.folder or 'the vault itself'}, template {daily.template or 'none'}"
    return Check("daily notes", True, f"{told} ({daily.source or 'as Obsidian has them from the start'})")


def _players(workspace: Workspace, names: tuple[str, ...]) -> Iterator[Check]:
    for name in names:
        try:
            note = workspace.vault.lookup(name)
        except VaultkitError as error:
            yield Check(f"player {name}", False, error.message, error.hint)
        else:
            yield Check(f"player {name}", True, note.path if note else "no note of this name: written as plain text")


def _games(workspace: Workspace) -> Iterator[Check]:
    rows = [(game, standing(workspace, game)) for game in GAMES.values()]
    used = {game.deck for game, row in rows if row["rule_note"]}
    for game, row in rows:
        has_part = row["rule_note"] or (row["deck"] and game.deck not in used)
        yield _game(game, row) if has_part else _absent(game, row)


def _absent(game: GameInfo, row: dict[str, Any]) -> Check:
    """A game of which the vault has nothing, or only a deck that it has for another game."""
    told = f"not in this vault; to have it: {_get(game)}"
    if row["ready"]:
        told = f"not in this vault, but its deck is: it can be played without its rule note; to have that: {_get(game)}"
    return Check(game.title, True, told, here=False)


def _game(game: GameInfo, row: dict[str, Any]) -> Check:
    rules, deck = row["rule_note"], row["deck"]
    detail = f"rules {rules or 'missing'}; deck {deck or 'missing'}"
    if rules is None or deck is None:
        return Check(game.title, False, detail, f"Copy what is missing with: {_get(game)}")
    return Check(game.title, row["ready"], detail if row["ready"] else f"{detail}. {row['problems'][0]}")


def _get(game: GameInfo) -> str:
    return f"vaultkit init --with {game.id}"


def _decks(workspace: Workspace) -> Iterator[Check]:
    """The decks with problems, whether a game needs them or not."""
    for deck in workspace.compendium.decks:
        worst = deck.first_error or next(iter(deck.problems), None)
        if worst is not None:
            detail = f"{deck.note.path}: {counted(len(deck.problems), 'problem')}. {worst.message}"
            yield Check(f"deck {deck.deck.title}", deck.sound, detail, "All that is wrong: vaultkit check")


def _templates(workspace: Workspace) -> Check:
    own = workspace.root / ".vaultkit" / "templates"
    found = resources.listing("templates", "**/*.*", workspace.root)
    names = [name for name, path in found if path.is_relative_to(own)]
    return Check("templates", True, f"your own win: {', '.join(names)}" if names else "as shipped")


def _designs(workspace: Workspace) -> Iterator[Check]:
    """What there is to print with. Those of the vault win over ours, and have to be sound."""
    from vaultkit.sheets.inventory import inventory

    for found in inventory(workspace.root):
        name, fault = f"print {found.kind}", found.fault
        if fault is not None:
            yield Check(name, False, f"{fault.where}: {fault.message}".removeprefix(": "), fault.hint)
        elif len(found.names) > _MOST_NAMES:
            own = f", yours: {', '.join(sorted(found.own))}" if found.own else ""
            yield Check(name, True, f"{len(found.names)} files{own}", " ".join(found.remarks))
        else:
            told = ", ".join(f"{one} (yours)" if one in found.own else one for one in found.names)
            yield Check(name, bool(told), told or "none; install vaultkit again", " ".join(found.remarks))


def _history(workspace: Workspace) -> Iterator[Check]:
    """What can be taken back, for how long, and what a crash cut off."""
    from vaultkit.vault.writing.history import History

    history, kept = History(workspace.vault), workspace.settings.history
    sizes = [history.size(entry) for entry in history.entries()]
    ends = [f"after {counted(kept.days, 'day')}"] if kept.days else []
    ends += [f"beyond {kept.megabytes} MB"] if kept.megabytes else []
    when = f"dropped {' or '.join(ends)}, the oldest first" if ends else "kept for ever"
    detail = f"{counted(len(sizes), 'command')} for undo, {_size(sum(sizes))}; {when}"
    yield Check("history", True, detail)
    for _, sentence in unfinished(workspace):
        yield Check("cut off", False, sentence)


def _left_behind(workspace: Workspace) -> Check:
    from platformdirs import user_cache_path

    own = workspace.root / ".vaultkit"
    if not own.is_dir():
        return Check("leaves behind", True, "nothing yet in this vault")
    files = [path for path in own.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    elsewhere = f"the index of your notes, pictures and locks in {user_cache_path('vaultkit')}"
    detail = f"{len(files)} files, {_size(size)} in {own}; {elsewhere}"
    return Check("leaves behind", True, detail, "Delete both folders to remove every trace but the notes you kept.")


def _size(length: int) -> str:
    """Bytes as people say them, in the megabytes of the settings."""
    return f"{length / 1e6:.1f} MB" if length >= 1e6 else f"{length / 1e3:.0f} kB"
