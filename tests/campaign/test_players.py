import pytest

from tests.campaign.samples import finished_game, log
from vaultkit.campaign.players import Players, find_seats
from vaultkit.vault import Vault


def add(vault: Vault, path: str, text: str = "") -> None:
    (vault.root / path).parent.mkdir(parents=True, exist_ok=True)
    (vault.root / path).write_text(text)


def test_players_are_found_by_name_or_alias_in_any_case(vault: Vault) -> None:
    players = Players(vault, ())
    assert players.note("ysolde marr") == players.note("YSOLDE") == "1-Party/Ysolde Marr.md"
    assert players.note("Bram") == "1-Party/Bram Tolliver.md"
    assert players.note("the boy") == "2-World/Ivo.md"
    assert players.note("Priya's cousin") is None
    assert players.problems == []


@pytest.mark.parametrize(
    ("wanted", "seats"),
    [("ann", [0]), (" ANNA ", [1]), ("zoe\u0308", [2]), ("a", [0, 1]), ("z", [2]), ("b", []), ("", []), (" ", [])],
)
def test_seat_is_found_by_its_name_or_its_beginning(wanted: str, seats: list[int]) -> None:
    assert find_seats(["Ann", "Anna", "Zo\xeb"], wanted) == seats


def test_players_of_the_settings_are_preferred(vault: Vault) -> None:
    add(vault, "2-World/Ysolde.md")
    assert Players(vault, ["Ysolde Marr"]).note("Ysolde") == "1-Party/Ysolde Marr.md"
    assert Players(vault, []).note("Ysolde") == "2-World/Ysolde.md"


def test_unclear_name_stays_plain_and_is_reported(vault: Vault) -> None:
    add(vault, "1-Party/Ysolde Two.md", "---\naliases: [Ysolde]\n---\n")
    players = Players(vault, ["Ysolde Marr", "Ysolde Two"])
    assert players.note("Ysolde") is None
    (problem,) = players.problems
    assert (problem.code, problem.severity) == ("ambiguous-player", "warning")
    logged = log(vault)
    assert len(logged.problems) == 0, "the settings name one of them"
    assert vault.read(logged.note).property("players")[0] == "[[Ysolde Marr|Ysolde]]"  # type: ignore[index]


def test_name_of_two_notes_is_unclear_too(vault: Vault) -> None:
    add(vault, "old/Ivo.md")
    players = Players(vault, [])
    assert players.note("Ivo") is None
    assert len(players.problems) == 1


def test_compendium_notes_are_not_players(vault: Vault) -> None:
    add(vault, "3-Mechanics/Wizard.md", "---\ncssclasses: json5e-class\naliases: [Mage]\n---\n")
    assert Players(vault, []).note("Wizard") is None
    assert Players(vault, []).note("Mage") is None


@pytest.mark.parametrize("written", ["'O''Neil'", '"O\'Neil"', "O'Neil", '["x", "o\'NEIL"]', "\n  - O'Neil # he"])
def test_aliases_in_any_quoting_are_read(vault: Vault, written: str) -> None:
    add(vault, "1-Party/Conan.md", f"---\naliases: {written}\n---\n")
    assert Players(vault, []).note("O'Neil") == "1-Party/Conan.md"


def test_unreadable_notes_stop_nothing(vault: Vault) -> None:
    (vault.root / "bad.md").write_bytes(b"\xff alias")
    add(vault, "broken.md", "---\naliases: [\n---\n")
    assert Players(vault, ["bad", "nobody"]).note("Bram") == "1-Party/Bram Tolliver.md"


def test_bots_with_a_name_of_ours_are_not_linked(vault: Vault) -> None:
    add(vault, "Bot 1 (greedy).md")
    note = vault.read(log(vault, finished_game()).note)
    assert note.property("bots") == ["Bot 1 (greedy)"] and len(note.property("players")) == 3  # type: ignore[arg-type]


def test_settings_or_a_path_choose_between_two_notes_of_one_name(vault: Vault) -> None:
    for path in ("NSC/Bram.md", "Spieler/Bram.md", "Ulf.md", "NSC/Ulf.md"):
        add(vault, path)
    for entry in ("Spieler/Bram", "Spieler/Bram.md", "[[Spieler/Bram]]", "[[Spieler/Bram|B]]", "Spieler\\Bram"):
        players = Players(vault, [entry])
        assert players.note("Bram") == "Spieler/Bram.md" and not players.problems, entry
        assert Players(vault, []).note(entry) == "Spieler/Bram.md"
        assert players.spelling(entry, "Spieler/Bram.md") == ("B" if "|" in entry else "Bram")
    players = Players(vault, [])
    assert players.note("Bram") is None and players.note("Ulf") is None and Players(vault, ["Ulf.md"]).note("ulf")
    assert players.note("[[Ulf.md]]") == "Ulf.md"
    bram, ulf = players.problems
    assert "[[NSC/Bram]]" in bram.hint and "[[NSC/Ulf]]" in ulf.hint


def test_name_is_written_like_its_note(vault: Vault) -> None:
    players = Players(vault, [])
    for said, written in (("bram", "Bram"), ("BRAM TOLLIVER", "Bram Tolliver"), ("[[Bram Tolliver|B.]]", "B.")):
        assert players.spelling(said, "1-Party/Bram Tolliver.md") == written
    assert players.spelling("priya", None) == "priya"


@pytest.mark.parametrize(
    ("typed", "like"),
    [
        *(("Sepha", "Sefa Quill"), ("Brahm", "Bram Tolliver"), ("Yssolde", "Ysolde Marr"), ("Isolde", "Ysolde Marr")),
        *(("Kwill", "Sefa Quill"), ("Priya", ""), ("Nobody", ""), ("gast (eins)", "")),
    ],
)
def test_typo_is_matched_by_letters_or_sound(vault: Vault, typed: str, like: str) -> None:
    add(vault, "1-Party/Sefa Quill.md")
    players = Players(vault, ["Sefa Quill", "Bram Tolliver", "[[1-Party/Ysolde Marr|Ysi]]", "Gast (eins)"])
    assert players.find_similar_member(typed) == like
