"""`vaultkit deck`, as a user runs them."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.cli.conftest import Vaultkit
from tests.compendium.test_rank_words import german_tarokka
from tests.vault.making import make_files
from vaultkit.errors import ExitCode

FILES: dict[str, str | bytes] = {
    "Birds.md": "---\nvaultkit_deck: birds\n---\n# Birds\n\n### Lark\n\n![[lark.png]]\n\nUp ==before== you.\n\n"
    "```statblock\nname: Lark\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "Fates.md": "---\nvaultkit-deck: tarroka\n---\n# Fates\n\n### Key\n",
    "Empty.md": "---\nvaultkit-deck: empty\n---\n",
    "Inn.md": "# Inn\n",
    "lark.png": b"",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_files(tmp_path / "vault", FILES).root


def test_decks_command_reports_faulty_properties(vk: Vaultkit, vault: Path) -> None:
    done = vk("deck", cwd=vault)
    assert done.code == ExitCode.OK and len(done.out.splitlines()) == 3
    assert "Birds.md:2: The property 'vaultkit_deck' is read as 'vaultkit-deck'" in done.err
    assert "Fates.md:2: The deck's kind is 'tarroka'" in done.err and "Did you mean 'tarokka'?" in done.err
    assert "cannot be used: This deck has no cards. (Empty.md)" in done.err


@pytest.mark.slow
def test_p18_deck_and_score_sheet_use_its_own_words_for_suits_and_ranks(vk: Vaultkit, tmp_path: Path) -> None:
    german_tarokka(tmp_path / "vault")
    listed = vk("deck", "tarokka", cwd=tmp_path / "vault").out
    assert "Karte 4\tSchwerter\tDrei\t" in listed and "Swords" not in listed
    assert "Schwerter, Sterne" in vk("deck", cwd=tmp_path / "vault").out
    assert vk("deck", "tarokka", "--json", cwd=tmp_path / "vault").json["cards"][3]["suit"] == "Swords"
    vk("print", "scores", "dragon-citadel", "--layout", "party", "--out", "sheet.pdf", cwd=tmp_path / "vault")
    text = PdfReader(tmp_path / "vault/sheet.pdf").pages[0].extract_text()
    assert "Schwerter" in text and "Münzen" in text


def test_card_text_is_shown_in_plain_words(vk: Vaultkit, vault: Path) -> None:
    assert vk("deck", "birds", cwd=vault).out == "Lark\t\t\tUp before you. a b 1 2\n"
    (card,) = vk("deck", "birds", "--json", cwd=vault).json["cards"]
    assert "==before==" in card["text"]


def test_problem_of_a_whole_note_has_a_hint_and_no_line(vk: Vaultkit, vault: Path) -> None:
    done = vk("deck", "Empty.md", cwd=vault)
    assert done.err.startswith("Empty.md: This deck has no cards. Write each card under a heading")


def test_note_that_is_not_a_deck_is_refused(vk: Vaultkit, vault: Path) -> None:
    done = vk("deck", "Inn", cwd=vault)
    assert done.code == ExitCode.NOTHING
    assert "'Inn.md' has no property 'vaultkit-deck'" in done.err
