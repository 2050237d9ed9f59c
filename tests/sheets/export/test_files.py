"""Pictures, which are written as safely as PDFs."""

import os
import time
from pathlib import Path

import pytest
from PIL import Image

from vaultkit import file_errors
from vaultkit.errors import WriteError
from vaultkit.sheets.export.page_pictures import make_folder, save_picture
from vaultkit.sheets.pdf.output_file import write_file

PICTURE = Image.new("RGB", (4, 4))


def test_picture_opened_by_another_program_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = [PermissionError(13, "Permission denied")] * 2
    real = Path.replace

    def busy(self: Path, target: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return real(self, target)

    monkeypatch.setattr(file_errors, "ON_WINDOWS", True)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(Path, "replace", busy)
    save_picture(tmp_path / "x.png", PICTURE, 100)
    assert [file.name for file in tmp_path.iterdir()] == ["x.png"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no umask")
def test_pictures_and_pdfs_respect_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        save_picture(tmp_path / "x.png", PICTURE, 100)
        write_file(tmp_path / "x.pdf", b"%PDF-new")
    finally:
        os.umask(before)
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_one_missing_folder_is_created_but_not_its_parent(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "new").is_dir()
    with pytest.raises(WriteError, match="no such folder") as caught:
        make_folder(tmp_path / "nope" / "dir")
    assert caught.value.where == str(tmp_path / "nope")
