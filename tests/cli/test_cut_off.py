from datetime import datetime
from pathlib import Path

import pytest

from vaultkit.cli.context import open_workspace, print_unfinished
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write import Writer

TOY = "20261103-toy-k3f9"


def cut_off(root: Path, command: str, session: str) -> None:
    def killed(_: Note) -> Splice:
        if (root / f"{command}.md").exists():
            raise KeyboardInterrupt
        return Splice(0, "", "x")

    made = Writer(Vault(root), command, datetime(2026, 11, 3, 20, 15), session)
    made.create(f"{command}.md", "text")
    made.change("n.md", killed)
    with pytest.raises(KeyboardInterrupt):
        made.commit()


@pytest.mark.parametrize(
    ("command", "session", "said"),
    [
        (
            "log",
            TOY,
            f"The log of {TOY} on 3 November 2026 was cut off. Finish it with: vaultkit log --session {TOY}\n",
        ),
        (
            "link",
            "",
            "The command link on 3 November 2026 was cut off. Run it again to finish it, or undo it: vaultkit undo 1\n",
        ),
    ],
)
def test_interrupted_command_is_reported_with_the_next_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, session: str, said: str
) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "n.md").write_bytes(b"text\n")
    workspace = open_workspace(tmp_path)
    workspace.journals.mkdir(parents=True)
    (workspace.journals / f"{TOY}.journal").touch()
    print_unfinished(workspace)
    assert capsys.readouterr() == ("", "")
    cut_off(tmp_path, command, session)
    print_unfinished(workspace)
    assert capsys.readouterr() == ("", said)
    print_unfinished(workspace, TOY)
    assert capsys.readouterr().err == ("" if session else said)
    (workspace.journals / f"{TOY}.journal").unlink()
    print_unfinished(workspace)
    assert ("The game has since been discarded. Undo what was written: vaultkit undo 1" in capsys.readouterr().err) is (
        command == "log"
    )
