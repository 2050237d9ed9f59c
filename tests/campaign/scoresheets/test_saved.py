"""Saved scores from paper, which lie beside the journals and share their ids."""

from pathlib import Path

import pytest

from vaultkit.campaign.scoresheets.paper_game import find_tally
from vaultkit.errors import NothingFound

TALLY, JOURNAL = "20261103-dragon-citadel-k3f9", "20261104-fate-a3f9"


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    (tmp_path / f"{TALLY}.json").write_bytes(b"{}")
    (tmp_path / f"{JOURNAL}.journal").write_bytes(b"")
    return tmp_path


@pytest.mark.parametrize("wanted", [TALLY, "k3f9", "K3F9"])
def test_scores_are_found_by_their_id_or_its_end(journals: Path, wanted: str) -> None:
    found = find_tally(journals, wanted)
    assert found and found.id == TALLY


@pytest.mark.parametrize("wanted", [JOURNAL, "a3f9", "z", ""])
def test_game_with_a_journal_has_no_saved_scores(journals: Path, wanted: str) -> None:
    assert find_tally(journals, wanted) is None


@pytest.mark.parametrize("wanted", ["3f9", "9"])
def test_id_ending_shared_by_scores_and_a_journal_is_ambiguous(journals: Path, wanted: str) -> None:
    with pytest.raises(NothingFound, match=f"Several games end in '{wanted}'") as raised:
        find_tally(journals, wanted)
    assert raised.value.hint == f"Name one of: {JOURNAL}, {TALLY}."
