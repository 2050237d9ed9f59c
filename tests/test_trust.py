"""Trust in a vault: by its real path, in the user's own state; and which of a vault's own files need it."""

import json
import os
from pathlib import Path

import pytest

from vaultkit import resources, trust
from vaultkit.campaign.trust_report import find_content_needing_trust, grant, grant_if_possible, revoke
from vaultkit.errors import InvalidError, VaultkitError, WriteError

NEED_TRUST = {
    "templates": ("log-line.md.j2", "story/propheta.toml", "mine.md.j2"),
    "print": (
        "paper.toml",
        "themes/classic.toml",
        "themes/mine.toml",
        "fonts/Cinzel-Bold.ttf",
        "fonts.toml",
        "icons/crowns.svg",
    ),
}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the list of trusted vaults lies, which is not there yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return trust.trust_file()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault that brings something of every kind."""
    for folder, names in NEED_TRUST.items():
        for name in names:
            own(tmp_path / "vault", folder, name)
    return tmp_path / "vault"


def own(vault: Path, folder: str, name: str) -> Path:
    file = vault / ".vaultkit" / folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("own")
    return file


@pytest.mark.parametrize(("folder", "name"), [(folder, name) for folder in NEED_TRUST for name in NEED_TRUST[folder]])
def test_file_of_the_vault_is_used_only_if_the_vault_is_trusted(vault: Path, folder: str, name: str) -> None:
    file, ours = vault / ".vaultkit" / folder / name, resources.find(folder, name)
    assert resources.find(folder, name, vault) == ours
    assert dict(resources.list_files(folder, name, vault)).get(name) == ours
    assert trust.consume_ignored_flag(vault) and not trust.consume_ignored_flag(vault)
    grant(vault)
    assert resources.find(folder, name, vault) == dict(resources.list_files(folder, name, vault))[name] == file
    file.write_text("changed later")
    assert resources.find(folder, name, vault) == file
    assert not trust.consume_ignored_flag(vault)
    assert revoke(vault) and not revoke(vault)
    assert resources.find(folder, name, vault) == ours


def test_game_definitions_need_no_trust_unless_they_lead_outside(vault: Path, tmp_path: Path) -> None:
    file = own(vault, "games", "goose-fair.toml")
    assert resources.find("scoresheets", "goose-fair.toml", vault) == file
    away = tmp_path / "away"
    file.parent.rename(away)
    file.parent.symlink_to(away)
    assert resources.find("scoresheets", "goose-fair.toml", vault) is None and trust.consume_ignored_flag(vault)
    assert any(str(away) in way for way in find_content_needing_trust(vault)["paths that lead out of it"])
    grant(vault)
    assert resources.find("scoresheets", "goose-fair.toml", vault) == file


def test_own_files_of_a_vault_are_counted_by_kind(vault: Path) -> None:
    own(vault, "templates", "log-line.md.j2~")
    counts = {kind: len(names) for kind, names in find_content_needing_trust(vault).items()}
    assert counts == {"templates": 2, "story phrases": 1, "print designs": 4, "fonts": 2}


def test_vault_without_its_own_files_never_asks_for_trust(tmp_path: Path, state: Path) -> None:
    state.mkdir(parents=True)  # which could not be read as a list
    assert resources.find("templates", "log-line.md.j2", tmp_path) and not trust.consume_ignored_flag(tmp_path)
    assert not find_content_needing_trust(tmp_path)


def test_moved_or_copied_vault_is_not_trusted(vault: Path, tmp_path: Path) -> None:
    grant(vault)
    moved = vault.rename(tmp_path / "moved")
    assert not trust.is_trusted(moved)
    vault.symlink_to(moved)
    assert not trust.is_trusted(vault), "its real path is the other one"
    grant(vault)
    assert trust.is_trusted(moved) and len(trust.trusted_vaults()) == 2


def test_name_in_another_case_is_the_same_vault_only_on_such_disks(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant(vault)
    other = tmp_path / "VAULT"
    other.mkdir(exist_ok=True)
    assert trust.is_trusted(other) == other.samefile(vault)
    monkeypatch.setattr(os.path, "samestat", lambda *_: True)  # as on macOS, where both are one
    assert trust.is_trusted(other)
    assert not trust.is_trusted(tmp_path / "vaults")


def test_trust_is_not_stored_in_the_vault(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (vault, vault / ".vaultkit", vault / ".local/state/vaultkit"):
        place.mkdir(parents=True, exist_ok=True)
        (place / "trusted.json").write_text(json.dumps([str(vault)]))
    assert not trust.is_trusted(vault)
    monkeypatch.setenv("XDG_STATE_HOME", str(vault / ".local/state"))
    monkeypatch.setenv("LOCALAPPDATA", str(vault / ".local/state"))
    assert not trust.is_trusted(vault)
    with pytest.raises(WriteError, match="in it"):
        grant(vault)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '"all"', "[" * 100_000, "\udcff"])
def test_unreadable_list_trusts_nothing_and_is_not_changed(vault: Path, state: Path, text: str) -> None:
    state.parent.mkdir(parents=True)
    state.write_text(text, errors="surrogateescape")
    assert not trust.is_trusted(vault)
    with pytest.raises(InvalidError, match="cannot be read"):
        grant(vault)
    assert state.read_text(errors="surrogateescape") == text


def test_nothing_is_trusted_without_a_place_for_the_list_and_one_sentence_reports_it(
    vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("a file where the folder belongs")
    assert not trust.is_trusted(vault)
    (sentence,) = grant_if_possible(vault)
    assert "not trusted" in sentence
    with pytest.raises(VaultkitError):
        grant(vault)
