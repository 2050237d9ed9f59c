"""The folders `.vaultkit/history` and `.vaultkit/journals` of a vault, which no git needs to keep."""

from pathlib import Path

from vaultkit.errors import WriteError

JOURNALS = ".vaultkit/journals"
"""Where the journals of games lie in a vault, and the scores of games from paper."""
IGNORE = """# vaultkit keeps its history and journals here; they need no versions.
history/
journals/
.gitignore
"""


def private_folder(root: Path, name: str) -> Path:
    """`.vaultkit/<name>` in the vault, made if missing and kept out of git."""
    folder = root / ".vaultkit" / name
    if not folder.resolve().is_relative_to(root):
        raise WriteError(
            "The folder .vaultkit leads out of the vault, where nothing of your notes is to be written.",
            where=str(folder.parent),
            hint="Make it a folder of the vault.",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text(IGNORE, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"vaultkit cannot keep its files in this vault: {reason}.", where=str(folder)) from error
    return folder
