import json
from pathlib import Path

import pytest

from tests.session.helpers import ID, NOON, Begin, begin, play_first, resume, settle
from tests.session.toy import TOY_DECK, Toy
from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.games.game import View
from vaultkit.games.turn import Chance, IllegalMove, Move, draw_move
from vaultkit.session import Session
from vaultkit.session.history import replay
from vaultkit.session.journal import read
from vaultkit.session.journal_records import Agreement, DealRecord, MoveRecord


def test_a_game_of_bots_plays_itself(new: Begin) -> None:
    with new("bot:first", "bot:random") as session:
        steps = list(session.advance())
        assert session.outcome and steps == list(session.steps)
        assert [step.n for step in steps] == list(range(1, len(steps) + 1))
        assert read(session.path).end


def test_same_seed_gives_the_same_game_to_the_byte(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        with begin(tmp_path / folder, "bot:random", "bot:random", seed=3) as session:
            settle(session)
    journals = [(tmp_path / folder / f"{ID}.journal").read_bytes() for folder in ("a", "b")]
    assert journals[0] == journals[1]


def test_g_6_only_possible_move_is_played_automatically_and_marked(new: Begin) -> None:
    with new("North") as session:
        play_first(session)
        lone = [step for step in session.steps if step.auto]
        assert [step.move.verb for step in lone] == ["play"]
        records = [line.record for line in read(session.path).lines]
        assert sum(isinstance(record, MoveRecord) and record.auto for record in records) == 1


def test_g_6_only_possible_move_that_would_reveal_something_is_asked_for(new: Begin) -> None:
    with new("North", ask="always") as session:
        play_first(session)
        assert session.outcome and not any(step.auto for step in session.steps)


def test_g_7_journal_contains_the_dealt_cards(new: Begin) -> None:
    with new("North", "South") as session:
        settle(session)
        entries = [line.record for line in read(session.path).lines]
    deals = [entry for entry in entries if isinstance(entry, DealRecord)]
    assert len(deals) == len(entries) and [deal.chance for deal in deals] == ["who", "deal", "deal", "prize"]
    assert [len(deal.cards) for deal in deals] == [1, 3, 3, 1]


@pytest.mark.parametrize("real_cards", [False, True])
@pytest.mark.parametrize("first", ["0", "1"])
def test_cards_known_before_the_game_are_not_dealt_at_random(new: Begin, first: str, real_cards: bool) -> None:
    with new("North", "South", known={"who": (first,)}, real_cards=real_cards) as session:
        settle(session)
        told = read(session.path)
        assert told.header.known == {"who": (first,)}
        assert told.lines[0].record == DealRecord(n=1, chance="who", cards=(first,))
        assert (len(told.lines) == 1) is real_cards


def test_g_3_secret_choice_stays_hidden_until_all_have_chosen(new: Begin) -> None:
    with new("North", "South", hands="hidden") as session:
        play_first(session, 2)
        assert session.prompt and session.prompt.secret
        first = session.submit(session.prompt.moves[0])
        assert [event.kind for event in first] == ["commit"] and not first[0].cards
        second = session.submit(session.prompt.moves[0])
        assert [event.kind for event in second] == ["commit", "reveal", "win"]


def test_move_is_on_disk_before_it_is_returned(new: Begin) -> None:
    with new("North", "bot:random") as session:
        for step in session.advance():
            assert read(session.path).steps[-1].record == step.record


def test_an_illegal_move_changes_nothing(new: Begin) -> None:
    with new() as session:
        settle(session)
        before = session.path.read_bytes()
        with pytest.raises(IllegalMove):
            session.submit(Move("dance"))
        assert session.path.read_bytes() == before and session.prompt


def test_move_that_cannot_be_written_is_not_made(new: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    with new() as session:
        settle(session)
        before, steps = session.path.read_bytes(), session.steps

        def fill_disk(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.session.journal_files.os.fsync", fill_disk)
            with pytest.raises(WriteError, match="No space left"):
                session.submit(Move("cheer"))
        assert session.path.read_bytes() == before and session.steps == steps
        session.submit(Move("cheer"))
        assert len(read(session.path).steps) == len(steps) + 1


def test_reproducible_steps_do_not_wait_for_the_disk(new: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[int] = []
    with new() as session:
        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.session.journal_files.os.fsync", waited.append)
            settle(session)
            assert session.steps and not waited
            session.submit(Move("cheer"))
            assert len(waited) == 1
        assert len(read(session.path).steps) == len(session.steps)


def test_journal_truncated_by_another_program_is_not_written_to(new: Begin) -> None:
    with new() as session:
        settle(session)
        older = session.path.read_bytes()[:-20]
        session.path.write_bytes(older)
        with pytest.raises(WriteError, match="another program"):
            session.submit(Move("cheer"))
        assert session.path.read_bytes() == older


def test_game_stopped_anywhere_and_resumed_is_the_same_game(tmp_path: Path) -> None:
    with begin(tmp_path / "whole", "North", "bot:random", seed=5) as session:
        play_first(session)
        whole, outcome = session.path.read_bytes(), session.outcome
    session = begin(tmp_path / "parts", "North", "bot:random", seed=5)
    while not session.outcome:
        step = next(session.advance(), None)
        if step is None and session.prompt:
            session.submit(session.prompt.moves[0])
        session.close()
        session = resume(session.path)
    session.close()
    assert session.path.read_bytes() == whole and session.outcome == outcome


def test_a_second_process_is_refused(new: Begin) -> None:
    with new() as session:
        with pytest.raises(WriteError, match="another window") as caught:
            resume(session.path)
        assert caught.value.exit_code == 5
    resume(session.path).close()


def test_a_journal_is_never_overwritten(new: Begin) -> None:
    with new() as session:
        before = session.path.read_bytes()
    with pytest.raises(WriteError):
        new()
    assert session.path.read_bytes() == before


def test_another_deck_is_refused(new: Begin) -> None:
    with new() as session:
        settle(session)
    other = Deck("toy", "Toy Deck", TOY_DECK.cards[1:])
    with pytest.raises(InvalidError, match="another deck"):
        replay(session.path, Toy(), other)
    resume(session.path).close()


def test_bad_option_starts_no_game(new: Begin, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        new(colour="red")
    with pytest.raises(UsageError):
        new(*"ABCDE")
    assert not list(tmp_path.iterdir())


def test_replay_shows_the_played_moves(new: Begin) -> None:
    with new("North", "bot:first") as session:
        play_first(session)
        contents, steps = replay(session.path, Toy(), TOY_DECK)
    assert steps == session.steps
    assert contents.end and contents.end.outcome == session.outcome and contents.end.at == NOON


def test_turned_real_cards_are_entered_by_people(new: Begin) -> None:
    with new("North", real_cards=True) as session:
        settle(session)
        assert isinstance(session.turn, Chance) and session.turn.name == "who"
        session.submit(draw_move("0"))
        session.submit(draw_move("3-roots", "1-leaves", "2-leaves"))
        with pytest.raises(IllegalMove):
            session.submit(draw_move("3-roots"))
        session.submit(draw_move("8-roots"))
        assert session.prompt
    with resume(session.path) as again:
        assert again.steps == session.steps


def test_agreed_settings_are_restored_on_resume(new: Begin) -> None:
    with new(agreement=Agreement(campaign="Barovia.md", gm="Maud")) as session:
        pass
    with resume(session.path) as again:
        assert again.header == session.header and again.header.agreement == Agreement(campaign="Barovia.md", gm="Maud")


def test_illegal_move_of_a_bot_is_an_internal_error(tmp_path: Path) -> None:
    class Cheat:
        def choose(self, view: View, game: object, rng: object) -> Move:
            return Move("steal")

    with begin(tmp_path, "bot:cheat", make=lambda _: Cheat()) as session, pytest.raises(RuntimeError, match="Bot 1"):
        settle(session)


def test_game_interrupted_before_its_end_line_gets_it_on_resume(new: Begin) -> None:
    with new("bot:first") as session:
        settle(session)
    lines = session.path.read_bytes().splitlines(keepends=True)
    session.path.write_bytes(b"".join(lines[:-1]))
    with resume(session.path) as again:
        assert isinstance(again, Session) and again.outcome
    assert session.path.read_bytes() == b"".join(lines)


def test_edited_journal_ends_as_its_steps_do_and_has_all_options(new: Begin) -> None:
    with new("bot:first", "bot:random") as session:
        settle(session)
        outcome, path, options = session.outcome, session.path, session.header.options
    header, *steps, end = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    changed = {**header, "options": {}}, *steps, {**end, "outcome": {**end["outcome"], "winners": [99], "scores": []}}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in changed), encoding="utf-8")
    contents, _ = replay(path, Toy(), TOY_DECK)
    assert contents.end and (contents.end.outcome, contents.header.options) == (outcome, options)


def test_journal_of_an_unfinished_game_cannot_claim_an_end(new: Begin) -> None:
    with new("bot:first", "bot:random") as session:
        settle(session)
    header, *_, end = session.path.read_bytes().splitlines(keepends=True)
    session.path.write_bytes(header + end)
    with pytest.raises(InvalidError, match="Line 2 of the journal does not fit the game: it is not over"):
        replay(session.path, Toy(), TOY_DECK)
