"""Small vaults for tests."""

from pathlib import Path

from vaultkit.vault import Note, Vault


def make_files(root: Path, files: dict[str, str | bytes]) -> Vault:
    """A vault with files by path."""
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Vault(root)


def note(text: str | bytes, path: str = "Note.md") -> Note:
    return Note(path, text if isinstance(text, bytes) else text.encode())
