"""Setting up a vault: a commented settings file, and a game's notes copied from the example vault."""

import contextlib
import os
import posixpath
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from vaultkit import files, resources
from vaultkit.campaign.log_target.line_target import NOTE, way_to_set
from vaultkit.campaign.shipped_notes import shipped_rule_note, way_to_rule_note
from vaultkit.campaign.trust_report import find_content_needing_trust, grant_if_possible
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import InvalidError, NothingFound, VaultkitError, WriteError
from vaultkit.games.registry import GameInfo
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import VAULT_CONFIG_PATH, Settings, load
from vaultkit.text import format_count, join_words
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES, is_note
from vaultkit.vault.file_names import is_device
from vaultkit.vault.links import Link
from vaultkit.vault.vault import surrounding_root
from vaultkit.vault.writing.atomic_file import translate_os_errors
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import LOCK_FILE
from vaultkit.vault.writing.write import Writer, plan_and_commit

_KINDS = {"variant-rules": "rule note", "decks": "deck", "tables": "table", "items": "item"}
"""The kinds of notes, by the name of their folder."""
_REQUESTED_KINDS = ("rule note", "deck")


@dataclass
class InitResult:
    """The files that `init` made, or would make, as vault paths.

    `config` is the settings file, "" if it existed already; `notes` are the other files. `is_first` is whether the
    vault had nothing of vaultkit's before; if so, the vault becomes trusted.
    """

    is_first: bool = False
    config: str = ""
    notes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    diff: str = ""

    @property
    def summary(self) -> str:
        """The copies in one line: `1 rule note, 1 deck, 54 pictures, 8 tables, 10 items`; "" without any."""
        return ", ".join(_format_counts(self.notes))


def prepare_vault(vault: Vault, *, game: str = "", now: datetime, dry_run: bool = False) -> InitResult:
    """Write the settings file and, with `game`, copy that game's rule note and deck with everything they link to.

    Nothing that exists is overwritten. A vault that had no `.vaultkit` is trusted from then on. Raises UsageError for
    an unknown game, NothingFound if there is nothing of the game to copy, and WriteError if a file cannot be written.
    """
    info = ScoreSheets(vault).find_playable(game) if game else None
    prepared, written_paths = plan_and_commit(vault, lambda fresh: _plan(fresh, info, now), dry_run=dry_run)
    if prepared.is_first and written_paths:
        prepared.remarks += grant_if_possible(vault.root)
    return prepared


def _plan(vault: Vault, info: GameInfo | None, now: datetime) -> tuple[InitResult, Writer]:
    """Return the result of `init` and a Writer that creates its files; `info` is the game to copy."""
    prepared = InitResult(is_first=_is_untouched(vault.root / files.VAULTKIT_FOLDER) or _was_cut_off(vault))
    writer = Writer(vault, "init", now)
    if vault.file(VAULT_CONFIG_PATH).exists():
        prepared.remarks.append(f"{VAULT_CONFIG_PATH} is there already and stays as it is.")
    else:
        prepared.config = VAULT_CONFIG_PATH
        writer.create(VAULT_CONFIG_PATH, config_text())
        writer.check(VAULT_CONFIG_PATH)
    if info:
        _copy_game(vault, info, writer, prepared)
    if prepared.config:
        prepared.remarks += _campaign_note_remarks(vault)
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
    yield f"No campaign note is set, so a game writes its own note only. {way_to_set(vault)}"


def config_text() -> str:
    """Return the commented settings file."""
    return resources.read_text(resources.shipped_folder("templates") / "config.toml")


def _copy_game(vault: Vault, info: GameInfo, writer: Writer, prepared: InitResult) -> None:
    """Plan the copies of a game's rule note and deck with everything they link to, and add remarks to `prepared`.

    Raises NothingFound if the example vault has nothing of the game that this vault lacks.
    """
    example = Vault(resources.shipped_folder("vault-example"))
    example_compendium, own_compendium = Compendium(example), Compendium(vault)
    rule_note = shipped_rule_note(info)
    deck_paths = {deck.note.path for deck in example_compendium.decks if deck.deck.kind == info.deck}
    own_deck_paths = [deck.note.path for deck in own_compendium.decks if deck.deck.kind == info.deck]
    if rule_note is None:
        message = f"There is no rule note of {info.title} to copy."
        if own_deck_paths or not deck_paths:
            raise NothingFound(message, hint=way_to_rule_note(info))
        prepared.remarks.append(f"{message} {way_to_rule_note(info)}")
    excluded_paths = {deck.note.path for deck in example_compendium.decks} - deck_paths
    if own_deck_paths and own_deck_paths[0] not in deck_paths:
        prepared.remarks.append(
            f"This vault has a {info.deck} deck already, {own_deck_paths[0]}; no second one is added."
        )
        excluded_paths |= deck_paths
        deck_paths = set()
    own_rule_note = own_compendium.rule_note(info.id, (info.title, *info.aliases))
    start_paths = [*([rule_note.note.path] if rule_note else []), *sorted(deck_paths)]
    if own_rule_note and rule_note and own_rule_note.note.path != rule_note.note.path:
        prepared.remarks.append(f"This vault has the rules of {info.title} already, {own_rule_note.note.path}.")
        start_paths = sorted(deck_paths)
    paths = _follow_links(example, vault, start_paths, excluded_paths)
    unchanged_paths = [path for path in paths if not _plan_copy(example, path, vault, writer, prepared)]
    if not prepared.notes and own_rule_note and own_deck_paths:
        where = f"its rules are {own_rule_note.note.path}, its deck is {own_deck_paths[0]}"
        prepared.remarks = [f"{info.title} is here already, and nothing was copied: {where}."]
        return
    prepared.remarks += [*_unchanged_remarks(unchanged_paths), *_linked_copies_remarks(prepared.notes)]


def _follow_links(example: Vault, vault: Vault, start_paths: list[str], excluded_paths: set[str]) -> Iterator[str]:
    """Yield the `start_paths` and all files that their links lead to, directly or not, without the `excluded_paths`."""
    pending, seen_paths = list(start_paths), {*start_paths, *excluded_paths}
    while pending:
        path = pending.pop(0)
        yield path
        for target in _find_targets(path, example, vault) if is_note(path) else ():
            if target not in seen_paths:
                seen_paths.add(target)
                pending.append(target)


def _find_targets(path: str, example: Vault, vault: Vault) -> Iterator[str]:
    """Yield the files that the links of a note lead to in the example vault.

    If the vault has a note of its own at this path, the links of that note count instead. Links that lead to another
    file in the vault are then left out, since their target is there already.
    """
    is_kept = vault.file(path).is_file()
    for link in _read_links(vault if is_kept else example, path):
        target = example.resolve(link, path).path
        if target and (not is_kept or vault.resolve(link, path).path in (None, target)):
            yield target


def _read_links(vault: Vault, path: str) -> Sequence[Link]:
    try:
        return vault.read(path).links
    except InvalidError:
        return ()


def _plan_copy(example: Vault, path: str, vault: Vault, writer: Writer, prepared: InitResult) -> bool:
    """Plan the copy of one file; return False if the vault has a different file at this path."""
    data = files.read(example.file(path), files.MAX_PICTURE_BYTES)
    path = vault.files.resolve_exact_path(path).path or vault.files.respell_folder(path)
    target = vault.file(path)
    if target.exists():
        return target.is_file() and files.read(target, files.MAX_PICTURE_BYTES) == data
    prepared.notes.append(path)
    writer.create(path, data.decode("utf-8") if path.endswith(".md") else data)
    return True


def _unchanged_remarks(paths: list[str]) -> Iterator[str]:
    if len(paths) == 1:
        yield f"{paths[0]} is there already and stays as it is."
    elif paths:
        yield f"{len(paths)} files are there already and stay as they are, such as {paths[0]}."


def _linked_copies_remarks(paths: list[str]) -> Iterator[str]:
    """Yield a sentence on the files that were copied only because the rules and the deck link to them."""
    counts = tuple(_format_counts(path for path in paths if _kind_of(path) not in _REQUESTED_KINDS))
    if counts:
        yield f"The rules and the deck lead to {join_words(counts)}, copied as well so that no link is dead."


def _format_counts(paths: Iterable[str]) -> Iterator[str]:
    counts_by_kind = Counter(map(_kind_of, paths))
    for kind in ("rule note", "deck", "picture", "table", "item", "note", "file"):
        if counts_by_kind[kind]:
            yield format_count(counts_by_kind[kind], kind)


def _kind_of(path: str) -> str:
    if is_note(path):
        return _KINDS.get(posixpath.basename(posixpath.dirname(path)), "note")
    return "picture" if posixpath.splitext(path)[1].lower() in PICTURE_SUFFIXES else "file"


def check_free(folder: Path) -> None:
    """Raise WriteError if the example vault cannot be copied to `folder`.

    The reason is a vault around the folder, a name that Windows reserves for a device, or a file or folder at the path.
    """
    outer_vault = surrounding_root(folder.resolve().parent)
    if outer_vault is not None:
        raise WriteError(
            "This folder lies inside a vault, where a second vault would only confuse Obsidian.",
            where=str(outer_vault),
            hint="Name a folder elsewhere: vaultkit demo DIR",
        )
    if is_device(folder.name):
        hint = "Name another folder: vaultkit demo DIR"
        raise WriteError(f"Windows keeps the name '{folder.name}' for a device.", where=str(folder), hint=hint)
    if folder.exists():
        raise WriteError(
            "There is something of this name already.",
            where=str(folder),
            hint=f"Name another folder: vaultkit demo DIR. Or delete {folder}, with everything in it, and try again.",
        )


def copy_example(folder: Path) -> Path:
    """Copy the example vault to `folder`, which is created, and return its path. Raises WriteError if that fails."""
    with translate_os_errors("The folder could not be made", folder):
        shutil.copytree(resources.shipped_folder("vault-example"), folder)
    return folder.resolve()
