"""`vaultkit trust`, and what each command makes of a vault's own files without it."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit import resources, trust
from vaultkit.campaign.trust_report import grant
from vaultkit.errors import ExitCode
from vaultkit.settings import PrintSettings, user_settings_path
from vaultkit.sheets.print_setup import paper_of

NOTE = "vaultkit uses its own until you trust the vault: vaultkit trust"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault with a template, a theme that its settings name, and a folder for PDFs outside of it."""
    root = tmp_path / "vault"
    theme = (resources.shipped_folder("print") / "themes/forest.toml").read_text(encoding="utf-8")
    for name, text in {
        "templates/log-line.md.j2": "a stranger's ^{{ block }}",
        "print/themes/mine.toml": theme,
        "config.toml": '[print]\ntheme = "mine"\nfolder = "../away"\n',
    }.items():
        (root / ".vaultkit" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / ".vaultkit" / name).write_text(text, encoding="utf-8")
    return root


@pytest.mark.slow
def test_sheet_of_an_untrusted_vault_has_our_design_and_is_written_to_the_current_folder(
    vk: Vaultkit, root: Path, tmp_path: Path
) -> None:
    ours = vk("print", "scores", "skat", "--out", "../classic.pdf", "--theme", "classic", cwd=root)
    assert ours.code == ExitCode.OK
    done = vk("print", "scores", "skat", cwd=root)
    assert (done.code, done.err.count(NOTE)) == (ExitCode.OK, 1)
    assert "templates (1), print designs (1) and paths that lead out of it (1)" in done.err
    assert (root / "skat-scores.pdf").read_bytes() == (tmp_path / "classic.pdf").read_bytes()
    assert not (tmp_path / "away").exists()
    assert vk("trust", "--yes", cwd=root).code == ExitCode.OK
    done = vk("print", "scores", "skat", cwd=root)
    assert (done.code, NOTE in done.err) == (ExitCode.OK, False)
    assert (tmp_path / "away/skat-scores.pdf").read_bytes() != (root / "skat-scores.pdf").read_bytes()


def test_paper_defined_by_an_untrusted_vault_is_replaced_by_ours(root: Path) -> None:
    own = root / ".vaultkit/print/paper.toml"
    own.write_text('cards = {}\n[papers]\nscroll = ["200mm", "500mm"]\n', encoding="utf-8")
    wanted = PrintSettings(paper="scroll")
    assert (paper_of(root, wanted), paper_of(root, PrintSettings(paper="letter"))) == ("a4", "letter")
    grant(root)
    assert paper_of(root, wanted) == "scroll"


@pytest.mark.slow
def test_requested_theme_of_an_untrusted_vault_is_reported_as_missing(vk: Vaultkit, root: Path) -> None:
    done = vk("print", "scores", "skat", "--theme", "mine", "--out", "x.pdf", cwd=root)
    assert done.code == ExitCode.NOTHING and "There is no theme 'mine'" in done.err and done.err.count(NOTE) == 1


@pytest.mark.slow
def test_folder_of_the_user_settings_needs_no_trust(vk: Vaultkit, root: Path, tmp_path: Path) -> None:
    user_settings_path().parent.mkdir(parents=True)
    user_settings_path().write_text(f'[print]\nfolder = "{(tmp_path / "mine").as_posix()}"\n', encoding="utf-8")
    (root / ".vaultkit/config.toml").unlink()
    assert vk("print", "scores", "skat", cwd=root).code == ExitCode.OK
    assert (tmp_path / "mine/skat-scores.pdf").is_file()


def test_templates_without_trust_are_listed_as_such(vk: Vaultkit, root: Path) -> None:
    done = vk("templates", cwd=root)
    assert "shipped; your own is not trusted" in done.out and done.err.count(NOTE) == 1
    assert "You have changed none" not in done.err
    assert NOTE not in vk("templates", "--quiet", cwd=root).err
    vk("trust", "--yes", cwd=root)
    done = vk("templates", cwd=root)
    assert "not trusted" not in done.out and "\town\t" in done.out


def test_ejected_copy_counts_only_after_trust(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".vaultkit").mkdir()
    done = vk("templates", "eject", "log-line", cwd=tmp_path)
    assert "It is used once you trust this vault: vaultkit trust" in done.err and NOTE not in done.err
    assert not trust.is_trusted(tmp_path)


def test_commands_that_need_no_trust_do_not_mention_it(vk: Vaultkit, root: Path) -> None:
    assert NOTE not in vk("notes", cwd=root).err


@pytest.mark.slow
def test_doctor_shows_whether_the_vault_is_trusted(vk: Vaultkit, root: Path) -> None:
    checks = {check["name"]: check for check in vk("doctor", "--json", cwd=root).json["checks"]}
    assert NOTE in checks["trust"]["detail"] and checks["trust"]["ok"] and not checks["trust"]["here"]
    assert checks["print.theme"]["detail"] == "classic"
    assert NOTE not in vk("doctor", "--all", cwd=root).err
    vk("trust", "--yes", cwd=root)
    done = vk("doctor", "--all", cwd=root)
    assert "ok  trust: this vault is trusted" in done.out and "trust in" in done.out


def test_trust_lists_what_it_would_allow_and_asks(
    vk: Vaultkit, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = vk("trust", cwd=root)
    assert done.code == ExitCode.USAGE and "vaultkit trust --yes" in done.err
    for answer, trusted in (("n", False), ("y", True)):
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
        monkeypatch.setattr(
            "vaultkit.terminal.answer_sources.TerminalSource.confirm", lambda *_, answer=answer: answer == "y"
        )
        done = vk("trust", cwd=root)
        assert (done.code, trust.is_trusted(root)) == (ExitCode.OK, trusted)
        assert "print designs (1): .vaultkit/print/themes/mine.toml" in done.out
        assert f'print.folder = "../away", which is {tmp_path / "away"}' in done.out
    assert "trusted already" in vk("trust", cwd=root).err


def test_trusted_vaults_are_listed_and_removed(vk: Vaultkit, root: Path) -> None:
    assert "No vault is trusted" in vk("trust", "--list", cwd=root.parent).err
    assert vk("trust", "--yes", "--json", cwd=root).json["trusted"]
    assert vk("trust", "--list", cwd=root.parent).out == f"{root}\n"
    moved = root.rename(root.with_name("moved"))
    assert vk("trust", "--list", "--json", cwd=moved).json == [{"vault": str(root), "there": False}]
    assert NOTE in vk("templates", cwd=moved).err
    assert "was not trusted" in vk("trust", "--revoke", cwd=moved).err
    assert "no longer trusted" in vk("trust", "--revoke", "--vault", str(root), cwd=moved).err
    assert json.loads(trust.trust_file().read_text()) == []
    assert vk("trust", "--list", "--revoke").code == ExitCode.USAGE


def test_init_trusts_only_a_vault_without_existing_vaultkit_files(vk: Vaultkit, tmp_path: Path) -> None:
    new, sent = tmp_path / "new", tmp_path / "sent"
    (new / ".obsidian").mkdir(parents=True)
    (sent / ".vaultkit/print").mkdir(parents=True)
    vk("init", "--dry-run", cwd=new)
    assert not trust.is_trusted(new)
    for root in (new, sent):
        assert vk("init", cwd=root).code == ExitCode.OK
    assert trust.is_trusted(new) and not trust.is_trusted(sent)


def test_init_prepares_the_vault_where_trust_cannot_be_saved(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    trust.trust_file().mkdir(parents=True)
    done = vk("init", cwd=tmp_path / "vault")
    assert done.code == ExitCode.OK and done.err.count("This vault is not trusted") == 1
    assert (tmp_path / "vault/.vaultkit/config.toml").is_file()
