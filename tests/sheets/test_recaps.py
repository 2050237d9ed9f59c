"""The recap of a game and the sheet of a reading, from their notes."""

from functools import partial
from pathlib import Path

import pikepdf
import pytest
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.sheets.lint import Element, Reading, problems, tagged_text
from tests.sheets.recap_vault import recap_vault
from tests.wording import Says
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.recaps import find_logged_note, print_reading, print_session
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault


@pytest.fixture(scope="module")
def made_vault(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("recaps")
    vault, compendium = recap_vault(folder / "vault")

    def job(what: str, *, paper: str = "a4", qr: bool = False) -> PrintJob:
        return PrintJob(paper, folder / f"{what}.pdf", Theme(vault.root), qr=qr)

    return {
        "session": print_session("k3f9", vault, compendium, partial(job, qr=True)).path,
        "reading": print_reading("4ysv", vault, compendium, partial(job, paper="letter")).path,
    }


@pytest.mark.slow
def test_files_are_named_by_the_whole_id(made_vault: dict[str, Path]) -> None:
    assert made_vault["session"].name == "20261103-propheta-k3f9.pdf"
    assert made_vault["reading"].name == "20261103-reading-4ysv.pdf"


@pytest.mark.parametrize("kind", ["session", "reading"])
def test_p6_document_structure(made_vault: dict[str, Path], kind: str) -> None:
    assert problems(made_vault[kind]) == []


def test_p5_recap_has_every_word_of_the_note_with_those_of_the_gm(made_vault: dict[str, Path]) -> None:
    words = " ".join(" ".join(tagged_text(made_vault["session"])).split())
    told = ["Propheta", "3 November 2026", "Ysolde has the highest score", "At the table:", "Total", "quarrelled"]
    places = [words.index(part) for part in [*told, "Cards That Mattered", "Lamp", "won Ysolde 7 points", "went out"]]
    assert places == sorted(places)
    assert len(PdfReader(made_vault["session"]).pages) == 1
    assert "seed 4" not in words and "The record" not in words


def test_p6_players_name_the_rows_of_a_score_table(made_vault: dict[str, Path]) -> None:
    with pikepdf.open(made_vault["session"]) as pdf:
        root = Reading(pdf).root
        assert root is not None
        rows = [
            [cell.kind for cell in row.children if isinstance(cell, Element)] for row in root.walk() if row.kind == "TR"
        ]
    assert len(rows) > 1
    assert all(kinds[0] == "TH" and set(kinds[1:]) == {"TD"} for kinds in rows[1:])


def test_important_cards_are_pictures_with_names(made_vault: dict[str, Path]) -> None:
    assert len(PdfReader(made_vault["session"]).pages[0].images) == 1
    assert "Games/Propheta 1.md" in text_of(made_vault["session"])


def test_p5_reading_shows_each_card_once_and_the_words_of_the_gm(made_vault: dict[str, Path]) -> None:
    words = text_of(made_vault["reading"])
    assert len(PdfReader(made_vault["reading"]).pages[0].images) == 1
    assert all(part in words for part in ("Who waits?", "1. Here", "3. Beyond", "And I say so, too."))


def test_cards_of_a_reading_are_in_the_shape_of_the_spread(made_vault: dict[str, Path]) -> None:
    spots: dict[str, tuple[float, float]] = {}

    def note(text: str, cm: list[float], tm: list[float], _font: object, _size: float) -> None:
        spots.setdefault(text.strip(), (cm[4] + tm[4], cm[5] + tm[5]))

    PdfReader(made_vault["reading"]).pages[0].extract_text(visitor_text=note)
    first, second, third = (spots[name] for name in ("1. Here", "2. There", "3. Beyond"))
    assert first[0] < second[0] > third[0]
    assert first[1] > second[1] > third[1]


def test_missing_recap_is_an_error_with_a_hint(tmp_path: Path) -> None:
    vault, compendium = recap_vault(tmp_path)
    with pytest.raises(NothingFound) as caught:
        print_session("zzzz", vault, compendium, lambda name: PrintJob("a4", Path(name)))
    assert caught.value.hint.startswith("There are: Propheta 1. ")
    assert "vaultkit log --session" in caught.value.hint
    with pytest.raises(NothingFound):
        print_reading("Little Deck", vault, compendium, lambda name: PrintJob("a4", Path(name)))


def test_id_ending_of_several_readings_lists_them(tmp_path: Path) -> None:
    recap_vault(tmp_path)
    for letters in ("aa4y", "bb4y"):
        (tmp_path / f"{letters}.md").write_text(f"---\nvaultkit-reading: 20261103-cross-{letters}\n---\n", "utf-8")
    vault = Vault(tmp_path)
    with pytest.raises(NothingFound, match="Several readings end in '4Y'") as caught:
        find_logged_note(vault, "vaultkit-reading", "4Y", "")
    assert caught.value.hint == Says("Name", "20261103-cross-bb4y", "20261103-cross-aa4y")
    assert find_logged_note(vault, "vaultkit-reading", "B4Y", "").path == "bb4y.md"


def test_logged_note_is_found_by_its_name_without_the_date_if_that_is_unique(tmp_path: Path) -> None:
    for name, reading in (("2026-11-03 Omen 1", "aa22"), ("2026-11-03 Omen 2", "bb33"), ("2026-11-04 Omen 2", "cc44")):
        (tmp_path / f"{name}.md").write_text(f"---\nvaultkit-reading: 20261103-omen-{reading}\n---\n", encoding="utf-8")
    vault = Vault(tmp_path)
    assert find_logged_note(vault, "vaultkit-reading", "omen 1", "").path == "2026-11-03 Omen 1.md"
    with pytest.raises(NothingFound, match="no reading 'Omen 2'"):
        find_logged_note(vault, "vaultkit-reading", "Omen 2", "")


def test_logged_note_of_just_that_name_comes_before_one_with_a_date(tmp_path: Path) -> None:
    for name, reading in (("2026-11-03 Little Omen 1", "aa22"), ("Omen 1", "bb33")):
        (tmp_path / f"{name}.md").write_text(f"---\nvaultkit-reading: 20261103-omen-{reading}\n---\n", encoding="utf-8")
    assert find_logged_note(Vault(tmp_path), "vaultkit-reading", "omen 1", "").path == "Omen 1.md"


def test_card_missing_from_the_deck_is_named(tmp_path: Path) -> None:
    recap_vault(tmp_path)
    deck = tmp_path / "Little Deck.md"
    deck.write_text(deck.read_text("utf-8").replace("| Lamp |", "| Lantern |"), "utf-8")
    from vaultkit.compendium import Compendium

    vault = Vault(tmp_path)
    with pytest.raises(InvalidError, match="'Lamp'"):
        print_reading("4ysv", vault, Compendium(vault), lambda name: PrintJob("a4", Path(name)))
