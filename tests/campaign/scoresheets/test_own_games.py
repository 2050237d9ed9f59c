"""The GM's own games on paper: examples that read back, answers in any spelling, and errors with lines."""

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.campaign.samples import NOW
from tests.campaign.scoresheets.making import paper_log
from tests.games.test_definition import sheet, single
from vaultkit.campaign.scoresheets.input_examples import example_toml
from vaultkit.campaign.scoresheets.input_formats import from_flags, from_toml
from vaultkit.campaign.scoresheets.paper_record import build_tally
from vaultkit.errors import InvalidError, UsageError
from vaultkit.vault import Vault

HOSTILE: Mapping[str, Mapping[str, Any]] = {
    "how of two lines": single(how="One for each pip\non the card.\r\n\r\nAll of them."),
    "title of two lines": single() | {"title": "Goose\nFair"},
    "column title of two lines": single(title="Pips\nand more"),
    "choice of two lines": single(takes=["red\nfox", "blue"], worth=[1, 2]),
    "a mark of TOML": single(how='""" # [[players]] \\ \u2028 = \'x\''),
    "a default": single(takes=["red", "blue"], worth=[1, 2], default="BLUE"),
    "steps": single(least=0.25, step=0.5),
    "rounds": single(how="a\nb") | {"rounds": {"name": "deal", "plural": "deals\nand more"}},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_example_is_a_file_that_reads_back(kind: str) -> None:
    own = sheet(HOSTILE[kind], "t")
    text = example_toml(own, {}, ("Ysolde\x7f",), date(2026, 11, 3))
    table = tomllib.loads(text)
    assert table["game"] == "t" and table["players"][0]["name"] == "Ysolde"
    assert all(line.startswith(("#", "[", "\n")) or "=" in line or not line for line in text.splitlines())
    filled = text.replace('pips = ""', "pips = 0.75" if kind == "steps" else 'pips = "blue"')
    assert build_tally(from_toml(filled, "a.toml"), own, {}).seats


@pytest.mark.parametrize("typed", ["CAF\u00c9", "cafe\u0301", "\uff23af\u00e9", " caf\u00e9\u200b ", "caf"])
def test_choice_is_recognized_in_any_unicode_composition(typed: str) -> None:
    own = sheet(single(takes=[unicodedata.normalize("NFD", "Caf\u00e9"), "bar"], worth=[1, 2]), "t")
    (seat,) = build_tally(from_flags([f"Ysolde: pips={typed}"]), own, {}).seats
    assert unicodedata.normalize("NFC", str(seat.answers["pips"])) == "Caf\u00e9"


def test_title_is_accepted_as_a_key_in_any_spelling() -> None:
    own = sheet({"title": "T", "players": [1, 4], "columns": [{"id": "p", "title": "Pünkte"}]}, "t")
    (seat,) = build_tally(from_flags([f"Ysolde: {unicodedata.normalize('NFD', 'PÜNKTE')}=3"]), own, {}).seats
    assert seat.answers["p"] == 3


RATIO = """title = "Ratio"
players = [1, 4]

[[columns]]
id = "hits"
title = "Hits"

[[columns]]
id = "shots"
title = "Shots"

[[columns]]
id = "share"
title = "Share"
formula = "hits / shots"
"""


def test_a_formula_without_a_value_names_the_player_and_the_line_of_the_file(vault: Vault) -> None:
    (vault.root / ".vaultkit/games").mkdir(parents=True)
    (vault.root / ".vaultkit/games/ratio.toml").write_text(RATIO, encoding="utf-8")
    log = paper_log(Vault(vault.root))
    rows = 'game = "ratio"\n[[players]]\nname = "Ann"\nhits = 1\nshots = 2\n'
    right = from_toml(rows, "s.toml")
    assert log.read(right).outcome.score(0) == 0.5 and log.now == NOW
    wrong = from_toml(f'{rows}[[players]]\nname = "Ben"\nhits = 3\nshots = 0\n', "s.toml")
    with pytest.raises(InvalidError, match="Share of Ben cannot be computed") as caught:
        log.read(wrong)
    assert caught.value.where == "s.toml:9" and ".vaultkit/games/ratio.toml:15" in caught.value.hint
    with pytest.raises(UsageError, match="divides by zero"):
        log.read(replace(from_flags(["Ann: hits=1"]), game="ratio"))
