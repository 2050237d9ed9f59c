"""The choice of a back for a deck."""

from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.cards.back import choose_back
from vaultkit.vault import Vault


def test_ambiguous_back_name_is_not_reported_as_missing(tmp_path: Path) -> None:
    make_files(tmp_path, {"A/Moth.md": "---\naliases: [Wings]\n---\n", "B/Owl.md": "---\naliases: [Wings]\n---\n"})
    with pytest.raises(InvalidError) as error:
        choose_back("Wings", "tarokka", Vault(tmp_path))
    assert "A/Moth.md" in f"{error.value} {error.value.where} {error.value.hint}"
    with pytest.raises(UsageError, match="There is no back 'Claws'"):
        choose_back("Claws", "tarokka", Vault(tmp_path))
