"""The story of a game that was entered line by line: told in the same phrases, from the entries."""

from random import Random

import pytest

from tests.games.conformance import Case, deck_of
from tests.games.ledgers import ENTRIES, play_game, write_ledger
from vaultkit.campaign.story import tell_story
from vaultkit.campaign.story_phrases import load_phrases
from vaultkit.campaign.turning_points import build_timeline
from vaultkit.games.registry import rules

NAMES = ("Ysolde", "Bram", "Sefa", "Odhran", "Nettle", "Corvin", "Maud")


@pytest.mark.short(1)
@pytest.mark.parametrize("game", ENTRIES)
def test_entries_give_a_story(game: str) -> None:
    case, rng, own = Case(rules(game), {}), Random(f"{game} story"), load_phrases(game, None)
    deck = deck_of(case.game)
    for number in range(4):
        ledger = write_ledger(case, play_game(case, rng))
        course = build_timeline(ledger.start, ledger.parts, ledger.result(), own.kinds)
        course = course if course.counts else course.without_changes()
        story = tell_story(course, ledger.result(), own, str(number), ledger.options)
        told = " ".join(one.render(NAMES.__getitem__, lambda card: deck[card].name) for one in story.sentences)
        assert story.headline and len(story.sentences) > 2 and len(told.split()) < 250
        assert "{" not in told and "  " not in told


def test_uneventful_game_has_a_story_too() -> None:
    """A game without any event that has phrases has a story, too."""
    case, own = Case(rules("dragon-citadel"), {}), load_phrases("dragon-citadel", None)
    outcome = write_ledger(case, play_game(case, Random(1))).result()
    course = build_timeline((0.0, 0.0, 0.0), (), outcome, own.kinds)
    assert tell_story(course, outcome, own, "nothing").sentences
