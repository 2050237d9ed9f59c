from pathlib import Path

import pytest

from tests.campaign.samples import NOW, tree
from tests.wording import Says
from vaultkit.campaign.game_copy import GAMES_FOLDER
from vaultkit.campaign.init import InitRequest, prepare_vault
from vaultkit.campaign.setup_proposals import SetupAnswers
from vaultkit.campaign.undo import undo
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import UsageError
from vaultkit.settings import VAULT_CONFIG_PATH, PrintSettings, Settings, load
from vaultkit.vault import Vault


@pytest.fixture
def bare(tmp_path: Path) -> Vault:
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    return Vault(tmp_path / "vault")


def test_settings_file_states_the_defaults_and_can_be_read(bare: Vault) -> None:
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


def test_init_overwrites_nothing(bare: Vault) -> None:
    (bare.root / ".vaultkit").mkdir()
    (bare.root / VAULT_CONFIG_PATH).write_text("# mine\n")
    prepared = prepare_vault(bare, now=NOW)
    assert prepared.config == ""
    assert VAULT_CONFIG_PATH in prepared.remarks[0]
    assert (bare.root / VAULT_CONFIG_PATH).read_text() == "# mine\n"


def test_missing_campaign_setting_suggests_the_existing_note(bare: Vault) -> None:
    (bare.root / "The campaign-log.md").touch()
    (remark,) = prepare_vault(bare, now=NOW).remarks
    assert remark == Says("The campaign-log") and "--campaign" in remark


ALL = InitRequest(game="dragon-citadel", has_extras=True)
CITADEL = InitRequest(game="Dragon Citadel")


def broken_links(vault: Vault) -> list[tuple[str, str]]:
    return [
        (note.path, link.target)
        for note in map(vault.read, vault.note_paths)
        for link in note.links
        if vault.resolve(link, note.path).path is None
    ]


@pytest.mark.short(1)
@pytest.mark.parametrize("request_", [CITADEL, ALL, InitRequest(game="propheta", folder="Regeln/Neue Spiele")])
def test_game_is_installed_in_one_folder_without_broken_links(bare: Vault, request_: InitRequest) -> None:
    prepared = prepare_vault(bare, request_, now=NOW)
    own = Vault(bare.root)
    assert prepared.folder == (request_.folder or GAMES_FOLDER)
    assert {path.removeprefix(f"{prepared.folder}/") == path for path in own.files.paths} == {False}
    assert len(prepared.notes) == len(set(prepared.notes)) == len(own.files.paths)
    assert broken_links(own) == []
    compendium = Compendium(own)
    assert all(deck.sound for deck in compendium.decks) and len(compendium.decks) == 1


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("request_", "summary"),
    [
        (CITADEL, "1 rule note, 1 deck, 54 pictures"),
        (ALL, "1 rule note, 1 deck, 54 pictures, 8 tables, 10 items"),
        (InitRequest(game="propheta"), "1 rule note, 1 deck"),
        (InitRequest(), ""),
    ],
)
def test_treasure_tables_and_items_are_installed_only_with_extras(
    bare: Vault, request_: InitRequest, summary: str
) -> None:
    assert prepare_vault(bare, request_, now=NOW, dry_run=True).summary == summary


@pytest.mark.slow
def test_extras_can_be_added_later_and_are_then_linked_from_the_rules(bare: Vault) -> None:
    prepare_vault(bare, CITADEL, now=NOW)
    rules = bare.root / GAMES_FOLDER / "dragon-citadel.md"
    before = rules.read_text(encoding="utf-8")
    assert "1 roll on table A |" in before
    added = prepare_vault(Vault(bare.root), ALL, now=NOW)
    assert added.summary == "8 tables, 10 items"
    assert "1 roll on [table A](/Card%20Games/tables/magic-item-table-a.md) |" in rules.read_text(encoding="utf-8")
    assert broken_links(Vault(bare.root)) == []
    undo(Vault(bare.root))
    assert rules.read_text(encoding="utf-8") == before


@pytest.mark.slow
def test_changed_rules_get_no_links_to_extras(bare: Vault) -> None:
    prepare_vault(bare, CITADEL, now=NOW)
    rules = bare.root / GAMES_FOLDER / "dragon-citadel.md"
    rules.write_text("---\nvaultkit-game: dragon-citadel\n---\n# Mine\n", encoding="utf-8")
    again = prepare_vault(Vault(bare.root), ALL, now=NOW)
    assert "# Mine" in rules.read_text(encoding="utf-8")
    assert again.summary == "8 tables, 10 items"
    assert again.remarks == [Says("Games/dragon-citadel.md", "exists", "already")]


@pytest.mark.short(1)
@pytest.mark.parametrize("folder", ["CLI", "5 Quellen/CLI"])
def test_game_in_a_converted_vault_is_installed_in_the_converters_folder(bare: Vault, folder: str) -> None:
    (bare.root / folder / "decks").mkdir(parents=True)
    (bare.root / folder / "decks/other.md").touch()
    prepared = prepare_vault(Vault(bare.root), CITADEL, now=NOW)
    assert prepared.folder == folder
    assert prepared.notes[:2] == [f"{folder}/variant-rules/dragon-citadel.md", f"{folder}/decks/tarokka-deck-cos.md"]
    assert broken_links(Vault(bare.root)) == []


def test_answers_become_the_first_settings(bare: Vault) -> None:
    answers = SetupAnswers('Das "große" Buch', "letter", ("Käthe", "Bo \\ Li"))
    prepare_vault(bare, InitRequest(answers), now=NOW)
    settings = load(bare.root, bare.root / "none.toml")
    assert (settings.campaign.note, settings.print.paper, settings.players) == (
        answers.campaign, answers.paper, answers.players,
    )  # fmt: skip


@pytest.mark.parametrize("word", ["newest-session", "daily-note"])
def test_keyword_for_the_campaign_note_sets_the_log_target(bare: Vault, word: str) -> None:
    prepare_vault(bare, InitRequest(SetupAnswers(word)), now=NOW)
    campaign = load(bare.root, bare.root / "none.toml").campaign
    assert (campaign.note, campaign.log_to) == ("", word)


@pytest.mark.parametrize(
    "answers", [SetupAnswers(), SetupAnswers("", "", ())], ids=["not asked", "asked and left empty"]
)
def test_defaults_apply_without_answers(bare: Vault, answers: SetupAnswers) -> None:
    prepared = prepare_vault(bare, InitRequest(answers), now=NOW)
    settings = load(bare.root, bare.root / "none.toml")
    assert (settings.players, settings.campaign) == ((), Settings().campaign)
    assert len(prepared.remarks) == (answers.campaign is None)


@pytest.mark.slow
def test_existing_game_gives_one_remark_and_no_write(bare: Vault) -> None:
    prepare_vault(bare, InitRequest(game="dragon-citadel"), now=NOW)
    before = tree(bare.root)
    again = prepare_vault(Vault(bare.root), InitRequest(game="dragon-citadel"), now=NOW)
    assert (again.config, again.notes, again.summary, again.diff) == ("", [], "", "")
    remark = again.remarks[-1]
    assert "Dragon Citadel is here already" in remark
    assert tree(bare.root) == before


@pytest.mark.slow
def test_many_unchanged_files_give_one_remark(bare: Vault) -> None:
    prepare_vault(bare, ALL, now=NOW)
    for path in bare.root.rglob("items/*.md"):
        path.write_text("mine")
    next(bare.root.rglob("dragon-citadel.md")).unlink()
    remarks = prepare_vault(Vault(bare.root), ALL, now=NOW).remarks
    (remark,) = remarks
    assert remark.startswith("10 files exist already")


@pytest.mark.slow
def test_undo_reverts_the_whole_init(bare: Vault) -> None:
    prepare_vault(bare, InitRequest(game="propheta"), now=NOW)
    assert undo(bare).meant.command == "init"
    assert sorted(path.name for path in bare.root.iterdir()) == [".obsidian", ".vaultkit"]
    assert not (bare.root / VAULT_CONFIG_PATH).exists()


@pytest.mark.slow
def test_existing_deck_is_not_installed_again(bare: Vault) -> None:
    (bare.root / "Mine.md").write_text("---\nvaultkit-deck: decktet\n---\n# Mine\n")
    prepared = prepare_vault(bare, InitRequest(game="turn-of-fate"), now=NOW)
    assert prepared.notes == ["Card Games/turn-of-fate.md"]
    assert "Mine.md" in prepared.remarks[-1]
    assert broken_links(Vault(bare.root)) == []


def test_changed_deck_adds_no_pictures(bare: Vault) -> None:
    deck = bare.root / "Card Games/tarokka-deck-cos.md"
    deck.parent.mkdir()
    deck.write_text("---\nvaultkit-deck: tarokka\n---\n# Mine\n\n### Raven\n![](bird.png)\n")
    prepared = prepare_vault(Vault(bare.root), CITADEL, now=NOW, dry_run=True)
    assert prepared.summary == "1 rule note"


@pytest.mark.slow
def test_existing_rules_are_not_installed_again(bare: Vault) -> None:
    (bare.root / "House.md").write_text("---\nvaultkit-game: turn-of-fate\n---\n# Ours\n")
    prepared = prepare_vault(bare, InitRequest(game="turn-of-fate"), now=NOW)
    assert prepared.notes == ["Card Games/decktet.md"]
    assert "House.md" in prepared.remarks[-1]


@pytest.mark.slow
def test_file_of_the_same_path_is_not_overwritten(bare: Vault) -> None:
    path = "Card Games/decktet.md"
    (bare.root / path).parent.mkdir(parents=True)
    (bare.root / path).write_text("mine")
    prepared = prepare_vault(bare, InitRequest(game="turn-of-fate"), now=NOW)
    assert path not in prepared.notes
    assert (bare.root / path).read_text() == "mine"
    assert path in prepared.remarks[-1]


def test_dry_run_and_unknown_game(bare: Vault) -> None:
    before = tree(bare.root)
    prepared = prepare_vault(bare, InitRequest(game="dragon-citadel"), now=NOW, dry_run=True)
    assert VAULT_CONFIG_PATH in prepared.diff
    assert "Binary file Card Games/img/" in prepared.diff
    with pytest.raises(UsageError):
        prepare_vault(bare, InitRequest(game="dragon"), now=NOW, dry_run=True)
    assert tree(bare.root) == before
