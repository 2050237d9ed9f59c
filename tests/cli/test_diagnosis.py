"""The diagnosis of `vaultkit check`: causes told once, each with the command that mends it."""

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from vaultkit.errors import ExitCode

ITEMS, DECKS = "3-Mechanics/CLI/items", "3-Mechanics/CLI/decks"
EIGHT = ["backslash", "prefix", "moved", "alias", "table-pipe", "deck-pictures", "heading-renamed", "comment"]
GUESSED = ["heading-renamed"]
"""A misspelt heading may have been meant for another one that is gone."""
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


def test_each_cause_is_told_once_with_what_mends_it(vk: Vaultkit, root: Path) -> None:
    converter_vault(root, 3)
    told = vk("check", "--json", cwd=root).json
    assert [cause["code"] for cause in told["causes"]] == EIGHT
    assert sum(cause["problems"] for cause in told["causes"]) == len(told["problems"]) == 7 * 3 + 1
    by_code = {cause.pop("code"): cause for cause in told["causes"]}
    assert [sample["line"] for sample in by_code["backslash"].pop("samples")] == [6, 7, 8]
    fix = "vaultkit check --fix --cause"
    assert by_code["backslash"] == {
        "problems": 3, "notes": 1, "certain": 3, "command": f"{fix} backslash --generated --write"
    }  # fmt: skip
    assert (by_code["prefix"]["certain"], by_code["prefix"]["command"]) == (3, f"{fix} prefix --write")
    assert by_code["prefix"]["samples"][0]["hint"].startswith(f"Write '{ITEMS}/item-1.md': there it lies;")
    assert (by_code["heading-renamed"]["certain"], by_code["heading-renamed"]["command"]) == (
        0,
        f"{fix} heading-renamed",
    )
    assert "So do 2 more links in comments" in by_code["comment"]["samples"][0]["message"]


def test_one_cause_is_listed_and_mended_alone(vk: Vaultkit, root: Path) -> None:
    before = converter_vault(root, 2)
    listed = vk("check", "--cause", "moved", cwd=root).out.splitlines()
    assert len(listed) == 2 and all(line.endswith("[link-unresolved, moved]") for line in listed)
    assert len(vk("check", "--cause", "link-heading", cwd=root).out.splitlines()) == 2
    vk("check", "--fix", "--cause", "moved", "--write", cwd=root)
    changed = {path for path, data in contents(root).items() if data != before[path]}
    assert changed == {"Campaign/Road 1.md"}
    assert "check --fix --cause moved" in vk("undo", "--list", cwd=root).out
    vk("undo", cwd=root)
    assert contents(root) == before
    refused = vk("check", "--cause", "mooved", cwd=root)
    assert refused.code == ExitCode.NOTHING and "Did you mean 'moved'?" in refused.err


@pytest.mark.slow
def test_five_thousand_mistakes_fit_a_screen_and_eight_commands_mend_them(vk: Vaultkit, root: Path) -> None:
    before = converter_vault(root, 625)
    shown = vk("check", "--vault", str(root))
    lines = [*shown.out.splitlines(), *shown.err.splitlines()]
    assert len(lines) <= 40
    page = SCREEN.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("  ") and line not in page] == []
    places = [line.removesuffix("...") for line in page if line.startswith(f"  {ITEMS}/items.md:")]
    assert [line for line in places if not any(one.startswith(line) for one in lines)] == [] != places
    commands = [shlex.split(line.rpartition("): ")[2]) for line in lines if "--cause" in line]
    assert [words[words.index("--cause") + 1] for words in commands] == EIGHT
    assert [words[-1] for words in commands if "--write" not in words] == GUESSED
    for program, *words in commands:
        assert program == "vaultkit"
        if "--write" not in words:  # a guess is only shown until its diff has been looked at
            halls = contents(root)
            assert "+They meet in [[Place 625#Old hall]]." in vk(*words, cwd=root).out
            assert contents(root) == halls
            words.append("--write")
        vk(*words, cwd=root)
    assert vk("check", "--json", cwd=root).json["problems"] == []
    for _ in commands:
        vk("undo", cwd=root)
    assert contents(root) == before


def test_a_note_that_was_renamed_is_told_as_one_name(vk: Vaultkit, root: Path) -> None:
    files: dict[str, str | bytes] = {f"Day {day}.md": "[[Old Tobin]], [[old tobin#Past|he]]\n" * 4 for day in range(3)}
    make_files(root, files | {"Other.md": "[[One]] [[Tale/One]] [[map.pdf]]\n" * 3})
    told = vk("check", cwd=root).out
    assert "24 links lead to 'Old Tobin', which is no note, in 3 notes. Renamed?" in told
    assert "3 links lead to 'One', which is no note, in 1 note." in told
    assert "'map.pdf', which" not in told
    assert "no problems of this cause, 33 of others." in vk("check", "--cause", "moved", cwd=root).err
    (root / "The Innkeeper.md").write_text("---\naliases: [Old Tobin]\n---\n# Past\n")
    vk("check", "--fix", "--cause", "alias", "--write", cwd=root)
    assert (root / "Day 0.md").read_text().startswith("[[The Innkeeper|Old Tobin]], [[The Innkeeper")
