from pathlib import Path

import pytest

from vaultkit import resources
from vaultkit.errors import InvalidError

pytestmark = pytest.mark.usefixtures("trusting")


def own(vault: Path, name: str, text: str = "own") -> Path:
    file = vault / ".vaultkit" / "rulings" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_shipped_folders_exist() -> None:
    for folder in ("print", "vault-example", "rulings"):
        assert resources.shipped_folder(folder).is_dir()
    with pytest.raises(InvalidError, match="'nonsense' are missing"):
        resources.shipped_folder("nonsense")


def test_errors_name_the_owner_of_a_file(tmp_path: Path) -> None:
    file = own(tmp_path / ".vaultkit" / "vault", "general.md")
    assert resources.name_of("rulings", file) == ".vaultkit/rulings/general.md"
    assert (
        resources.name_of("print", resources.shipped_folder("print") / "paper.toml")
        == "vaultkit's own print/paper.toml"
    )


def test_own_file_of_the_vault_is_preferred(tmp_path: Path) -> None:
    ours = resources.find("rulings", "general.md", tmp_path)
    assert ours == resources.shipped_folder("rulings") / "general.md"
    file = own(tmp_path, "general.md")
    assert resources.find("rulings", "general.md", tmp_path) == file
    assert dict(resources.list_files("rulings", "*.md", tmp_path))["general.md"] == file
    assert resources.find("rulings", "none.md", tmp_path) is None


def test_files_outside_the_folder_are_not_found(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    vault = tmp_path / "vault"
    own(vault, "mine.md")
    assert resources.find("rulings", "../../../secret.md", vault) is None
    try:
        (vault / ".vaultkit" / "rulings" / "link.md").symlink_to(secret)
    except OSError:
        pytest.skip("no symbolic links here")
    assert resources.find("rulings", "link.md", vault) is None
    assert "link.md" not in dict(resources.list_files("rulings", "*.md", vault))


def test_listing_is_sorted_and_holds_files_only(tmp_path: Path) -> None:
    own(tmp_path, "aaa.md")
    (tmp_path / ".vaultkit" / "rulings" / "folder.md").mkdir()
    names = [name for name, _ in resources.list_files("rulings", "*.md", tmp_path)]
    assert names == sorted(names)
    assert "aaa.md" in names and "folder.md" not in names
