"""What a Congregation and a Temple are worth (TF-25, TF-26)."""

from collections.abc import Iterable, Mapping

from vaultkit.games.turn_of_fate.facts import RIVAL, Facts, Stack


def sheet(congregation: tuple[Stack, ...], vowed: tuple[Stack, ...], temple: str, facts: Facts) -> dict[str, int]:
    """One seat's score by part, in the order of a score sheet.

    For the Congregation and for the Temple: `count` of Citizens, and the points of `citizens` at face value, of those
    `doubled` for bearing the rival's suit, and of `fates`; then the `total`.
    """
    rival = RIVAL[temple]
    parts = {**_zone("congregation", congregation, rival, facts), **_zone("temple", vowed, rival, facts)}
    return {**parts, "total": total(parts)}


def total(parts: Mapping[str, int]) -> int:
    """All that is added up of a sheet's parts: everything but the numbers of Citizens."""
    return sum(points for part, points in parts.items() if not part.endswith(".count"))


def _zone(name: str, stacks: tuple[Stack, ...], rival: str, facts: Facts) -> dict[str, int]:
    doubled = [stack for stack in stacks if rival in facts.suits[stack[0]]]
    return {
        f"{name}.count": len(stacks),
        f"{name}.citizens": _sum(facts.value, (stack[0] for stack in stacks if stack not in doubled)),
        f"{name}.doubled": 2 * _sum(facts.value, (stack[0] for stack in doubled)),
        f"{name}.fates": _sum(facts.value, (fate for stack in stacks for fate in stack[1:])),
    }


def _sum(value: Mapping[str, int], cards: Iterable[str]) -> int:
    return sum(value[card] for card in cards)


def worth(stack: Stack, temple: str, facts: Facts) -> int:
    """The points of one Citizen with all their Fates, for the temple of the suit `temple`."""
    double = RIVAL[temple] in facts.suits[stack[0]]
    return _sum(facts.value, stack) + (facts.value[stack[0]] if double else 0)
