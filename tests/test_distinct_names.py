"""Names that are never each other's misspelling."""

import pytest

from vaultkit.spelling import are_distinct, find_fewest_edits, find_nearest

DISTINCT = [
    ("East Gate", "West Gate"),
    ("Nordtor", "Südtor"),
    ("Porte gauche", "Porte droite"),
    ("Upper Ward", "Lower Ward"),
    ("Part II", "Part III"),
    ("Session 5", "Session 6"),
    ("1st Floor", "2nd Floor"),
    ("First Floor", "Second Floor"),
    ("Room A", "Room B"),
    ("Altstadt", "Neustadt"),
    ("Großvater", "Großmutter"),
    ("Torre Norte", "Torre Sur"),
    ("północna brama", "południowa brama"),
    ("górny zamek", "dolny zamek"),
    ("pierwszy krąg", "drugi krąg"),
    ("Graf Otto", "Gräfin Otto"),
    ("+1 Sword", "-1 Sword"),
    ("Area 12a", "Area 12b"),
    ("Undead Army", "Dead Army"),
    ("Northeast Tower", "Northwest Tower"),
    ("Dawn Keep", "Dusk Keep"),
    ("Prince Aldo", "Princess Alda"),
    ("Torre Sinistra", "Torre Destra"),
    ("Red Dragon", "Blue Dragon"),
    ("Portão Direito", "Portão Esquerdo"),
    ("Level 1-2", "Level 12"),
    ("Unholy Well", "Holy Well"),
    ("Le Roi", "La Reine"),
    ("Erstes Buch", "Zweites Buch"),
    ("Obere Halle", "Untere Halle"),
    ("Bosque Viejo", "Bosque Nuevo"),
    ("Alte Mühle", "Neue Mühle"),
    ("Ville Haute", "Ville Basse"),
    ("Thirty Years", "Forty Years"),
    ("Dreißigster Tag", "Vierzigster Tag"),
    ("Cala quarenta", "Cala cinquenta"),
    ("Vierzehnter Stock", "Dreizehnter Stock"),
    ("Hundred Swords", "Thousand Swords"),
    ("NE Tower", "NW Tower"),
    ("N Gate", "S Gate"),
    ("Legal Goods", "Illegal Goods"),
    ("Port Side", "Starboard Side"),
    ("Ascending Stair", "Descending Stair"),
]
ALIKE = [
    ("East Gate", "East Gat"),
    ("Northgate", "Northgat"),
    ("Captain Bram", "Captain Brm"),
    ("Part II", "Part 2"),
    ("Ysolde", "Ysold"),
    ("Stone Tower", "Stony Tower"),
    ("Second Floor", "Secnd Floor"),
    ("3 November", "3 Novembr"),
    ("The Old Inn", "Teh Old Inn"),
    ("Kingsport", "Kingspot"),
    ("Mitre", "Miter"),
    ("Tarokka", "Taroka"),
    ("Session 5", "Session"),
]


@pytest.mark.parametrize(("one", "other"), DISTINCT)
def test_opposites_directions_ordinals_and_numbers_are_distinct(one: str, other: str) -> None:
    assert are_distinct(one, other) and are_distinct(other, one)
    assert find_nearest(one.lower(), [other.lower()]) == ""
    assert find_fewest_edits(one, [other], 1) == []


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_typos_are_not_distinct(one: str, other: str) -> None:
    assert not are_distinct(one, other)
    assert find_nearest(one, ["Something Else", other]) == other or one == "Part II"


def test_next_nearest_name_is_used_instead() -> None:
    assert find_nearest("east gate", ["west gate", "east gates"]) == "east gates"
    assert find_nearest("k3f8", ["k3f9"]) == "k3f9"
