"""The search for a vault's root, and the paths of the user's own folders for vaultkit."""

import os
import sys

VAULT_MARKERS = (".obsidian", ".vaultkit")


def find_vault_root(folder: str) -> str | None:
    """Return the nearest vault at or above `folder`, an absolute path; None if there is none."""
    if any(os.path.isdir(os.path.join(folder, marker)) for marker in VAULT_MARKERS):
        return folder
    parent = os.path.dirname(folder)
    return None if parent == folder else find_vault_root(parent)


def index_file(root: str) -> str | None:
    """Return the path of the index of the vault at `root`, an absolute path; None if the user has no cache folder."""
    import hashlib  # takes long to import, and help needs none

    name = hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    try:
        return os.path.join(cache_folder(), "index", f"{name}.sqlite")
    except (OSError, RuntimeError):
        return None


def names_file(root: str) -> str | None:
    """Return the path of the stored names of the vault at `root`; None if the user has no cache folder."""
    try:
        return os.path.join(cache_folder(), "index", names_file_name(root))
    except (OSError, RuntimeError):
        return None


def names_file_name(root: str) -> str:
    """Return the name of the file that stores a vault's names for completion, made by a quick hash.

    Two vaults may get the same name, so the first line of the file tells its vault.
    """
    from zlib import crc32

    return f"{crc32(os.fsencode(root)):08x}.names"


def cache_folder() -> str:
    """Return the user's cache folder for vaultkit, by the rules of platformdirs.

    Raises OSError or RuntimeError without one.
    """
    return _user_folder("XDG_CACHE_HOME", "~/.cache", "user_cache_dir")


def state_folder() -> str:
    """Return the user's folder for vaultkit's state on this machine, which must be kept.

    Raises OSError or RuntimeError without one.
    """
    return _user_folder("XDG_STATE_HOME", "~/.local/state", "user_state_dir")


def config_folder() -> str:
    """Return the user's folder for settings of vaultkit. Raises OSError or RuntimeError without one."""
    return _user_folder("XDG_CONFIG_HOME", "~/.config", "user_config_dir")


def tables_folder() -> str:
    """Return the folder of saved tables. Raises OSError or RuntimeError if the user has no folder for state."""
    return os.path.join(state_folder(), "tables")


def _user_folder(variable: str, default_folder: str, function_name: str) -> str:
    """Return the folder that platformdirs' `function_name` gives. Raises OSError or RuntimeError without one.

    On Linux, the folder is computed without platformdirs, whose import takes longer than completing a word.
    """
    base = os.environ.get(variable, "").strip()
    if sys.platform == "linux" and (not base or os.path.isabs(base)):
        return os.path.join(base or os.path.expanduser(default_folder), "vaultkit")
    import platformdirs

    return str(getattr(platformdirs, function_name)("vaultkit"))
