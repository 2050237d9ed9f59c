"""The parts of a vault that vaultkit uses only if the user trusts the vault, and how trust is granted and revoked."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from vaultkit import files, resources, trust
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.settings import Settings, load, user_settings_path
from vaultkit.text import join_words, toml_value
from vaultkit.vault.writing.atomic_file import put, translate_os_errors

TEMPLATES, PHRASES, DESIGNS, FONTS = "templates", "story phrases", "print designs", "fonts"
OUTSIDE_PATHS = "paths that lead out of it"
_OWN_FOLDERS = (("templates", TEMPLATES, PHRASES, "story/"), ("print", DESIGNS, FONTS, ("fonts/", "fonts.toml")))
"""The folders with a vault's own files: the kind of their files, and another kind of those whose names begin so."""


def find_content_needing_trust(root: Path) -> Mapping[str, tuple[str, ...]]:
    """Return everything in the vault at `root` that vaultkit uses only with trust, by kind.

    The values are vault paths, and descriptions of settings and links that lead out of the vault. Kinds without any are
    left out.
    """
    names_by_kind: dict[str, list[str]] = {kind: [] for kind in (TEMPLATES, PHRASES, DESIGNS, FONTS, OUTSIDE_PATHS)}
    for folder, kind, other_kind, prefix in _OWN_FOLDERS:
        own_root = resources.vault_folder(folder, root)
        for name in resources.list_names(own_root) if trust.is_inside_vault(own_root, root) else ():
            path = (own_root / name).relative_to(root).as_posix()
            names_by_kind[other_kind if name.startswith(prefix) else kind].append(path)
    names_by_kind[OUTSIDE_PATHS] += _find_outside_paths(root)
    return {kind: tuple(names) for kind, names in names_by_kind.items() if names}


def trust_remarks(root: Path) -> Iterator[str]:
    """Yield a sentence on the parts of an untrusted vault that vaultkit ignores; nothing if it has no such parts."""
    own_content = join_words(f"{kind} ({len(names)})" for kind, names in find_content_needing_trust(root).items())
    if own_content:
        yield f"This vault brings {own_content}; vaultkit uses its own until you trust the vault: vaultkit trust"


def grant(root: Path) -> None:
    """Trust the vault at `root` from now on.

    Raises WriteError or InvalidError if the list of trusted vaults cannot be saved.
    """
    path = os.path.realpath(root)
    if trust.trust_file().is_relative_to(path):
        message = "This vault cannot be trusted: your own list of trusted vaults is in it."
        hint = "Move the vault into a separate folder, or set XDG_STATE_HOME to a folder outside of it."
        raise WriteError(message, where=str(trust.trust_file()), hint=hint)
    if not trust.is_trusted(root):
        _update_trusted_vaults(lambda trusted_paths: (*trusted_paths, path))


def grant_if_possible(root: Path) -> Iterator[str]:
    """Trust a vault that vaultkit itself has made; yield a sentence if that cannot be saved."""
    try:
        grant(root)
    except VaultkitError as error:
        yield f"This vault is not trusted, so templates and designs that you put into it do not count. {error.message}"


def revoke(root: Path) -> bool:
    """Stop trusting the vault at `root`, and return whether it was trusted. The vault itself may be gone.

    Raises WriteError or InvalidError if the list of trusted vaults cannot be saved.
    """
    is_same_vault = trust.make_path_matcher(root)
    if not any(map(is_same_vault, trust.trusted_vaults())):
        return False
    _update_trusted_vaults(lambda trusted_paths: tuple(path for path in trusted_paths if not is_same_vault(path)))
    return True


def _update_trusted_vaults(update: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    """Save the list that `update` returns for the list of trusted vaults, under a lock."""
    file = trust.trust_file()
    from vaultkit.vault.writing.lock import file_lock

    with file_lock("trusted", "Another vaultkit is changing the list of trusted vaults.", file):
        data = json.dumps(update(trust.trusted_vaults()), indent=2) + "\n"
        with translate_os_errors("The list of trusted vaults cannot be saved", file):
            files.make_folder(file.parent)
            put(file, data.encode())


def print_folder(root: Path, settings: Settings) -> Path | None:
    """Return the folder for PDFs that the settings name, or None for the current folder.

    None also if an untrusted vault's settings name a folder outside of the vault.
    """
    folder = _configured_print_folder(root, settings)
    if folder is None or _is_set_by_user(folder, root, settings) or trust.may_use_file(root, folder, data=True):
        return folder
    return None


def _configured_print_folder(root: Path, settings: Settings) -> Path | None:
    setting = os.path.expanduser(settings.print.folder)  # noqa: PTH111 - pathlib's raises an error for `~nobody`
    return root / setting if setting else None


def _is_set_by_user(folder: Path, root: Path, settings: Settings) -> bool:
    """Return whether the user's own settings set the folder and, by its name alone, it is outside of the vault.

    A folder inside the vault does not count: it may be a link that came with the vault.
    """
    is_below = Path(os.path.normpath(folder)).is_relative_to(root)
    return settings.origins.get("print.folder") == str(user_settings_path()) and not is_below


def _find_outside_paths(root: Path) -> Iterator[str]:
    """Yield the print folder, vaultkit's folders and game definitions that lead out of the vault, with targets."""
    with suppress(VaultkitError):  # the commands that need the settings report the error
        settings = load(root)
        folder = _configured_print_folder(root, settings)
        if folder and not _is_set_by_user(folder, root, settings) and not trust.is_inside_vault(folder, root):
            yield f"print.folder = {toml_value(settings.print.folder)}, {_describe_link_target(folder)}"
    folders = [resources.vault_folder(folder, root) for folder in ("templates", "print", "scoresheets")]
    definitions = sorted(folders[-1].glob("*.toml")) if trust.is_inside_vault(folders[-1], root) else ()
    for path in (*folders, *definitions):
        if path.exists() and not trust.is_inside_vault(path, root):
            yield f"{path.relative_to(root).as_posix()}, {_describe_link_target(path)}"


def _describe_link_target(path: Path) -> str:
    return f"which is {os.path.realpath(path)}"
