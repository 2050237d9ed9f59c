"""Score sheets of the card games with many players, long names and the words of a German deck."""

import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets import lint
from tests.sheets.scoresheets.test_measures import LONG_NAMES
from vaultkit.games.registry import GAMES
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import PARTY, load_score_design, translate_rows
from vaultkit.sheets.scoresheets.score_sheet import print_scores

GERMAN = {
    "Swords": "Schwertkämpferinnen",
    "Stars": "Sternenbeobachter",
    "Glyphs": "Schriftzeichen",
    "Coins": "Münzsammlungen",
    "Crowns": "Königskronen",
    "Congregation": "Glaubensgemeinschaft",
    "Temple": "Tempelbezirke",
}


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", [name for name in GAMES if PARTY in load_score_design(name).layouts])
def test_no_word_of_a_full_table_is_broken(tmp_path: Path, game: str, paper: str) -> None:
    design = translate_rows(load_score_design(game), GERMAN)
    players = LONG_NAMES[: min(7, design.seats)]
    made = print_scores(game, PrintJob(paper, tmp_path / "s.pdf"), design=design, layout=PARTY, players=players)
    lines = [line.strip() for page in PdfReader(made.path).pages for line in page.extract_text().splitlines()]
    text = " ".join(lines)
    titles = [row.title for row in design.rows] + [name for row in design.rows for name in row.names.values()]
    for word in {word for title in titles for word in re.findall(r"[^\W\d]{3,}", title)}:
        assert word in text, (word, lines)
    assert lint.problems(made.path) == []
