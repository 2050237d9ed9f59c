"""`print cards --from` and `--tag`: options that do not go together, names that there are not, and the file."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), ExitCode.USAGE, "--from FOLDER, --tag TAG or --links NOTE"),
        (("tarokka", "--tag", "npc"), ExitCode.USAGE, "A deck and --tag do not go together."),
        (("--from", "itens"), ExitCode.NOTHING, "Did you mean '3-Mechanics/CLI/items'?"),
        (("--tag", "ncp"), ExitCode.NOTHING, "Did you mean '#npc'?"),
        (("--from", "items", "--tag", "npc"), ExitCode.NOTHING, "No note in 'items' has the tag '#npc'."),
        (("--from", "items", "--cards", "Crown of Ahs"), ExitCode.NOTHING, "Did you mean 'Crown of Ash'?"),
        (("--from", "../elsewhere"), ExitCode.NOTHING, "There is no folder '../elsewhere'"),
        (("--from", "items", "--frame", "no"), ExitCode.NOTHING, "There is no frame 'no'."),
    ],
)
def test_invalid_card_sources_are_refused(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    done = vk("print", "cards", *words, cwd=example)
    assert (done.code, message in done.err) == (code, True), done.err


@pytest.mark.slow
def test_cards_from_notes_are_printed_under_the_name_of_their_folder(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "cards", "--from", "items", "--cards", "Crown of Ash", "--json", cwd=example)
    assert done.json == {"file": "Sheets/items-cards.pdf", "pages": 1, "sheets": ["Crown of Ash"]}
