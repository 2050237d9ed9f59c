"""P16: the ways in which people mark secrets, and texts that only look like them."""

import pytest

from vaultkit.sheets.secrecy import Secrets

USUAL = ("secret", "gm", "dm")
SECRET = """
secret|Secrets|
SECRET|secret:|The Secret|secret notes|Secret info|Secret 2|Secrets & Clues|Room 4 (secret)|Cellar [secret]
Secret: the host is a spy|GM|gm|GMs|GM Notes|GM notes|gm_notes|gm-notes|gmnotes|gmNotes|GMNotes|GM-only|GM only
For the GM's eyes only|For the GM’s eyes|What the GM knows|Cellar (GM)|🔒 GM Notes|Notes for the Game Master
game-master-notes|GameMaster|gamemaster|Gamemaster's notes|DM only|dm_notes|dmNotes|DM: plot|Dungeon Master|dmonly
Keeper's notes|Keeper only|Storyteller notes|SL-Infos|Nur für den SL|SL Notizen|Spielleiter|Spielleiternotizen
Für die Spielleitung|Meisterinformationen|Nur für den Meister|Geheim|Geheime Notizen|Geheimnisse|Pour le MJ uniquement
Notes du MJ|Maître du jeu|Réservé au meneur de jeu|Notes secrètes|Director de juego|Solo para el máster
Notas del DJ|Notas secretas|Secretos|Solo per il master|Note segrete|Segreti|Segredos|Notas do mestre
Apenas para o mestre
Tylko dla MG|Notatki MG|Mistrz Gry|Notatki mistrza gry|Tajne|Sekrety|Tajemnice
"""
OPEN = """
Secretary|Secret Doors|Secret Door|Secrets of the Keep|Secretion|The Secret Garden|Secret Page|Secret Goals|Innkeeper
Keeper|The Keeper of the Flame|Master|Master Bedroom|Task Master|Slums|SL 3|MG|DJ|Referee|Magma|Dmitri|Admin|GMO
Playing without a GM|GM-less play|No GM|Not secret|non-secret|Geheimgang|Sekretär|Secrétaire|Meisterwerk|Notes|Info
Only notes|Keeper: Anna|Storyteller|Mistrz|Maître d'hôtel|Wymagania|Segretario|5e|Background|History|
"""


@pytest.mark.short(48)
@pytest.mark.parametrize("name", [name for line in SECRET.split("\n") for name in line.split("|") if name])
def test_p16_names_that_mark_secrets(name: str) -> None:
    assert Secrets(USUAL).is_secret_name(name)


@pytest.mark.parametrize("name", [name for line in OPEN.split("\n") for name in line.split("|") if name])
def test_p16_names_that_only_look_like_secrets(name: str) -> None:
    assert not Secrets(USUAL).is_secret_name(name)


@pytest.mark.parametrize("name", ["sl", "MJ", "keeper", "mg", "dj", "master"])
def test_p16_kind_of_a_callout_alone_marks_a_secret(name: str) -> None:
    assert Secrets(USUAL).is_secret_name(name, alone=True)


def test_p16_words_of_the_setting_mark_secrets() -> None:
    assert Secrets(("spoiler",)).is_secret_name("Spoilers") and Secrets(("Spoiler",)).is_secret_name("spoiler notes")
    assert not Secrets(("spoiler", "secret")).is_secret_name("GM Notes") and not Secrets(("gm",)).is_secret_name(
        "DM only"
    )
    assert Secrets(("Behind-the-screen",)).is_secret_name("behind the screen")
    assert not Secrets(("spoiler",)).is_secret_name("Spoiler alert horn") and not Secrets(()).is_secret_name("GM")


@pytest.mark.parametrize(
    "label",
    [
        "Secret",
        "GM notes",
        "DM note on Mira",
        "For the GM's eyes only",
        "Notes du MJ",
        "For the DM",
        "Für die Spielleitung",
    ],
)
def test_p16_labels_of_secrets(label: str) -> None:
    assert Secrets(USUAL).is_secret_label(label)


@pytest.mark.parametrize(
    "label",
    ["GM", "The Game Master", "Then the GM reads these notes aloud", "What the GM says", "Secret Doors", "Looks"],
)
def test_p16_labels_that_mark_no_secret(label: str) -> None:
    assert not Secrets(USUAL).is_secret_label(label)
