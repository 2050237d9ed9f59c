"""Where a vault lies, and where the user's own folders of ours do.

Every press of Tab in a shell asks for both, so this imports next to nothing: no pathlib, no typing.
"""

import os
import sys

MARKERS = (".obsidian", ".vaultkit")


def root_around(folder: str) -> str | None:
    """The nearest folder that is a vault, this one or one above it, of an absolute path; None if there is none."""
    if any(os.path.isdir(os.path.join(folder, marker)) for marker in MARKERS):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else root_around(above)


def index_file(root: str) -> str | None:
    """The file of the index of the vault at `root`, an absolute path; None where the user has no cache folder."""
    import hashlib

    name = hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    try:
        return os.path.join(cache_folder(), "index", f"{name}.sqlite")
    except (OSError, RuntimeError):
        return None


def names_file(root: str) -> str | None:
    """The file beside that index with the vault's names for completion; None where the user has no cache folder."""
    try:
        return os.path.join(cache_folder(), "index", names_name(root))
    except (OSError, RuntimeError):
        return None


def names_name(root: str) -> str:
    """The name of that file, by a quick hash. Two vaults may share it, so the file says whose it is."""
    from zlib import crc32

    return f"{crc32(os.fsencode(root)):08x}.names"


def cache_folder() -> str:
    """The user's cache folder, as platformdirs calls it. Raises OSError or RuntimeError where there is none."""
    return _folder("XDG_CACHE_HOME", "~/.cache", "user_cache_dir")


def state_folder() -> str:
    """The user's folder for what lasts and belongs to this machine, as `cache_folder` is for what may go."""
    return _folder("XDG_STATE_HOME", "~/.local/state", "user_state_dir")


def config_folder() -> str:
    """The user's folder for settings. Raises as `cache_folder` does."""
    return _folder("XDG_CONFIG_HOME", "~/.config", "user_config_dir")


def tables_folder() -> str:
    """The folder in that one which holds the addresses of tables that can be opened again. Raises as that does."""
    return os.path.join(state_folder(), "tables")


def _folder(variable: str, usual: str, name: str) -> str:
    """The folder that platformdirs knows by `name`; on Linux without it, which takes longer than an answer."""
    base = os.environ.get(variable, "").strip()
    if sys.platform == "linux" and (not base or os.path.isabs(base)):
        return os.path.join(base or os.path.expanduser(usual), "vaultkit")
    import platformdirs

    return str(getattr(platformdirs, name)("vaultkit"))
