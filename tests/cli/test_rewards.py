"""`vaultkit rewards` as a GM runs it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.dragon_citadel.samples import FRONT, GAME, SESSION, SHEET, game_note, make
from tests.campaign.samples import tree
from tests.cli.conftest import Vaultkit, process
from tests.compendium.test_rank_words import german_tarokka
from tests.vault.test_in_icloud import evict
from vaultkit.vault.writing.history import History, entry_files
from vaultkit.vault.writing.write import Writer


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make(tmp_path / "vault").root


def text(root: Path, path: str = GAME) -> str:
    return (root / path).read_bytes().decode()


@pytest.mark.slow
def test_dc_s11_end_to_end_by_the_last_letters_of_the_session(vk: Vaultkit, vault: Path) -> None:
    done = vk("rewards", "k3f9", "--seed", "5", "--loot", cwd=vault)
    assert done.code == 0
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert [row[:4] for row in rows[:4]] == [
        ["Ysolde Marr", "Swords 17 + 1 hero", "2", "table B"],
        ["Ysolde Marr", "Swords 17 + 1 hero", "2", "table B"],
        ["Ysolde Marr", "Stars 9", "1", "table A"],
        ["Ysolde Marr", "3 Crowns", "3", "table C"],
    ]
    assert rows[3][4] == "1 roll" and "Dungeon Master's Guide" in rows[3][5]
    assert f"Written: {GAME}\n" in done.err and "Priya's cousin has no note" in done.err
    assert "seed 5" in done.err and "vaultkit undo" in done.err
    assert "## Rewards" in text(vault)
    before = tree(vault)
    again = vk("rewards", cwd=vault)
    assert (again.code, tree(vault)) == (0, before)
    assert again.out.startswith("Rewards\n") and "[[" not in again.out and "^vk" not in again.out
    assert "Rolled already" in again.err and "Listed as loot in 1-Party/Ysolde Marr.md" in again.err
    assert "vaultkit undo 1\n" in again.err
    assert vk("undo", cwd=vault).code == 0
    assert text(vault) == game_note()


def test_json_has_every_roll_and_share(vk: Vaultkit, vault: Path) -> None:
    done = vk("rewards", GAME, "--rewards", "treasure", "--share", "--seed", "1", "--dry-run", "--json", cwd=vault)
    assert (done.json["session"], done.json["note"], done.json["seed"]) == (SESSION, GAME, 1)
    first = done.json["rolls"][0]
    assert [first[key] for key in ("player", "for", "row", "table", "count")] == [
        "Ysolde Marr", "swords", 2, "Tables/hoard.md", 2,
    ]  # fmt: skip
    assert first["results"][0]["chain"][0]["table"] == "Tables/Strange Things.md"
    assert {"text": "cloaks", "note": "Items/moth cloak.md"} in first["results"][0]["items"]
    assert [share["player"] for share in done.json["shared"]] == ["Priya's cousin", "Ysolde Marr", "Bram Tolliver"]
    assert "## Rewards" in done.json["diff"] and "## Rewards" not in text(vault)


@pytest.mark.slow
def test_repeated_rewards_name_the_number_to_undo_despite_later_writes(vk: Vaultkit, vault: Path) -> None:
    vk("rewards", cwd=vault)
    assert vk("stats", "--write", cwd=vault).code == 0
    done = vk("rewards", "--loot", cwd=vault)
    assert done.code == 0 and "vaultkit undo 1. " in done.err
    told = vk("rewards", "--json", cwd=vault).json
    assert told["already"] is True and told["section"].startswith("## Rewards")
    assert vk("undo", "1", cwd=vault).code == 0
    assert "Written:" in vk("rewards", "--loot", cwd=vault).err


@pytest.mark.slow
def test_missing_roll_tables_write_nothing_so_that_rewards_can_be_rolled_later(vk: Vaultkit, vault: Path) -> None:
    tables = [(file, file.read_bytes()) for file in (vault / "Tables").glob("*.md")]
    for file, _ in tables:
        file.unlink()
    before = tree(vault)
    done = vk("rewards", "--share", "--loot", cwd=vault)
    assert done.code == 0 and tree(vault) == before
    assert "Ysolde Marr\tStars 9\t1\ttable A\t1 roll\tto be rolled by hand" in done.out and "share" not in done.out
    assert "nothing was written" in done.err and "seed" not in done.err
    told = vk("rewards", "--share", "--json", cwd=vault).json
    assert told["seed"] is None and "shared" not in told and told["rolls"][0]["due"]
    for file, data in tables:
        file.write_bytes(data)
    assert "Written:" in vk("rewards", cwd=vault).err


@pytest.mark.slow
def test_copy_of_a_note_left_by_a_sync_tool_counts_once_and_is_reported(vk: Vaultkit, vault: Path) -> None:
    copy = GAME.replace(".md", ".sync-conflict-20261104-101010.md")
    (vault / copy).write_bytes((vault / GAME).read_bytes())
    for words in ([], ["k3f9"], [SESSION]):
        done = vk("rewards", *words, "--dry-run", "--json", cwd=vault)
        assert (done.code, done.json["note"]) == (0, GAME)
        assert done.err.startswith(f"{copy}: the same game as {GAME}. {GAME} is used.")
    assert vk("rewards", copy, "--dry-run", "--json", cwd=vault).json["note"] == copy


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["k3f8"], 4, f"Did you mean '{SESSION}'?"),
        (["Ysolde Marr"], 4, "not the note of a game"),
        (["--rewards", "cheese"], 2, "'Magic items', 'Individual treasure'"),
        (["--among", "Dana"], 2, "Ysolde Marr"),
        (["2026-11-05 Propheta 1"], 2, "Only Dragon Citadel has rewards"),
    ],
)
def test_errors_state_the_next_step(vk: Vaultkit, vault: Path, words: list[str], code: int, told: str) -> None:
    other = "---\nvaultkit-session: 20261105-propheta-abcd\ndate: 2026-11-05\ntags: [game/propheta]\n---\n# Propheta\n"
    (vault / "Games/2026-11-05 Propheta 1.md").write_text(other, encoding="utf-8")
    before = tree(vault)
    done = vk("rewards", *words, cwd=vault)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert tree(vault) == before


def test_game_without_a_note_must_be_logged_first(vk: Vaultkit, vault: Path) -> None:
    (vault / ".vaultkit/journals").mkdir(parents=True)
    (vault / ".vaultkit/journals/20261101-dragon-citadel-zzzz.journal").write_text("", encoding="utf-8")
    done = vk("rewards", "zzzz", cwd=vault)
    assert done.code == 4 and "vaultkit log --session 20261101-dragon-citadel-zzzz" in done.err
    (vault / GAME).unlink()
    assert vk("rewards", cwd=vault).code == 4


@pytest.mark.parametrize("name", ["2026-11-03 Dragon Citadel 1", "2026-12-24 Dragon Citadel 2"])
def test_newest_game_in_icloud_is_not_confused_with_another(vk: Vaultkit, vault: Path, name: str) -> None:
    if name in GAME:
        (vault / GAME).unlink()
    evict(vault / "Games" / f"{name}.md")
    before = tree(vault)
    done = vk("rewards", cwd=vault)
    assert done.code == 3 and "in the cloud; download it first" in done.err and name in done.err
    assert tree(vault) == before


def test_older_game_in_icloud_does_not_block_rewards(vk: Vaultkit, vault: Path) -> None:
    for name in ("2025-01-02 Dragon Citadel 1", "2027-01-02 Chess 1", "Ideas for Dragon Citadel"):
        evict(vault / "Games" / f"{name}.md")
    assert vk("rewards", "--seed", "1", cwd=vault).code == 0


def test_game_whose_note_may_be_in_icloud_is_not_reported_as_unlogged(vk: Vaultkit, vault: Path) -> None:
    (vault / ".vaultkit/journals").mkdir(parents=True)
    (vault / ".vaultkit/journals/20261101-dragon-citadel-zzzz.journal").write_text("", encoding="utf-8")
    evict(vault / "Games/2026-11-01 Dragon Citadel 1.md")
    done = vk("rewards", "zzzz", cwd=vault)
    assert done.code == 3 and "in the cloud; download it first" in done.err


def test_house_rules_of_the_settings_count_and_a_wrong_one_names_its_file(vk: Vaultkit, vault: Path) -> None:
    config = vault / ".vaultkit/config.toml"
    config.parent.mkdir()
    config.write_text('[games.dragon-citadel]\nrewards = "treasure"\n', encoding="utf-8")
    assert vk("rewards", "--dry-run", "--json", cwd=vault).json["rewards"] == "Individual treasure"
    config.write_text('[games.dragon-citadel]\nhero_only = "lots"\n', encoding="utf-8")
    done = vk("rewards", cwd=vault)
    assert done.code == 3 and "config.toml" in done.err and "hero_only" in done.err


def test_no_rewards_is_not_an_error(vk: Vaultkit, vault: Path) -> None:
    zeros = game_note().replace("17 + 1 hero | 9 | 0 | 1 hero | 3", "0 | 0 | 0 | 0 | 0")
    zeros = zeros.replace("| 8 | 0", "| 0 | 0").replace("| 0 | 30 | 0 | 0 | 1 |", "| 0 | 0 | 0 | 0 | 0 |")
    (vault / GAME).write_text(zeros, encoding="utf-8")
    before = tree(vault)
    done = vk("rewards", "--loot", cwd=vault)
    assert (done.code, done.out) == (0, "") and "Nobody has earned anything" in done.err
    assert vk("rewards", "--json", cwd=vault).json == {"session": SESSION, "note": GAME, "rolls": []}
    assert tree(vault) == before


def test_tenth_game_of_a_day_is_the_newest(vk: Vaultkit, vault: Path) -> None:
    for number in (9, 10):
        note = game_note().replace(SESSION, f"20261103-dragon-citadel-{number:04}")
        (vault / f"Games/2026-11-03 Dragon Citadel {number}.md").write_text(note, encoding="utf-8")
    assert vk("rewards", "--dry-run", "--json", cwd=vault).json["session"] == "20261103-dragon-citadel-0010"


@pytest.mark.slow
def test_example_game_without_its_score_sheet_is_read_from_its_journal(vk: Vaultkit, example: Path) -> None:
    seats = ("--seat", "bot:greedy", "--seat", "bot:greedy", "--seat", "bot:random")
    assert vk("play", "dragon-citadel", *seats, "--seed", "4", cwd=example).code == 0
    first = vk("rewards", "--bots", "--seed", "3", "--dry-run", "--json", cwd=example).json
    (note,) = (example / "Games").glob("*.md")
    told = note.read_text(encoding="utf-8")
    start, end = told.index("## Score Sheet"), told.index("## How It Went")
    note.write_text(told[:start] + told[end:], encoding="utf-8")
    second = vk("rewards", "--bots", "--seed", "3", "--dry-run", "--json", cwd=example).json
    assert first["rolls"] and second["rolls"] == first["rolls"]
    assert vk("rewards", "--bots", cwd=example).code == 0
    assert vk("check", cwd=example).code == 0


@pytest.mark.slow
def test_p18_a_score_sheet_in_the_words_of_its_deck_earns_the_same(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    german_tarokka(tmp_path / "german")
    deck = example / "3-Mechanics/CLI/decks/tarokka-deck-cos.md"
    deck.write_bytes((tmp_path / "german/Tarokka.md").read_bytes())
    seats = ("--seat", "bot:greedy", "--seat", "bot:greedy", "--seat", "bot:random")
    assert vk("play", "dragon-citadel", *seats, "--seed", "4", cwd=example).code == 0
    (note,) = (example / "Games").glob("*.md")
    told = note.read_text(encoding="utf-8")
    assert "| Schwerter | Sterne | Glyphen | Münzen |" in " ".join(told.split()) and "Swords |" not in told
    first = vk("rewards", "--bots", "--seed", "3", "--dry-run", "--json", cwd=example).json
    start, end = told.index("## Score Sheet"), told.index("## How It Went")
    note.write_text(told[:start] + told[end:], encoding="utf-8")
    second = vk("rewards", "--bots", "--seed", "3", "--dry-run", "--json", cwd=example).json
    assert first["rolls"] and second["rolls"] == first["rolls"]


@pytest.mark.slow
def test_one_of_several_processes_rolls_and_the_others_show_its_result(vault: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(process, "rewards", "--loot", "--seed", str(seed), cwd=vault) for seed in range(4)]
        done = [run.result() for run in runs]
    assert [one.code for one in done] == [0] * 4
    assert sum("Written:" in one.err for one in done) == 1
    assert sum("Rolled already" in one.err for one in done) == 3
    assert text(vault).count("## Rewards\n") == text(vault).count(f"^vk-{SESSION}-rewards") == 1
    assert text(vault, "1-Party/Ysolde Marr.md").count(f"^vk-{SESSION}-loot") == 1


HERO, OTHER = "1-Party/Ysolde Marr.md", "1-Party/Bram Tolliver.md"


def cut_off(vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch, *words: str, after: int = 1) -> None:
    """Give a command that is cut off after so many of its files."""
    real, left = Writer._write_splice, [after]

    def splice(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "_write_splice", splice)
        assert vk(*words, cwd=vault).code == 130


def notes(vault: Path) -> dict[str, bytes]:
    return {path: (vault / path).read_bytes() for path in (GAME, HERO, OTHER)}


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("again", "after"),
    [
        ((), 1),
        (("--share", "--loot", "--seed", "9"), 2),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in [((), 2), (("--share", "--loot", "--seed", "9"), 1)]),
        *(pytest.param(("--loot",), after, marks=pytest.mark.slow) for after in (1, 2)),
    ],
)
def test_interrupted_loot_is_completed_as_rolled_and_undone_in_one_step(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch, after: int, again: tuple[str, ...]
) -> None:
    before = notes(vault)
    assert vk("rewards", "k3f9", "--seed", "5", "--loot", cwd=vault).code == 0
    whole = notes(vault)
    vk("undo", "--yes", cwd=vault)
    assert notes(vault) == before
    cut_off(vk, vault, monkeypatch, "rewards", "k3f9", "--seed", "5", "--loot", after=after)
    assert notes(vault) not in (before, whole)
    dry = vk("rewards", "k3f9", "--dry-run", cwd=vault)
    assert "run the command without --dry-run" in dry.err and notes(vault) != whole
    done = vk("rewards", "k3f9", *again, cwd=vault)
    assert done.code == 0 and "writing them was interrupted. Now they are complete" in done.err
    assert notes(vault) == whole and f"Written: {OTHER}" in done.err
    assert "nothing was written" in vk("rewards", "k3f9", *again, cwd=vault).err
    assert vk("undo", "--yes", cwd=vault).code == 0
    assert notes(vault) == before


@pytest.mark.slow
def test_interrupted_loot_is_written_into_a_note_edited_since(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(vk, vault, monkeypatch, "rewards", "k3f9", "--seed", "5", "--loot")
    text = (vault / HERO).read_bytes()
    (vault / HERO).write_bytes(text.replace(b"A cleric.", b"A cleric, tired.\r\n\r\nAnd more.") + b"\r\n## Debts\r\n")
    edited = (vault / HERO).read_bytes()
    assert vk("rewards", "k3f9", cwd=vault).code == 0
    lines = (vault / HERO).read_bytes().splitlines()
    assert sum(b"-loot" in line for line in lines) == 1
    assert lines.index(b"- A spade") + 1 == next(at for at, line in enumerate(lines) if b"-loot" in line)
    assert vk("undo", "--yes", cwd=vault).code == 0
    assert (vault / HERO).read_bytes() == edited


@pytest.mark.slow
def test_interrupted_loot_with_an_edited_place_is_refused_with_a_hint(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(vk, vault, monkeypatch, "rewards", "k3f9", "--seed", "5", "--loot")
    (vault / HERO).write_bytes((vault / HERO).read_bytes().replace(b"- A spade", b"- A golden spade"))
    done = vk("rewards", "k3f9", cwd=vault)
    assert done.code == 5 and "vaultkit undo 1" in done.err and HERO in done.err
    assert vk("undo", "1", "--yes", cwd=vault).code == 0
    assert vk("rewards", "k3f9", "--loot", cwd=vault).code == 0
    assert "-loot" in text(vault, HERO)


@pytest.mark.slow
def test_interrupted_rewards_removed_by_hand_are_rolled_again(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (vault / GAME).read_bytes()
    cut_off(vk, vault, monkeypatch, "rewards", "k3f9", "--seed", "5", "--loot")
    (vault / GAME).write_bytes(before)
    done = vk("rewards", "k3f9", "--seed", "6", "--loot", cwd=vault)
    assert done.code == 0 and "seed 6" in done.err
    assert text(vault, HERO).count("-loot") == 1


@pytest.mark.slow
def test_rewards_of_one_note_interrupted_at_their_end_are_complete(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note is written; then neither the history knows of it, nor is the temporary file gone."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(History, "mark_done", killed)
        assert vk("rewards", "k3f9", "--seed", "5", cwd=vault).code == 130
    (vault / "Games/.vaultkit-dead.tmp").touch()
    done = vk("rewards", "k3f9", cwd=vault)
    assert done.code == 0 and "nothing was written" in done.err
    assert not list(vault.rglob(".vaultkit-*"))
    assert "cut off" not in vk("undo", "--list", cwd=vault).out
    assert vk("undo", cwd=vault).code == 0 and text(vault) == game_note()


def test_plan_left_after_all_writes_is_removed_by_the_next_command(
    vk: Vaultkit, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    before = notes(vault)
    with monkeypatch.context() as patch:
        patch.setattr(entry_files, "remove_plan", killed)
        assert vk("rewards", "k3f9", "--seed", "5", "--loot", cwd=vault).code == 130
    assert [*vault.rglob("plan.json")]
    assert vk("undo", "--yes", cwd=vault).code == 0 and notes(vault) == before
    assert not [*vault.rglob("plan.json"), *vault.rglob("*.ahead")]


def test_rewards_without_a_name_pass_over_games_that_only_bots_played(vk: Vaultkit, vault: Path) -> None:
    later, session = "Games/2026-11-04 Dragon Citadel 1.md", "20261104-dragon-citadel-b0ts"
    sheet = "".join(
        line for line in SHEET.splitlines(keepends=True) if "Bot" in line or line.startswith(("| Pl", "|--"))
    )
    front = FRONT.replace(SESSION, session).replace("2026-11-03", "2026-11-04")
    front = front.replace('"[[Ysolde Marr]]", "[[Bram Tolliver]]", "Priya\'s cousin", ', "")
    (vault / later).write_text(game_note(sheet, front=front), encoding="utf-8")
    assert vk("rewards", "--dry-run", "--json", cwd=vault).json["note"] == GAME
    assert vk("rewards", "--bots", "--dry-run", "--json", cwd=vault).json["note"] == later
    (vault / GAME).unlink()
    done = vk("rewards", cwd=vault)
    assert f"Only bots played {later}, and they earn nothing." in done.err
    assert f"vaultkit rewards {session} --bots" in done.err
    assert vk("rewards", session, "--bots", "--dry-run", "--json", cwd=vault).json["rolls"]
