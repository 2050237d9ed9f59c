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
from vaultkit.settings import CONFIG, Settings, load
from vaultkit.text import format_count, listing
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES, is_note
from vaultkit.vault.file_names import is_device
from vaultkit.vault.links import Link
from vaultkit.vault.vault import surrounding_root
from vaultkit.vault.writing.atomic_file import translate_os_errors
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import LOCK
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
        return ", ".join(_counts(self.notes))


def prepare_vault(vault: Vault, *, game: str = "", now: datetime, dry_run: bool = False) -> InitResult:
    """Write the settings file and, with `game`, copy that game's rule note and deck with everything they link to.

    Nothing that exists is overwritten. A vault that had no `.vaultkit` is trusted from then on. Raises UsageError for
    an unknown game, NothingFound if there is nothing of the game to copy, and WriteError if a file cannot be written.
    """
    info = ScoreSheets(vault).playable(game) if game else None
    prepared, written_paths = plan_and_commit(vault, lambda fresh: _plan(fresh, info, now), dry_run=dry_run)
    if prepared.is_first and written_paths:
        prepared.remarks += grant_if_possible(vault.root)
    return prepared


def _plan(vault: Vault, info: GameInfo | None, now: datetime) -> tuple[InitResult, Writer]:
    """Return the result of `init` and a Writer that creates its files; `info` is the game to copy."""
    prepared = InitResult(is_first=_is_untouched(vault.root / files.VAULTKIT_FOLDER) or _was_cut_off(vault))
    writer = Writer(vault, "init", now)
    if vault.file(CONFIG).exists():
        prepared.remarks.append(f"{CONFIG} is there already and stays as it is.")
    else:
        prepared.config = CONFIG
        writer.create(CONFIG, config_text())
        writer.check(CONFIG)
    if info:
        _copy_game(vault, info, writer, prepared)
    if prepared.config:
        prepared.remarks += _campaign_note_remarks(vault)
    prepared.diff = writer.diff()
    return prepared, writer


def _is_untouched(own: Path) -> bool:
    """Return whether `.vaultkit` is missing, or holds only the files that every writing command makes first."""
    if not os.path.lexists(own):
        return True
    return own.is_dir() and not files.is_link(own) and {file.name for file in own.iterdir()} <= {LOCK, ".gitignore"}


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
    shipped, own = Compendium(example), Compendium(vault)
    rule_note = shipped_rule_note(info)
    decks = {deck.note.path for deck in shipped.decks if deck.deck.kind == info.deck}
    present = [deck.note.path for deck in own.decks if deck.deck.kind == info.deck]
    if rule_note is None:
        message = f"There is no rule note of {info.title} to copy."
        if present or not decks:
            raise NothingFound(message, hint=way_to_rule_note(info))
        prepared.remarks.append(f"{message} {way_to_rule_note(info)}")
    others = {deck.note.path for deck in shipped.decks} - decks
    if present and present[0] not in decks:
        prepared.remarks.append(f"This vault has a {info.deck} deck already, {present[0]}; no second one is added.")
        others |= decks
        decks = set()
    own_rule_note = own.rule_note(info.id, (info.title, *info.aliases))
    start = [*([rule_note.note.path] if rule_note else []), *sorted(decks)]
    if own_rule_note and rule_note and own_rule_note.note.path != rule_note.note.path:
        prepared.remarks.append(f"This vault has the rules of {info.title} already, {own_rule_note.note.path}.")
        start = sorted(decks)
    paths = _with_links(example, vault, start, others)
    stay = [path for path in paths if not _copy(example, path, vault, writer, prepared)]
    if not prepared.notes and own_rule_note and present:
        where = f"its rules are {own_rule_note.note.path}, its deck is {present[0]}"
        prepared.remarks = [f"{info.title} is here already, and nothing was copied: {where}."]
        return
    prepared.remarks += [*_unchanged_remarks(stay), *_linked_copies_remarks(prepared.notes)]


def _with_links(example: Vault, vault: Vault, start: list[str], left_out: set[str]) -> Iterator[str]:
    """Yield the `start_paths` and all files that their links lead to, directly or not, without the `excluded_paths`."""
    pending, seen_paths = list(start), {*start, *left_out}
    while pending:
        path = pending.pop(0)
        yield path
        for target in _targets(path, example, vault) if is_note(path) else ():
            if target not in seen_paths:
                seen_paths.add(target)
                pending.append(target)


def _targets(path: str, example: Vault, vault: Vault) -> Iterator[str]:
    """Yield the files that the links of a note lead to in the example vault.

    If the vault has a note of its own at this path, the links of that note count instead. Links that lead to another
    file in the vault are then left out, since their target is there already.
    """
    stays = vault.file(path).is_file()
    for link in _links(vault if stays else example, path):
        target = example.resolve(link, path).path
        if target and (not stays or vault.resolve(link, path).path in (None, target)):
            yield target


def _links(vault: Vault, path: str) -> Sequence[Link]:
    try:
        return vault.read(path).links
    except InvalidError:
        return ()


def _copy(example: Vault, path: str, vault: Vault, writer: Writer, prepared: InitResult) -> bool:
    """Plan the copy of one file; return False if the vault has a different file at this path."""
    data = files.read(example.file(path), files.MAX_PICTURE_BYTES)
    path = vault.files.resolve_exact_path(path).path or vault.files.in_known_folders(path)
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
    counts = tuple(_counts(path for path in paths if _kind(path) not in _REQUESTED_KINDS))
    if counts:
        yield f"The rules and the deck lead to {listing(counts)}, copied as well so that no link is dead."


def _counts(paths: Iterable[str]) -> Iterator[str]:
    numbers = Counter(map(_kind, paths))
    for kind in ("rule note", "deck", "picture", "table", "item", "note", "file"):
        if numbers[kind]:
            yield format_count(numbers[kind], kind)


def _kind(path: str) -> str:
    if is_note(path):
        return _KINDS.get(posixpath.basename(posixpath.dirname(path)), "note")
    return "picture" if posixpath.splitext(path)[1].lower() in PICTURE_SUFFIXES else "file"


def check_free(folder: Path) -> None:
    """Raise WriteError if the example vault cannot be copied to `folder`.

    The reason is a vault around the folder, a name that Windows reserves for a device, or a file or folder at the path.
    """
    around = surrounding_root(folder.resolve().parent)
    if around is not None:
        raise WriteError(
            "This folder lies inside a vault, where a second vault would only confuse Obsidian.",
            where=str(around),
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
