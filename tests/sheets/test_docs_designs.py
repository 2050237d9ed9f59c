"""The examples of docs/printing/designs: each is a valid design, and each page names every key."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pages import read_blocks
from vaultkit.errors import InvalidError
from vaultkit.sheets.aids import load_aids
from vaultkit.sheets.cards.print_card import load_frame
from vaultkit.sheets.export.vendor import load_vendor
from vaultkit.sheets.notecards.kinds import load_kind
from vaultkit.sheets.paper import load_stock
from vaultkit.sheets.scoresheets.design import load_score_design as load_score
from vaultkit.theme.back_design import load_back
from vaultkit.theme.design_loader import find
from vaultkit.theme.font_registry import check_own_faces
from vaultkit.theme.model import Theme

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "printing" / "designs"
PAGES = sorted(FOLDER.glob("*.md"))
_KEY = re.compile(r"`([a-z-]+)`")


def load_fonts(_: str, vault: Path) -> object:
    """Load the example's fonts, with a shipped file in place of each font that it names."""
    place = vault / ".vaultkit" / "print"
    (place / "fonts").mkdir(exist_ok=True)
    for name in re.findall(r'"([^"]+\.ttf)"', (place / "fonts.toml").read_text(encoding="utf-8")):
        (place / "fonts" / name).write_bytes(find("fonts/JetBrainsMono-Regular.ttf", None).read_bytes())
    return check_own_faces(vault)


LOADERS: dict[str, Callable[[str, Path], object]] = {
    "paper": lambda _, vault: load_stock(vault),
    "themes": lambda name, vault: Theme(vault, name).colour_code("ink"),
    "frames": load_frame,
    "backs": load_back,
    "sheets": lambda name, vault: load_score(name.removesuffix("-score"), vault),
    "aids": load_aids,
    "vendors": load_vendor,
    "notecards": load_kind,
    "fonts": load_fonts,
}
FREE = {("paper", "papers"), ("paper", "cards"), ("themes", "suits"), ("sheets", "options"), ("aids", "traits")}
"""Tables whose keys are chosen by people."""


@pytest.fixture(params=PAGES, ids=lambda page: page.stem)
def example(request: pytest.FixtureRequest) -> tuple[str, Path, str]:
    """Return the text of a page, the path of its design within a vault, and the design."""
    text = request.param.read_text(encoding="utf-8")
    (block,) = (block for block in read_blocks(text) if block.path)
    return text, Path(block.path), block.text


def load(path: Path, design: str, vault: Path) -> object:
    """Load the design from a vault that contains nothing else."""
    file = vault / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(design, encoding="utf-8")
    return LOADERS[kind(path)](path.stem, vault)


def kind(path: Path) -> str:
    return path.stem if path.parent.name == "print" else path.parent.name


def tables(found: Mapping[str, Any], name: str = "") -> Iterator[str]:
    """Yield the headers of the tables of a design, beginning with "" for the whole."""
    yield name
    for key, value in found.items():
        if isinstance(value, dict):
            yield f"[{key}]"
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"[[{key}]]"


def test_every_kind_of_design_has_a_page() -> None:
    blocks = (block for page in PAGES for block in read_blocks(page.read_text(encoding="utf-8")))
    assert {kind(Path(block.path)) for block in blocks if block.path} == set(LOADERS)


def test_page_documents_every_key(example: tuple[str, Path, str], tmp_path: Path) -> None:
    """Each key that an error lists as accepted, for each table of the example, is named on the page."""
    text, path, design = example
    told = set(_KEY.findall(text))
    assert load(path, design, tmp_path)
    for number, header in enumerate(tables(tomllib.loads(design))):
        if not header.startswith("[") or (kind(path), header.strip("[]")) not in FREE:
            wrong = design.replace(header, f"{header}\nno-such-key = 1", 1) if header else f"no-such-key = 1\n{design}"
            with pytest.raises(InvalidError) as refused:
                load(path, wrong, tmp_path / str(number))
            assert "Unknown key 'no-such-key'" in refused.value.message
            accepted = set(refused.value.hint.removeprefix("Accepted: ").rstrip(".").split(", "))
            assert accepted <= told, header
