"""Deletion of logged games, and processes that are killed while they edit or delete one."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaign.correction.games import LANGUAGES, NOW, Language, contents, edit, log, make_vault, paper_log
from tests.counts import count
from tests.reliability.loop import ended, forked
from tests.reliability.state import history_is_sound, leftovers
from tests.wording import Says
from vaultkit.campaign.correction.delete import delete_game
from vaultkit.campaign.stats.stats_note import record_statistics
from vaultkit.campaign.undo import undo
from vaultkit.errors import NothingFound, WriteError
from vaultkit.settings import load
from vaultkit.vault import Vault
from vaultkit.vault.writing.crash_recovery import find_interrupted_entries

HAND = ["{0}: points=10/4", "{1}: points=13/22", "{2}: points=3/0"]


def log_hearts(root: Path, language: Language) -> tuple[str, str]:
    session, logged = log(root, "hearts", [flag.format(*language.people) for flag in HAND])
    return session, logged.note


def delete(root: Path, session: str, *, keep_text: bool = False) -> tuple[str, ...]:
    return delete_game(paper_log(root).workspace, session, keep_text=keep_text, now=NOW).written


@pytest.mark.short(1)
@pytest.mark.parametrize("language", LANGUAGES, ids=("English", "German", "Japanese"))
def test_deleted_game_is_removed_and_restored_byte_for_byte(tmp_path: Path, language: Language) -> None:
    root = make_vault(tmp_path / "vault", language)
    before = contents(root)
    session, note = log_hearts(root, language)
    after = contents(root)
    assert note in delete(root, session)
    assert contents(root) == before
    undo(Vault(root))
    assert contents(root) == after
    undo(Vault(root))


@pytest.mark.short(1)
@pytest.mark.parametrize("language", LANGUAGES, ids=("English", "German", "Japanese"))
def test_deletion_refuses_or_preserves_text_of_the_gm(tmp_path: Path, language: Language) -> None:
    root = make_vault(tmp_path / "vault", language)
    session, note = log_hearts(root, language)
    text = (root / note).read_text()
    text = text.replace("tags:", "mood: good # äあ\ntags:").replace(
        "\n## ", f"\nMy words {language.people[0]}.\n\n## ", 1
    )
    (root / note).write_bytes(text.replace("\n", language.newline).encode())
    before = contents(root)
    with pytest.raises(WriteError, match="text of yours"):
        delete(root, session)
    assert contents(root) == before
    delete(root, session, keep_text=True)
    kept = (root / note).read_bytes().decode()
    assert kept == f"---\nmood: good # äあ\n---\n\nMy words {language.people[0]}.\n".replace("\n", language.newline)
    assert session.encode() not in b"".join(contents(root).values())
    undo(Vault(root))
    assert contents(root) == before


@pytest.mark.slow
def test_deletion_does_not_lose_words_in_the_campaign_line(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    session, note = log_hearts(root, LANGUAGES[0])
    log_note = root / "Campaign.md"
    log_note.write_text(log_note.read_text().replace(f" ^vk-{session}", f" What a night! ^vk-{session}"))
    with pytest.raises(WriteError, match="changed by hand"):
        delete(root, session)
    delete(root, session, keep_text=True)
    assert "What a night!\n" in log_note.read_text() and not (root / note).exists()


@pytest.mark.slow
def test_statistics_are_updated_after_a_deletion(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    session, _ = log_hearts(root, LANGUAGES[0])
    record_statistics(Vault(root), load(root), now=NOW)
    edit(root, session, scores=["Finn: points=20/9"])
    assert "| Hearts | [[Ysolde Marr]] | 14 |" in (root / "Games/Statistics.md").read_text()
    written = delete(root, session)
    assert "Games/Statistics.md" in written and "No game is logged yet" in (root / "Games/Statistics.md").read_text()
    with pytest.raises(NothingFound):
        delete(root, session)


Work = Callable[[], object]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["edit", "delete"])
def test_killed_deletion_leaves_everything_or_nothing_to_finish(tmp_path: Path, kind: str) -> None:
    chance, rounds, kills = random.Random(kind), count(12, 300), 0
    for number in range(rounds):
        root = make_vault(tmp_path / f"{number}")
        session, note = log_hearts(root, LANGUAGES[0])
        record_statistics(Vault(root), load(root), now=NOW)
        (root / "Campaign.md").write_bytes((root / "Campaign.md").read_bytes() + b"\nMine.\n")
        before = contents(root)
        work: Work = {
            "edit": lambda: edit(root, session, scores=["Finn: points=20/9"], seats=["Bram=Gwen"]),  # noqa: B023
            "delete": lambda: delete(root, session),  # noqa: B023
        }[kind]
        started = time.perf_counter()
        child = forked(work)
        time.sleep(0.9 * chance.random() ** 4)  # most deletions end within 0.1 seconds
        kills += ended(child)
        assert time.perf_counter() - started < 60
        try:
            work()  # the same command again finishes what was cut off
        except NothingFound:
            assert kind == "delete" and not (root / note).exists()
        assert b"Mine.\n" in (root / "Campaign.md").read_bytes()
        if kind == "edit":
            assert b"score-finn: 29" in (root / note).read_bytes()
            assert (
                b"Gwen" in (root / "Campaign.md").read_bytes()
                and b"Gwen" in (root / "Games/Statistics.md").read_bytes()
            )
        else:
            assert session.encode() not in b"".join(contents(root).values())
        assert not find_interrupted_entries(Vault(root)) and not leftovers(root) and history_is_sound(Vault(root))
        while contents(root) != before:
            undo(Vault(root))
    assert kills


@pytest.mark.slow
def test_what_vaultkit_wrote_itself_is_no_text_of_the_gm(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    (root / "Campaign.md").write_text("---\nin-world: 12 Eleasis 1492\n---\n" + (root / "Campaign.md").read_text())
    with (root / ".vaultkit/config.toml").open("a") as config:
        config.write('in-world = "in-world"\n')
    session, note = log_hearts(root, LANGUAGES[0])
    written = (root / note).read_text()
    assert "in-world" in written
    (root / note).write_text(f"{written}\nWe sang all night.\n")
    with pytest.raises(WriteError, match=r"text of yours: We sang all night\."):
        delete(root, session)
    result = delete_game(paper_log(root).workspace, session, keep_text=True, now=NOW)
    assert result.remarks == (Says(note, "stays", "scores", "story", "Campaign.md"),)
    assert (root / note).read_text().strip() == "We sang all night."
