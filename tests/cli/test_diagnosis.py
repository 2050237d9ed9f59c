"""The diagnosis of `vaultkit check`: causes told once, each with the command that mends it."""

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import ExitCode

ITEMS, DECKS = "3-Mechanics/CLI/items", "3-Mechanics/CLI/decks"
CERTAIN = ["backslash", "prefix", "moved", "alias", "table-pipe", "deck-pictures", "comment"]
SCREEN = Path(__file__).parents[2] / "docs" / "check.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def converter_vault(root: Path, each: int) -> dict[str, bytes]:
    """A vault as the converter leaves it, with a campaign, and `each` mistakes of each cause; returns its bytes."""
    converted, numbers = "---\ncssclasses:\n- json5e-{}\n---\n", range(1, each + 1)
    files: dict[str, str | bytes] = {f"{DECKS}/pictures/card-{number}.webp": b"" for number in numbers}
    for number in numbers:
        files[f"{ITEMS}/item-{number}.md"] = f"{converted.format('item')}# Item {number}\n"
        files[f"Old items/item-{number}.md"] = "A namesake.\n"
        files[f"Places/Place {number}.md"] = f"---\naliases: [The {number} Bells]\n---\n# Place {number}\n## Old hall\n"
    lines = {
        f"{ITEMS}/items.md": (converted.format("item"), "- [Item {0}](3-Mechanics\\CLI\\items\\item-{0}.md)"),
        "Campaign/Loot {}.md": ("", "[Item {0}](git/3-Mechanics/CLI/items/item-{0}.md)"),
        "Campaign/Road {}.md": ("", "They rest at [[Ruins/Place {0}]]."),
        "Campaign/Bells {}.md": ("", "They hear [[The {0} Bells]]."),
        "Campaign/Rumours {}.md": ("| Who | Where |\n|---|---|", "| Ivo | [[Place {0}|here]] |"),
        f"{DECKS}/deck.md": (
            converted.format("deck"),
            "### Card {0}\n![c](/3-Mechanics/CLI/decks/img/card-{0}.webp#card)\n",
        ),
        "Campaign/Halls {}.md": ("", "They meet in [[Place {0}#Old hal]]."),
        "Campaign/Ideas {}.md": ("", "%% Or in [[Ruins/Place {0}]]. %%"),
    }
    for path, (head, line) in lines.items():
        for page in range(1, each + 1, 125):
            written = map(line.format, range(page, min(page + 125, each + 1)))
            before = files.get(path.format(page), head)
            files[path.format(page)] = "\n".join([str(before), *written, ""])
    make_files(root, files)
    return contents(root)


def contents(root: Path) -> dict[str, bytes]:
    files = (file for file in root.rglob("*.*") if file.is_file() and ".vaultkit" not in file.parts)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def test_each_cause_is_reported_once_with_its_repair(vk: Vaultkit, root: Path) -> None:
    converter_vault(root, 3)
    told = vk("check", "--json", cwd=root).json
    assert [(cause["group"], cause["code"]) for cause in told["causes"]] == [
        *(("certain", code) for code in CERTAIN),
        ("likely", "heading-renamed"),
    ]
    assert sum(cause["problems"] for cause in told["causes"]) == len(told["problems"]) == 7 * 3 + 1
    assert told["groups"] == {"certain": 19, "likely": 3, "to-be-written": 0, "missing": 0, "by-hand": 0}
    by_code = {cause.pop("code"): cause for cause in told["causes"]}
    assert [sample["line"] for sample in by_code["backslash"].pop("samples")] == [6, 7, 8]
    fix = "vaultkit check --fix --cause"
    assert by_code["backslash"] == {
        "group": "certain", "problems": 3, "notes": 1, "command": f"{fix} backslash --generated --write"
    }  # fmt: skip
    assert by_code["prefix"]["command"] == f"{fix} prefix --write"
    assert by_code["prefix"]["samples"][0]["hint"].startswith(f"Write '{ITEMS}/item-1.md': it is there.")
    assert by_code["heading-renamed"]["command"] == f"{fix} heading-renamed"
    assert "So do 2 more links in comments" in by_code["comment"]["samples"][0]["message"]


@pytest.mark.slow
def test_single_cause_is_listed_and_repaired_alone(vk: Vaultkit, root: Path) -> None:
    before = converter_vault(root, 2)
    listed = vk("check", "--cause", "moved", cwd=root).out.splitlines()
    assert len(listed) == 3 and all(line.endswith("[link-unresolved, moved]") for line in listed[1:])
    assert len(vk("check", "--cause", "link-heading", cwd=root).out.splitlines()) == 3
    assert len(vk("check", "--cause", "likely", cwd=root).out.splitlines()) == 3
    vk("check", "--fix", "--cause", "moved", "--write", cwd=root)
    changed = {path for path, data in contents(root).items() if data != before[path]}
    assert changed == {"Campaign/Road 1.md"}
    assert "check --fix --cause moved" in vk("undo", "--list", cwd=root).out
    vk("undo", cwd=root)
    assert contents(root) == before
    refused = vk("check", "--cause", "mooved", cwd=root)
    assert refused.code == ExitCode.NOTHING and "Did you mean 'moved'?" in refused.err
    refused = vk("check", "--fix", "--cause", "likely", "--write", cwd=root)
    assert refused.code == ExitCode.USAGE and contents(root) == before


@pytest.mark.slow
def test_five_thousand_mistakes_fit_a_screen_and_two_commands_repair_them(vk: Vaultkit, root: Path) -> None:
    before = converter_vault(root, 625)
    shown = vk("check", "--vault", str(root))
    lines = [*shown.out.splitlines(), *shown.err.splitlines()]
    assert len(lines) <= 40
    page = SCREEN.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("    ") and line not in page] == []
    places = [line.removesuffix("...") for line in page if line.startswith(f"    {ITEMS}/items.md:")]
    assert [line for line in places if not any(one.startswith(line) for one in lines)] == [] != places
    vk("check", "--fix", "--generated", "--write", cwd=root)
    halls = contents(root)
    command = shlex.split(lines[0].partition("Fix: ")[2].partition(" (")[0]), shlex.split(likely_command(lines))
    assert command[0] == ["vaultkit", "check", "--fix", "--write"]
    assert "+They meet in [[Place 625#Old hall]]." in vk(*command[1][1:], cwd=root).out
    assert contents(root) == halls  # a guess is only shown until its diff has been looked at
    vk(*command[1][1:], "--write", cwd=root)
    assert vk("check", "--json", cwd=root).json["problems"] == []
    vk("undo", cwd=root)
    vk("undo", cwd=root)
    assert contents(root) == before


def likely_command(lines: list[str]) -> str:
    (line,) = (line for line in lines if "--cause heading-renamed" in line)
    return line.rpartition(": ")[2]


def test_unwritten_notes_are_one_line_with_the_most_wanted_and_no_error(vk: Vaultkit, root: Path) -> None:
    files: dict[str, str | bytes] = {f"Day {day}.md": "[[Old Tobin]], [[old tobin#Past|he]]\n" * 4 for day in range(3)}
    make_files(root, files | {"Other.md": "[[One]] [[Tale/One]]\n" * 3})
    done = vk("check", cwd=root)
    assert done.out == "To be written: 3 notes that 30 links name. Most wanted: Old Tobin (24), One (3), Tale/One (3)\n"
    assert done.code == ExitCode.OK and "no errors, no warnings, 30 remarks" in done.err
    assert vk("check", "--cause", "moved", cwd=root).err == Says("no problems", "30 of others")
    (root / "The Innkeeper.md").write_text("---\naliases: [Old Tobin]\n---\n# Past\n")
    vk("check", "--fix", "--cause", "alias", "--write", cwd=root)
    assert (root / "Day 0.md").read_text().startswith("[[The Innkeeper|Old Tobin]], [[The Innkeeper")


def test_a_missing_folder_is_named_once_and_is_a_warning(vk: Vaultkit, root: Path) -> None:
    lines = "\n".join(f"[[Bestiary/Wolf {number}]] ![[../Art/p{number}.png]]" for number in range(1, 6))
    make_files(root, {"Notes/Wolves.md": lines, "Notes/More.md": "[[Bestiary/Owl]]", "Lore/Few.md": "[[Gods/One]]"})
    done = vk("check", cwd=root)
    assert done.out.splitlines() == [
        "To be written: 1 note that 1 link names. Most wanted: Gods/One (1)",
        "Missing: 2 folders that 11 links point into",
        "  Bestiary: 6 links in 2 notes",
        "  Art: 5 links in 1 note",
    ]
    assert done.code == ExitCode.OK
    assert vk("check", "--json", cwd=root).json["missing"][0] == {"name": "Bestiary", "links": 6, "notes": 2}


@pytest.mark.parametrize(
    ("levels", "code", "severities"),
    [
        ("", ExitCode.PROBLEMS, {"link-unwritten": "remark", "link-unresolved": "error", "property-tags": "error"}),
        (
            'link-unresolved = "warning"\nproperty-tags = "off"',
            0,
            {"link-unwritten": "remark", "link-unresolved": "warning"},
        ),
        ('link-unwritten = "error"\nlink-unresolved = "off"\nproperty-tags = "off"', 1, {"link-unwritten": "error"}),
    ],
)
def test_settings_make_each_code_an_error_a_warning_or_off(
    vk: Vaultkit, root: Path, levels: str, code: int, severities: dict[str, str]
) -> None:
    files: dict[str, str | bytes] = {"N.md": "---\ntags: a, b\n---\n[[Wanted]] ![[lost.png]]\n"}
    make_files(root, files | {".vaultkit/config.toml": f"[check]\n{levels}\n"})
    done = vk("check", "--json", cwd=root)
    assert {problem["code"]: problem["severity"] for problem in done.json["problems"]} == severities
    assert done.code == code
    fixed = vk("check", "--fix", cwd=root).out
    assert bool(fixed) is ("property-tags" in severities)


@pytest.mark.parametrize(
    ("line", "said"), [('link-unwriten = "off"', "'link-unwritten'"), ('settings = "loud"', '"off"')]
)
def test_unknown_code_or_level_is_reported(vk: Vaultkit, root: Path, line: str, said: str) -> None:
    make_files(root, {".vaultkit/config.toml": f"[check]\n{line}\n"})
    (problem,) = vk("check", "--json", cwd=root).json["problems"]
    assert (problem["code"], problem["line"]) == ("settings", 2) and said in problem["hint"]
