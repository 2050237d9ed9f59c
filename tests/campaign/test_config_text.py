"""The settings files that we write: each explains every setting and gives its default."""

import json
import re
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from vaultkit import resources
from vaultkit.campaign.init import config_text
from vaultkit.campaign.setup_proposals import SetupAnswers
from vaultkit.settings import VAULT_CONFIG_PATH, Settings, load

EXAMPLE = (resources.shipped_folder("vault-example") / VAULT_CONFIG_PATH).read_text(encoding="utf-8")
SECTIONS = ("campaign", "stats", "history", "print")
SHOWN = {"campaign.note", "print.paper", "stats.note", "stats.base", "print.folder", "print.vault_name"}
"""Settings that are empty by default, and are shown with an example instead."""


def uncomment_settings(text: str) -> str:
    """Return the file with all its settings uncommented."""
    return re.sub(r"(?m)^# (?=\[|[a-z-]+ = )", "", text)


@pytest.mark.parametrize("text", [config_text(SetupAnswers()), EXAMPLE], ids=["init", "example"])
def test_every_setting_is_listed_with_its_own_description(text: str) -> None:
    found = tomllib.loads(uncomment_settings(text))
    for section in SECTIONS:
        expected = {key.replace("_", "-") for key in asdict(getattr(Settings(), section))}
        assert set(found[section]) == expected
    for section in ("campaign", "history", "stats"):
        assert re.search(rf"(?m)^\[{section}\]\n# [A-Z]", text)


def test_defaults_shown_by_init_are_the_real_defaults(tmp_path: Path) -> None:
    (tmp_path / ".vaultkit").mkdir()
    (tmp_path / VAULT_CONFIG_PATH).write_text(uncomment_settings(config_text(SetupAnswers())), encoding="utf-8")
    found = load(tmp_path, tmp_path / "none.toml")
    for section in SECTIONS:
        defaults, shown = asdict(getattr(Settings(), section)), asdict(getattr(found, section))
        for key, default in defaults.items():
            if f"{section}.{key}" not in SHOWN | {"campaign.sessions"}:
                assert shown[key] == default, f"{section}.{key}"


def test_property_types_of_the_example_vault_fit_the_written_values() -> None:
    types = json.loads((resources.shipped_folder("vault-example") / ".obsidian/types.json").read_bytes())["types"]
    written = {
        "bots": "multitext",
        "real-cards": "checkbox",
        "fc-date": "text",
        "fc-calendar": "text",
        "seed": "number",
    }
    assert {key: types.get(key) for key in written} == written
