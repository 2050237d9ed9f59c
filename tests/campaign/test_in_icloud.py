"""Logging while notes are only in the cloud: never a second note of a game, a reading or the statistics."""

from datetime import date
from pathlib import Path

import pytest

from tests.campaign.samples import NOW, RULES, SESSION, SETTINGS, finished_game, log, tree
from tests.vault.test_in_icloud import evict
from vaultkit import settings
from vaultkit.campaign import house_rules
from vaultkit.campaign.init import prepare_vault
from vaultkit.campaign.new_game import NewGame, write_game
from vaultkit.campaign.stats.stats_note import record_statistics
from vaultkit.campaign.templates import Catalogue, copy_template
from vaultkit.campaign.undo import undo
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError, VaultkitError, WriteError
from vaultkit.games.registry import GAMES
from vaultkit.session import Store
from vaultkit.session.match import find_match, read_match
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault import Vault

NOTE = "Games/2026-11-03 Dragon Citadel 1.md"
GAME = NewGame("Con", "2-4", ("Points",))


def reopen(vault: Vault) -> Vault:
    return Vault(vault.root)


def refuse_log(vault: Vault, **given: object) -> VaultkitError:
    """Return the error of logging the game, and check that it changes nothing."""
    before = tree(vault.root)
    with pytest.raises((InvalidError, WriteError), match="in the cloud; download it first") as caught:
        log(reopen(vault), **given)  # type: ignore[arg-type]
    assert tree(vault.root) == before
    return caught.value


@pytest.mark.short(1)
@pytest.mark.parametrize("moved", [NOTE, "1-Party/2026-11-03 Won.md", "Games/The night we won.md", "1-Party/Won.md"])
def test_a_game_whose_note_may_be_in_icloud_is_not_logged_again(vault: Vault, moved: str) -> None:
    log(vault)
    (vault.root / NOTE).rename(vault.root / moved)
    evict(vault.root / moved)
    error = refuse_log(vault)
    assert error.where == moved and "Download Now" in error.hint
    (vault.root / moved).with_name(f".{Path(moved).name}.icloud").unlink()
    assert log(reopen(vault)).written == (NOTE,)


def test_another_game_is_logged_while_old_notes_are_in_icloud(vault: Vault) -> None:
    for path in ("Games/2025-01-02 Dragon Citadel 1.md", "2-World/Ivo.md", "Dragon Citadel.md"):
        (vault.root / path).parent.mkdir(exist_ok=True)
        evict(vault.root / path)
    assert log(reopen(vault)).note == NOTE


def test_campaign_note_in_icloud_is_not_created_a_second_time(vault: Vault) -> None:
    evict(vault.root / "Campaign Log.md")
    assert refuse_log(vault).where == "Campaign Log.md"


def test_daily_note_in_icloud_is_not_created_a_second_time(vault: Vault) -> None:
    evict(vault.root / "2026-11-03.md")
    assert "2026-11-03" in refuse_log(vault, campaign="daily-note").where


def test_undo_of_a_note_in_icloud_is_refused(vault: Vault) -> None:
    log(vault)
    evict(vault.root / NOTE)
    before = tree(vault.root)
    with pytest.raises(VaultkitError, match="in the cloud"):
        undo(reopen(vault), now=NOW)
    assert tree(vault.root) == before


@pytest.mark.short(2)
@pytest.mark.parametrize("place", ["Games/Statistics.md", "Games/Games.base", "2-World/Statistics.md"])
def test_statistics_in_icloud_are_not_written_a_second_time(vault: Vault, place: str) -> None:
    log(vault)
    evict(vault.root / place)
    with pytest.raises(VaultkitError, match="in the cloud; download it first"):
        record_statistics(reopen(vault), SETTINGS, now=NOW)


def test_settings_in_icloud_are_neither_ignored_nor_created(vault: Vault) -> None:
    (vault.root / ".vaultkit").mkdir()
    evict(vault.root / settings.VAULT_CONFIG_PATH)
    with pytest.raises(InvalidError, match="in the cloud; download it first"):
        settings.load(vault.root)
    for dry_run in (True, False):
        with pytest.raises(WriteError, match="in the cloud; download it first"):
            prepare_vault(vault, now=NOW, dry_run=dry_run)


def test_game_definition_in_icloud_counts_as_existing(vault: Vault) -> None:
    path, _ = write_game(GAME, vault, now=NOW)
    evict(vault.root / path)
    with pytest.raises(VaultkitError):
        write_game(GAME, reopen(vault), now=NOW)
    (fault,) = (str(error) for raw, error in ScoreSheets(reopen(vault)).faults if not raw.ours)
    assert "it is in the cloud; download it first" in fault


@pytest.mark.slow
@pytest.mark.usefixtures("trusting")
def test_template_in_icloud_counts_as_the_vaults_own(vault: Vault) -> None:
    copy_template(vault, "log-line", now=NOW, dry_run=False)
    evict(vault.root / ".vaultkit/templates/log-line.md.j2")
    (own,) = (one for one in Catalogue(vault.root).templates if one.name == "log-line.md.j2")
    assert own.fault and "in the cloud" in str(own.fault)
    with pytest.raises(WriteError, match="in the cloud"):
        copy_template(reopen(vault), "log-line", now=NOW, dry_run=False)
    refuse_log(vault)


def test_journal_in_icloud_is_listed_and_not_reported_as_lost(tmp_path: Path) -> None:
    evict(tmp_path / f"{SESSION}.journal")
    (saved,) = Store(tmp_path).list_journals()
    assert saved.standing == "damaged" and "it is in the cloud; download it first" in saved.problem
    with pytest.raises(WriteError, match="in the cloud"):
        Store(tmp_path).discard(SESSION)
    evict(tmp_path / "20261103-propheta-aaaa.match")
    path = find_match(tmp_path, "aaaa")
    with pytest.raises(InvalidError, match="in the cloud"):
        read_match(path or tmp_path)


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("title", "name"),
    [("Con", "con-game"), ("Aux", "aux-game"), ("COM¹", "com"), ("COM1", "com1-game"), ("Nul.", "nul-game")],
)
def test_game_titled_like_a_device_gets_a_file_name_valid_on_windows(vault: Vault, title: str, name: str) -> None:
    path, _ = write_game(NewGame(title, "2-4", ("Points",)), vault, now=NOW)
    assert path == f".vaultkit/games/{name}.toml" and (vault.root / path).is_file()
    assert ScoreSheets(reopen(vault)).find(name).title == title


@pytest.mark.slow
def test_notes_of_games_with_unusual_titles(vault: Vault) -> None:
    titles = ("Con", "龍" * 150, "a\x00b", "Cafe\u0301")
    made = [log(vault, finished_game(title=one, session=f"20261103-x-222{n}")).note for n, one in enumerate(titles, 2)]
    assert made[0] == "Games/2026-11-03 Con 1.md" and made[2] == "Games/2026-11-03 a b 1.md"
    assert made[3] == "Games/2026-11-03 Café 1.md" and date(2026, 11, 3).isoformat() in made[1]


def test_existing_games_folder_is_used(vault: Vault) -> None:
    (vault.root / "games").mkdir()
    (vault.root / "games" / "Old.md").write_text("", encoding="utf-8")
    assert log(reopen(vault)).note == NOTE.replace("Games/", "games/")


@pytest.mark.parametrize("name", ["dragon-citadel", "Dragon Citadel"])
def test_house_rules_of_a_rule_note_in_icloud_are_not_ignored(vault: Vault, name: str) -> None:
    (vault.root / RULES).rename(note := vault.root / f"{name}.md")
    evict(note)
    workspace = Workspace(vault.root)
    assert workspace.rule_note(GAMES["dragon-citadel"]) is None
    with pytest.raises(InvalidError, match="in the cloud; download it first"):
        house_rules.find_layers(workspace, GAMES["dragon-citadel"])
    assert house_rules.find_layers(workspace, GAMES["propheta"]) == ()
