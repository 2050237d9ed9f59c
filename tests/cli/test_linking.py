"""`links --add` and `deck --backlinks`, as a person runs them."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

RULES = "3-Mechanics/CLI/variant-rules/turn-of-fate.md"
DECKTET = "3-Mechanics/CLI/decks/decktet.md"
OWN = "---\nvaultkit-game: turn-of-fate\n---\n# Fates\n\nThe Sea, Ravens, the *Chance Meetings*, the Sea.\n"


@pytest.fixture
def own(example: Path) -> Path:
    """A GM's own rule note of a game that has the Decktet."""
    path = example / "Turn of Fate.md"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_link_shows_a_diff_and_writes_nothing(vk: Vaultkit, example: Path, own: Path) -> None:
    done = vk("links", "--add", "Turn of Fate.md", cwd=example)
    assert done.code == ExitCode.OK
    linked = (
        "The [[decktet#Sea|Sea]], Ravens, the *[[decktet#Chance Meeting|Chance Meetings]]*, the [[decktet#Sea|Sea]]."
    )
    assert [line for line in done.out.splitlines() if line[:1] in "+-"] == [
        *("--- a/Turn of Fate.md", "+++ b/Turn of Fate.md"),
        *("-The Sea, Ravens, the *Chance Meetings*, the Sea.", f"+{linked}"),
    ]
    assert "would link 3 names to 2 cards" in done.err and "add --write" in done.err
    assert own.read_text(encoding="utf-8") == OWN


@pytest.mark.slow
def test_link_writes_once_and_undo_reverts_it(vk: Vaultkit, example: Path, own: Path) -> None:
    done = vk("links", "--add", "Turn of Fate.md", "--write", "--first", cwd=example)
    assert "linked 2 names to 2 cards" in done.err and "Nothing was written" not in done.err
    written = own.read_text(encoding="utf-8")
    assert written == OWN.replace("The Sea", "The [[decktet#Sea|Sea]]").replace(
        "Chance Meetings", "[[decktet#Chance Meeting|Chance Meetings]]"
    )
    again = vk("links", "--add", "Turn of Fate.md", "--write", "--first", cwd=example)
    assert (again.code, again.out) == (ExitCode.OK, "")
    assert "no unlinked card names" in again.err and own.read_text(encoding="utf-8") == written
    assert vk("check", "Turn of Fate.md", cwd=example).code == ExitCode.OK
    vk("undo", cwd=example)
    assert own.read_text(encoding="utf-8") == OWN


@pytest.mark.slow
def test_link_json_is_one_document_for_one_note_and_a_list_for_several(vk: Vaultkit, example: Path, own: Path) -> None:
    one = vk("links", "--add", "Turn of Fate.md", "--json", cwd=example)
    assert one.json["note"] == "Turn of Fate.md"
    assert one.json["links"][0] == {"line": 6, "column": 5, "text": "Sea", "target": f"{DECKTET}#Sea"}
    assert len(one.json["links"]) == 3
    several = vk("links", "--add", "Turn of Fate.md", "House Rules", "--json", cwd=example).json
    assert [row["note"] for row in several] == ["Turn of Fate.md", "House Rules.md"]


@pytest.mark.slow
def test_link_uses_the_chosen_deck(vk: Vaultkit, example: Path, own: Path) -> None:
    texts = [
        made["text"]
        for made in vk("links", "--add", own.name, "--deck", "tarokka", "--json", cwd=example).json["links"]
    ]
    assert texts == ["Ravens"]
    done = vk("links", "--add", own.name, "--deck", "tarroka", cwd=example)
    assert done.code == ExitCode.NOTHING and "tarokka" in done.err


@pytest.mark.slow
def test_link_reports_names_shared_by_several_decks(vk: Vaultkit, example: Path) -> None:
    (example / "Inn.md").write_text("Then two Soldiers drew the Raven; a raven flew.\n", encoding="utf-8")
    done = vk("links", "--add", "Inn", cwd=example)
    said = "'Soldiers' is a card of 'Decktet' and of 'Tarokka Deck'; say which you mean: --deck NAME"
    assert said in done.err and "|Raven]]" in done.out
    assert "[[tarokka-deck-cos#Raven|raven]]" in vk("links", "--add", "Inn", "--any-case", cwd=example).out


@pytest.mark.slow
def test_link_leaves_a_generated_note_alone_unless_forced(vk: Vaultkit, example: Path) -> None:
    done = vk("links", "--add", RULES, "--write", cwd=example)
    assert done.code == ExitCode.WRITE and "generated compendium" in done.err and "--generated" in done.err
    done = vk("links", "--add", RULES, "--write", "--generated", cwd=example)
    assert done.code == ExitCode.OK and "next run of the converter" in done.err
    assert "[[decktet#Huntress|Huntress]]" in (example / RULES).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([DECKTET], ExitCode.USAGE, "belongs to the deck"),
        (["House Rulse"], ExitCode.NOTHING, "Did you mean 'House Rules.md'?"),
        ([], ExitCode.USAGE, "NOTE"),
    ],
)
def test_link_refuses_invalid_notes(vk: Vaultkit, example: Path, words: list[str], code: ExitCode, said: str) -> None:
    done = vk("links", "--add", *words, cwd=example)
    assert done.code == code and said in done.err and done.out == ""


@pytest.mark.slow
def test_backlinks_of_a_deck(vk: Vaultkit, example: Path) -> None:
    done = vk("deck", "decktet", "--backlinks", cwd=example)
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert ["Windfall", RULES, str(_line_of("[Windfall]", example)), "Windfall"] in rows
    assert [row[0] for row in rows] == sorted([row[0] for row in rows], key=[row[0] for row in rows].index)
    assert "No note links to" in done.err and "Ace of Moons" in done.err and "Windfall" not in done.err


def _line_of(text: str, example: Path) -> int:
    lines = (example / RULES).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.slow
def test_backlinks_as_json_are_in_each_card(vk: Vaultkit, example: Path) -> None:
    cards = {card["name"]: card for card in vk("deck", "decktet", "--backlinks", "--json", cwd=example).json["cards"]}
    number = _line_of("[Windfall]", example)
    column = (example / RULES).read_text(encoding="utf-8").splitlines()[number - 1].index("[Windfall]") + 1
    assert cards["Windfall"]["backlinks"] == [{"note": RULES, "line": number, "column": column, "text": "Windfall"}]
    assert cards["Author"]["backlinks"] == []
    assert "backlinks" not in vk("deck", "decktet", "--json", cwd=example).json["cards"][0]


@pytest.mark.slow
def test_link_recognizes_cards_by_rank_and_suit_and_skips_names_of_other_notes(vk: Vaultkit, example: Path) -> None:
    note, config = example / "Mine.md", example / ".vaultkit" / "config.toml"
    said = "The Seven of Swords, 3 of Glyphs, Master of Stars, seven of swords, a Rogue, each Paladin.\n"
    note.write_text(f"---\nvaultkit-game: prophets-gambit\n---\n{said}", encoding="utf-8")
    (example / "Rogue.md").write_text("", encoding="utf-8")
    (example / "Class.md").write_text("---\naliases: Paladin\n---\n", encoding="utf-8")
    before, settings = note.read_bytes(), config.read_bytes()
    told = vk("links", "--add", "Mine", cwd=example)
    assert [line.count("|Seven of Swords]]") for line in told.out.splitlines() if line[:2] == "+T"] == [1]
    assert "would link 3 names" in told.err and told.err.count("'Rogue' is also the note 'Rogue.md'") == 1
    assert "'Paladin' is also the note 'Class.md'" in told.err
    vk("links", "--add", "Mine", "--pick", "Rogue=tarokka:rogue", "--write", cwd=example)
    assert config.read_bytes() == settings + b'\n[link.picks]\nRogue = "tarokka:rogue"\n'
    assert "[[tarokka-deck-cos#Rogue|Rogue]]" in note.read_text(encoding="utf-8")
    vk("undo", cwd=example)
    assert (note.read_bytes(), config.read_bytes()) == (before, settings), "one entry of the history"
    refused = vk("links", "--add", "Mine", "--pick", "Rogue=Rouge", cwd=example)
    assert refused.code == ExitCode.NOTHING and "Did you mean 'Rogue'?" in refused.err
