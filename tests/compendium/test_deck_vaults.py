"""Every form of deck that GMs have, as whole small vaults in tests/vaults/decks-*."""

import shutil
from pathlib import Path

import pytest

from vaultkit.cards import Rank
from vaultkit.compendium import Compendium, DeckNote
from vaultkit.session.checks import every_check
from vaultkit.vault import Vault
from vaultkit.vault.checking.runner import run
from vaultkit.vault.links import Link

VAULTS = Path(__file__).parent.parent / "vaults"
NAMES = ("decks-converter", "decks-old-converter", "decks-card-notes", "decks-tables", "decks-translated")
Told = tuple[str, str, tuple[str, ...], Rank, str, str | None]


def open_vault(name: str) -> Compendium:
    return Compendium(Vault(VAULTS / name))


def told(deck: DeckNote) -> list[Told]:
    """Id, name, suits, rank, link and picture of every card; `*` stands for the deck note's own path."""
    return [
        (
            entry.card.id,
            entry.card.name,
            entry.card.suits,
            entry.card.rank,
            entry.link.replace(deck.note.path, "*"),
            entry.image,
        )
        for entry in deck.entries
    ]


def problems(compendium: Compendium) -> list[tuple[str, int, str]]:
    """What `vaultkit check` tells."""
    found = run(compendium.vault, every_check()).problems
    return [(problem.note, problem.line, problem.code) for problem in found]


def test_check_problems_of_the_deck_vaults() -> None:
    mirrors = "Mechanics/decks/deck-of-mirrors-hb.md"  # two Goblins, as in the converter's Deck of Illusions
    nana = "3-Mechanics/CLI/decks/deck-of-nana.md"  # unescaped quotes in aliases, as the converter once wrote them
    expected = {"decks-converter": [(mirrors, 25, "card-twice")], "decks-old-converter": [(nana, 3, "frontmatter")]}
    assert {name: problems(open_vault(name)) for name in NAMES} == {name: expected.get(name, []) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_card_is_at_the_target_of_its_link(name: str) -> None:
    compendium = open_vault(name)
    vault = compendium.vault
    for deck in compendium.decks:
        assert deck.sound and len(deck.by_id) == len(deck.entries)
        for entry in deck.entries:
            path, _, subpath = entry.link.partition("#")
            found = vault.resolve(Link("wikilink", False, "", path, subpath, 1, 1, 0, 0), "x.md")
            assert (found.status, found.path) == ("ok", path)
            assert entry.image is None or vault.file(entry.image).is_file()
            assert 1 <= entry.line <= vault.read(path).text.count("\n") + 1


@pytest.mark.short(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("end", ["\r\n", "no final newline"])
def test_line_ends_make_no_difference(tmp_path: Path, name: str, end: str) -> None:
    """Git keeps `\\n` only; on people's disks the same decks have CRLF, or no line end at the end."""
    copy = Path(shutil.copytree(VAULTS / name, tmp_path / "vault"))
    for file in copy.rglob("*.md"):
        data = file.read_bytes()
        file.write_bytes(data.replace(b"\n", b"\r\n") if end == "\r\n" else data.rstrip(b"\n"))
    again, first = Compendium(Vault(copy)), open_vault(name)
    assert [deck.entries for deck in again.decks] == [deck.entries for deck in first.decks]
    assert [deck.problems for deck in again.decks] == [deck.problems for deck in first.decks]


def test_new_converter_decks() -> None:
    embers, omens, mirrors = open_vault("decks-converter").decks
    lamplighter, tinker = "Mechanics/decks/img/embers-lamplighter.png", "Mechanics/decks/img/the tinker.png"
    assert (embers.deck.kind, embers.deck.title) == ("deck-of-embers-hb", "Deck of Embers")
    assert told(embers) == [
        ("lamplighter", "Lamplighter", ("Sparks",), 1, "*#Lamplighter", lamplighter),
        ("tinker", "Tinker", ("Sparks",), "Master", "*#Tinker", tinker),
        ("collier", "Collier", ("Cinders",), 1, "*#Collier", None),
        ("ash-widow", "Ash Widow", ("Cinders",), "Master", "*#Ash Widow", None),
        ("cinders", "Cinders", (), None, "*#Cards#Cinders", None),
        ("wheel-of-fire", "Wheel of Fire", (), None, "*#Wheel of Fire", None),
    ]
    assert embers.entries[-1].text == "It turns, and nobody stands beside it."
    assert told(omens) == [
        ("you-the-deck-s-owner", "You (The Deck's Owner)", (), None, "*#You (The Deck's Owner)", None),
        ("fool-s-errand", "Fool's Errand", (), None, "*#Fool's Errand", None),
        ("balance", "Balance", (), None, "*#Balance", None),
    ]
    assert [entry.text.split("\n")[-1] for entry in omens.entries] == [
        "Nothing happens, > [!note] and that in mid-sentence is the worst of it.",
        "Still the errand.",
        "| 2    | Down   |",
    ]
    assert told(mirrors) == [
        ("goblin", "Goblin", ("Hearts",), 2, "*#Goblin", None),
        ("kobold", "Kobold", ("Hearts",), 3, "*#Kobold", None),
        ("goblin-2", "Goblin (2)", ("Clubs",), 2, "*#Goblin", None),
    ]
    assert mirrors.entries[-1].text == "This one has the other ear torn."


def test_old_converter_decks() -> None:
    compendium = open_vault("decks-old-converter")
    door, shell = "3-Mechanics/CLI/decks/img/door-cellar.png", "z-assets/shell-conch.png"
    assert {deck.note.name: told(deck) for deck in compendium.decks} == {
        "deck-of-bells": [
            ("first-bell", "First Bell", (), None, "*#First Bell", None),
            ("last-bell", "Last Bell", (), None, "*#Last Bell", None),
        ],
        "deck-of-doors": [
            ("cellar-door", "Cellar Door", ("Locks",), 2, "*#Cellar Door", door),
            ("stage-door", "Stage Door", ("Keys",), 3, "*#Stage Door", None),
        ],
        "deck-of-nana": [("rolling-pin", "Rolling Pin", ("Kitchens",), "Ace", "*#Rolling Pin", None)],
        "deck-of-shells": [("conch", "Conch", ("Tides",), 1, "*#Conch", shell)],
    }
    assert compendium.deck("doors, deck of").note.name == "deck-of-doors"


def test_deck_with_one_note_for_each_card() -> None:
    cups, fates, sea, weather = open_vault("decks-card-notes").decks
    assert (cups.note.path, cups.headed, cups.names) == (
        "Cups/Cups.md",
        True,
        ("cups", "Cups and Coins", "Cups", "Tavern Deck"),
    )
    assert told(cups) == [
        ("penny", "Penny", ("Coins",), 1, "Cups/Low/Penny.md", "Cups/Low/penny.png"),
        ("heavy-purse", "Heavy Purse", ("Cups", "Coins"), "Master", "Cups/Low/Purse.md", None),
        ("sober-monk", "Sober Monk", ("Cups",), 1, "Cups/Low/Sober Monk.md", "Attachments/monk.png"),
        ("spilled-ale", "Spilled Ale", ("Cups",), 2, "Cups/Low/Spilled Ale.md", "Cups/art/ale.png"),
        ("the-landlord", "The Landlord", (), None, "Cups/The Landlord.md", None),
    ]
    texts = {entry.card.id: entry.text for entry in cups.entries}
    assert (texts["penny"], texts["heavy-purse"]) == ("Bent, and bitten.", "*It clinks.*")
    assert texts["sober-monk"].startswith("He watches, and remembers.\n\n## Upright")
    assert dict(cups.by_id["sober-monk"].card.traits) == {"season": "autumn"}
    assert {entry.line for entry in cups.entries} == {1}
    assert (fates.note.path, fates.headed, fates.names) == ("Fates/Broken Oar.md", False, ("fates", "Fates"))
    assert [entry.card.name for entry in fates.entries] == ["Broken Oar", "Drowned Bell", "Silver Key"]
    assert [told(deck) for deck in (weather, sea)] == [
        [("fog", "Fog", (), None, "*#Weather Deck", None), ("hail", "Hail", (), None, "*#Weather Deck", None)],
        [("calm", "Calm", (), None, "*#Calm", None), ("squall", "Squall", (), None, "*#Squall", None)],
    ]


def test_tables_with_pictures_texts_and_notes() -> None:
    (birds,) = open_vault("decks-tables").decks
    assert told(birds) == [
        ("lark", "Lark", ("Field",), 1, "Birds/Lark.md", "Birds/lark.png"),
        ("the-carrion-crow", "The Carrion Crow", ("Field",), 2, "Birds/Crow.md", "Attachments/crow.png"),
        ("stork", "Stork", ("Field",), "Crown", "*#Field", "pics/stork.png"),
        ("gull", "Gull", ("Shore",), 1, "*#Shore", None),
        ("tern", "Tern", ("Shore", "Field"), 2, "Birds/Tern.md", None),
        ("the-owl", "The Owl", (), None, "*#The Owl", None),
    ]
    assert [entry.text for entry in birds.entries][:5] == [
        "First up, first heard.",
        "It has **seen** you.\nGo.",
        "A [[Lark|small]] thing.",
        "Loud.\n\nLose a hat.",
        "It comes back.",
    ]
    assert [dict(entry.card.traits) for entry in birds.entries][:3] == [{"omen": "dawn"}, {"omen": "dusk"}, {}]
    assert [entry.line for entry in birds.entries] == [1, 1, 14, 20, 1, 24]


def test_decks_in_other_languages() -> None:
    decktet, vallon, tavola = open_vault("decks-translated").decks
    assert (len(decktet.deck), decktet.by_id["2mk"].card.name) == (36, "Schreiber")
    assert decktet.by_id["3ly"].card.suits == ("Leaves", "Wyrms")
    assert told(vallon) == [
        ("le-corbeau", "Le Corbeau", (), None, "Glyphes/Le Corbeau.md", None),
        ("le-guerrier", "Le Guerrier", ("Swords",), "Master", "Glyphes/Le Guerrier.md", None),
        ("le-pont", "Le Pont", ("Stars", "Swords"), 2, "Glyphes/Le Pont.md", None),
        ("le-transmutateur", "Le Transmutateur", ("Stars",), 1, "Glyphes/Le Transmutateur.md", None),
    ]
    assert told(tavola) == [
        ("la-sete", "La Sete", ("Cups",), 3, "*#La Sete", None),
        ("il-ladro", "Il Ladro", ("Cups",), "Jack", "*#Il Ladro", None),
        ("il-matto", "Il Matto", (), None, "*#Il Matto", None),
    ]
    assert tavola.by_id["il-ladro"].text == "*Tre volte la notte chiama.*"
