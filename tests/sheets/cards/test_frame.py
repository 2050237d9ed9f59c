from pathlib import Path

import pytest

from tests.wording import Says
from vaultkit.errors import InvalidError, UsageError
from vaultkit.resources import shipped_folder
from vaultkit.sheets.cards.print_card import SAFE_MARGIN_UM, load_frame
from vaultkit.theme.lengths import points

FRAMES = sorted(path.stem for path in (shipped_folder("print") / "frames").glob("*.toml"))


def write_frame(vault: Path, text: str) -> Path:
    """Write a frame `mine` into the vault, and return the vault."""
    folder = vault / ".vaultkit" / "print" / "frames"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return vault


CLASSIC = (shipped_folder("print") / "frames" / "classic.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FRAMES)
def test_p4_shipped_frames_keep_words_in_the_safe_zone(name: str) -> None:
    frame = load_frame(name, None)
    assert frame.text_inset >= points(SAFE_MARGIN_UM)
    assert frame.foot_line >= points(SAFE_MARGIN_UM)
    assert all(line.inset >= 2.5 * 72 / 25.4 for line in frame.lines), "a thin line within 2.5 mm of the cut"


def test_frame_of_the_vault_is_preferred(tmp_path: Path) -> None:
    assert load_frame("mine", write_frame(tmp_path, CLASSIC.replace('"13pt"', '"15pt"'))).title.size == 15.0


def test_unknown_frame_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_frame("clasic", write_frame(tmp_path, CLASSIC))
    assert caught.value.hint == Says("Frames", "aid", "classic", "full", "mine", "parchment", "plain", "view")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("layout", "lay-out", "Unknown key 'lay-out'"),
        ('"above"', '"below"', "'layout' cannot be 'below'"),
        ('text-inset = "6.2mm"', 'text-inset = "2mm"', "'text-inset' must be from 3 to 15 mm"),
        ('picture-inset = "4.6mm"', 'picture-inset = "40mm"', "'picture-inset' must be from 0 to 15 mm"),
        ('"13pt"', '"1400pt"', "'size' must be from 7 to 30 pt"),
        ('width = "1.1pt"', 'width = "2in"', "'width' must be from 0 to 3 mm"),
        ("picture-most = 56", "picture-most = 90", "from 20 to 70"),
        ('colour = "suit"', 'colour = "#ff0000"', "'colour' cannot be '#ff0000'"),
        ('"13pt"', '"thirteen"', "is not a length"),
    ],
)
def test_mistake_in_a_frame_is_reported(tmp_path: Path, before: str, after: str, message: str) -> None:
    assert before in CLASSIC
    with pytest.raises(InvalidError, match=message) as caught:
        load_frame("mine", write_frame(tmp_path, CLASSIC.replace(before, after)))
    assert caught.value.where.startswith(".vaultkit/print/frames/mine.toml")
