"""Rewards in notes: their places, written once, and removed by undo to the byte."""

from pathlib import Path
from typing import Any

import pytest

from tests.campaign.dragon_citadel.samples import (
    COLOPHON,
    FRONT,
    GAME,
    NOW,
    SESSION,
    SHEET,
    game_note,
    make,
    roll_rewards,
)
from tests.campaign.samples import tree
from vaultkit.campaign import undo
from vaultkit.campaign.dragon_citadel.note_scores import find_game
from vaultkit.campaign.dragon_citadel.record_rewards import WrittenRewards, find_section, record_rewards
from vaultkit.errors import InvalidError, NothingFound, WriteError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.write import Writer

pytestmark = pytest.mark.usefixtures("trusting")

BLOCK = f"^vk-{SESSION}-rewards"
LOOT = f"^vk-{SESSION}-loot"


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile templates once for all vaults of this module."""
    from tests.campaign.conftest import MEMORY
    from vaultkit.campaign import template_rendering

    plain = template_rendering._environment.__wrapped__

    def cached_environment(vault: Path | None) -> Any:
        environment = plain(vault)
        environment.bytecode_cache = MEMORY
        return environment

    monkeypatch.setattr(template_rendering, "_environment", cached_environment)


def write(vault: Vault, *, loot: str = "", dry_run: bool = False, **more: Any) -> WrittenRewards:
    settings = Settings(campaign=CampaignSettings(loot_heading=loot))
    return record_rewards(roll_rewards(vault, **more), vault, settings, loot=bool(loot), now=NOW, dry_run=dry_run)


def body(vault: Vault, path: str = GAME) -> str:
    return (vault.root / path).read_bytes().decode()


def notes(root: Path) -> dict[str, bytes]:
    return {path: data for path, (data, _, _) in tree(root).items() if not path.startswith(".vaultkit")}


def test_section_is_inserted_before_our_record_and_nothing_else_changes(tmp_path: Path) -> None:
    vault = make(tmp_path)
    before = body(vault)
    assert write(vault).paths == (GAME,)
    head, section, rest = body(vault).partition("## Rewards\n")
    assert section and before.startswith(head)
    assert body(vault).endswith(COLOPHON)
    assert head + rest[rest.index(COLOPHON) :] == before
    assert f"\n\n{BLOCK}\n\n> [!info]- The record" in rest
    assert "Rolled 4 November 2026, seed 1." in rest
    row = "| [[Ysolde Marr]] | Swords 17 + 1 hero | 2 | [[gifts-b\\|table B]] | "
    assert row in rest
    assert "| [[moth cloak\\|Moth Cloak]], of grey wool |" in rest
    assert "| *to be rolled by hand: this vault has no such roll table; it is in the Dungeon Master's Guide" in rest


def test_section_without_our_record_is_appended_with_the_same_line_endings(tmp_path: Path) -> None:
    vault = make(tmp_path, game=game_note(end="> [!note] Mine\n> Last words").replace("\n", "\r\n"))
    before = body(vault)
    write(vault)
    assert body(vault).startswith(before)
    assert body(vault).endswith(BLOCK)
    assert body(vault).count("\n") == body(vault).count("\r\n")


def test_repeated_rewards_write_nothing_and_show_the_existing_ones(tmp_path: Path) -> None:
    vault = make(tmp_path)
    write(vault, sharing=[])
    before = notes(vault.root)
    again = write(vault, seed=2, loot="Loot")
    assert bool(again.before) and again.paths == ()
    assert notes(vault.root) == before
    section = find_section(vault.read(GAME), SESSION)
    assert section and section.startswith("## Rewards\n")
    assert "### Shared Out" in section and "The record" not in section


def test_rewards_interrupted_before_the_loot_are_unchanged_when_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(writer: Writer, step: Any, *more: Any) -> Any:
        if step.path != GAME:
            raise KeyboardInterrupt
        return write_one(writer, step, *more)

    write_one, vault = Writer._write_step, make(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Writer, "_write_step", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write(vault, loot="Loot")
    assert write(vault.reopen(), loot="Loot").before
    assert [entry.state for entry in undo.list_entries(vault)] == ["cut off"]


def test_dc_37_shared_rewards_are_shown_with_the_remainder(tmp_path: Path) -> None:
    vault = make(tmp_path)
    write(vault, column="treasure", sharing=[])
    told = body(vault)
    assert "in the order of the score sheets, the champion first" in told
    shares = told.partition("### Shared Out")[2]
    order = [shares.index(name) for name in ("| Priya's cousin |", "| [[Ysolde Marr]] |", "| [[Bram Tolliver]] |")]
    assert order == sorted(order)


def test_loot_is_written_under_its_heading_which_is_added_if_missing(tmp_path: Path) -> None:
    vault = make(tmp_path)
    written = write(vault, loot="Loot")
    assert written.paths == (GAME, "1-Party/Ysolde Marr.md", "1-Party/Bram Tolliver.md")
    link = "2026-11-03 [[2026-11-03 Dragon Citadel 1|Dragon Citadel]]"
    wool = "[[moth cloak|Moth Cloak]], of grey wool"
    ysolde = body(vault, "1-Party/Ysolde Marr.md")
    assert ysolde.endswith(f"- A spade\r\n- {link}: {wool}; {wool}; A paper boat {LOOT}\r\n")
    assert body(vault, "1-Party/Bram Tolliver.md") == f"A fighter.\n\n## Loot\n\n- {link}: A paper boat {LOOT}"


def test_old_loot_and_a_second_seat_of_one_note_are_reported(tmp_path: Path) -> None:
    sheet = SHEET.replace("Priya's cousin", "Ysolde")
    vault = make(tmp_path, game=game_note(sheet, front=FRONT.replace("Priya's cousin", "ysolde")))
    old = tmp_path / "1-Party/Bram Tolliver.md"
    old.write_text(f"- A hat ^vk-{SESSION}-loot\n", encoding="utf-8")
    done = write(vault, loot="Loot")
    assert old.read_text(encoding="utf-8") == f"- A hat ^vk-{SESSION}-loot\n"
    told = " ".join(done.remarks)
    assert "1-Party/Bram Tolliver.md lists loot of this game already" in told
    assert "Ysolde Marr sat there twice" in told
    assert body(vault, "1-Party/Ysolde Marr.md").count("-loot") == 1


def test_guests_and_generated_or_ambiguous_notes_get_no_loot_and_are_reported(tmp_path: Path) -> None:
    vault = make(tmp_path, game=game_note().replace("Priya's cousin | 0 | 30 ", "Priya's cousin | 9 | 0 "))
    (vault.root / "2-World").mkdir()
    (vault.root / "2-World/Bram Tolliver.md").write_text("Another.", encoding="utf-8")
    (vault.root / "1-Party/Ysolde Marr.md").write_text("---\ncssclasses: [json5e-note]\n---\nx\n", encoding="utf-8")
    before = notes(vault.root)
    remarks = write(vault.reopen(), loot="Loot").remarks
    assert [remark.split(" was ")[0].split(" has ")[0].split(" may ")[0] for remark in remarks] == [
        "The loot of Ysolde Marr",
        "Bram Tolliver",
        "Priya's cousin",
    ]
    assert {path for path, data in notes(vault.root).items() if before[path] != data} == {GAME}


@pytest.mark.slow
@pytest.mark.parametrize("style", ["shortest", "relative", "absolute"])
@pytest.mark.parametrize("markdown", [False, True])
def test_links_are_written_in_the_style_of_the_vault_and_all_resolve(
    tmp_path: Path, style: str, markdown: bool
) -> None:
    vault = make(tmp_path, app=f'{{"newLinkFormat": "{style}", "useMarkdownLinks": {str(markdown).lower()}}}')
    old = len(vault.read(GAME).links)
    write(vault, loot="Loot", column="treasure", sharing=[])
    fresh = vault.reopen()
    found = fresh.read(GAME).links
    assert len(found) > old
    for path in (GAME, "1-Party/Ysolde Marr.md"):
        links = [link for link in fresh.read(path).links if link.kind != "property" and link.text != "Bram"]
        assert {fresh.resolve(link, path).status for link in links} == {"ok"}
    cloak = {
        (False, "shortest"): "[[moth cloak\\|cloaks]]",
        (False, "relative"): "[[../Items/moth cloak\\|cloaks]]",
        (False, "absolute"): "[[Items/moth cloak\\|cloaks]]",
        (True, "shortest"): "[cloaks](moth%20cloak.md)",
        (True, "relative"): "[cloaks](../Items/moth%20cloak.md)",
        (True, "absolute"): "[cloaks](Items/moth%20cloak.md)",
    }
    assert cloak[markdown, style] in body(vault)


@pytest.mark.slow
def test_undo_restores_every_byte(tmp_path: Path) -> None:
    vault = make(tmp_path)
    before = notes(vault.root)
    write(vault, loot="Loot", sharing=[])
    assert notes(vault.root) != before
    undo.undo(vault.reopen(), "")
    assert notes(vault.root) == before


def test_dry_run_shows_everything_and_writes_nothing(tmp_path: Path) -> None:
    vault = make(tmp_path)
    before = tree(vault.root)
    written = write(vault, loot="Loot", dry_run=True)
    assert tree(vault.root) == before
    assert BLOCK in written.diff and LOOT in written.diff


def test_newest_game_of_a_day_is_found_by_its_name_and_not_its_folder(tmp_path: Path) -> None:
    vault = make(tmp_path)
    moved = tmp_path / "Zeroth" / "2026-11-03 Dragon Citadel 0.md"
    moved.parent.mkdir()
    moved.write_text(game_note(front=FRONT.replace(SESSION, "older")), encoding="utf-8")
    assert find_game(Vault(vault.root), "").note == GAME


def test_game_is_preferred_to_its_copy_and_the_copy_is_found_by_name(tmp_path: Path) -> None:
    vault, copy = make(tmp_path), GAME.replace(".md", ".sync-conflict-20261104-101010.md")
    (tmp_path / copy).write_text(game_note(), encoding="utf-8")
    vault = Vault(vault.root)
    assert (find_game(vault, "").note, find_game(vault, "k3f9").note, find_game(vault, copy).note) == (GAME, GAME, copy)


def test_game_is_found_by_the_end_of_its_id_and_several_are_listed(tmp_path: Path) -> None:
    vault, other = make(tmp_path), SESSION.replace("k3f9", "a3f9")
    (tmp_path / "Other.md").write_text(game_note(front=FRONT.replace(SESSION, other)), encoding="utf-8")
    vault = Vault(vault.root)
    assert (find_game(vault, "K3F9").note, find_game(vault, "a3f9").note) == (GAME, "Other.md")
    with pytest.raises(NothingFound, match="Several games end in '3f9'") as raised:
        find_game(vault, "3f9")
    assert raised.value.hint == f"Name one of: {SESSION}, {other}."


@pytest.mark.parametrize("end", ["```\ncode\n", "%%\nhidden\n"])
def test_nothing_is_written_where_it_would_be_invisible(tmp_path: Path, end: str) -> None:
    vault = make(tmp_path, game=game_note(end=end))
    before = notes(vault.root)
    with pytest.raises(WriteError, match="not show up"):
        write(vault, loot="Loot")
    assert notes(vault.root) == before


@pytest.mark.parametrize(
    ("name", "text"), [("rewards.md.j2", "## Rewards\n\nLots.\n"), ("loot-line.md.j2", "- one\n- two ^{{ block }}\n")]
)
def test_own_template_without_the_id_is_refused(tmp_path: Path, name: str, text: str) -> None:
    vault = make(tmp_path)
    (vault.root / ".vaultkit/templates").mkdir(parents=True)
    (vault.root / ".vaultkit/templates" / name).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidError, match="block id") as caught:
        write(vault, loot="Loot")
    assert caught.value.where.endswith(name)
    assert BLOCK not in body(vault)


def test_own_rewards_template_is_used(tmp_path: Path) -> None:
    vault = make(tmp_path)
    (vault.root / ".vaultkit/templates").mkdir(parents=True)
    rows = "{% for roll in rolls %}\n- {{ roll.player }}: {{ roll.result }}\n{% endfor %}"
    text = f"## Beute\n\n{rows}\n\n{{{{ seed }}}} ^{{{{ block }}}}\n"
    (vault.root / ".vaultkit/templates/rewards.md.j2").write_text(text, encoding="utf-8")
    write(vault)
    section = find_section(vault.reopen().read(GAME), SESSION)
    assert section and section.startswith("## Beute\n\n- [[Ysolde Marr]]: ") and section.endswith(f"1 {BLOCK}")


def test_names_that_are_markdown_break_nothing(tmp_path: Path) -> None:
    front = FRONT.replace("Priya's cousin", "Pri|ya *x* ^id")
    sheet = game_note(front=front).replace("Priya's cousin", "Pri\\|ya \\*x\\* \\^id")
    vault = make(tmp_path, game=sheet)
    write(vault)
    assert "| Pri\\|ya \\*x\\* \\^id | Stars 30 | 3 |" in body(vault)
