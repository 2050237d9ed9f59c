"""Printed score sheets in a vault with words of its own."""

import json
import re
from pathlib import Path

import pikepdf
import pytest
from msgspec import Struct

from tests.cli.conftest import Vaultkit
from tests.cli.test_words import OURS, in_other_letters, write_words
from tests.sheets.scoresheets.filling import by_pypdf
from vaultkit.compendium.words import VaultWords
from vaultkit.errors import ExitCode
from vaultkit.games.formula import formula_text
from vaultkit.games.registry import GAMES
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets import design as designs
from vaultkit.theme import design_loader

SHIPPED = ScoreSheets(None).defined
WOLVES = """title = "Волки"
players = [2, 5]
score = "total"
[rounds]
name = "ночь"
most = 4
[[columns]]
id = "loot"
title = "Золото"
[[columns]]
id = "brave"
title = "Храбр"
takes = "yes or no"
[[columns]]
id = "total"
title = "Сумма"
formula = "if(sum(loot) > 9 and sum(brave) != 3 or players < 3, max(loot), min(loot) + players)"
"""
TITLES = re.compile("|".join([*(SHIPPED[name].title for name in SHIPPED), "Skat", "PDF"]))


@pytest.fixture
def vault(tmp_path: Path, trusting: None) -> Path:
    """Return a vault in another script, with a game of its own."""
    entries = "".join(f"{json.dumps(text)} = {json.dumps(in_other_letters(text))}\n" for text in sorted(OURS))
    write_words(tmp_path, entries)
    (tmp_path / ".vaultkit/games").mkdir()
    (tmp_path / ".vaultkit/games/wolves.toml").write_text(WOLVES, "utf-8")
    return tmp_path


def shown_words(path: Path) -> set[str]:
    """Return the English words on the pages of a sheet, and those for screen readers."""
    from pypdf import PdfReader

    pages = [page.extract_text() for page in PdfReader(path).pages]
    with pikepdf.open(path) as pdf:
        fields = [field for field in pdf.acroform.fields if not field.fully_qualified_name.startswith("vaultkit.")]
        pages += [str(field.get_inheritable_field_value("/TU") or "") for field in fields]
        marks = [str(item.get_inheritable_field_value("/V")) for item in pdf.acroform.fields]
    text = TITLES.sub("", "\n".join(pages))
    return {word for word in re.findall("[A-Za-z]{2,}", text) if not any(word in mark for mark in marks)}


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["party", "one", "four"])
@pytest.mark.parametrize("game", sorted({*SHIPPED, *designs.design_files(None), "wolves"}))
def test_a_vault_gets_none_of_our_words_on_a_sheet(vk: Vaultkit, vault: Path, game: str, layout: str) -> None:
    done = vk("print", "scores", game, "--layout", layout, "--out", "s.pdf", "--title", "Ж", cwd=vault)
    if done.code != ExitCode.OK:
        assert "has no layout" in done.err or "more words than fit" in done.err
        return
    assert shown_words(vault / "s.pdf") <= {"PM"}, done.err


def texts_of(part: object) -> set[str]:
    """Return all texts of a design."""
    if isinstance(part, str):
        text = part if part in OURS else re.sub(r" \d+\Z", "", part)
        return {text} if re.search("[A-Za-z]{2}", part) else set()
    if isinstance(part, Struct):
        return set().union(
            *(texts_of(getattr(part, key)) for key in part.__struct_fields__ if key not in designs._KEYS)
        )
    values = part.values() if isinstance(part, dict) else part if isinstance(part, tuple) else ()
    return set().union(*map(texts_of, values))


@pytest.mark.parametrize("name", sorted({*designs.design_files(None), *GAMES}))
def test_every_text_of_a_shipped_design_is_in_the_list(name: str) -> None:
    path = designs.design_files(None)[name]
    design = designs.read_score_design(design_loader.parse_file(path), name)
    assert len(texts_of(design)) > 3 and sorted(texts_of(design) - OURS) == []


@pytest.mark.slow
def test_a_sheet_in_other_words_is_read_back(vk: Vaultkit, vault: Path) -> None:
    assert vk("print", "scores", "wolves", "--layout", "one", "--out", "b.pdf", cwd=vault).code == ExitCode.OK
    with pikepdf.open(vault / "b.pdf") as pdf:
        field = next(
            item
            for item in pdf.acroform.fields
            if item.fully_qualified_name == "night.1.brave" or item.fully_qualified_name.endswith(".1.brave")
        )
        key, (yes, no) = field.fully_qualified_name, [str(option) for option in field.obj.Opt if str(option)][-2:]
    assert (yes, no) == ("жжж", "жж")
    for name, brave, loot in (("Аня", yes, "4"), ("Ян", no, "6")):
        boxes = {"player": name, key: brave, key.replace("brave", "loot"): loot}
        (vault / f"foreign-{name}.pdf").write_bytes(by_pypdf((vault / "b.pdf").read_bytes(), boxes))
    done = vk("log", "--from", "foreign-Аня.pdf", "foreign-Ян.pdf", "--dry-run", "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    assert "Аня" in done.out and "Ян" in done.out


def test_formulas_are_written_in_the_words_of_a_vault() -> None:
    words = VaultWords({"sum of": "Summe von", "else": "sonst", "if": "wenn", "is": "ist", "number of players": "Zahl"})
    text = "if(players = 4, sum(points), 2 * max(points))"
    assert formula_text(text, {"points": "Punkte"}, words) == (
        "Summe von Punkte wenn Zahl ist 4, sonst 2 × highest of Punkte"
    )
    assert formula_text(text, {"points": "Points"}) == (
        "sum of Points if number of players is 4, else 2 × highest of Points"
    )


@pytest.mark.slow
def test_a_sheet_older_than_a_column_is_logged_with_a_remark(vk: Vaultkit, vault: Path) -> None:
    assert vk("print", "scores", "wolves", "--layout", "one", "--out", "b.pdf", cwd=vault).code == ExitCode.OK
    sheet = (vault / "b.pdf").read_bytes()
    with pikepdf.open(vault / "b.pdf") as pdf:
        names = [item.fully_qualified_name for item in pdf.acroform.fields]
        key = next(name for name in names if name.endswith(".1.loot"))
    definition = vault / ".vaultkit/games/wolves.toml"
    added = '[[columns]]\nid = "debt"\ntitle = "Долг"\n'
    definition.write_text(WOLVES.replace('[[columns]]\nid = "total"', f'{added}[[columns]]\nid = "total"'), "utf-8")
    for name, loot in (("Аня", "4"), ("Ян", "6")):
        (vault / f"foreign-{name}.pdf").write_bytes(by_pypdf(sheet, {"player": name, key: loot}))
    done = vk("log", "--from", "foreign-Аня.pdf", "foreign-Ян.pdf", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    assert "before it had a box for Долг, which counts as empty" in done.err
