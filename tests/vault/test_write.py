import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from vaultkit.errors import InvalidError, NothingFound, WriteError
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing import atomic_file, write
from vaultkit.vault.writing.crash_recovery import recover_leftovers
from vaultkit.vault.writing.history import Entry, History, Write
from vaultkit.vault.writing.history.entry import own_folder
from vaultkit.vault.writing.lock import lock_name, vault_lock
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Writer, plan_and_commit
from vaultkit.vault.writing.write_steps import PlanSplice

NOW = datetime(2026, 11, 3, 22, 15)
LINE = "- new ^vk-x"


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    (tmp_path / "n.md").write_bytes(b"## Log\n\n- a\n")
    return Vault(tmp_path)


def add(note: Note) -> Splice | None:
    return None if "vk-x" in note.blocks else insert_under(note, "Log", LINE)


def writer(vault: Vault, *plans: PlanSplice) -> Writer:
    made = Writer(vault, "log", NOW, "s")
    for plan in plans:
        made.change("n.md", plan)
    return made


def test_commit_writes_once(vault: Vault) -> None:
    assert writer(vault, add).commit() == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == b"## Log\n\n- a\n- new ^vk-x\n"
    assert writer(vault, add).commit() == ()
    assert len(list(History(vault).entries())) == 1


def test_diff_shows_and_touches_nothing(vault: Vault) -> None:
    before = sorted(vault.root.rglob("*"))
    made = writer(vault, add)
    made.create("new.md", "one\x0cpage\n")
    made.create("i.webp", b"RIFF")
    diff = made.diff()
    assert "+- new ^vk-x\n" in diff
    assert "+one\x0cpage\n" in diff
    assert "Binary file i.webp (4 bytes)\n" in diff
    assert sorted(vault.root.rglob("*")) == before


@pytest.mark.parametrize(
    ("data", "error"), [(b"\xff\xfe\x00", InvalidError), (b"---\ncssclasses: json5e-deck\n---\n", WriteError)]
)
def test_forbidden_change_is_refused_at_once(vault: Vault, data: bytes, error: type[Exception]) -> None:
    (vault.root / "n.md").write_bytes(data)
    with pytest.raises(error):
        writer(vault, add)
    with pytest.raises(NothingFound):
        Writer(vault, "log", NOW).change("gone.md", add)
    with pytest.raises(InvalidError):
        Writer(vault, "log", NOW).create("../out.md", "")


def test_everything_is_checked_before_anything_is_written(vault: Vault) -> None:
    made = writer(vault)
    made.create("Games/new.md", "x")
    made.change("n.md", add)
    (vault.root / "n.md").chmod(0o444)
    with pytest.raises(WriteError) as caught:
        made.commit()
    assert caught.value.exit_code == 5
    assert not (vault.root / "Games").exists()
    assert not (vault.root / ".vaultkit").exists()


def test_file_in_place_of_a_needed_folder_is_refused(vault: Vault) -> None:
    made = writer(vault)
    made.create("n.md/new.md", "x")
    with pytest.raises(WriteError):
        made.commit()


def interfering(vault: Vault, times: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another program write the note just before we replace it, `times` times."""
    replace, left = atomic_file.replace, [times]

    def raced(target: Path, data: bytes, expected: str, *more: Path | None) -> bool:
        if left[0] and target.name == "n.md":
            left[0] -= 1
            target.write_bytes(f"{text}{'!' * left[0]}\n".encode())
        return replace(target, data, expected, *more)

    monkeypatch.setattr(atomic_file, "replace", raced)
    monkeypatch.setattr(write, "RETRY_SECONDS", 0)


def test_note_changed_meanwhile_is_planned_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    interfering(vault, 2, "theirs\n\n## Log", monkeypatch)
    writer(vault, add).commit()
    assert (vault.root / "n.md").read_bytes() == b"theirs\n\n## Log\n\n- new ^vk-x\n"
    monkeypatch.undo()
    (entry,) = History(vault).entries()
    assert History(vault).undo(entry) == ["n.md"]
    assert (vault.root / "n.md").read_bytes() == b"theirs\n\n## Log\n"


@pytest.mark.parametrize("moment", ["planned", "recorded"])
def test_text_written_between_plan_and_replace_is_preserved(
    vault: Vault, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, left, record = vault.root / "n.md", [2], History.record

    def meddle(when: str) -> None:
        if when == moment and left[0]:
            left[0] -= 1
            note.write_bytes(b"theirs %d\n" % left[0] + note.read_bytes() + b"- theirs too\n")

    def plan(read: Note) -> Splice | None:
        splice = add(read)
        meddle("planned")
        return splice

    def recorded(self: History, entry: Entry, write: Write, before: bytes | None) -> Entry:
        grown = record(self, entry, write, before)
        meddle("recorded")
        return grown

    monkeypatch.setattr(History, "record", recorded)
    assert writer(vault, plan).commit() == ("n.md",)
    theirs = b"theirs 0\ntheirs 1\n## Log\n\n- a\n- theirs too\n- theirs too\n"
    assert note.read_bytes() == theirs + b"- new ^vk-x\n"
    (entry,) = History(vault).entries()
    assert History(vault).undo(entry) == ["n.md"]
    assert note.read_bytes() == theirs


def test_note_that_changes_constantly_is_left_alone(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    interfering(vault, 99, "theirs\n", monkeypatch)
    with pytest.raises(WriteError):
        writer(vault, add).commit()
    assert b"theirs" in (vault.root / "n.md").read_bytes()
    assert list(History(vault).entries()) == []


def test_a_plan_that_is_fulfilled_meanwhile_writes_nothing(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    interfering(vault, 1, "## Log\n\n- other ^vk-x", monkeypatch)
    assert writer(vault, add).commit() == ()
    assert list(History(vault).entries()) == []


def test_history_is_on_disk_before_the_note_is_changed(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def looking(act: Callable[..., object]) -> Callable[..., None]:
        def looked(target: Path, data: bytes, *more: str, **options: bool) -> None:
            (file,) = vault.root.glob(".vaultkit/history/*/entry.json")
            seen.append(json.loads(file.read_bytes())["writes"][-1]["path"])
            act(target, data, *more, **options)

        return looked

    monkeypatch.setattr(atomic_file, "replace", looking(atomic_file.replace))
    monkeypatch.setattr(atomic_file, "create", looking(atomic_file.create))
    made = writer(vault, add)
    made.create("new.md", "x")
    made.commit()
    assert seen == ["n.md", "new.md"]


@pytest.mark.parametrize("refused", ["replace", "create"])
def test_a_write_that_is_refused_is_not_in_the_history(vault: Vault, refused: str) -> None:
    def held_open(*_: object, **__: object) -> None:
        raise WriteError("Another program has this note open.")

    made = writer(vault)
    if refused == "create":
        made.change("n.md", add)
        made.create("new.md", "x")
    else:
        made.create("new.md", "x")
        made.change("n.md", add)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(WriteError, match="has this note open"):
        patch.setattr(atomic_file, refused, held_open)
        made.commit()
    (entry,) = History(vault).entries()
    written = "n.md" if refused == "create" else "new.md"
    assert [(write.path, write.done) for write in entry.writes] == [(written, True)]
    (vault.root / ("new.md" if refused == "create" else "n.md")).write_text("mine")
    assert History(vault).undo(entry) == [written]


@pytest.mark.parametrize("moment", ["planned", "checked"])
def test_note_created_meanwhile_gets_the_plan_for_existing_notes(
    vault: Vault, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = atomic_file.create

    def raced(target: Path, data: bytes) -> None:
        if target.name == "new.md":
            target.write_bytes(b"## Log\n\n- theirs\n")
        create(target, data)

    made = writer(vault)
    made.create("first.md", "x")
    made.create("new.md", "## Log\n\n- new ^vk-x\n", plan_if_exists=add)
    if moment == "planned":
        (vault.root / "new.md").write_bytes(b"## Log\n\n- theirs\n")
    else:
        monkeypatch.setattr(atomic_file, "create", raced)
    assert made.commit() == ("first.md", "new.md")
    assert (vault.root / "new.md").read_bytes() == b"## Log\n\n- theirs\n- new ^vk-x\n"
    (entry,) = History(vault).entries()
    assert entry.complete and History(vault).undo(entry) == ["first.md", "new.md"]
    assert (vault.root / "new.md").read_bytes() == b"## Log\n\n- theirs\n"


@pytest.mark.parametrize("data", [b"---\ncssclasses: json5e-deck\n---\n", b"\xff\xfe\x00"])
def test_forbidden_note_created_meanwhile_is_refused_before_anything_is_written(vault: Vault, data: bytes) -> None:
    made = writer(vault)
    made.create("first.md", "x")
    made.create("new.md", "x", plan_if_exists=add)
    (vault.root / "new.md").write_bytes(data)
    with pytest.raises((InvalidError, WriteError)):
        made.commit()
    assert not (vault.root / "first.md").exists() and (vault.root / "new.md").read_bytes() == data


def test_created_note_that_could_not_be_marked_done_is_in_the_history(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Entry:
        raise WriteError("The history cannot be written.")

    made = writer(vault)
    made.create("new.md", "## Log\n\n- new ^vk-x\n", plan_if_exists=add)
    with monkeypatch.context() as patch, pytest.raises(WriteError, match="history"):
        patch.setattr(History, "mark_done", full)
        made.commit()
    (entry,) = History(vault).entries()
    assert History(vault).undo(entry) == ["new.md"] and not (vault.root / "new.md").exists()


def test_leftovers_of_killed_writes_are_swept(vault: Vault) -> None:
    (vault.root / ".vaultkit-dead.tmp").touch()
    writer(vault, add).commit()
    assert not (vault.root / ".vaultkit-dead.tmp").exists()


@pytest.mark.parametrize("data", [b"mine", b"# mine\nmine\n", b"history/\nmine"])
def test_missing_lines_are_added_to_a_gitignore(vault: Vault, data: bytes) -> None:
    file = own_folder(vault.root) / ".gitignore"
    wanted = {line for line in file.read_bytes().splitlines() if line.endswith(b"/")}
    file.write_bytes(data)
    for _ in range(2):
        own_folder(vault.root)
        assert file.read_bytes().startswith(data)
        lines = file.read_bytes().splitlines()
        assert wanted <= {*lines} and len(lines) == len({*lines})


def test_leftover_that_belongs_to_no_write_stays(vault: Vault) -> None:
    stray = vault.root / ".vaultkit-a.swap"
    stray.write_bytes(b"theirs")
    recover_leftovers(vault, [vault.root])
    assert stray.read_bytes() == b"theirs"


def test_a_plan_without_changes_creates_nothing(vault: Vault) -> None:
    assert plan_and_commit(vault, lambda _: ("nothing", None)) == ("nothing", ())
    assert [path.name for path in vault.root.iterdir()] == ["n.md"]


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes there")
@pytest.mark.parametrize("mode", [0o700, 0o750, 0o770, 0o777])
def test_everyone_who_may_write_in_the_vault_may_take_the_lock(vault: Vault, mode: int) -> None:
    vault.root.chmod(mode)
    before = os.umask(0)
    try:
        writer(vault, add).commit()
    finally:
        os.umask(before)
    assert (vault.root / ".vaultkit/lock").stat().st_mode & 0o777 == mode & 0o666


def test_the_lock_can_be_taken_again_by_its_holder(vault: Vault) -> None:
    with vault_lock(vault.root):
        assert writer(vault, add).commit() == ("n.md",)


def test_all_names_of_one_folder_share_one_lock(tmp_path: Path) -> None:
    """Also those that differ in case, where case says nothing, as on macOS; and a name that the folder gets later."""
    root, other = tmp_path / "vault", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    upper, name = tmp_path / "VAULT", lock_name(root)
    assert name == lock_name(root / ".." / "vault") != lock_name(other)
    assert not upper.exists() or lock_name(upper) == name
    assert lock_name(tmp_path / "none") != lock_name(tmp_path / "nothing")
    root.rename(tmp_path / "renamed")
    assert lock_name(tmp_path / "renamed") == name


def test_check_of_one_path_agrees_with_commit(vault: Vault) -> None:
    made = writer(vault, add)
    made.create("other.md", "x")
    (vault.root / "other.md").write_text("theirs")
    made.check("n.md")
    with pytest.raises(WriteError):
        made.check("other.md")
    (vault.root / "n.md").chmod(0o444)
    with pytest.raises(WriteError, match="read-only"):
        made.check("n.md")
    assert not list(History(vault).entries())
