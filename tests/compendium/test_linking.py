"""Card names made into links."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compendium.making import BIRDS, TABLE, deck_of
from tests.vault.making import make_files
from vaultkit.campaign.settings_edit import settings_splice
from vaultkit.compendium import Compendium, DeckNote
from vaultkit.compendium.linking.card_linker import CardLinker, Edit, decks_for, refuse_own_notes
from vaultkit.compendium.linking.card_targets import find_backlinks
from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.settings import VAULT_CONFIG_PATH
from vaultkit.vault import Note, Vault

MARKDOWN = '{"useMarkdownLinks": true}'


@pytest.fixture
def compendium(tmp_path: Path) -> Compendium:
    return Compendium(make_files(tmp_path, {"Decks/Birds.md": BIRDS, "Decks/Fish.md": TABLE, "Rules.md": "x"}))


def linker(compendium: Compendium, *, any_case: bool = False, first: bool = False) -> CardLinker:
    return CardLinker(compendium.vault, compendium.decks, any_case, first)


def linked(compendium: Compendium, text: str, *, first: bool = False) -> str:
    read = Note("Rules.md", text.encode())
    splice = linker(compendium, first=first).plan(read)
    return splice.apply(read.text) if splice else read.text


def edit(compendium: Compendium, text: str) -> Edit:
    return linker(compendium).edit(Note("Rules.md", text.encode()))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("The Raven's eye", "The [[Birds#Raven|Raven]]'s eye"),
        ("Two **Ravens** and", "Two **[[Birds#Raven|Ravens]]** and"),
        ("> - _hooded ones_\r\n", "> - _[[Birds#Hooded One|hooded ones]]_\r\n"),
        ("| Raven |\n|---|\n| RAVEN |", "| [[Birds#Raven\\|Raven]] |\n|---|\n| [[Birds#Raven\\|RAVEN]] |"),
        ("# Raven\n[[Raven]] `Raven` Raven #Raven", "# Raven\n[[Raven]] `Raven` [[Birds#Raven|Raven]] #Raven"),
        ("a[^1]\n\n[^1]: Raven", "a[^1]\n\n[^1]: [[Birds#Raven|Raven]]"),
        ("Carp, Pikes", "[[Fish#All of Them|Carp]], [[Fish#All of Them|Pikes]]"),
        ("nothing here", "nothing here"),
    ],
)
def test_names_become_links(compendium: Compendium, text: str, after: str) -> None:
    assert linked(compendium, text) == after
    assert linked(compendium, after) == after


@pytest.mark.parametrize(
    ("app", "text", "after"),
    [
        (MARKDOWN, "| Hooded Ones |\n|---|", "| [Hooded Ones](Birds.md#Hooded%20One) |\n|---|"),
        ('{"newLinkFormat": "absolute"}', "Raven", "[[Decks/Birds#Raven|Raven]]"),
        ('{"newLinkFormat": "relative"}', "Raven", "[[../Decks/Birds#Raven|Raven]]"),
    ],
)
def test_r9_links_follow_the_style_of_the_vault(tmp_path: Path, app: str, text: str, after: str) -> None:
    files: dict[str, str | bytes] = {"Decks/Birds.md": BIRDS, "Games/Rules.md": text, ".obsidian/app.json": app}
    found = Compendium(make_files(tmp_path, files))
    read = found.vault.read("Games/Rules.md")
    splice = linker(found).plan(read)
    assert splice is not None and splice.apply(read.text) == after


def test_all_mentions_are_one_splice_without_other_changes(compendium: Compendium) -> None:
    text = "---\na: 'Raven' # kept\n---\nMy Raven, `Raven`, Raven\t \nend"
    splice = linker(compendium).plan(Note("Rules.md", b"\xef\xbb\xbf" + text.encode()))
    assert splice is not None
    assert (splice.removed, splice.offset) == ("Raven, `Raven`, Raven", text.index("Raven,"))
    assert splice.inverse().apply(splice.apply(text)) == text


def test_links_are_reported_with_the_place_of_the_names(compendium: Compendium) -> None:
    told = [
        (made.line, made.column, made.text, made.target)
        for made in edit(compendium, "é Raven\n\n😀 Ravens, Carp").links
    ]
    birds, fish = "Decks/Birds.md#Raven", "Decks/Fish.md#All of Them"
    assert told == [(1, 3, "Raven", birds), (3, 3, "Ravens", birds), (3, 11, "Carp", fish)]


def test_option_first_links_each_card_once(compendium: Compendium) -> None:
    once = linked(compendium, "Raven, Ravens, Carp, Raven", first=True)
    assert once == "[[Birds#Raven|Raven]], Ravens, [[Fish#All of Them|Carp]], Raven"
    assert linked(compendium, once, first=True) == once
    assert linked(compendium, "Raven ([it](Decks/Birds.md#raven))", first=True) == "Raven ([it](Decks/Birds.md#raven))"


def test_s2_card_whose_heading_cannot_be_linked_is_skipped(compendium: Compendium) -> None:
    birds = compendium.deck("birds")
    entries = tuple(replace(entry, link=f"Decks/Birds.md#{entry.card.name}") for entry in birds.entries)
    made = CardLinker(compendium.vault, [replace(birds, entries=entries)])
    found = made.edit(Note("Rules.md", b"Owl, Raven and Owl"))
    assert ([link.text for link in found.links], found.left) == (["Raven"], ("Owl",))


def test_s3_a_heading_with_a_colon(compendium: Compendium) -> None:
    (made,) = edit(compendium, "the Sea: Gull").links
    assert made.target == "Decks/Birds.md#Sea Gull"


def test_name_in_two_decks_is_not_linked_and_is_reported(tmp_path: Path) -> None:
    other = "---\nvaultkit-deck: night\n---\n### Raven\n### Bat\n"
    found = edit(Compendium(make_files(tmp_path, {"Birds.md": BIRDS, "Night.md": other})), "Raven, Bat, Ravens, Raven")
    assert ([made.text for made in found.links], [one.text for one in found.unclear]) == (["Bat"], ["Raven", "Ravens"])


def test_unsafe_mentions_are_not_linked(compendium: Compendium, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the linker writes is read back; here it breaks the table's second row, and only that is left."""
    made = linker(compendium)
    written = made._linker.link
    monkeypatch.setattr(made._linker, "link", lambda *args: written(*args).replace("\\|Raven]]", "|Raven]]"))
    text = "Raven, Carp\n\n| a | b |\n|---|---|\n| Raven | Carp |\n| Hooded One | x |\n"
    found = made.edit(Note("Rules.md", text.encode()))
    assert [link.text for link in found.links] == ["Raven", "Carp", "Carp", "Hooded One"]
    assert found.left == ("Raven",)


@pytest.mark.parametrize("text", ["Raven*(a)*", "*a**Raven"])
def test_name_whose_link_would_change_the_emphasis_is_skipped(compendium: Compendium, text: str) -> None:
    found = edit(compendium, text)
    assert (found.splice, found.left) == (None, ("Raven",))


WORDS = ["Raven", "Ravens", "Hooded One", "Carp", "Owl", "é", "\n", "\r\n", "\n\n", " ", " ^id\n", "[[Birds#Raven]]"]
WORDS += ["Raven flies", "Queen", "raven", "hooded one", ". ", "the "]
MARKS = [
    "*",
    "**",
    "_",
    "`",
    "|",
    "\n|---|\n",
    "[[",
    "]]",
    "[",
    "](x)",
    "%%",
    "# ",
    "> ",
    "- ",
    "<b>",
    "$",
    "[^1]",
    "\\",
]
PIECES = st.sampled_from([*WORDS, *MARKS])


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.lists(PIECES, max_size=12).map("".join), property=st.booleans())
def test_edit_adds_only_links(compendium: Compendium, body: str, property: bool) -> None:
    before = Note("Rules.md", (f'---\nsee: "[[Birds]]"\n---\n{body}' if property else body).encode())
    found = linker(compendium).edit(before)
    after = Note("Rules.md", (found.splice.apply(before.text) if found.splice else before.text).encode())
    assert bool(found.links) == (found.splice is not None)
    assert len(after.links) == len(before.links) + len(found.links)
    assert [item.text for item in after.headings] == [item.text for item in before.headings]
    assert after.blocks == before.blocks
    again = linker(compendium).edit(after)
    assert (again.splice, again.left) == (None, found.left)
    if found.splice:
        bare = re.sub(r"\[\[(?:Birds|Fish)#[^|\]]*?\\?\|([^\]]*)\]\]", r"\1", found.splice.inserted)
        assert bare == re.sub(r"\[\[(?:Birds|Fish)#[^|\]]*?\\?\|([^\]]*)\]\]", r"\1", found.splice.removed)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.lists(PIECES, max_size=12).map("".join), any_case=st.booleans(), first=st.booleans())
def test_second_edit_finds_nothing_to_do(compendium: Compendium, body: str, any_case: bool, first: bool) -> None:
    """A link within stray asterisks may change what they emphasise, and so show one name more; that soon ends."""
    made, text = linker(compendium, any_case=any_case, first=first), body
    for _ in range(1 + body.count("*")):
        splice = made.plan(Note("Rules.md", text.encode()))
        if splice is None:
            return
        text = splice.apply(text)
    assert made.plan(Note("Rules.md", text.encode())) is None


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Raven hooded one", "Raven [[Birds#Hooded One|hooded one]]"),
        ("Ravens fly, the Raven too", "[[Birds#Raven|Ravens]] fly, the [[Birds#Raven|Raven]] too"),
        ("Raven [[Owl]], Raven Queen", "[[Birds#Raven|Raven]] [[Owl]], Raven Queen"),
        ("Raven Carp", "[[Birds#Raven|Raven]] [[Fish#All of Them|Carp]]"),
    ],
)
def test_added_link_creates_no_new_mentions(compendium: Compendium, text: str, after: str) -> None:
    assert linked(compendium, text) == after
    assert linked(compendium, after) == after


# Read backwards


def test_every_added_link_is_a_backlink(compendium: Compendium, tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Rules.md": linked(compendium, "Raven, Hooded Ones, Pike, Ravens")})
    uses = [use.text for deck in Compendium(vault).decks for use in find_backlinks(vault, deck)]
    assert uses == ["Raven", "Hooded Ones", "Ravens", "Pike"]


@pytest.mark.parametrize(
    ("deck", "after"),
    [
        (deck_of("Bat.md", ("Bat", "Bat.md", 1), ("Owl", "Owl.md", 1)), "[[Bat]], [[Owl|Owls]]"),
        (deck_of("Log.md", ("Bat", "Log.md", 3), ("Owl", "Log.md", 4)), "[[Log|Bat]], [[Log|Owls]]"),
        (deck_of("Log.md", ("Bat", "All.md#Bat", 3), ("Owl", "All.md#Owl", 4)), "[[All#Bat|Bat]], [[All#Owl|Owls]]"),
        (deck_of("Log.md", ("Bat", "No#1.md#Bat", 3), ("Owl", "None.md#Owl", 4)), "Bat, Owls"),
    ],
    ids=["a note for each card", "a table without a heading", "headings of another note", "what cannot be reached"],
)
def test_cards_are_linked_in_every_form_of_a_deck(tmp_path: Path, deck: DeckNote, after: str) -> None:
    cards = {"Bat.md": "# Bat", "Owl.md": "## Food\n", "All.md": "# Bat\n# Owl\n", "Log.md": "", "No#1.md": "# Bat"}
    own = {entry.link.partition("#")[0] for entry in deck.entries}  # another note called Bat would be meant instead
    kept = {path: text for path, text in cards.items() if path in own or path not in ("Bat.md", "Owl.md")}
    vault = make_files(tmp_path, {**kept, "Rules.md": "Bat, Owls"})
    found = CardLinker(vault, [deck]).edit(vault.read("Rules.md"))
    assert (found.splice.apply("Bat, Owls") if found.splice else "Bat, Owls") == after
    (tmp_path / "Rules.md").write_text(after)
    uses = [(use.card.card.name, use.text) for use in find_backlinks(Vault(tmp_path), deck)]
    assert uses == ([("Bat", "Bat"), ("Owl", "Owls")] if found.splice else [])


# Which decks


def test_note_uses_the_decks_it_links_or_all_decks(compendium: Compendium) -> None:
    def kinds(text: str) -> list[str]:
        return [deck.deck.kind for deck in decks_for(compendium, Note("Rules.md", text.encode()))]

    assert kinds("no link at all") == ["birds", "fish"]
    assert kinds("[[Fish]] [x](https://y.z)") == ["fish"]
    assert kinds("[a](Decks/Birds.md#Raven) [[Fish#All of Them]]") == ["birds", "fish"]


def test_rule_note_uses_the_deck_of_its_game(compendium: Compendium, tmp_path: Path) -> None:
    rules = Note("Rules.md", b"[[Birds]] [[Pond]]")
    assert [deck.note.path for deck in decks_for(compendium, rules, "fish", "go-fish")] == ["Decks/Fish.md"]
    two = Compendium(make_files(tmp_path, {"Decks/Pond.md": TABLE}))
    assert [deck.note.path for deck in decks_for(two, rules, "fish", "go-fish")] == ["Decks/Pond.md"]
    with pytest.raises(InvalidError, match="no tarokka deck") as caught:
        decks_for(compendium, rules, "tarokka", "dragon-citadel")
    assert "init --with dragon-citadel" in caught.value.hint


def test_vault_without_decks_has_nothing_to_link(tmp_path: Path) -> None:
    bare = Compendium(make_files(tmp_path, {"A.md": "a"}))
    with pytest.raises(NothingFound, match="no deck"):
        decks_for(bare, Note("A.md", b"a"))
    with pytest.raises(InvalidError, match="no decktet deck"):
        decks_for(bare, Note("A.md", b"a"), "decktet", "turn-of-fate")


def test_own_notes_of_a_deck_are_refused(compendium: Compendium) -> None:
    refuse_own_notes(compendium.vault.read("Rules.md"), compendium.decks)
    with pytest.raises(UsageError, match="'Birds' itself") as caught:
        refuse_own_notes(compendium.vault.read("Decks/Birds.md"), compendium.decks)
    assert (caught.value.where, bool(caught.value.hint)) == ("Decks/Birds.md", True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('a = 1\r\n[link.picks] # x\r\nOwl = "b"\r\n\r\n[print]\r\n', 'Owl = "c"\r\nBat = "d"\r\n\r\n[print]'),
        ("[print]", '[print]\n\n[link.picks]\nOwl = "c"\nBat = "d"\n'),
        ('[link.picks]\n"Owl" = "c"\n"Bat" = "d"\n', None),
    ],
)
def test_chosen_decks_are_saved_in_the_settings(before: str, after: str | None) -> None:
    splice = settings_splice(Note(VAULT_CONFIG_PATH, before.encode()), "link.picks", {"Owl": "c", "Bat": "d"})
    assert (splice is None) == (after is None)
    assert splice is None or (after or "") in splice.apply(before)
