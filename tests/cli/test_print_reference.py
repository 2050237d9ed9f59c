"""`print reference`, and the document for reading that `print cards` lays beside a deck."""

from pathlib import Path

import pypdf
import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.conftest import text_of
from tests.sheets.lint import problems, tagged_text
from tests.wording import Says
from vaultkit.errors import ExitCode


@pytest.mark.slow
@pytest.mark.parametrize("game", ["prophets-gambit", "Turn of Fate"])
def test_reference_cards_are_found_by_the_id_or_title_of_a_game(vk: Vaultkit, example: Path, game: str) -> None:
    done = vk("print", "reference", game, "--json", cwd=example)
    assert done.code == ExitCode.OK
    assert Path(done.json["file"]).name == f"{game.lower().replace(' ', '-')}-reference.pdf"
    assert problems(example / done.json["file"]) == []
    assert done.json["pages"] == 2


@pytest.mark.slow
def test_reference_prints_all_cards_of_the_deck(vk: Vaultkit, example: Path) -> None:
    assert len(vk("print", "reference", "propheta", "--all", "--json", cwd=example).json["sheets"]) == 52


@pytest.mark.slow
def test_the_gms_options_have_a_card_of_their_own(vk: Vaultkit, example: Path) -> None:
    note = next(example.rglob("prophets-gambit-cos.md"))
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("---\n", '---\nvaultkit-options: ["order=rarity"]\n', 1), encoding="utf-8")
    done = vk("print", "reference", "prophets-gambit", "--json", cwd=example)
    assert "House rules" in done.json["sheets"]
    assert any("order = rarity" in told for told in tagged_text(example / done.json["file"]))


@pytest.mark.slow
def test_reference_of_an_unknown_game_is_refused(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "reference", "profetta", cwd=example)
    assert done.code == ExitCode.NOTHING
    assert "propheta" in done.err


@pytest.mark.slow
def test_deck_has_an_accessible_document_on_request(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--cards", "Raven, Seer", "--accessible", "--json", cwd=example)
    beside = example / "Sheets/tarokka-cards-accessible.pdf"
    assert done.json["more"] == [beside.relative_to(example).as_posix()]
    assert len(pypdf.PdfReader(beside).pages) == 2
    assert problems(beside) == []
    told = tagged_text(beside)
    assert told.index("Raven") < told.index("Seer")


def test_deck_is_the_only_file_unless_more_is_requested(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--cards", "Raven", "--json", cwd=example)
    assert "more" not in done.json
    assert [file.name for file in (example / "Sheets").iterdir()] == ["tarokka-cards.pdf"]


@pytest.mark.slow
def test_unknown_frame_is_refused(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "tarokka", "--frame", "clasic", cwd=example)
    assert done.code == ExitCode.NOTHING
    assert done.err == Says("Frames", "aid", "classic", "full", "parchment", "plain", "portrait", "reference", "view")
    assert not list(example.glob("*.pdf"))


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["reference", "packet"])
def test_p16_no_rule_of_the_game_masters_is_on_a_card_for_players(vk: Vaultkit, example: Path, sheet: str) -> None:
    note = next(example.rglob("prophets-gambit-cos.md"))
    text = note.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("**[Raven]"))
    secret = f"{line} Kanari0."
    note.write_text(f"{text.replace(line, '')}\n\n## GM Notes\n\n{secret}\n\n> [!dm]\n> Kanari1.\n", encoding="utf-8")
    done = vk("print", sheet, "prophets-gambit", "--no-secrets", "--json", cwd=example)
    words = text_of(example / done.json["file"])
    assert "Kanari" not in words and "prophets-gambit-cos" not in words
    assert "players' copy" in words
    mine = vk("print", sheet, "prophets-gambit", "--json", cwd=example)
    assert "Kanari0" in text_of(example / mine.json["file"])


@pytest.mark.slow
def test_p16_omitted_rules_are_reported_to_the_game_master(vk: Vaultkit, example: Path) -> None:
    text = "---\nsecret: x\n---\n# Inn\n\n> [!gm] x\n\n## DM only\n\n- a\n\n## Open\n\ngm_notes:: x\n"
    (example / "Inns").mkdir()
    (example / "Inns" / "Inn.md").write_text(text, encoding="utf-8")
    (example / "Inns" / "GM Notes.md").write_text("Murder.", encoding="utf-8")
    rules = vk("print", "rules", "GM Notes", "Inn", "--no-secrets", "--json", cwd=example)
    assert rules.json["left_out"] == {"notes": 1, "headings": 1, "callouts": 1, "fields": 1}
    assert Path(rules.json["file"]).name == "Inn-rules.pdf"
    assert rules.err == Says("Left out", "players", "Inns/GM Notes.md", "name")
    assert rules.err == Says("players", "3 secrets", "1 heading", "1 callout", "1 field")
    cards = vk("print", "cards", "--from", "Inns", "--no-secrets", "--json", cwd=example)
    assert cards.json["left_out"] == {"notes": 1, "headings": 1, "callouts": 1, "properties": 1, "fields": 1}
    assert "left_out" not in vk("print", "rules", "Inn", "--json", cwd=example).json
    alone = vk("print", "rules", "GM Notes", "--no-secrets", cwd=example)
    assert alone.code == ExitCode.INVALID and "only for the game master, by its name" in alone.err
