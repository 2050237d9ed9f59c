from pathlib import Path

import pytest

from tests.session.helpers import begin, play_first
from tests.wording import Says
from vaultkit.errors import NothingFound, WriteError
from vaultkit.session import Store


def test_games_are_listed_with_their_state(tmp_path: Path) -> None:
    with begin(tmp_path, "North", id="20261103-toy-aaaa") as session:
        play_first(session, 2)
    with begin(tmp_path, "North", id="20261103-toy-bbbb") as session:
        play_first(session)
    (tmp_path / "20261103-toy-cccc.journal").write_bytes(b"nonsense\n")
    (tmp_path / "notes.journal").write_bytes(b"not ours\n")
    listed = Store(tmp_path).list_journals()
    assert [(game.id[-4:], game.standing) for game in listed] == [
        ("bbbb", "finished"),
        ("aaaa", "running"),
        ("cccc", "damaged"),
    ]
    assert [game.moves for game in listed] == [6, 2, 0]
    assert "Line 1" in listed[2].problem


def test_a_game_is_found_by_the_end_of_its_id(tmp_path: Path) -> None:
    for tail in ("aaaa", "bbaa"):
        begin(tmp_path, id=f"20261103-toy-{tail}").close()
    store = Store(tmp_path)
    assert sorted(store.ids()) == ["20261103-toy-aaaa", "20261103-toy-bbaa"]
    assert store.find("bbaa").id == store.find("BBAA").id == "20261103-toy-bbaa"
    assert store.find().standing == "running"
    with pytest.raises(NothingFound, match="Several games end in 'aa'") as caught:
        store.find("aa")
    assert caught.value.hint == Says("Name", "20261103-toy-bbaa", "20261103-toy-aaaa")
    with pytest.raises(NothingFound) as caught:
        store.find("20261103-toy-bbab")
    assert "20261103-toy-bbaa" in caught.value.hint


def test_missing_folder_means_no_games(tmp_path: Path) -> None:
    store = Store(tmp_path / "none")
    assert store.list_journals() == ()
    with pytest.raises(NothingFound):
        store.find()


def test_discard_deletes_only_that_journal(tmp_path: Path) -> None:
    keep, drop = (begin(tmp_path, id=f"20261103-toy-{tail}") for tail in ("aaaa", "bbbb"))
    keep.close()
    store = Store(tmp_path)
    with pytest.raises(WriteError):
        store.discard(drop.id)
    with pytest.raises(NothingFound):
        store.discard("")
    drop.close()
    store.discard("bbbb")
    assert [game.id for game in store.list_journals()] == [keep.id]
    assert not [path for path in tmp_path.iterdir() if "bbbb" in path.name]


def test_renamed_journal_counts_as_damaged(tmp_path: Path) -> None:
    with begin(tmp_path) as session:
        pass
    session.path.rename(tmp_path / "20261103-toy-zzzz.journal")
    assert Store(tmp_path).list_journals()[0].standing == "damaged"
