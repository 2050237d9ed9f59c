from pathlib import Path

import pytest

from tests.campaign.samples import NOW, tree
from vaultkit.campaign.init import prepare_vault
from vaultkit.campaign.undo import undo
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import UsageError
from vaultkit.settings import VAULT_CONFIG_PATH, PrintSettings, Settings, load
from vaultkit.vault import Vault


@pytest.fixture
def bare(tmp_path: Path) -> Vault:
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    return Vault(tmp_path / "vault")


def test_the_settings_file_says_the_defaults_and_can_be_read(bare: Vault) -> None:
    assert prepare_vault(bare, now=NOW).config == VAULT_CONFIG_PATH
    found = load(bare.root, bare.root / "none.toml")
    assert (found.players, found.campaign, found.print) == ((), Settings().campaign, PrintSettings(folder="Sheets"))
    text = (bare.root / VAULT_CONFIG_PATH).read_text()
    uncommented = "\n".join(
        line.removeprefix("# ")
        for line in text.splitlines()
        if "=" in line.split(" ")[2:3] or line.startswith(("# [", "["))
    )
    (bare.root / VAULT_CONFIG_PATH).write_text(uncommented)
    assert load(bare.root, bare.root / "none.toml").campaign.note == "Campaign Log"


def test_nothing_is_overwritten(bare: Vault) -> None:
    (bare.root / ".vaultkit").mkdir()
    (bare.root / VAULT_CONFIG_PATH).write_text("# mine\n")
    prepared = prepare_vault(bare, now=NOW)
    assert prepared.config == ""
    assert VAULT_CONFIG_PATH in prepared.remarks[0]
    assert (bare.root / VAULT_CONFIG_PATH).read_text() == "# mine\n"


def test_a_campaign_note_that_is_not_set_is_told_with_the_one_that_is_there(bare: Vault) -> None:
    (bare.root / "The campaign-log.md").touch()
    (remark,) = prepare_vault(bare, now=NOW).remarks
    assert "Is it 'The campaign-log'?" in remark and "--campaign" in remark


@pytest.mark.slow
def test_with_a_game_brings_all_that_its_links_lead_to(bare: Vault) -> None:
    prepared = prepare_vault(bare, game="Dragon Citadel", now=NOW)
    own = Vault(bare.root)
    assert len(prepared.notes) == len(set(prepared.notes)) == len(own.files.paths)
    assert Compendium(own).rule_note("dragon-citadel", ["Dragon Citadel"]) is not None
    assert Compendium(own).deck_of_kind("tarokka", "dragon-citadel").sound
    broken = [
        (note.path, link.target)
        for note in map(own.read, own.note_paths)
        for link in note.links
        if own.resolve(link, note.path).path is None
    ]
    assert broken == []


@pytest.mark.slow
def test_the_summary_and_what_came_besides(bare: Vault) -> None:
    assert prepare_vault(bare, now=NOW, dry_run=True).summary == ""
    prepared = prepare_vault(bare, game="dragon-citadel", now=NOW)
    assert prepared.summary == "1 rule note, 1 deck, 54 pictures, 8 tables, 10 items"
    remark, _ = prepared.remarks
    assert "lead to 54 pictures, 8 tables and 10 items" in remark


@pytest.mark.slow
def test_a_game_that_is_there_is_one_remark_and_no_write(bare: Vault) -> None:
    prepare_vault(bare, game="dragon-citadel", now=NOW)
    before = tree(bare.root)
    again = prepare_vault(Vault(bare.root), game="dragon-citadel", now=NOW)
    assert (again.config, again.notes, again.summary, again.diff) == ("", [], "", "")
    (remark,) = again.remarks
    assert "Dragon Citadel is here already" in remark
    assert tree(bare.root) == before


@pytest.mark.slow
def test_many_files_that_stay_are_one_remark(bare: Vault) -> None:
    prepare_vault(bare, game="dragon-citadel", now=NOW)
    for path in bare.root.rglob("items/*.md"):
        path.write_text("mine")
    next(bare.root.rglob("variant-rules/*.md")).unlink()
    remarks = prepare_vault(Vault(bare.root), game="dragon-citadel", now=NOW).remarks
    assert [remark for remark in remarks if remark.startswith("10 files are there already")]
    assert len(remarks) == 2


def test_undo_takes_it_all_back(bare: Vault) -> None:
    prepare_vault(bare, game="propheta", now=NOW)
    assert undo(bare).meant.command == "init"
    assert sorted(path.name for path in bare.root.iterdir()) == [".obsidian", ".vaultkit"]
    assert not (bare.root / VAULT_CONFIG_PATH).exists()


def test_a_deck_that_is_there_is_enough(bare: Vault) -> None:
    (bare.root / "Mine.md").write_text("---\nvaultkit-deck: decktet\n---\n# Mine\n")
    prepared = prepare_vault(bare, game="turn-of-fate", now=NOW)
    assert prepared.notes == ["3-Mechanics/CLI/variant-rules/turn-of-fate.md"]
    assert "Mine.md" in prepared.remarks[0]


def test_pictures_come_only_where_the_deck_that_is_there_expects_them(bare: Vault) -> None:
    """Those that nothing links to stay out: here the deck has one picture of its own, and lacks another one."""
    folder = bare.root / "3-Mechanics/CLI/decks"
    (folder / "img").mkdir(parents=True)
    (folder / "img/bird.png").write_bytes(b"a bird")
    cards = "### Raven\n![](img/bird.png)\n\n### Ghost\n![](img/tarokka-ghost.webp)\n"
    (folder / "tarokka-deck-cos.md").write_text(f"---\nvaultkit-deck: tarokka\n---\n# Mine\n\n{cards}")
    copied = prepare_vault(Vault(bare.root), game="dragon-citadel", now=NOW, dry_run=True).notes
    assert [path for path in copied if "/decks/" in path] == ["3-Mechanics/CLI/decks/img/tarokka-ghost.webp"]
    assert len([path for path in copied if "/tables/" in path]) == 8


def test_rules_that_are_there_are_enough(bare: Vault) -> None:
    (bare.root / "House.md").write_text("---\nvaultkit-game: turn-of-fate\n---\n# Ours\n")
    prepared = prepare_vault(bare, game="turn-of-fate", now=NOW)
    assert prepared.notes == ["3-Mechanics/CLI/decks/decktet.md"]
    assert "House.md" in prepared.remarks[0]


def test_a_file_of_the_same_path_stays(bare: Vault) -> None:
    path = "3-Mechanics/CLI/decks/decktet.md"
    (bare.root / path).parent.mkdir(parents=True)
    (bare.root / path).write_text("mine")
    prepared = prepare_vault(bare, game="turn-of-fate", now=NOW)
    assert path not in prepared.notes
    assert (bare.root / path).read_text() == "mine"
    assert path in prepared.remarks[0]


def test_dry_run_and_unknown_game(bare: Vault) -> None:
    before = tree(bare.root)
    prepared = prepare_vault(bare, game="dragon-citadel", now=NOW, dry_run=True)
    assert VAULT_CONFIG_PATH in prepared.diff
    assert "Binary file 3-Mechanics/CLI/decks/img/" in prepared.diff
    with pytest.raises(UsageError):
        prepare_vault(bare, game="dragon", now=NOW, dry_run=True)
    assert tree(bare.root) == before
