"""`print reference`, and the document for reading that `print cards` lays beside a deck."""

from pathlib import Path

import pypdf
import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.lint import problems, tagged_text
from vaultkit.errors import ExitCode


@pytest.mark.slow
@pytest.mark.parametrize("game", ["prophets-gambit", "Turn of Fate"])
def test_reference_cards_of_a_game_by_its_id_or_title(vk: Vaultkit, example: Path, game: str) -> None:
    done = vk("print", "reference", game, "--json", cwd=example)
    assert done.code == ExitCode.OK
    assert Path(done.json["file"]).name == f"{game.lower().replace(' ', '-')}-reference.pdf"
    assert problems(example / done.json["file"]) == []
    assert done.json["pages"] == 2


@pytest.mark.slow
def test_all_cards_of_the_deck(vk: Vaultkit, example: Path) -> None:
    assert len(vk("print", "reference", "propheta", "--all", "--json", cwd=example).json["sheets"]) == 52


@pytest.mark.slow
def test_the_gms_options_have_a_card_of_their_own(vk: Vaultkit, example: Path) -> None:
    note = next(example.rglob("prophets-gambit-cos.md"))
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("---\n", '---\nvaultkit-options: ["order=rarity"]\n', 1), encoding="utf-8")
    done = vk("print", "reference", "prophets-gambit", "--json", cwd=example)
    assert "House rules" in done.json["sheets"]
    assert any("order = rarity" in told for told in tagged_text(example / done.json["file"]))


def test_a_game_that_there_is_not(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "reference", "profetta", cwd=example)
    assert done.code == ExitCode.USAGE
    assert "propheta" in done.err


@pytest.mark.slow
def test_a_deck_comes_with_a_document_for_reading_where_that_is_asked_for(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--cards", "Raven, Seer", "--accessible", "--json", cwd=example)
    beside = example / "Sheets/tarokka-cards-accessible.pdf"
    assert done.json["more"] == [beside.relative_to(example).as_posix()]
    assert len(pypdf.PdfReader(beside).pages) == 2
    assert problems(beside) == []
    told = tagged_text(beside)
    assert told.index("Raven") < told.index("Seer")


def test_nothing_lies_beside_a_deck_unless_it_is_asked_for(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--cards", "Raven", "--json", cwd=example)
    assert "more" not in done.json
    assert [file.name for file in (example / "Sheets").iterdir()] == ["tarokka-cards.pdf"]


def test_a_frame_that_there_is_not(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--frame", "clasic", cwd=example)
    assert done.code == ExitCode.USAGE
    assert "Frames: aid, classic, full, parchment, plain, reference." in done.err
    assert not list(example.glob("*.pdf"))
