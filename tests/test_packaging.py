"""What is installed: its name, its licences, and what an index shows of it."""

import os
import re
import subprocess
import sys
import tarfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.test_portable_tree import faults
from vaultkit.package_conflicts import DISTRIBUTION

ROOT = Path(__file__).parents[1]
HOME = "https://home.example/vaultkit"
MAX_WHEEL_BYTES = 3_550_000
RELATIVE = re.compile(r"\]\((?!https://|#)")


@pytest.fixture(scope="module", params=[HOME, pytest.param("", marks=pytest.mark.slow)], ids=["home", "no home"])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ZipFile]:
    """Where the project lives, and the wheel that is built there."""
    folder = tmp_path_factory.mktemp("wheel")
    code = f"from hatchling.build import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "VAULTKIT_HOME": request.param}, check=True
    )
    (file,) = folder.iterdir()
    return request.param, ZipFile(file)


def metadata(wheel: ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


@pytest.mark.slow
def test_distribution_name_is_our_own_and_the_package_is_vaultkit(wheel: tuple[str, ZipFile]) -> None:
    assert metadata(wheel[1])["Name"] == DISTRIBUTION != "vaultkit"
    inside = [name for name in wheel[1].namelist() if ".dist-info/" not in name]
    package, data = ([name for name in inside if (".data/" in name) is outside] for outside in (False, True))
    assert {name.split("/")[0] for name in package} == {"vaultkit"}
    assert [name.partition("/")[2] for name in data] == ["data/share/man/man1/vaultkit.1"]
    assert {"vaultkit/completion/scripts/vaultkit.fish"} <= {*package}


@pytest.mark.slow
def test_licences_are_declared_and_their_texts_are_included(wheel: tuple[str, ZipFile]) -> None:
    told = metadata(wheel[1])
    assert told["License-Expression"] == "MIT AND OFL-1.1 AND BSD-3-Clause AND LicenseRef-WordNet"
    files = {name.rpartition("/")[2] for name in wheel[1].namelist() if ".dist-info/licenses/" in name}
    assert files == {"LICENSE", "OFL.txt", "LICENSE-languages.txt", "LICENSE-related-words.txt"}
    assert "vaultkit/_shipped/licences/licences.md" in wheel[1].namelist()


@pytest.mark.slow
def test_licences_page_names_every_included_font(wheel: tuple[str, ZipFile]) -> None:
    inside = {Path(name).stem.partition("-")[0] for name in wheel[1].namelist() if name.endswith((".ttf", ".otf"))}
    page = wheel[1].read("vaultkit/_shipped/licences/licences.md").decode()
    fonts = page.partition("## Fonts")[2].partition("\n## ")[0]
    named = {row.replace(" ", "") for row in re.findall(r"^\| ([A-Z][\w ]+?) \|", fonts, re.M)}
    assert named == {"Family"} | inside


def test_the_wheel_is_small(wheel: tuple[str, ZipFile]) -> None:
    assert Path(str(wheel[1].filename)).stat().st_size <= MAX_WHEEL_BYTES


def test_every_system_can_install_the_wheel(wheel: tuple[str, ZipFile]) -> None:
    assert faults(wheel[1].namelist()) == []


def test_links_resolve_where_a_package_index_shows_them(wheel: tuple[str, ZipFile]) -> None:
    home, told = wheel[0], metadata(wheel[1])
    words = str(told.get_payload())
    assert RELATIVE.search((ROOT / "README.md").read_text(encoding="utf-8")) and not RELATIVE.search(words)
    assert "the command reference" in words and told["Description-Content-Type"] == "text/markdown"
    urls = dict(url.split(", ") for url in told.get_all("Project-URL", []))
    if home:
        assert f"]({home}/blob/main/docs/cli.md)" in words and f"]({home}/raw/main/docs/pictures/" in words
        assert urls["Changelog"] == f"{home}/blob/main/CHANGELOG.md"
        assert set(urls) == {"Homepage", "Documentation", "Changelog", "Source", "Issues"}
    else:
        assert "](" not in words and not urls


def test_metadata_is_whole(wheel: tuple[str, ZipFile]) -> None:
    told = metadata(wheel[1])
    assert told["Author"] and told["Summary"] and told["Requires-Python"] == ">=3.11"
    assert len(told.get_all("Classifier")) > 5


def test_no_page_recommends_a_foreign_package() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    said = [
        page.name
        for page in pages
        if re.search(r"(?:pip|pipx|tool) install \"?vaultkit(?!-ttrpg)\b", page.read_text(encoding="utf-8"))
    ]
    assert said == []


def test_the_table_of_platforms_is_whole() -> None:
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    rows = [row for row in page.splitlines() if re.match(r"\| (Windows|macOS|Linux)", row)]
    assert len(rows) == 12 and all(row.count("|") == 7 for row in rows)
    assert page.index("Never tried") < page.index("## ")


@pytest.mark.slow
def test_the_source_archive_makes_the_same_wheel(wheel: tuple[str, ZipFile], tmp_path: Path) -> None:
    def build(kind: str, place: Path, to: Path, home: str) -> Path:
        code = f"from hatchling.build import build_{kind}; print(build_{kind}({str(to)!r}))"
        env = {**os.environ, "VAULTKIT_HOME": home}
        done = subprocess.run([sys.executable, "-c", code], cwd=place, env=env, check=True, stdout=subprocess.PIPE)
        return to / done.stdout.decode().split()[-1]

    home, ours = wheel
    with tarfile.open(build("sdist", ROOT, tmp_path, home)) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    theirs = ZipFile(build("wheel", unpacked, tmp_path, ""))
    assert sorted(theirs.namelist()) == sorted(ours.namelist())
    for name in ours.namelist():
        if not name.endswith("/RECORD"):
            assert theirs.read(name) == ours.read(name), name
