"""The comparison with what Obsidian's index recorded, on a vault and a record made by hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scripts.compare_obsidian import main
from tests.vault.making import make_files

NOTE = """---
tags: [Npc, mill]
aliases: Old Ivo
---
# Ivo
[[Places/Mill#Wheel|the mill]] ![[gone.md]] ![[map.png]] [[Nowhere]] [web](https://x.org) [[<% tp.x %>]] [[Lost]] #Seen
"""
RECORD: dict[str, Any] = {
    "fileName": "Ivo",
    "relativePath": "Ivo.md",
    "tags": ["npc", "mill", "seen"],
    "aliases": ["Old Ivo"],
    "headings": [{"heading": "Ivo", "level": 1}],
    "links": [
        {"link": "Mill#Wheel", "cleanLink": "Mill", "displayText": "the mill", "relativePath": "Places/Mill.md"},
        {"link": "Nowhere"},
        {"link": "<% tp.x %>"},
        {"link": "Lost", "relativePath": "Private/Lost.md"},
    ],
}


def compare(root: Path, record: dict[str, Any], note_time: int = 0, version: str = "1.1.0") -> int:
    plugin = ".obsidian/plugins/metadata-extractor"
    files: dict[str, str | bytes] = {
        "Ivo.md": NOTE,
        "Places/Mill.md": "# Wheel\n",
        "map.png": b"",
        f"{plugin}/metadata.json": json.dumps([record]),
        f"{plugin}/manifest.json": json.dumps({"version": version}),
    }
    make_files(root, files)
    os.utime(root / plugin / "metadata.json", (1000, 1000))
    os.utime(root / "Ivo.md", (note_time, note_time))
    return main([str(root), str(root / plugin / "metadata.json")])


def test_identical_note_is_reported_as_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(tmp_path, RECORD) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 of 1 notes alike; 1 do not count",
        "headings: 1, different in 0 notes",
        "links: 2, different in 0 notes",
        "targets: 2, different in 0 notes",
        "tags: 3, different in 0 notes",
        "aliases: 1, different in 0 notes",
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"headings": [{"heading": "Ivo", "level": 2}]},
            "only Obsidian: (2, 'Ivo')\n  only vaultkit: (1, 'Ivo')",
        ),
        ({"links": RECORD["links"][1:]}, "Ivo.md: links\n  only Obsidian: -\n  only vaultkit: Mill#Wheel"),
        (
            {"links": [{"link": "Mill#Wheel"}, {"link": "Nowhere"}, {"link": "Lost"}]},
            "('Mill#Wheel', 'Places/Mill.md')",
        ),
        ({"tags": ["npc"]}, "Ivo.md: tags\n  only Obsidian: -\n  only vaultkit: mill, seen"),
        ({"aliases": []}, "Ivo.md: aliases\n  only Obsidian: -\n  only vaultkit: Old Ivo"),
    ],
)
def test_each_difference_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], told: str
) -> None:
    assert compare(tmp_path, RECORD | change) == 1
    assert told in capsys.readouterr().out


def test_changed_notes_are_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(tmp_path, RECORD | {"tags": []}, note_time=2000) == 0
    assert compare(tmp_path, RECORD | {"headings": [{"heading": "Bram", "level": 1}]}) == 0
    assert capsys.readouterr().out.count("0 of 0 notes alike; 2 do not count") == 2


def test_before_1_0_0_targets_are_not_compared(tmp_path: Path) -> None:
    record = RECORD | {"links": [{"link": "Mill#Wheel"}, {"link": "Nowhere"}, {"link": "Lost"}]}
    assert compare(tmp_path, record, version="0.2.0") == 0
