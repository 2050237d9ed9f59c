from functools import partial
from pathlib import Path

import pytest

from tests.campaign.samples import NOW, SESSION, SETTINGS, finished_game, log, numbered_game, tree
from vaultkit.campaign.log import check_target, record_game
from vaultkit.campaign.logged_game import find_session_note
from vaultkit.errors import InvalidError, NothingFound, VaultkitError, WriteError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault

NOTE = "Games/2026-11-03 Dragon Citadel 1.md"
LINE = f"^vk-{SESSION}"


def text(vault: Vault, path: str = "Campaign Log.md") -> str:
    return (vault.root / path).read_bytes().decode()


def test_logging_writes_a_note_and_a_line(vault: Vault) -> None:
    logged = log(vault)
    assert logged.written == (NOTE, "Campaign Log.md")
    assert (logged.note, logged.campaign_note, logged.remarks, logged.problems) == (NOTE, "Campaign Log.md", (), ())
    assert text(vault).count(LINE) == 1
    assert vault.read(NOTE).property("vaultkit-session") == SESSION


def test_logging_twice_adds_nothing(vault: Vault) -> None:
    log(vault)
    before = tree(vault.root)
    again = log(vault)
    assert tree(vault.root) == before
    assert (again.written, again.diff, len(again.remarks)) == ((), "", 2)


@pytest.mark.short(1)
@pytest.mark.parametrize("lost", ["note", "line"])
def test_missing_note_or_line_is_added_separately(vault: Vault, lost: str) -> None:
    original = text(vault)
    log(vault)
    if lost == "note":
        (vault.root / NOTE).unlink()
    else:
        (vault.root / "Campaign Log.md").write_bytes(original.encode())
    healed = log(Vault(vault.root))
    assert healed.written == ((NOTE,) if lost == "note" else ("Campaign Log.md",))
    assert text(vault).count(LINE) == 1
    assert (vault.root / NOTE).is_file()


def test_moved_and_renamed_note_is_found(vault: Vault) -> None:
    log(vault)
    (vault.root / NOTE).rename(vault.root / "1-Party/The night we won.md")
    assert log(Vault(vault.root)).note == "1-Party/The night we won.md"


def test_original_note_is_preferred_to_its_copy(vault: Vault) -> None:
    log(vault)
    moved, copy = "1-Party/Won.md", NOTE.replace(".md", ".sync-conflict-20261104.md")
    (vault.root / copy).write_bytes((vault.root / NOTE).read_bytes())
    (vault.root / NOTE).rename(vault.root / moved)
    again = log(Vault(vault.root))
    assert (again.note, again.written) == (moved, ())
    assert find_session_note(Vault(vault.root), SESSION.upper()) == moved and find_session_note(vault, "") is None


def test_dry_run_writes_nothing_and_reports_the_same(vault: Vault) -> None:
    before = tree(vault.root)
    planned = log(vault, dry_run=True)
    assert tree(vault.root) == before
    assert planned.written == ()
    assert planned.diff == log(vault).diff
    assert f"+++ b/{NOTE}" in planned.diff
    assert LINE in planned.diff


@pytest.mark.slow
def test_numbers_increase_and_are_never_reused(vault: Vault) -> None:
    paths = [log(vault, numbered_game(number)).note for number in range(2)]
    assert [path[-4] for path in paths] == ["1", "2"]
    (vault.root / paths[0]).unlink()
    (vault.root / paths[1]).rename(vault.root / Path(paths[1]).name)
    assert log(Vault(vault.root), numbered_game(3)).note == "Games/2026-11-03 Dragon Citadel 3.md"
    other = log(vault, finished_game(title='Who? "A/B": [[x]] <1> #2 ^3 | %%.', session="20261103-x-2345"))
    assert other.note == "Games/2026-11-03 Who A B x 1 2 3 1.md"
    assert "?" in vault.read(other.note).title


@pytest.mark.parametrize("folder", ["", "Games/", "a\\b", "./x/y"])
def test_games_folders(vault: Vault, folder: str) -> None:
    logged = log(vault, settings=Settings(campaign=CampaignSettings(folder=folder)))
    assert logged.note.rpartition("/")[0] == {"": "", "Games/": "Games", "a\\b": "a/b", "./x/y": "x/y"}[folder]


@pytest.mark.parametrize("folder", [".hidden", "../out", "a/../../out"])
def test_invalid_games_folders_are_refused(vault: Vault, folder: str) -> None:
    with pytest.raises(InvalidError):
        log(vault, settings=Settings(campaign=CampaignSettings(folder=folder)))


@pytest.mark.parametrize("folder", ["Games #1: x", "a/b?", 'a"b/c', "a|b", "<a>", "*", "C:\\Games"])
def test_f4_folders_invalid_on_windows_are_refused(vault: Vault, folder: str) -> None:
    settings = Settings(campaign=CampaignSettings(folder=folder))
    for attempt in (partial(log, settings=settings), partial(check_target, settings=settings, campaign="")):
        with pytest.raises(InvalidError, match="cannot hold the name") as caught:
            attempt(vault)
        assert "campaign.folder" in caught.value.hint


@pytest.mark.short(1)
@pytest.mark.parametrize("heading", ["Session #1", "Chronicle#Log"])
def test_a_heading_is_made_once_for_all_games(vault: Vault, heading: str) -> None:
    settings = Settings(campaign=CampaignSettings(note="Campaign Log", heading=heading))
    for number in range(3):
        log(Vault(vault.root), numbered_game(number), settings=settings)
    assert text(vault).count(f"## {heading}\n") == 1
    assert text(vault).count("\n- 2026-11-03") == 3


@pytest.mark.parametrize("heading", ["", "!!!", " # "])
def test_heading_that_could_not_be_found_is_refused(vault: Vault, heading: str) -> None:
    settings = Settings(campaign=CampaignSettings(note="Campaign Log", heading=heading))
    before = tree(vault.root)
    for attempt in (partial(log, settings=settings), partial(check_target, settings=settings, campaign=None)):
        with pytest.raises(InvalidError) as caught:
            attempt(vault)
        assert caught.value.hint.startswith("Set campaign.heading")
    assert tree(vault.root) == before


def test_a_campaign_note_with_a_hash_in_its_name(vault: Vault) -> None:
    other = vault.root / "Campaign Log #2.md"
    other.write_bytes(b"")
    before = text(vault)
    assert log(Vault(vault.root), campaign=other.name).campaign_note == other.name
    assert text(vault) == before


@pytest.mark.parametrize("name", ["[[Twice]]", "Twice#Log", "The Chronicle"])
def test_ambiguous_campaign_note_is_refused(vault: Vault, name: str) -> None:
    for folder in ("2-World", "1-Party"):
        (vault.root / folder / "Twice.md").write_bytes(b"# The Chronicle\n")
    before = tree(vault.root)
    with pytest.raises(InvalidError, match="Several notes are called"):
        log(Vault(vault.root), campaign=name)
    assert tree(vault.root) == before


@pytest.mark.parametrize("campaign", [None, ""])
def test_missing_campaign_note_is_reported(vault: Vault, campaign: str | None) -> None:
    settings = Settings() if campaign is None else SETTINGS
    logged = log(vault, settings=settings, campaign=campaign)
    assert logged.written == (NOTE,)
    assert "vaultkit config set campaign.note" in logged.remarks[0]


def test_the_campaign_note_may_be_named(vault: Vault) -> None:
    assert log(vault, campaign="[[Ivo]]").campaign_note == "2-World/Ivo.md"
    assert text(vault, "2-World/Ivo.md").startswith("---\naliases: [The Boy]\n---\nA boy.\n\n## Log\n\n- 2026-11-03")


def break_note(vault: Vault, how: str) -> None:
    note = vault.root / "Campaign Log.md"
    if how == "missing":
        note.unlink()
    elif how == "read-only":
        note.chmod(0o444)
    elif how == "generated":
        note.write_text("---\nobsidianUIMode: preview\n---\n")
    elif how == "two":
        for folder in ("2-World", "1-Party"):
            (vault.root / folder / note.name).write_bytes(b"")
        note.unlink()
    else:
        note.write_bytes({"utf-16": "Log".encode("utf-16"), "latin-1": b"Log \xe9", "open fence": b"```\n"}[how])


@pytest.mark.parametrize("how", ["missing", "read-only", "utf-16", "latin-1", "generated", "open fence", "two"])
def test_unwritable_campaign_note_is_one_error_before_any_write(vault: Vault, how: str) -> None:
    break_note(vault, how)
    before = tree(vault.root)
    with pytest.raises(VaultkitError) as caught:
        log(Vault(vault.root))
    assert caught.value.exit_code == (
        5 if how in {"read-only", "generated", "open fence"} else 4 if how == "missing" else 3
    )
    assert caught.value.where
    assert caught.value.hint.count(f"vaultkit log --session {SESSION} --campaign NOTE") == 1
    assert "--session ID" not in caught.value.hint
    assert tree(vault.root) == before


@pytest.mark.short(5)
@pytest.mark.parametrize("how", ["missing", "read-only", "utf-16", "latin-1", "generated", "open fence", "two"])
def test_campaign_note_error_is_the_same_before_the_game_and_in_a_dry_run(vault: Vault, how: str) -> None:
    break_note(vault, how)
    before = tree(vault.root)
    errors = []
    for attempt in (log, partial(log, dry_run=True), lambda vault: check_target(vault, SETTINGS, None)):
        with pytest.raises(VaultkitError) as caught:
            attempt(Vault(vault.root))
        errors.append((type(caught.value), caught.value.message, caught.value.where))
    assert errors == errors[:1] * 3
    assert tree(vault.root) == before


def test_check_target_names_the_note_and_writes_nothing(vault: Vault) -> None:
    before = tree(vault.root)
    assert check_target(vault, SETTINGS, None).path == "Campaign Log.md"
    assert check_target(vault, SETTINGS, "[[Ivo]]").path == "2-World/Ivo.md"
    assert check_target(vault, SETTINGS, "").path == check_target(vault, Settings(), None).path == ""
    with pytest.raises(InvalidError):
        check_target(vault, Settings(campaign=CampaignSettings(folder=".hidden")), None)
    assert tree(vault.root) == before


def test_game_without_a_journal_cannot_be_logged_later(vault: Vault) -> None:
    with pytest.raises(NothingFound) as caught:
        log(vault, finished_game(journal=""), campaign="Nowhere")
    assert "vaultkit log" not in caught.value.hint


@pytest.mark.short(2)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_other_bytes_of_the_campaign_note_are_unchanged(vault: Vault, newline: str, bom: bytes, end: str) -> None:
    note = vault.root / "Campaign Log.md"
    data = bom + f"---\n# c\na:   'x'\n---\n\n## Log\n\n- a{end}".replace("\n", newline).encode()
    note.write_bytes(data)
    note.chmod(0o640)
    log(vault)
    (line,) = [line for line in note.read_bytes().split(newline.encode()) if LINE.encode() in line]
    assert note.read_bytes().replace(newline.encode() + line, b"") == data
    assert note.stat().st_mode & 0o777 == 0o640


def test_bad_frontmatter_is_left_alone_and_reported(vault: Vault) -> None:
    (vault.root / "Campaign Log.md").write_text("---\na: [\n---\n## Log\n")
    assert "properties" in log(vault).remarks[0]
    assert text(vault).startswith("---\na: [\n---\n## Log\n\n- 2026")


def test_a_symbolic_link_out_of_the_vault_is_not_followed(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (vault.root / "Games").symlink_to(tmp_path / "out", target_is_directory=True)
    with pytest.raises((InvalidError, WriteError)):
        record_game(finished_game(), vault, SETTINGS, now=NOW)
    assert list((tmp_path / "out").iterdir()) == []
