"""Setting up a vault: a commented settings file with the user's answers, and a game's notes."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from vaultkit import files, resources
from vaultkit.campaign.game_copy import GameCopy
from vaultkit.campaign.log_target.line_target import DAILY, NEWEST, NOTE, campaign_note_hint
from vaultkit.campaign.setup_proposals import SetupAnswers
from vaultkit.campaign.trust_report import find_content_needing_trust, grant_if_possible
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import VAULT_CONFIG_PATH, Settings, load
from vaultkit.text import toml_line
from vaultkit.vault import Vault
from vaultkit.vault.file_names import is_device
from vaultkit.vault.root_folder import surrounding_root
from vaultkit.vault.writing.atomic_file import translate_os_errors
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import LOCK_FILE
from vaultkit.vault.writing.write import Writer, plan_and_commit


@dataclass(frozen=True)
class InitRequest:
    """A user's request to `init`: first settings, and the `game` to copy, "" for none.

    `folder` is the vault's folder for the game, "" for the usual one; `has_extras` adds treasure tables and items.
    """

    answers: SetupAnswers = field(default_factory=SetupAnswers)
    game: str = ""
    folder: str = ""
    has_extras: bool = False


@dataclass
class InitResult:
    """The files that `init` made, or would make, as vault paths.

    `config` is the settings file, "" if it existed already; `notes` are the copies of a game, in `folder`, and
    `summary` are their numbers by kind. `is_first` is whether the vault had nothing of vaultkit's before; if so, the
    vault becomes trusted.
    """

    is_first: bool = False
    config: str = ""
    folder: str = ""
    notes: list[str] = field(default_factory=list)
    summary: str = ""
    remarks: list[str] = field(default_factory=list)
    diff: str = ""


def prepare_vault(
    vault: Vault, request: InitRequest = InitRequest(), *, now: datetime, dry_run: bool = False
) -> InitResult:
    """Write the settings file with the user's answers, and copy a game's rule note, deck and pictures if asked for.

    Nothing that exists is overwritten. A vault that had no `.vaultkit` is trusted from then on. Raises UsageError for
    an unknown game and for answers if the settings exist, NothingFound if there is nothing of the game to copy, and
    WriteError if a file cannot be written.
    """
    prepared, written_paths = plan_and_commit(vault, lambda fresh: _plan(fresh, request, now), dry_run=dry_run)
    if prepared.is_first and written_paths:
        prepared.remarks += grant_if_possible(vault.root)
    return prepared


def _plan(vault: Vault, request: InitRequest, now: datetime) -> tuple[InitResult, Writer]:
    """Return the result of `init` and a Writer that creates its files."""
    prepared = InitResult(is_first=_is_untouched(vault.root / files.VAULTKIT_FOLDER) or _was_cut_off(vault))
    writer = Writer(vault, "init", now)
    if vault.file(VAULT_CONFIG_PATH).exists():
        prepared.remarks += [] if request.game else [f"{VAULT_CONFIG_PATH} exists already and stays as it is."]
    else:
        prepared.config = VAULT_CONFIG_PATH
        writer.create(VAULT_CONFIG_PATH, config_text(request.answers))
        writer.check(VAULT_CONFIG_PATH)
        prepared.remarks += _campaign_note_remarks(vault) if request.answers.campaign is None else ()
    if request.game:
        info = ScoreSheets(vault).find_playable(request.game)
        copy = GameCopy(vault, info, request.folder, has_extras=request.has_extras)
        copy.plan(writer)
        prepared.folder, prepared.notes, prepared.summary = copy.folder, copy.paths, copy.summary
        prepared.remarks += copy.remarks
    prepared.diff = writer.diff()
    return prepared, writer


def _is_untouched(vaultkit_folder: Path) -> bool:
    """Return whether `.vaultkit` is missing, or holds only the files that every writing command makes first."""
    if not os.path.lexists(vaultkit_folder):
        return True
    return (
        vaultkit_folder.is_dir()
        and not files.is_link(vaultkit_folder)
        and {file.name for file in vaultkit_folder.iterdir()} <= {LOCK_FILE, ".gitignore"}
    )


def _was_cut_off(vault: Vault) -> bool:
    """Return whether the only write so far is an `init` that was cut off, in a vault that needs no trust."""
    entries = [*History(vault).entries()]
    only_init = [entry.command for entry in entries if not entry.complete] == ["init"] and len(entries) == 1
    return only_init and not find_content_needing_trust(vault.root)


def _campaign_note_remarks(vault: Vault) -> Iterator[str]:
    """Yield a hint on how to set a campaign note, if lines go to a named note and the settings name none."""
    settings = Settings()
    with contextlib.suppress(VaultkitError):  # the commands that need the settings report a faulty file
        settings = load(vault.root)
    if settings.campaign.note or settings.campaign.log_to != NOTE:
        return
    yield f"No campaign note is set, so a game writes its own note only. {campaign_note_hint(vault)}"


def config_text(answers: SetupAnswers) -> str:
    """Return the commented settings file, with `answers` as its first settings."""
    text = resources.read_text(resources.shipped_folder("templates") / "config.toml")
    campaign_key = "log-to" if answers.campaign in (NEWEST, DAILY) else "note"
    values = {"players": answers.players, campaign_key: answers.campaign, "paper": answers.paper}
    for name, value in values.items():
        if value:
            text = text.replace(next(re.finditer(rf"(?m)^# {name} = .*$", text))[0], toml_line(name, value), 1)
    return text


def check_free(folder: Path) -> None:
    """Raise WriteError if the example vault cannot be copied to `folder`.

    The reason is a vault around the folder, a name that Windows reserves for a device, or a file or folder at the path.
    """
    outer_vault = surrounding_root(folder.resolve().parent)
    if outer_vault is not None:
        message = "This folder is inside a vault; a second vault there would confuse Obsidian."
        raise WriteError(message, where=str(outer_vault), hint="Name a folder elsewhere: vaultkit demo DIR")
    if is_device(folder.name):
        hint = "Name another folder: vaultkit demo DIR"
        raise WriteError(f"Windows reserves the name '{folder.name}' for a device.", where=str(folder), hint=hint)
    if folder.exists():
        raise WriteError(
            "This name is taken already.",
            where=str(folder),
            hint=f"Name another folder: vaultkit demo DIR. Or delete {folder}, with everything in it, and try again.",
        )


def copy_example(folder: Path) -> Path:
    """Copy the example vault to `folder`, which is created, and return its path. Raises WriteError if that fails."""
    with translate_os_errors("The folder could not be made", folder):
        shutil.copytree(resources.shipped_folder("vault-example"), folder)
    return folder.resolve()
