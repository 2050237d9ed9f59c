"""Invented names and plain sentences for the vault that the benchmark measures."""

import random
from itertools import product

_PLAIN = """
a able above across after again against air all along among and any apart arch around ash at autumn away bank barrel
bell below bend beside between black blue boat bone bottom bread bridge bright broken bronze brook by cart cellar chain
chalk chapel chest clay clear cliff cloak cloud coal cold copper corner count cross dark dawn deep door down draw dry
dust each early east edge eight empty evening every fair fall far field fire first five floor flour follow forest four
from garden gate give glass gold good grain grass green grey guest half hall hand harbour hard heavy hedge here hidden
high hill hollow home horn house ice in inn inside iron key keep ladder lake lamp land last late leaf left less letter
light line little lock long lost low many map market meadow mill moon moss most narrow near never new night nine no
north oak of old on once open orchard other out outside over path pine pond quiet rain reed rest right ring river road
roof room rope round salt sand seal second seven shade shadow sharp shore short side silent silver six sky sleep slow
small smoke snow soft some south spring stair star stay stone storm straw stream strong summer sun table tall ten than
the then thick thin third three through tide tin to tower town tree turn two under until up valley very wall warm water
wax way well west wheel when where white wide wild wind window winter with wood yellow yes
"""

PLAIN = _PLAIN.split()

_FIRST = """
Amber Ashen Bitter Bleak Brazen Bright Broken Calm Cinder Clouded Copper Crooked Dawn Dim Dusty Ebon Faded Fallow Fell
Gilded Glass Grey Hidden Hollow Horned Iron Ivory Keen Last Leaden Long Lost Moonlit Mossy Narrow Pale Patient Quiet
Restless Rusty Salt Silent Silver Sleeping Sullen Tall Thorny Twin Veiled Wandering
"""

_SECOND = {
    "items": "Anchor Anvil Arrow Basin Belt Blade Boots Bowl Brooch Candle Cap Chain Cloak Coin Comb Cup Drum Flask",
    "bestiary": "Badger Beetle Boar Crane Crawler Crow Drake Eel Elk Fox Ghoul Golem Hare Hawk Heron Hound Husk Jackal",
    "spells": "Barrier Beckoning Bloom Breath Call Dirge Echo Flame Flare Gaze Grasp Gust Hush Knot Lament Mist Pulse",
    "feats": "Archer Brawler Climber Dancer Duellist Guard Healer Hunter Keeper Listener Oarsman Pilgrim Reader Rider",
    "rules": "Burden Chase Claim Cover Craft Delay Duty Favour Focus Haste Hazard Injury Journey Leisure Morale Notice",
    "tables": "Arrivals Bargains Blessings Curiosities Debts Dreams Encounters Errands Findings Gossip Hirelings Oaths",
    "decks": "Almanac Arcana Bestiary Calendar Chronicle Court Fates Gallery Harvest Herald Hours Masks Mirrors Omens",
    "campaign": "Abbey Affair Ambush Bargain Betrayal Bridge Caravan Council Crossing Duel Feast Ferry Fire Funeral",
}

_ENDINGS = ["n", "r", "th", "l", "sk", "m"]


def invented(count: int) -> list[str]:
    """`count` invented place names, all different, at most 240: Bavan, Bavath, Baval."""
    syllables = product("BDGKLMNRTV", "aeiou", ["v", "ld"], "ao", _ENDINGS)
    return ["".join(parts) for parts in syllables][: count * 2 : 2]


def names(kind: str, count: int, chance: random.Random) -> list[str]:
    """`count` names of one kind, all different: `Hollow Blade of Bavan`; no two kinds share one."""
    pairs = [f"{first} {second}" for first in _FIRST.split() for second in _SECOND[kind].split()]
    places = invented(2 + count // len(pairs))
    all_names = [f"{pair} of {place}" for place in places for pair in pairs]
    return chance.sample(all_names[: count * 2], count)


def sentences(count: int, chance: random.Random) -> list[str]:
    """Sentences of 6 to 20 plain words."""
    return [_sentence(chance) for _ in range(count)]


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(PLAIN, k=chance.randint(6, 20))).capitalize() + "."
