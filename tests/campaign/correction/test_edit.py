"""Edits of logged games: everything that follows from the scores is rewritten, and everything else stays."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.campaign.correction.games import (
    ENGLISH,
    LANGUAGES,
    NOW,
    Language,
    contents,
    edit,
    log,
    make_vault,
    paper_log,
)
from tests.counts import count
from vaultkit.campaign.correction.edit import find_logged
from vaultkit.campaign.undo import undo
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.vault import Note, Vault

Scores = list[list[tuple[int, str]]]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault")


def flags_of(language: Language, scores: Scores, halves: list[float]) -> list[str]:
    """Return a flag for each player: geese and ribbons by round, and a half for the whole game."""
    return [
        f"{name}: geese={'/'.join(str(geese) for geese, _ in rounds)}, "
        f"ribbon={'/'.join(ribbon for _, ribbon in rounds)}, half={half}"
        for name, rounds, half in zip(language.people, scores, halves, strict=False)
    ]


@st.composite
def tallies(draw: st.DrawFn, players: int, rounds: int) -> tuple[Scores, list[float]]:
    """Scores of a game of Goose Fair, negative and half numbers among them."""
    box = st.tuples(st.integers(-40, 120), st.sampled_from(["none", "silk"]))
    scores = draw(st.lists(st.lists(box, min_size=rounds, max_size=rounds), min_size=players, max_size=players))
    halves = draw(st.lists(st.integers(0, 9).map(lambda n: n / 2), min_size=players, max_size=players))
    return scores, halves


def insert_lines(data: bytes, places: list[int], newline: str) -> tuple[bytes, list[str]]:
    """Put lines of a GM between the lines of a note's body, and return the note with them, and the lines."""
    note = Note("n.md", data)
    lines = note.body.splitlines(keepends=True)
    own = [f"My words {number} äあ{newline}" for number in range(len(places))]
    for place, line in zip(places, own, strict=True):
        lines.insert(place % (len(lines) + 1), line)
    return note.encoded.to_bytes(note.head + "".join(lines)), own


@pytest.mark.slow
@settings(max_examples=count(15, 500))
@given(data=st.data(), language=st.sampled_from(LANGUAGES))
def test_edit_changes_only_what_depends_on_it(data: st.DataObject, language: Language) -> None:
    players, rounds = data.draw(st.integers(2, 4)), data.draw(st.integers(1, 3))
    first, second = (data.draw(tallies(players, rounds)) for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        root = make_vault(Path(folder) / "vault", language)
        session, logged = log(root, "goose-fair", flags_of(language, *first), note="A fine day")
        path = root / logged.note
        edited, own_lines = insert_lines(path.read_bytes(), data.draw(st.lists(st.integers(0, 99), max_size=4)), "\n")
        path.write_bytes(edited)
        before = contents(root)
        assert not edit(root, session).written
        result = edit(root, session, scores=flags_of(language, *second))
        assert bool(result.written) is (first != second)
        text = path.read_text(encoding="utf-8")
        for line in own_lines:
            assert line in text
            text = text.replace(line, "", 1)
        game = find_logged(paper_log(root).workspace, session, NOW)
        assert text == game.pages_of(game.result).note
        assert game.paper is not None
        assert len(game.paper.names) == players
        assert campaign_line(root, language, session) in game.pages.line(f"{language.log}.md")
        if result.written:
            undo(Vault(root))
        assert contents(root) == before


def campaign_line(root: Path, language: Language, session: str) -> str:
    text = (root / f"{language.log}.md").read_bytes().decode()
    [line] = [line for line in text.splitlines() if line.endswith(f"^vk-{session}")]
    return line


@pytest.mark.slow
@settings(max_examples=count(15, 500))
@given(data=st.data())
def test_note_edited_twice_has_the_last_scores(data: st.DataObject) -> None:
    steps = [data.draw(tallies(2, 2)) for _ in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        root = make_vault(Path(folder) / "vault")
        session, logged = log(root, "goose-fair", flags_of(ENGLISH, *steps[0]))
        states = [contents(root)]
        for step in steps[1:]:
            written = edit(root, session, scores=flags_of(ENGLISH, *step)).written
            states += [contents(root)] if written else []
        game = find_logged(paper_log(root).workspace, session, NOW)
        assert (root / logged.note).read_text() == game.pages.note
        for state in reversed(states[:-1]):
            undo(Vault(root))
            assert contents(root) == state
        again = edit(root, session, scores=flags_of(ENGLISH, *steps[2]))
        assert (steps[2] == steps[0]) is not bool(again.written)
        assert contents(root) == states[-1] or steps[1] == steps[2] == steps[0]


HAND = ["Ysolde Marr: points=10/4", "Bram: points=13/22", "Finn: points=3/0"]


@pytest.mark.slow
def test_words_of_the_gm_in_our_lines_are_preserved(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    path = vault / logged.note
    text = path.read_text()
    path.write_text(text.replace("| Finn | 3 |", "| Finn | 3 | and a cake"))
    edit(vault, session, scores=["Finn: points=20/9"])
    assert "| Finn | 29 | and a cake" in path.read_text()


@pytest.mark.slow
def test_words_inside_a_changed_line_are_never_lost(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    path = vault / logged.note
    path.write_text(path.read_text().replace("Finn has the lowest", "Fortunato has the lowest"))
    before = contents(vault)
    with pytest.raises(WriteError, match="changed by hand") as caught:
        edit(vault, session, scores=["Finn: points=20/9"])
    assert caught.value.where.startswith(logged.note)
    assert contents(vault) == before


@pytest.mark.slow
def test_lines_removed_by_the_gm_stay_removed(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    path = vault / logged.note
    text = path.read_text()
    start, end = text.index("## How It Went"), text.index("> [!info]-")
    path.write_text(text[:start] + text[end:])
    edit(vault, session, scores=["Finn: points=20/9"])
    assert "How It Went" not in path.read_text() and "score-finn: 29" in path.read_text()


@pytest.mark.slow
def test_properties_rewritten_by_obsidian_are_found_by_name(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    path = vault / logged.note
    note = Note(logged.note, path.read_bytes())
    lines = sorted(line for line in note.head.splitlines() if line.startswith(("score-", "outcome", "date", "game")))
    ids = [f"vaultkit-session: '{session}'", f"vaultkit-definition: {note.property('vaultkit-definition')}"]
    players = ['players: ["[[Ysolde Marr]]", "[[Bram Tolliver|Bram]]", Finn]', "winners: [Finn]"]
    head = "\n".join(["---", *ids, *players, *lines, "mood: good # really", "tags: [game/hearts]", "---", ""])
    path.write_text(head + note.body)
    edit(vault, session, scores=["Finn: points=20/9"])
    changed = Note(logged.note, path.read_bytes())
    assert changed.property("score-finn") == 29 and changed.property("winners") == ["[[Ysolde Marr]]"]
    assert "mood: good # really" in changed.head and changed.property("tags") == ["game/hearts"]


@pytest.mark.slow
def test_numbers_corrected_by_hand_count(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    path = vault / logged.note
    path.write_text(path.read_text().replace("| 13 | 22 |", "| 13 | 1 |"))
    edit(vault, session, note="Late")
    text = path.read_text()
    assert "score-bram-tolliver: 14" in text and "**Note:** Late" in text


@pytest.mark.slow
def test_player_is_renamed_added_and_removed(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    path = vault / logged.note
    edit(vault, session, seats=["Finn=Gwen"])
    assert "score-gwen: 3" in path.read_text() and "Finn" not in path.read_text()
    names = ["Ysolde Marr", "Bram", "Gwen", "Odo"]
    edit(vault, session, seats=names, scores=["Odo: points=0/0"])
    assert "score-odo: 0" in path.read_text()
    edit(vault, session, seats=["Ysolde Marr", "Bram", "Odo"])
    assert "Gwen" not in path.read_text() and "| Odo | 0 |" in path.read_text()
    with pytest.raises(UsageError, match="Flin did not play"):
        edit(vault, session, scores=["Flin: points=1/1"])


@pytest.mark.slow
def test_campaign_line_moves_to_another_note_and_is_removed(vault: Path) -> None:
    session, _ = log(vault, "hearts", HAND)
    edit(vault, session, campaign="Ysolde Marr")
    assert f"^vk-{session}" in (vault / "Party/Ysolde Marr.md").read_text()
    assert f"^vk-{session}" not in (vault / "Campaign.md").read_text()
    edit(vault, session, campaign="none", date="2026-11-02")
    assert not any(f"^vk-{session}".encode() in data for data in contents(vault).values())


@pytest.mark.slow
def test_impossible_scores_are_refused(vault: Path) -> None:
    session, _ = log(vault, "hearts", HAND)
    before = contents(vault)
    with pytest.raises(InvalidError, match="Cannot be true"):
        edit(vault, session, scores=["Finn: points=99/0"], force=False)
    with pytest.raises(InvalidError, match="is in the future"):
        edit(vault, session, date="2031-01-01")
    assert contents(vault) == before


@pytest.mark.slow
def test_second_game_of_the_same_day_and_players_is_questioned(vault: Path) -> None:
    session, _ = log(vault, "hearts", HAND)
    other = ["Finn: points=26/0", "Bram: points=0/0", "Ysolde Marr: points=0/26"]
    with pytest.raises(InvalidError, match="Is this the game of 3 November 2026") as caught:
        log(vault, "hearts", other)
    assert "--again" in caught.value.hint and session[-4:] in caught.value.hint
    assert log(vault, "hearts", other, again=True)[1].written
    assert log(vault, "hearts", [*other[:2], "Gwen: points=0/26"])[1].written


@pytest.mark.slow
def test_logging_again_does_not_restore_corrected_values(vault: Path) -> None:
    session, logged = log(vault, "hearts", HAND)
    edit(vault, session, scores=["Finn: points=20/9"])
    after = contents(vault)
    assert not log(vault, "hearts", HAND)[1].written
    edit(vault, session, note="x")
    assert "score-finn: 29" in (vault / logged.note).read_text()
    undo(Vault(vault))
    assert contents(vault) == after


def test_a_dry_run_writes_nothing(vault: Path) -> None:
    session, _ = log(vault, "hearts", HAND)
    files = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    result = edit(vault, session, scores=["Finn: points=20/9"], dry_run=True)
    assert "+score-finn: 29" in result.diff and not result.written
    assert {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()} == files
