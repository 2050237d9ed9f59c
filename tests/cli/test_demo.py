"""`demo`, a second time."""

from pathlib import Path

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode


def test_a_folder_that_is_there_stays_and_both_ways_on_are_told(vk: Vaultkit, tmp_path: Path) -> None:
    mine = tmp_path / "vaultkit-demo" / "Mine.md"
    mine.parent.mkdir()
    mine.write_text("mine")
    done = vk("demo", cwd=tmp_path)
    assert done.code == ExitCode.WRITE
    assert "vaultkit demo DIR" in done.err and "delete vaultkit-demo" in done.err
    assert [file.name for file in mine.parent.iterdir()] == ["Mine.md"]
