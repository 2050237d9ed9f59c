"""`ask`: an answer in eight lines, or as a document."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.errors import ExitCode


@pytest.mark.slow
def test_answer_has_one_line_with_a_link_for_each_passage(vk: Vaultkit, example: Path) -> None:
    done = vk("ask", "prophets-gambit", "raven", cwd=example)
    assert done.code == ExitCode.OK and done.err == Says("--more", "whole", "sections")
    note, card, ruling = done.out.splitlines()
    assert note.startswith("[[prophets-gambit-cos#High Deck Rules]] Raven. Everyone picks a card in secret;")
    assert card.startswith("[[tarokka-deck-cos#Raven]] Black wings on a bare branch")
    assert ruling.startswith("PG-32 Raven: ")


@pytest.mark.slow
def test_document_answer_states_the_place_of_each_passage_and_writes_nothing(vk: Vaultkit, example: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in example.rglob("*")}
    found = vk("ask", "raven", "--json", cwd=example).json
    assert {path: path.stat().st_mtime_ns for path in example.rglob("*")} == before
    assert list(found) == ["passages"]
    note, card, ruling = found["passages"]
    assert all(list(one) == ["text", "note", "heading", "ruling", "card"] for one in found["passages"])
    assert (note["heading"], note["ruling"], note["card"]) == ("High Deck Rules", None, None)
    assert (card["card"], card["note"]) == ("Raven", "3-Mechanics/CLI/decks/tarokka-deck-cos.md")
    assert (ruling["ruling"], ruling["note"], ruling["heading"]) == ("PG-32", None, None)


@pytest.mark.slow
def test_house_rule_of_the_vault_is_shown_with_the_rule(vk: Vaultkit, example: Path) -> None:
    rules = example / "3-Mechanics/CLI/variant-rules/dragon-citadel.md"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("---\n", '---\nvaultkit-options: ["low_tie=random"]\n', 1), encoding="utf-8")
    *_, last = vk("ask", "tie for lowest", cwd=example).out.splitlines()
    assert last.startswith("House rule: Dragon Citadel: low_tie = random instead of default (DC-12)")


@pytest.mark.slow
def test_no_answer_exits_with_4_and_a_hint(vk: Vaultkit, example: Path) -> None:
    done = vk("ask", "xyzzy", cwd=example)
    assert done.code == ExitCode.NOTHING and not done.out and "Hint: " in done.err
    assert vk("ask", cwd=example).code == ExitCode.USAGE


def test_the_help_shows_examples(vk: Vaultkit, example: Path) -> None:
    assert "vaultkit ask raven" in " ".join(vk("ask", "-h", cwd=example).out.split())


def test_option_more_prints_the_omitted_passages(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    text = "The heron waits. " * 100
    (tmp_path / "Heron.md").write_text(text, encoding="utf-8")
    cut, whole = vk("ask", "heron", cwd=tmp_path), vk("ask", "heron", "--more", cwd=tmp_path)
    assert "…" in cut.out and cut.err == Says("--more", "whole", "sections") and len(cut.out) < 900
    assert whole.out.strip() == f"[[Heron]] {text.strip()}" and not whole.err


def test_name_in_no_note_exits_with_4_and_is_reported(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "Heron.md").write_text("It waits.", encoding="utf-8")
    done = vk("ask", "who", "is", "baron", "tarsk", cwd=tmp_path)
    assert done.code == ExitCode.NOTHING and not done.out
    assert done.err == Says("Nothing", "notes", "about baron tarsk")


def test_the_language_is_a_setting(vk: Vaultkit, tmp_path: Path) -> None:
    config = tmp_path / ".vaultkit" / "config.toml"
    config.parent.mkdir()
    (tmp_path / "A.md").write_text("Hexen", encoding="utf-8")
    config.write_text('[ask]\nlanguage = "de"\n', encoding="utf-8")
    assert vk("ask", "Hexe", cwd=tmp_path).code == ExitCode.OK
    config.write_text('[ask]\nlanguage = "xx"\n', encoding="utf-8")
    done = vk("ask", "Hexe", cwd=tmp_path)
    assert done.code == ExitCode.INVALID and "en, de, fr" in done.err


@pytest.mark.slow
def test_ask_answers_with_real_cards_too(vk: Vaultkit, example: Path) -> None:
    script = example / "typed.txt"
    script.write_text("ask what is the aim\nmore\nmore\nq\n", encoding="utf-8")
    seats = ("--seat", "Anna", "--seat", "Bram")
    done = vk("play", "propheta", "--real-cards", *seats, "--script", str(script), cwd=example)
    assert done.out == Says("aim", "most points") and "The stars do not tell you what will happen." in done.out
    assert "There is no more." in done.out
