"""The rulings for all games (G-1 to G-10) in Dragon Citadel, many of them checked in random games."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from tests.games.citadel.position import CARDS, DECK, A, B, C, D, Play, arrange_game, arrange_rivals, complete, sample
from vaultkit.games.dragon_citadel import ending, rules
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.rules import OPTIONS
from vaultkit.games.dragon_citadel.sealed_cards import SecretChoices
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.messages import Event
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, draw_move
from vaultkit.resources import shipped_folder

GAMES = 2


@dataclass
class Told:
    """The prompts, chances, events and moves of a whole game."""

    options: dict[str, str | int]
    prompts: list[Prompt] = field(default_factory=list)
    chances: list[Chance] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    end: CitadelState | None = None


def variants() -> Iterator[dict[str, str | int]]:
    """Yield the defaults and each other value of each option, in both modes, then 60 random combinations."""
    for mode in ("coop", "competitive"):
        yield complete(mode=mode)
        for option in OPTIONS[1:]:
            for value in option.values[1:]:
                yield complete(**{"mode": mode, option.key: value})
    luck = Random(10)
    for _ in range(60):
        yield complete(**{option.key: luck.choice(option.values) for option in OPTIONS})


def new(options: dict[str, str | int], seats: int) -> CitadelState:
    return DragonCitadel().new(seats, options, DECK)


def play_whole(options: dict[str, str | int], seats: int, luck: Random) -> Told:
    state, told = new(options, seats), Told(options)
    while (turn := state.turn) is not None:
        if isinstance(turn, Prompt):
            told.prompts.append(turn)
        else:
            told.chances.append(turn)
        move = sample(state, luck)
        told.moves.append(move)
        told.events += state.apply(move)
    told.end = state
    return told


@cache
def games() -> tuple[Told, ...]:
    luck = Random(1)
    tables = [options for options in variants() for _ in range(GAMES)]
    return tuple(play_whole(options, luck.randrange(int(options["min_players"]), 6), luck) for options in tables)


def asked_in_turn(game: Play, *moves: str) -> list[int]:
    asked = []
    for move in moves:
        asked.append(game.asked)
        game.play(move)
    return asked


def test_g_1_players_still_in_act_in_seat_order_from_the_dealers_left() -> None:
    hands = ("", "1-stars", "2-stars", "3-stars", "4-stars")
    plays = ("play 1-stars", "play 2-stars", "play 4-stars")
    assert asked_in_turn(arrange_game("master-stars", hands, out=(A, D)), *plays) == [B, C, 4]
    sealed = arrange_rivals("master-stars", hands, out=(A, D))
    assert asked_in_turn(sealed, *plays) == [B, C, 4]
    assert [seat for seat, _ in sealed.refill()] == [B, C, 4]


def test_g_1_auction_continues_around_the_table() -> None:
    hands = ("2-swords 9-swords", "3-swords 8-swords", "4-swords")
    game = arrange_rivals("1-swords", hands, bidding="ascending")
    assert asked_in_turn(game, "bid 2", "bid 3", "bid 4", "pass", "bid 8", "pass") == [A, B, C, A, B, C]
    assert game.won(B) == {"1-swords", "8-swords"}


def test_g_3_sealed_choice_stays_hidden_until_all_have_chosen() -> None:
    """G-3: a sealed choice changes nothing that the others see, are told or may do before all have chosen."""
    luck, compared = Random(3), 0
    for seed in range(6):
        options = complete(mode="competitive", low_tie="replay-card" if seed % 2 else "default")
        state = new(options, 4)
        while state.turn is not None:
            top = state.stack[-1]
            if isinstance(top, SecretChoices) and len(top.waiting) > 1:
                assert isinstance(state.turn, Prompt) and state.turn.secret
                compared += same_to_others(state, state.turn)
            state.apply(sample(state, luck))
    assert compared > 100


def same_to_others(state: CitadelState, prompt: Prompt) -> int:
    others = [seat for seat in range(state.seats) if seat != prompt.seat]
    outcomes = []
    for move in prompt.moves:
        after = state.clone()
        told = after.apply(move)
        assert ending.outcome(after) is None
        seen = [[event for event in told if event.is_visible_to(seat)] for seat in others]
        outcomes.append((after.turn, [after.view(seat) for seat in others], seen))
    assert all(outcome == outcomes[0] for outcome in outcomes)
    return len(outcomes) - 1


@pytest.mark.parametrize("dealt", ["6-swords", "master-swords", "ghost"])
def test_g_3_all_are_revealed_in_one_event(dealt: str) -> None:
    game = arrange_rivals(dealt, ("master-stars raven", "mists", "donjon"))
    verb = "bid" if dealt == "6-swords" else "play"
    for card in ("raven", "mists"):
        assert not any(event.cards for event in game.play(f"{verb} {card}"))
    told = game.play(f"{verb} donjon")
    assert told[1].kind == "reveal" and told[1].reveals
    assert told[1].cards == ("raven", "mists", "donjon")


@pytest.mark.slow
def test_g_4_all_discards_come_before_all_draws() -> None:
    for told in games():
        drawing = False
        for event in told.events:
            drawing = event.kind in {"refill", "dealer-draw"} or (drawing and event.kind != "turn-up")
            assert not (drawing and event.kind == "discard")


def test_g_4_draws_are_made_clockwise() -> None:
    game = arrange_game("ghost", ("raven", "mists", "donjon"))
    game.play("play raven", "play mists")
    told = game.play("play donjon")
    assert [event.kind for event in told][-1] == "discard"
    assert game.refill() == [(A, 1), (B, 1), (C, 1)]


def test_g_5_draw_ends_with_the_deck_and_is_then_skipped() -> None:
    game = arrange_game("ghost", ("raven", "mists", "donjon"), deck="1-swords", bottom="seer")
    game.play("play raven", "play mists", "play donjon")
    assert game.refill() == [(A, 1), (B, 1)]
    assert game.hand(B) >= {"seer"} and len(game.hand(C)) == 4
    assert game.outcome.kind == "party"


def test_g_5_several_missing_cards_and_fewer_left_in_the_deck() -> None:
    hands = ("2-stars 3-stars", "2-glyphs 9-glyphs", "8-coins")
    game = arrange_game("6-swords", hands, low_tie="replay-card", deck="1-swords")
    game.play("throw 2-stars", "throw 2-glyphs", "throw 8-coins", "throw 3-stars", "throw 9-glyphs")
    assert game.refill() == [(B, 1)]
    assert game.outcome.kind == "party"


def test_g_5_dealer_draws_the_remaining_cards() -> None:
    mine = "6-swords 1-coins 2-coins 3-coins 4-coins"
    hands = ("7-swords", "", "")
    game = arrange_game("6-swords", hands, dealer="hand-of-5", dealer_hand=mine, deck="9-stars", bottom="seer")
    game.play("play 7-swords")
    assert game.refill() == [(A, 1)]
    assert game.chance.name == "dealer-plays" and len(game.chance.options) == 4


def test_g_6_single_choice_is_still_a_prompt() -> None:
    game = arrange_game("6-swords", ("", "", "2-swords"))
    assert game.moves == {"play 2-swords"} and not game.prompt.ask_always


def test_g_6_single_choice_that_would_reveal_a_hand_is_always_asked() -> None:
    for dealt, more in (("6-swords", {}), ("6-swords", {"bidding": "ascending"}), ("ghost", {}), ("master-swords", {})):
        game = arrange_rivals(dealt, ("", "", ""), **more)
        assert game.moves == {"pass"} and game.prompt.ask_always
    crown = arrange_rivals("6-swords", ("ghost", "", ""), bidding="ascending")
    crown.play("bid crown", "pass", "pass")
    assert crown.moves == {"play ghost"} and crown.prompt.ask_always


@pytest.mark.slow
def test_g_6_in_co_op_nothing_is_hidden_so_no_single_choice_must_be_asked() -> None:
    for told in games():
        for prompt in told.prompts:
            secret_hand = told.options["mode"] == "competitive" and prompt.rule != rules.OPEN_CROWNS
            assert prompt.ask_always == secret_hand


def test_g_7_only_shuffles_and_lots_are_chance() -> None:
    names = {chance.name for told in games() for chance in told.chances}
    assert names == {"deal", "refill", "turn-up", "dealer-draw", "dealer-plays", "low-tie"}
    for told in games():
        own = {chance.name for chance in told.chances}
        assert ("dealer-plays" in own) <= (told.options["dealer"] == "hand-of-5")
        assert ("low-tie" in own) <= (told.options["low_tie"] == "random")


def test_g_7_dealt_cards_are_all_that_a_replay_needs() -> None:
    for told in games()[::7]:
        assert told.end is not None
        again = new(told.options, told.end.seats)
        assert [event for move in told.moves for event in again.apply(move)] == told.events
        assert again.at == told.end.at and ending.outcome(again) == ending.outcome(told.end)


def test_g_7_impossible_draw_is_refused_and_changes_nothing() -> None:
    game = arrange_game(None, ("", "", ""))
    held = min(game.hand(A))
    for wrong in (draw_move(held), draw_move("1-clubs"), draw_move(), draw_move("raven", "mists"), Move("pass")):
        before = game.state.clone()
        with pytest.raises(IllegalMove):
            game.apply(wrong)
        assert game.state.at == before.at and game.state.turn == before.turn


def test_g_9_a_drawn_game_lists_all_winners() -> None:
    won = {A: "9-swords", B: "9-stars", C: "8-coins"}
    game = arrange_rivals(None, ("", "", ""), won=won, deck="")
    assert game.outcome.winners == (A, B) and game.outcome.ranks == (1, 1, 3)
    assert "share the highest score" in game.outcome.reason.render(str, str)


def written_headings() -> set[str]:
    note = shipped_folder("vault-example") / "3-Mechanics/CLI/variant-rules/dragon-citadel.md"
    return set(re.findall(r"^#+ (.+?)\s*$", note.read_text(encoding="utf-8"), re.MULTILINE))


def written_rulings() -> set[str]:
    pages = (shipped_folder("rulings") / name for name in ("general.md", "dragon-citadel.md"))
    texts = [page.read_text(encoding="utf-8") for page in pages]
    return {number for text in texts for number in re.findall(r"^## ((?:G|DC)-\d+): ", text, re.MULTILINE)}


def test_g_10_every_prompt_and_event_names_a_heading_of_the_rule_note() -> None:
    written = written_headings()
    told = [*(prompt for told in games() for prompt in told.prompts), *(e for told in games() for e in told.events)]
    named = {said.rule for said in told}
    assert named <= written
    assert {rules.SEER, rules.NUMBER, rules.HERO, rules.CROWN, rules.FORFEIT} <= named


def test_g_10_every_prompt_event_chance_and_outcome_cites_existing_rulings() -> None:
    written = written_rulings()
    assert {f"DC-{number}" for number in range(1, 41)} <= written
    for told in games():
        assert told.end is not None
        outcome = ending.outcome(told.end)
        assert outcome is not None
        for said in (*told.prompts, *told.events, *told.chances, outcome):
            assert said.rulings and set(said.rulings) <= written


def test_g_10_every_option_names_its_ruling() -> None:
    text = (shipped_folder("rulings") / "dragon-citadel.md").read_text(encoding="utf-8")
    for option in OPTIONS:
        section = re.search(rf"^## {option.ruling}: .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert section and f"Option: {option.key} = " in section[0]


def test_g_10_every_sentence_can_be_rendered() -> None:
    for told in games()[::3]:
        assert told.end is not None
        outcome = ending.outcome(told.end)
        assert outcome is not None
        said = [event.sentence for event in told.events] + [turn.text for turn in (*told.prompts, *told.chances)]
        for sentence in (*said, outcome.reason, *(fact for _, fact in outcome.facts)):
            assert "{" not in sentence.render(str, lambda card: DECK.by_id[card].name)


@pytest.mark.slow
def test_dc_6_no_card_is_ever_lost_or_duplicated() -> None:
    for told in games():
        assert told.end is not None
        at = told.end.at
        piles = (*at.hands, *at.crowns, *at.won, at.discard, at.dealer_hand, at.deck.unknown, at.deck.bottom)
        assert sorted(card for pile in piles for card in pile) == sorted(CARDS)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("mode", "foreign"), [("coop", {"DC-28", "DC-29", "DC-31", "DC-40"}), ("competitive", {"DC-18", "DC-23"})]
)
def test_only_rulings_in_force_are_cited_and_only_parties_decide_together(
    mode: str, foreign: set[str], seed: int
) -> None:
    game, rng = arrange_game(None, ("", "", ""), mode=mode), Random(seed)
    while game.turn is not None:
        if isinstance(game.turn, Prompt):
            assert not foreign.intersection(game.turn.rulings)
            assert not game.turn.party or mode == "coop"
            assert game.turn.party or mode != "coop" or game.turn.text.seats == (game.asked,)
            assert [move.id for move, _ in game.turn.ends] == ["joker"] or "joker" not in game.moves
        game.apply(sample(game.state, rng))
    assert not any(foreign.intersection(event.rulings) for event in game.events)
