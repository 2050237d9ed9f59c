"""Checks of the vault, the settings and the notes that vaultkit uses, with a hint on what is missing."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from vaultkit import resources, trust
from vaultkit.campaign import house_rules
from vaultkit.campaign.log import check_target
from vaultkit.campaign.log_target.gm_sessions import gm_sessions, search_terms
from vaultkit.campaign.log_target.line_target import DAILY, NEWEST, LogTarget, campaign_note_hint
from vaultkit.campaign.readiness import Readiness, registered_game_readiness
from vaultkit.campaign.shipped_notes import shipped_rule_note, way_to_rule_note
from vaultkit.campaign.trust_report import trust_remarks
from vaultkit.campaign.undo import find_unfinished
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.own_games import raw_sheets
from vaultkit.errors import VaultkitError
from vaultkit.files import VAULTKIT_FOLDER
from vaultkit.games.registry import GAMES
from vaultkit.session.checks import no_game_error
from vaultkit.session.options import faults
from vaultkit.settings import VAULT_CONFIG_PATH, load, user_settings_path
from vaultkit.text import format_count
from vaultkit.user_folders import cache_folder, tables_folder
from vaultkit.vault.daily_notes import read_daily_notes_settings
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.lock import UNLOCKABLE_HINT, UNLOCKABLE_MESSAGE, can_lock
from vaultkit.vault.writing.splice import find_heading


@dataclass(frozen=True)
class HealthCheck:
    """The result of one check. `here` is False if it is about something that this vault neither has nor needs."""

    name: str
    ok: bool
    detail: str
    hint: str = ""
    here: bool = True


def failed_check(name: str, error: VaultkitError) -> HealthCheck:
    """Return a check that has failed, with the place of the error if it has one."""
    return HealthCheck(name, False, f"{error.where}: {error.message}" if error.where else error.message, error.hint)


def vault_check(workspace: Workspace) -> HealthCheck:
    """Return a check that names the vault."""
    return HealthCheck("vault", True, f"{workspace.root} ({len(workspace.vault.note_paths)} notes)")


def settings_check(root: Path | None) -> HealthCheck:
    """Return the check of the settings files, of the user's own alone if `root`, the vault's folder, is None."""
    try:
        origins = load(root).origins
    except VaultkitError as error:
        return failed_check("settings", error)
    paths = (user_settings_path(), *([root / VAULT_CONFIG_PATH] if root else ()))
    files = [str(file) for file in paths if file.is_file()]
    if not files:
        return HealthCheck("settings", True, "defaults only", "To create a settings file: vaultkit init")
    keys = {file: ", ".join(key for key, origin in origins.items() if origin == file) for file in files}
    return HealthCheck("settings", True, "; ".join(f"{file} ({keys[file] or 'nothing set'})" for file in files))


def campaign_checks(workspace: Workspace, today: date) -> Iterator[HealthCheck]:
    """Yield the checks of the campaign: where results go, the players, the house rules and the history."""
    yield from _campaign_note_checks(workspace, today)
    yield from _player_checks(workspace)
    yield from _house_rule_checks(workspace)
    yield from _history_checks(workspace)


def compendium_checks(workspace: Workspace) -> Iterator[HealthCheck]:
    """Yield the checks of the games, of decks with problems, and of the templates."""
    yield from _game_checks(workspace)
    yield from _own_game_checks(workspace)
    for deck in workspace.compendium.decks:
        worst = deck.first_error or next(iter(deck.problems), None)
        if worst is not None:
            detail = f"{deck.note.path}: {format_count(len(deck.problems), 'problem')}. {worst.message}"
            yield HealthCheck(f"deck {deck.deck.title}", deck.sound, detail, "All problems: vaultkit check")
    own_folder = resources.vault_folder("templates", workspace.root)
    templates = resources.list_files("templates", "**/*.*", workspace.root)
    names = [name for name, path in templates if path.is_relative_to(own_folder)]
    yield HealthCheck("templates", True, f"your own win: {', '.join(names)}" if names else "as shipped")


def trust_check(root: Path) -> HealthCheck:
    """Return a check that says whether the vault is trusted, and if not, which of its parts vaultkit ignores."""
    if trust.is_trusted(root):
        return HealthCheck("trust", True, "this vault is trusted", "To undo that: vaultkit trust --revoke")
    trust.consume_ignored_flag(root)  # this check reports it, so no other note about it is printed
    detail = next(trust_remarks(root), "nothing of this vault needs it")
    return HealthCheck("trust", True, detail, here=False)


def _campaign_note_checks(workspace: Workspace, today: date) -> Iterator[HealthCheck]:
    """Yield the check of the note for the line of a game that ends today.

    A second check follows if the settings choose the newest session note or the daily note.
    """
    settings = workspace.settings
    try:
        target = check_target(workspace.vault, settings, None, today)
    except VaultkitError as error:
        yield failed_check("campaign note", error)
    else:
        yield _target_check(workspace, target)
    log_to = settings.campaign.log_to.strip().lower()
    if log_to == NEWEST:
        yield _session_notes_check(workspace)
    if log_to == DAILY:
        daily = read_daily_notes_settings(workspace.vault)
        where = f"{daily.format} in {daily.folder or 'the vault itself'}, template {daily.template or 'none'}"
        yield HealthCheck("daily notes", True, f"{where} ({daily.source or 'defaults of Obsidian'})")


def _target_check(workspace: Workspace, target: LogTarget) -> HealthCheck:
    """Return the check of the note that gets the lines of games, with its heading."""
    if not target.path:
        none_set = "none set: a game writes its own note only"
        return HealthCheck("campaign note", True, none_set, campaign_note_hint(workspace.vault))
    heading = workspace.settings.campaign.heading
    if target.is_new:
        detail = f"{target.path}, which will be made ({target.chosen_by})"
        return HealthCheck("campaign note", True, detail, " ".join(target.remarks))
    has_heading = find_heading(workspace.vault.read(target.path), heading) is not None
    where = f"under '{heading}'" if has_heading else f"'{heading}' will be added to it"
    return HealthCheck("campaign note", True, f"{target.path}, {where} ({target.chosen_by})", " ".join(target.remarks))


def _session_notes_check(workspace: Workspace) -> HealthCheck:
    try:
        session_count = len(list(gm_sessions(workspace.vault, workspace.settings)))
    except VaultkitError as error:
        return HealthCheck("session notes", False, error.message, error.hint)
    return HealthCheck("session notes", session_count > 0, f"{session_count}: {search_terms(workspace.settings)}")


def _player_checks(workspace: Workspace) -> Iterator[HealthCheck]:
    for name in workspace.settings.players:
        try:
            note = workspace.vault.lookup(name)
        except VaultkitError as error:
            yield HealthCheck(f"player {name}", False, error.message, error.hint)
        else:
            detail = note.path if note else "no note with this name: written as plain text"
            yield HealthCheck(f"player {name}", True, detail)


def _house_rule_checks(workspace: Workspace) -> Iterator[HealthCheck]:
    """Yield a failed check for each house rule that a game would refuse, and for each unknown game in the settings."""
    for name in workspace.settings.games:
        if name not in GAMES:
            error = no_game_error(name)
            yield HealthCheck(f"games.{name}", False, f"{VAULT_CONFIG_PATH}: {error.message}", error.hint)
    for game in GAMES.values():
        try:
            for layer in house_rules.find_layers(workspace, game):
                where = house_rules.settings_path(workspace.root, layer.where)
                for key, error in faults(game.rules(), layer.options):
                    yield HealthCheck(f"games.{game.id}.{key}", False, f"{where}: {error.message}", error.hint)
        except VaultkitError as settings_error:
            yield failed_check(f"games.{game.id}", settings_error)


def _history_checks(workspace: Workspace) -> Iterator[HealthCheck]:
    """Yield the checks of the history: commands that can be undone and for how long, commands cut off, and the lock."""
    history, limits = History(workspace.vault), workspace.settings.history
    sizes = [history.size(entry) for entry in history.entries()]
    drop_conditions = [f"after {format_count(limits.days, 'day')}"] if limits.days else []
    drop_conditions += [f"beyond {limits.megabytes} MB"] if limits.megabytes else []
    retention = f"dropped {' or '.join(drop_conditions)}, the oldest first" if drop_conditions else "kept for ever"
    size_text = f"{format_count(len(sizes), 'command')} for undo, {_format_bytes(sum(sizes))}"
    yield HealthCheck("history", True, f"{size_text}; {retention}")
    for _, sentence in find_unfinished(workspace):
        yield HealthCheck("cut off", False, sentence)
    if not can_lock(workspace.root):
        yield HealthCheck("lock", False, UNLOCKABLE_MESSAGE, UNLOCKABLE_HINT)


def _game_checks(workspace: Workspace) -> Iterator[HealthCheck]:
    """Yield the check of each game.

    A game is not `here` if the vault has nothing of it, or only a deck that it has for another game.
    """
    games = list(registered_game_readiness(workspace))
    used_decks = {GAMES[game.id].deck for game in games if game.rule_note}
    for game in games:
        if game.rule_note or (game.deck and GAMES[game.id].deck not in used_decks):
            yield _game_check(game)
        else:
            deck_clause = ", but its deck is: it can be played without its rule note" if game.ready else ""
            detail = f"not in this vault{deck_clause}"
            if shipped_rule_note(GAMES[game.id]):
                detail += f"; to get {'that' if deck_clause else 'it'}: vaultkit init --with {game.id}"
            yield HealthCheck(game.title, True, detail, here=False)


def _own_game_checks(workspace: Workspace) -> Iterator[HealthCheck]:
    """Yield the checks of the games that the vault defines by score sheets of its own."""
    own_titles = [raw.title for raw in raw_sheets(workspace.vault) if not raw.ours]
    if own_titles:
        detail = f"{format_count(len(own_titles), 'game')} of your own: {', '.join(own_titles)}"
        yield HealthCheck("score sheets", True, detail)
    for raw, fault in workspace.score_sheets.faults:
        yield failed_check(f"score sheet {raw.game}", fault)


def _game_check(game: Readiness) -> HealthCheck:
    detail = f"rules {game.rule_note or 'missing'}; deck {game.deck or 'missing'}"
    if game.rule_note is None or game.deck is None:
        info = GAMES[game.id]
        copy_hint = f"Copy what is missing with: vaultkit init --with {info.id}"
        return HealthCheck(game.title, False, detail, copy_hint if shipped_rule_note(info) else way_to_rule_note(info))
    return HealthCheck(game.title, game.ready, detail if game.ready else f"{detail}. {game.problems[0]}")


def stored_files_check(workspace: Workspace) -> HealthCheck:
    """Return a check that names the files that vaultkit leaves behind, and where."""
    vaultkit_folder = workspace.root / VAULTKIT_FOLDER
    if not vaultkit_folder.is_dir():
        return HealthCheck("leaves behind", True, "nothing yet in this vault")
    files = [path for path in vaultkit_folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    files_text = f"{len(files)} files, {_format_bytes(size)} in {vaultkit_folder}"
    cache_text = f"the index of your notes, pictures and locks in {cache_folder()}"
    detail = f"{files_text}; {cache_text}{_trace_of_trust()}{_trace_of_tables()}"
    hint = "Delete these folders to remove every trace but the notes you kept."
    return HealthCheck("leaves behind", True, detail, hint)


def _trace_of_trust() -> str:
    with suppress(VaultkitError):
        if trust.trusted_vaults():
            return f"; the list of the vaults that you trust in {trust.trust_file().parent}"
    return ""


def _trace_of_tables() -> str:
    with suppress(OSError, RuntimeError):
        if Path(tables_folder()).is_dir():
            return f"; the addresses of tables in the browser in {tables_folder()}"
    return ""


def _format_bytes(length: int) -> str:
    """Format a number of bytes, in megabytes of 1,000,000 bytes as in the settings."""
    return f"{length / 1e6:.1f} MB" if length >= 1e6 else f"{length / 1e3:.0f} kB"
