import pytest

from tests.vault.making import note
from vaultkit.compendium import RuleNote
from vaultkit.errors import NothingFound, UsageError
from vaultkit.session.rulings import ruling, ruling_of, rulings


def options(frontmatter: str) -> dict[str, str]:
    return dict(RuleNote("dragon-citadel", note(f"---\n{frontmatter}\n---\n")).options)


@pytest.mark.parametrize(
    ("frontmatter", "found"),
    [
        ("", {}),
        ('vaultkit-options: ["mode=competitive", "min_players = 2"]', {"mode": "competitive", "min_players": "2"}),
        ("vaultkit-options: mode=coop", {"mode": "coop"}),
        ("vaultkit:\n  options:\n    min_players: 2\n    must_win: yes\n    x: true", None),
        ("vaultkit: {options: {mode: coop}}\nvaultkit-options: [mode=competitive]", {"mode": "competitive"}),
        ("vaultkit: [1]\nvaultkit-options: 3.5e: x: broken", {}),
    ],
)
def test_options_of_a_rule_note(frontmatter: str, found: dict[str, str] | None) -> None:
    nested = {"min_players": "2", "must_win": "yes", "x": "true"}
    assert options(frontmatter) == (nested if found is None else found)


def test_properties_that_are_not_options() -> None:
    with pytest.raises(UsageError, match="'competitive' is not an option") as caught:
        options("vaultkit-options: [competitive]")
    assert caught.value.where == "Note.md"


def test_a_rule_note_with_broken_yaml_has_no_options_and_a_problem() -> None:
    broken = note("---\nvaultkit-options: [mode=coop\n---\n# Rules\n")
    assert RuleNote("dragon-citadel", broken).options == {}
    assert [problem.code for problem in broken.problems] == ["frontmatter"]


def test_ruling_is_found_by_its_number() -> None:
    found = ruling(" dc-12 ")
    assert found.id == "DC-12"
    assert found.title and "**Ruling:**" in found.text
    assert "## DC-13" not in found.text


def test_rulings_are_numbered_consecutively() -> None:
    assert list(rulings("dragon-citadel")) == [
        f"DC-{number}" for number in range(1, len(rulings("dragon-citadel")) + 1)
    ]
    assert rulings("nonsense") == {}


@pytest.mark.parametrize("name", ["", "DC", "DC-", "12", "XX-1", "DC-x", "DC-²"])
def test_texts_that_are_not_ruling_numbers(name: str) -> None:
    with pytest.raises(UsageError, match="is not a ruling"):
        ruling(name)


def test_unknown_ruling_number_is_refused() -> None:
    with pytest.raises(NothingFound, match="no ruling DC-999") as caught:
        ruling("DC-999")
    assert caught.value.hint.startswith("The last one of this page is DC-")


@pytest.mark.parametrize(
    ("wanted", "found"), [("12", "VA-12"), (" 9 ", "VA-9"), ("va-12", "VA-12"), ("VA12", "VA-12"), ("g-8", "G-8")]
)
def test_number_alone_is_a_ruling_of_the_current_game(wanted: str, found: str) -> None:
    assert ruling_of("propheta", wanted).id == found


def test_ruling_of_another_game_is_refused_with_its_command() -> None:
    with pytest.raises(UsageError, match="DC-3 is a ruling of dragon-citadel, not of propheta") as caught:
        ruling_of("propheta", "dc3")
    assert caught.value.hint == "Write: vaultkit rules dragon-citadel --ruling DC-3"


@pytest.mark.parametrize("wanted", ["", "VA", "²", "X-1"])
def test_ruling_of_no_game_is_refused(wanted: str) -> None:
    with pytest.raises(UsageError, match="is not a ruling"):
        ruling_of("propheta", wanted)
    with pytest.raises(NothingFound, match="VA-999"):
        ruling_of("propheta", "999")
