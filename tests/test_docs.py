"""The documents and the program say the same."""

import re
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest

from scripts import cli_reference, layers, samples
from tests.pages import read_blocks
from vaultkit import __version__
from vaultkit.cli.command_registry import COMMANDS, load_command
from vaultkit.games import registry
from vaultkit.games.game_info import load
from vaultkit.games.registry import GAMES
from vaultkit.session.rulings import ruling
from vaultkit.settings import VAULT_CONFIG_PATH
from vaultkit.settings import load as load_settings

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_readme_has_the_two_commands() -> None:
    assert "```sh\nmake demo\nmake test\n```\n" in README


def test_the_readme_has_fewer_than_900_words_and_begins_with_3_results() -> None:
    assert len(README.split()) < 900
    assert re.findall(r"!\[[^\]]+\]\(docs/pictures/(\w+)\.png\)", README) == ["log", "print", "npc"]
    results = README.partition("## Install")[0]
    assert len(re.findall(r"(?m)^vaultkit ", results)) == 3
    assert results.index("vaultkit log --from sheet.pdf") < results.index("pictures/log.png")
    assert README.index("pipx install .") < README.index("make demo") < README.index("## Five card games")


@pytest.mark.slow
@pytest.mark.parametrize("checker", [("mandoc", "-Tlint", "-Wwarning"), ("groff", "-man", "-ww", "-Tutf8", "-z")])
def test_the_man_page_has_no_fault(checker: tuple[str, ...]) -> None:
    if shutil.which(checker[0]) is None:
        pytest.skip(f"there is no {checker[0]} here")
    done = subprocess.run([*checker, cli_reference.MAN], check=False, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_command_and_its_line_in_the_help_agree(name: str) -> None:
    module, _, summary = COMMANDS[name]
    command = load_command(name)
    shown = [command, *getattr(command, "commands", {}).values()]
    assert not any("\n" in paragraph for one in shown for paragraph in (one.help or "").split("\n\n"))
    assert (command.help or "").split("\n")[0].strip() == summary
    assert module in sys.modules or f"vaultkit.cli.{module}" in sys.modules


def test_the_command_reference_is_up_to_date() -> None:
    files = [cli_reference.PAGE, cli_reference.JSON_PAGE, cli_reference.MAN, *cli_reference.FOLDER.iterdir()]
    assert {file: file.read_text(encoding="utf-8") for file in files} == cli_reference.made(), "run: make docs"


@pytest.mark.slow
def test_the_picture_of_the_layers_is_drawn_from_the_code() -> None:
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.picture(), "run: make docs"


@pytest.mark.parametrize("page", ["campaign", "log-line", "note-templates"])
def test_every_documented_setting_exists(tmp_path: Path, page: str) -> None:
    (tmp_path / ".vaultkit").mkdir()
    blocks = read_blocks((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    for block in (block.text for block in blocks if block.language == "toml"):
        (tmp_path / VAULT_CONFIG_PATH).write_text(block, encoding="utf-8")
        origins = load_settings(tmp_path, tmp_path / "none.toml").origins
        assert set(origins) == {f"{name}.{key}" for name, keys in tomllib.loads(block).items() for key in keys}


def test_the_samples_are_pieces_of_the_transcripts() -> None:
    assert samples.PAGE.read_text(encoding="utf-8") == samples.page(), "run: make golden"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_of_the_documents_resolves(page: Path) -> None:
    text = re.sub(r"(?ms)^(`{3,}).*?^\1|`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("game", list(GAMES))
def test_every_option_has_its_ruling_and_is_documented_there(game: str) -> None:
    for option in registry.rules(game).options:
        found = ruling(option.ruling)
        assert option.key in found.text, f"{found.id} does not name {option.key}"


def test_every_game_has_a_page() -> None:
    assert {page.stem for page in (ROOT / "docs" / "games").iterdir()} == {*GAMES}


def test_the_zones_of_every_game_are_on_the_page_of_examples() -> None:
    page = (ROOT / "docs" / "rule-notes.md").read_text(encoding="utf-8")
    table = page.partition("| game | zones of a seat |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    told = {title: tuple(set(re.findall("`([^`]+)`", cell)) for cell in cells) for title, *cells in rows}
    arrangers = {info.title: load(info.arranger) for info in GAMES.values() if info.arranger}
    assert told == {title: tuple(map(set, one[:3])) for title, one in arrangers.items()}


def test_every_page_of_a_game_and_of_rulings_is_in_the_navigation() -> None:
    docs = ROOT / "docs"
    listed = re.findall(r"\]\(([\w/-]+\.md)\)", (docs / "index.md").read_text(encoding="utf-8"))
    pages = {f"{name}/{page.name}" for name in ("games", "rulings") for page in (docs / name).glob("*.md")}
    assert pages - set(listed) == set()


def test_every_file_named_for_developers_exists() -> None:
    folders = ("vaultkit", "tests", "docs", "scripts", "bench", "print", "scoresheets", "templates", "vault-example")
    there = "".join(f"/{file.relative_to(ROOT).as_posix()}/\n" for name in folders for file in (ROOT / name).rglob("*"))
    for name in ("adding", "contributing", "walks"):
        text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        places = re.findall(r"`(\w[\w./-]*(?:\.py|\.toml|\.md|\.txt|/))`", text)
        gone = [place for place in places if "GAME" not in place and f"/{place.rstrip('/')}/\n" not in there]
        assert [place for place in gone if not (ROOT / place).exists()] == [], name


def test_changelog_has_a_date_for_the_version_and_an_unreleased_section() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[0] == "Unreleased"
    version, _, day = headings[1].partition(" - ")
    assert version == __version__ and date.fromisoformat(day)


def test_page_about_phones_quotes_the_words_of_the_program() -> None:
    sources = (path for path in ROOT.joinpath("vaultkit/web").rglob("*") if path.suffix in {".py", ".j2", ".js"})
    program = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    page = ROOT.joinpath("docs/phones.md").read_text(encoding="utf-8")
    messages, buttons = re.findall('says "(.+?)"', page), re.findall(r"(?<!\*)\*([A-Z][\w ]+)\*(?!\*)", page)
    assert len(messages) >= 2 and len(buttons) >= 9
    unknown = [message for message in messages if message.replace("127.0.0.1", "{}") not in program]
    assert unknown + [name for name in buttons if not re.search(rf"[>']{name}[<']", program)] == []
