"""The statistics note and the list for Bases: created, updated, and nothing else changed."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml12

from tests.campaign.samples import tree
from tests.campaign.stats.regenerate import FILES, GOLDEN, NOW, golden_texts, plan_statistics
from tests.campaign.stats.samples import EVENING, make_vault, session
from tests.wording import Says
from vaultkit.campaign import template_rendering
from vaultkit.campaign.stats import stats_note as note
from vaultkit.campaign.stats.stats_note import plan_files, record_statistics
from vaultkit.campaign.undo import undo
from vaultkit.errors import InvalidError, WriteError
from vaultkit.settings import CampaignSettings, Settings, StatsSettings
from vaultkit.vault import Vault

pytestmark = pytest.mark.usefixtures("trusting")

NOTE, BASE = "Games/Statistics.md", "Games/Games.base"
MORE = session(11, "2026-10-31", ["[[Bram Tolliver]]", "Zo|ë [[x]] `y`"], ["Zo|ë [[x]] `y`"], outcome="match",
               scores={"score-bram-tolliver": 1, "score-zo-ë-x-y": 44})  # fmt: skip


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    from tests.campaign.conftest import MEMORY

    root = tmp_path / "vault"
    template_rendering._environment(root).bytecode_cache = MEMORY
    return make_vault(root)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    root = tmp_path_factory.mktemp("empty")
    (root / ".obsidian").mkdir()
    return Vault(root)


def write(vault: Vault, settings: Settings | None = None) -> tuple[str, ...]:
    return record_statistics(Vault(vault.root), settings or Settings(), now=NOW).written


def add(vault: Vault) -> None:
    (vault.root / MORE[0]).write_text(MORE[1], encoding="utf-8")


def test_written_files_match_the_golden_files(tmp_path: Path) -> None:
    golden = {name: (GOLDEN / name).read_text(encoding="utf-8") for name in FILES}
    assert golden_texts(tmp_path) == golden, "to write it anew: python -m tests.campaign.stats.regenerate"


@pytest.mark.slow
def test_second_run_writes_nothing_and_undo_removes_both_files(vault: Vault) -> None:
    before = {path: data for path, (data, *_) in tree(vault.root).items() if not path.startswith(".vaultkit")}
    assert write(vault) == (NOTE, BASE)
    there = tree(vault.root)
    assert plan_statistics(vault)[0].diff == "" and write(vault) == ()
    assert tree(vault.root) == there
    assert set(undo(Vault(vault.root)).restored) == {NOTE, BASE}
    after = {path: data for path, (data, *_) in tree(vault.root).items() if not path.startswith(".vaultkit")}
    assert after == before


@pytest.mark.slow
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_text_outside_the_markers_is_preserved_byte_for_byte(vault: Vault, newline: str) -> None:
    write(vault)
    file = vault.root / NOTE
    text = file.read_text(encoding="utf-8")
    above, ours = text.split("%% vaultkit stats begin %%")
    ours, below = ours.split("%% vaultkit stats end %%")
    above = "\ufeff---\n# mine\nvaultkit-stats:   true\nx: 'y'\n---\n\nMy words \t\n\n> %% hidden %%\n"
    below = "\n\nLast words, no line end  "
    parts = [part.replace("\n", newline).encode() for part in (above, below)]
    begin, end = b"%% vaultkit stats begin %%", b"%% vaultkit stats end %%"
    file.write_bytes(parts[0] + begin + ours.replace("\n", newline).encode() + end + parts[1])
    assert NOTE not in write(vault)
    add(vault)
    assert write(vault) == (NOTE, BASE)
    data = file.read_bytes()
    assert data.startswith(parts[0] + begin) and data.endswith(end + parts[1])
    assert b"7 games" in data and data.count(b"\r\n") == (data.count(b"\n") if newline == "\r\n" else 0)
    assert "| Zo\\|ë \\[\\[x\\]\\] \\`y\\` | 1 | 1 |".encode() in data
    undo(Vault(vault.root))
    assert b"6 games" in file.read_bytes()


def test_note_of_the_gm_without_markers_is_refused_and_unchanged(vault: Vault) -> None:
    (vault.root / NOTE).write_text("# Mine\n", encoding="utf-8")
    with pytest.raises(WriteError) as caught:
        plan_statistics(vault)
    assert caught.value.where == f"{NOTE}:1" and "%% vaultkit stats begin %%" in caught.value.hint
    assert not (vault.root / BASE).exists()


@pytest.mark.slow
def test_moved_note_is_found_unless_the_settings_name_its_place(vault: Vault) -> None:
    write(vault)
    (vault.root / NOTE).rename(vault.root / "Who Wins.md")
    add(vault)
    assert write(vault) == ("Who Wins.md", BASE)
    fixed = Settings(stats=StatsSettings(note="Stats\\All", base="Stats/All"))
    assert write(vault, fixed) == ("Stats/All.md", "Stats/All.base")
    folder = Settings(campaign=CampaignSettings(folder="/Log of Games/"))
    assert write(vault, folder) == ("Log of Games/Games.base",)


@pytest.mark.parametrize("path", ["../out.md", ".hidden/x", "a:b", "con?x", " / ", "a/../../b"])
def test_invalid_statistics_places_are_refused(vault: Vault, path: str) -> None:
    for settings in (StatsSettings(note=path), StatsSettings(base=path)):
        if path.strip(" /"):
            with pytest.raises(InvalidError):
                plan_statistics(vault, Settings(stats=settings))
    assert tree(vault.root).keys() == tree(make_vault(vault.root.parent / "other").root).keys()


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("Games/CON", "'CON': it is kept for a device"),
        ("aux.md", "'aux.md': it is kept for a device"),
        ("com1/Stats", "'com1': it is kept for a device"),
        ("Stats.", "it ends with a dot"),
        ("Games./Stats", "it ends with a dot"),
        ("a#b", "'#'"),
        ("a^b", "'^'"),
        ("[a]", "'['"),
        ("a]", "']'"),
    ],
)
@pytest.mark.parametrize("setting", ["note", "base"])
def test_f4_places_invalid_on_windows_or_in_links_are_refused(
    empty: Vault, setting: str, place: str, told: str
) -> None:
    with pytest.raises(InvalidError, match=re.escape(told)) as caught:
        plan_files(empty, Settings(stats=StatsSettings(**{setting: place})), (), NOW, bots=False)
    assert caught.value.where == f"stats.{setting}" and caught.value.hint


def test_a_template_without_markers_is_refused_by_name(vault: Vault) -> None:
    folder = vault.root / ".vaultkit/templates"
    folder.mkdir(parents=True)
    (folder / "stats.md.j2").write_text("{{ begin }}\n{{ sessions }}\n", encoding="utf-8")
    with pytest.raises(InvalidError, match="must keep both markers"):
        plan_statistics(vault)
    (folder / "stats.md.j2").write_text("mine\n{{ begin }}\n{{ sessions }}\n{{ end }}\n", encoding="utf-8")
    write(vault)
    assert (vault.root / NOTE).read_text("utf-8") == "mine\n%% vaultkit stats begin %%\n6\n%% vaultkit stats end %%\n"


def test_base_file_is_valid_yaml_for_obsidian_bases(vault: Vault) -> None:
    add(vault)
    write(vault)
    read = yaml12.parse_yaml((vault.root / BASE).read_text(encoding="utf-8"))
    assert read["filters"] == {"and": ['file.hasProperty("vaultkit-session")']}
    every, grouped = read["views"]
    assert every["order"] == list(read["properties"]) and every["type"] == grouped["type"] == "table"
    assert grouped["groupBy"] == {"property": "note.game", "direction": "ASC"}
    assert every["sort"] == [{"property": "note.date", "direction": "DESC"}]
    assert {"note.date", "note.players", "note.winners", "note.outcome", "note.mode"} < set(every["order"])
    scores = {key: shown["displayName"] for key, shown in read["properties"].items() if key.startswith("note.score-")}
    assert scores["note.score-bram-tolliver"] == "Score of Bram Tolliver"
    assert scores["note.score-zo-ë-x-y"] == "Score of Zo|ë [x] `y`" and not any("bot" in key for key in scores)


@pytest.mark.slow
def test_base_file_changed_by_hand_is_left_alone(vault: Vault) -> None:
    write(vault)
    file = vault.root / BASE
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    add(vault)
    assert write(vault) == (NOTE, BASE), "line ends of a sync tool are no change"
    assert b"\r\n" in file.read_bytes() and note.is_unchanged(file.read_text(encoding="utf-8"))
    changed = file.read_text(encoding="utf-8").replace("All games", "Everything")
    file.write_text(changed, encoding="utf-8")
    (vault.root / MORE[0]).unlink()
    again, writer = plan_statistics(vault)
    assert "changed by hand" in again.remarks[0] and writer.commit() == (NOTE,)
    assert file.read_text(encoding="utf-8") == changed


def test_note_is_emptied_when_no_games_are_left(vault: Vault) -> None:
    write(vault)
    for path, _ in EVENING:
        (vault.root / path).unlink()
    assert write(vault) == (NOTE, BASE)
    assert (vault.root / NOTE).read_text(encoding="utf-8") == Says("No game", "logged")


def test_statistics_links_follow_the_style_of_the_vault(vault: Vault) -> None:
    (vault.root / ".obsidian/app.json").write_text('{"useMarkdownLinks": true, "newLinkFormat": "relative"}', "utf-8")
    write(vault)
    text = (vault.root / NOTE).read_text(encoding="utf-8")
    assert "| [Bram Tolliver](../1-Party/Bram%20Tolliver.md) |" in text and "![Games.base](Games.base)" in text
    assert not [link for link in Vault(vault.root).read(NOTE).links if not vault.files.resolve(link.path, NOTE).path
                and link.path != "Games.base"]  # fmt: skip


def test_bots_count_only_on_request(vault: Vault) -> None:
    write(vault, replace(Settings()))
    assert "Bot 1" not in (vault.root / NOTE).read_text(encoding="utf-8")
