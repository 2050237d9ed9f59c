"""P16: copies for players, which hold no secrets and report what is left out or included."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.compendium import Compendium
from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.card_sheet import CardSet, print_set
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.recaps import print_session
from vaultkit.sheets.rules.booklet import print_booklet
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.secrecy import Secrets
from vaultkit.vault import Vault

KINDS = ("secret", "gm", "dm")
INN = (
    "# The Inn\n\nA warm place. See [[#Cellar]].\n\n> [!secret] Truth\n> ## Hidden\n> The host is a spy.\n\n"
    "- a list\n  > [!GM]- More\n  > Poison.\n\n![[Plot]]\n\n![[Rumours]]\n\n```ad-dm\nTrapdoor.\n```\n\n"
    "```ad-note\nOpen.\n\n> [!dm]\n> Key.\n```\n\n> [!note] Fine\n> > [!secret]\n> > Nested.\n>\n> Kept."
    "\n\n## Cellar\n\nDamp."
)
HIDDEN = ("spy", "Poison", "murder", "Whisper", "Trapdoor", "Key", "Nested")
Print = Callable[..., PrintedFile]


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    plot, rumours = "---\ntags: [gm/plots]\n---\nA murder.", "Odd.\n\n> [!dm] x\n> Whisper."
    return make_files(tmp_path, {"Inn.md": INN, "Plot.md": plot, "Rumours.md": rumours})


def print_notes(vault: Vault, *names: str, hide: bool) -> PrintedFile:
    job = PrintJob("a4", vault.root / "out.pdf", secrets=Secrets(KINDS, hide))
    return print_rules([vault.read(f"{name}.md") for name in names], vault, job)


def test_p16_players_copy_contains_no_secret_and_states_it(vault: Vault) -> None:
    printed = print_notes(vault, "Inn", hide=True)
    words = text_of(printed.path)
    assert [word for word in HIDDEN if word in words] == []
    assert all(kept in words for kept in ("A warm place", "Odd.", "Open.", "Kept.", "Damp.", "players' copy"))
    assert printed.remarks == (Says("Left out", "7 secrets", "6 callouts", "1 embed"),)
    assert printed.left_out == {"callout": 6, "embed": 1} and "Inn.md" not in words
    assert problems(printed.path) == []


def test_p16_sheet_with_secrets_states_it_once(vault: Vault) -> None:
    printed = print_notes(vault, "Inn", hide=False)
    words = text_of(printed.path)
    assert all(word in words for word in HIDDEN) and "players' copy" not in words
    assert printed.remarks == (Says("7", "secrets", "--no-secrets"),)


def test_p16_a_note_with_the_tag_is_left_out_whole(vault: Vault) -> None:
    assert print_notes(vault, "Plot", hide=False).remarks[0].startswith("This sheet holds 1 secret for")
    printed = print_notes(vault, "Inn", "Plot", hide=True)
    assert printed.remarks[0] == Says("Left out", "players", "Plot.md", "tag") and printed.sheets == ("The Inn",)
    (vault.root / "Plan.md").write_text("#dm", encoding="utf-8")
    both = print_notes(vault, "Inn", "Plot", "Plan", hide=True)
    assert both.remarks[0] == Says("Left out", "players", "Plot.md", "Plan.md", "tags")
    with pytest.raises(InvalidError, match="only for the game master"):
        print_notes(vault, "Plot", hide=True)


def test_p16_players_copy_names_no_linked_secret_note(vault: Vault) -> None:
    (vault.root / "Inn.md").write_text("An [old deed](Plot.md), [[Plot|a map]] and [talk](Rumours.md).", "utf-8")
    words = text_of(print_notes(vault, "Inn", hide=True).path)
    assert "An old deed, a map and talk[a]." in words and "Rumours" in words and "Plot" not in words
    assert "Rumours.md" not in words
    assert "Plot.md" in text_of(print_notes(vault, "Inn", hide=False).path)


@pytest.mark.slow
def test_p16_no_part_of_a_secret_is_embedded_separately(vault: Vault) -> None:
    secrets = "```ad-gm\nA fence.\n\nDagger. ^a\n```\n\n> [!gm]\n> ## Attic\n> Ledger.\n>\n> Ghost. ^b\n"
    (vault.root / "Rumours.md").write_text(f"Odd. ^c\n\n{secrets}", "utf-8")
    (vault.root / "Inn.md").write_text("\n\n".join(f"![[Rumours#{at}]]" for at in ("^a", "Attic", "^b", "^c")), "utf-8")
    words = text_of(print_notes(vault, "Inn", hide=True).path)
    assert "Odd." in words and not any(word in words for word in ("Dagger", "Ledger", "Ghost"))


@pytest.mark.slow
def test_p16_a_booklet_for_players_holds_no_secret(vault: Vault) -> None:
    job = PrintJob("a4", vault.root / "book.pdf", secrets=Secrets(KINDS, hidden=True))
    booklet, read = print_booklet([vault.read("Inn.md")], vault, "a5", job)
    assert [word for word in HIDDEN if word in text_of(read.path) + text_of(booklet.path)] == []
    assert Says("Left out", "7 secrets", "6 callouts", "1 embed") in booklet.remarks


@pytest.mark.parametrize(("hide", "words"), [(True, "[stat block: Spy] [stat block: Crab]"), (False, "Armor Class 9")])
def test_p16_secret_stat_block_is_not_printed_for_players(vault: Vault, hide: bool, words: str) -> None:
    notes = {
        "Spy": "---\ntags: [gm]\nstatblock: true\nac: 9\n---\n",
        "Crab": "> [!secret]\n> ```statblock\n> ac: 9\n> ```\n",
        "Foes": "```statblock\nmonster: Spy\n```\n\n```statblock\nmonster: Crab\n```",
    }
    for name, text in notes.items():
        (vault.root / f"{name}.md").write_text(text, encoding="utf-8")
    assert words in text_of(print_notes(Vault(vault.root), "Foes", hide=hide).path)


def cards(vault: Vault, wanted: str = "", *, hide: bool) -> tuple[CardSet, str]:
    """Return all notes of the vault as cards, and the words printed on them."""
    made = note_set(vault, ".", selection=wanted, secrets=Secrets(KINDS, hide))
    return made, text_of(print_set(made, vault, PrintJob("a4", vault.root / "cards.pdf")).path)


def test_p16_cards_for_players_contain_no_secret_and_state_it(vault: Vault) -> None:
    made, words = cards(vault, hide=True)
    assert [word for word in (*HIDDEN, "Plot") if word in words] == []
    assert all(kept in words for kept in ("A warm place", "Odd.", "Open.", "Kept.", "Damp.", "players' copy"))
    assert [card.title for card in made.cards] == ["The Inn", "Rumours"]
    counts = "Left out for players: 8 secrets (7 callouts and 1 embed)."
    assert made.remarks[-2:] == (Says("Left out", "players", "Plot.md", "tag"), counts)
    assert made.left_out == {"callout": 7, "embed": 1, "note": 1}


@pytest.mark.slow
def test_p16_cards_with_secrets_state_it_once(vault: Vault) -> None:
    made, words = cards(vault, hide=False)
    assert all(word in words for word in HIDDEN) and "players' copy" not in words
    assert made.remarks[-1] == Says("9", "secrets", "--no-secrets")
    assert "hold 1 secret for" in cards(vault, "Rumours", hide=False)[0].remarks[-1]
    (vault.root / "Rumours.md").write_text("Odd.", "utf-8")
    assert not any("secret" in remark for remark in cards(Vault(vault.root), "Rumours", hide=False)[0].remarks)


@pytest.mark.parametrize("note", ["Open[^1].\n\n[^1]: GM only: Ash.", "Open^[gm:: Ash]."])
def test_p16_secret_footnote_leaves_no_number_without_text(vault: Vault, note: str) -> None:
    (vault.root / "Inn.md").write_text(note, "utf-8")
    words = text_of(print_notes(Vault(vault.root), "Inn", hide=True).path)
    assert "[…]" in words and "Ash" not in words


def test_p16_no_part_of_a_secret_is_used_for_its_card(vault: Vault) -> None:
    fence = "````ad-gm\n```statblock\nname: Spy\nsize: Tiny\n```\n*Source: Thieves*\n````\n"
    secret = f"> [!secret] x\n> ![[map.png]]\n\n{fence}"
    (vault.root / "Inn.md").write_text(f"{secret}\nÉ.\r\n> [!dm] Doubt\r\n> Key.\r\n\r\nDoor.", "utf-8", newline="")
    (vault.root / "map.png").write_bytes(b"")
    made, words = cards(Vault(vault.root), "Inn", hide=True)
    assert [card.image for card in made.cards] == [None] and made.cards[0].kicker == ""
    assert "É." in words and "Door." in words
    assert not any(word in words for word in ("Spy", "Tiny", "Thieves", "Key", "Doubt"))
    open_made, _ = cards(Vault(vault.root), "Inn", hide=False)
    assert open_made.cards[0].image is not None and open_made.cards[0].kicker


@pytest.mark.short(4)
@pytest.mark.parametrize(
    "text",
    [
        "## Secret Doors\n\nKept.",
        "## The Secretary\n\nKept.",
        "## Playing without a GM\n\nKept.",
        "**GM:** Kept.\n\n**Anna:** Kept, too.",
        "Then the GM reads these notes aloud:\n\n- Kept.",
        "> [!note] The Keeper of the Flame\n> Kept.",
        "| Secret door | Kept. |\n|---|---|\n| DC | 15 |",
        "keeper:: Kept.",
        "Kept at 100%, and `%% code %%`, and a:: b.",
        "<details><summary>Secret door</summary>Kept.</details>",
        "```yaml\nsecret: Kept.\n```",
        "## GM Notes\n\nx[^1]\n\n## Open\n\nHere[^2].\n\n## GM only\n\n[^1]: y\n[^2]: Kept.",
        "> [!gm] x\n\nKept. ^gm",
    ],
)
def test_p16_text_that_only_looks_like_a_secret_is_printed(vault: Vault, text: str) -> None:
    (vault.root / "Inn.md").write_text(f"# The Inn\n\n{text}\n", encoding="utf-8")
    assert "Kept." in text_of(print_notes(Vault(vault.root), "Inn", hide=True).path) or "Kept at" in text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\ntags: [plot/secret]\n---\nx", "tag"),
        ("x #DM-only", "tag"),
        ("x #mj", "tag"),
        ("---\ntag: secret\n---\nx", "tag"),
        ("---\ntag: plot/gm, inn\n---\nx", "tag"),
        ("---\ngm_only: true\n---\nx", "property"),
        ("# 🔒 GM notes\n\nx", "title"),
        ("GM Notes\n========\n\nx", "title"),
        ("# Inn\n\nx", ""),
        ("# GM notes\n\nx\n\n# Inn\n\nx", ""),
        ("---\nsecret: false\n---\nx", ""),
        ("x #keepsake #dmg", ""),
        ("---\ntag: [inn, 5]\n---\nx", ""),
    ],
)
def test_p16_marks_that_make_a_whole_note_secret(vault: Vault, text: str, reason: str) -> None:
    (vault.root / "Note.md").write_text(text, encoding="utf-8")
    assert Secrets(KINDS).reason(vault.read("Note.md")) == reason


def test_p16_no_recap_of_a_secret_is_printed(vault: Vault) -> None:
    (vault.root / "Game.md").write_text("---\nvaultkit-session: abc\ntags: [gm]\n---\n# Game\n\nx", "utf-8")
    job = PrintJob("a4", vault.root / "out.pdf", secrets=Secrets(KINDS, hidden=True))
    own = Vault(vault.root)
    with pytest.raises(InvalidError, match="by its tag"):
        print_session("abc", own, Compendium(own), lambda _: job)
