from pathlib import Path

import pytest

from tests.compendium.making import problems as check
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit import resources
from vaultkit.compendium import Compendium
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.vault import Vault
from vaultkit.vault.links import Link

GAMES = ["Prophet's Gambit", "Deck of Destiny", "Propheta", "Turn of Fate", "Dragon Citadel"]
DECK = "---\nvaultkit-deck: tarokka\n---\n## Cards\n### Ravne\n"


@pytest.fixture(scope="module")
def example() -> Compendium:
    return Compendium(Vault(resources.shipped_folder("vault-example")))


@pytest.mark.slow
def test_example_vault_has_no_problems(example: Compendium) -> None:
    assert check(example.vault) == ()


@pytest.mark.parametrize(("kind", "count"), [("tarokka", 54), ("decktet", 36), ("astromancy", 48), ("french52", 52)])
def test_the_example_decks(example: Compendium, kind: str, count: int) -> None:
    deck = example.deck(kind)
    assert (len(deck.deck), deck.sound, len(deck.by_id)) == (count, True, count)
    assert example.deck_of_kind(kind, "propheta") is deck


def test_every_tarokka_card_has_picture_text_and_link(example: Compendium) -> None:
    vault = example.vault
    for entry in example.deck("Tarokka Deck").entries:
        path, _, subpath = entry.link.partition("#")
        link = Link("wikilink", False, "", path, subpath, 1, 1, 0, 0)
        assert vault.resolve(link, "Home.md").status == "ok"
        assert entry.image is not None and vault.file(entry.image).is_file()
        assert entry.text and "![" not in entry.text and "*" not in entry.text[:1]
        assert vault.read(path).text.splitlines()[entry.line - 1] == f"### {entry.card.name}"
        assert bool(entry.card.suits) == (entry.card.rank is not None) == (entry.card.traits["deck"] == "common")


@pytest.mark.parametrize("title", GAMES)
def test_the_example_rule_notes(example: Compendium, title: str) -> None:
    found = example.rule_note(title.lower().replace("'", "").replace(" ", "-"), [title])
    assert found is not None and title.casefold() in found.note.title.casefold()


def test_deck_is_found_by_other_names(tmp_path: Path) -> None:
    note = "---\nvaultkit-deck: own\naliases: [Cups]\n---\n# The Cup Deck\n### A\n"
    compendium = Compendium(make_files(tmp_path, {"x/Cup Note.md": note}))
    for name in ("own", "CUPS", "the cup deck", "Cup Note"):
        assert compendium.deck(name).deck.kind == "own"
    with pytest.raises(NothingFound, match="no deck 'Cupz'") as caught:
        compendium.deck("Cupz")
    assert caught.value.hint == "Did you mean 'Cups'?"


def kinds(*names: str) -> dict[str, str | bytes]:
    return {f"{name}.md": f"---\nvaultkit-deck: {name}\n---\n# The {name.title()} Deck\n### A\n" for name in names}


@pytest.mark.parametrize("name", ["x/Cup Note.md", "X/cup note", "x\\Cup Note.md"])
def test_deck_is_found_by_the_listed_path(tmp_path: Path, name: str) -> None:
    files = kinds("own") | {"x/Cup Note.md": "---\nvaultkit-deck: own\n---\n# The Cup Deck\n### B\n"}
    assert Compendium(make_files(tmp_path, files)).deck(name).note.path == "x/Cup Note.md"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Harow", "Did you mean 'harrow'?"),
        ("The Harow Dek", "Did you mean 'The Harrow Deck'?"),
        ("Mistt", "Did you mean 'Cards of Mist'?"),
        ("Inn", "The note 'Inn.md' has no property 'vaultkit-deck', which says that it is a deck."),
        (
            "Hall",
            "The property 'vaultkit-deck' of 'Hall.md' names no deck. Write its kind there; a # would begin a comment.",
        ),
        ("zzzz", "Decks: a1, a2, a3, a4, a5, a6, a7, a8 and 3 more; see: vaultkit deck."),
    ],
)
def test_name_of_another_note_finds_no_deck(tmp_path: Path, name: str, hint: str) -> None:
    mist = "---\nvaultkit-deck: mst\naliases: [Cards of Mist]\n---\n### A\n"
    many = kinds(*(f"a{number}" for number in range(1, 10)), "harrow")
    files = {**many, "m.md": mist, "Inn.md": "# Inn\n", "Hall.md": "---\nvaultkit-deck: #hall\n---\n### A\n"}
    with pytest.raises(NothingFound) as caught:
        Compendium(make_files(tmp_path, files)).deck(name)
    assert caught.value.hint == hint


def test_an_empty_vault(tmp_path: Path) -> None:
    compendium = Compendium(make_files(tmp_path, {}))
    assert (compendium.decks, compendium.rule_note("x", ["X"])) == ((), None)
    with pytest.raises(NothingFound) as nothing:
        compendium.deck("tarokka")
    assert nothing.value.hint == Says("Decks", "vault", "none")
    with pytest.raises(InvalidError, match="no tarokka deck of 54 cards, which propheta needs") as missing:
        compendium.deck_of_kind("tarokka", "propheta")
    assert "vaultkit init --with propheta" in missing.value.hint


def test_faulty_deck_cannot_be_used(tmp_path: Path) -> None:
    compendium = Compendium(make_files(tmp_path, {"Deck.md": DECK}))
    with pytest.raises(InvalidError, match="no card 'Ravne'") as caught:
        compendium.deck_of_kind("tarokka", "propheta")
    assert caught.value.where == "Deck.md:5"


def test_one_bad_note_stops_nothing(tmp_path: Path) -> None:
    compendium = Compendium(make_files(tmp_path, {"Bad.md": b"vaultkit-deck \xff", "Deck.md": DECK}))
    assert len(compendium.decks) == 1


def test_check_reports_deck_problems_once_and_only_where_requested(tmp_path: Path) -> None:
    broken = DECK.replace("tarokka\n", "tarokka\nb: c: d\n")
    vault = make_files(tmp_path, {"a/Deck.md": DECK, "b/Deck.md": broken, "c/None.md": "vaultkit-deck"})
    compendium = Compendium(vault)
    assert [(p.note, p.line, p.code) for p in check(compendium.vault)] == [
        ("a/Deck.md", 0, "card-missing"),
        ("a/Deck.md", 5, "card-unknown"),
        ("b/Deck.md", 0, "card-missing"),
        ("b/Deck.md", 6, "card-unknown"),
    ]
    assert [p.code for p in compendium.decks[1].problems] == ["frontmatter", "card-unknown", "card-missing"]
    assert check(compendium.vault, ["c"]) == ()


def test_rule_note_that_names_the_game_is_preferred(tmp_path: Path) -> None:
    said = "---\nvaultkit-game: Propheta\n---\nRules."
    files: dict[str, str | bytes] = {"Propheta.md": "Rules.", "z/House.md": said, "Other.md": "We play propheta."}
    compendium = Compendium(make_files(tmp_path, files))
    found = compendium.rule_note("propheta", ["Propheta"])
    assert found is not None and found.note.path == "z/House.md"


def test_rule_note_of_another_game_is_not_used(tmp_path: Path) -> None:
    note = "---\nvaultkit-game: turn-of-fate\n---\n"
    assert Compendium(make_files(tmp_path, {"Propheta.md": note})).rule_note("propheta", ["Propheta"]) is None
