import json
from pathlib import Path

import pytest

from tests.vault.making import check, make_files
from tests.wording import Says
from vaultkit.vault import Vault, property_types
from vaultkit.vault.property_types import PropertyType, find_misfits, fits, read_declared_types, type_of

TYPES = {"types": {"Level": "number", "alive": "checkbox", "born": "date", "seen": "datetime", "kin": "multitext"}}


def vault_with(root: Path, types: object, text: str = "") -> Vault:
    written = types if isinstance(types, str) else json.dumps(types)
    return make_files(root, {".obsidian/types.json": written, "N.md": text})


def test_y3_types_by_name_in_any_case(tmp_path: Path) -> None:
    found = read_declared_types(vault_with(tmp_path, TYPES).root)
    assert found == {"level": "number", "alive": "checkbox", "born": "date", "seen": "datetime", "kin": "multitext"}
    assert type_of("LEVEL", "five", found) == "number"


@pytest.mark.parametrize(
    "types",
    ["", "{", "[]", "7", '{"types": []}', '{"types": {"a": 1, "b": "colour", "c": "unknown", "d": []}}', "[" * 100_000],
)
def test_y3_broken_types_file_declares_nothing(tmp_path: Path, types: str) -> None:
    assert read_declared_types(vault_with(tmp_path, types).root) == {}


def test_y3_missing_types_file_declares_nothing(tmp_path: Path) -> None:
    assert read_declared_types(tmp_path) == {}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "checkbox"),
        (5, "number"),
        (0.5, "number"),
        (["a"], "multitext"),
        ("five", "text"),
        ("5", "text"),
        (None, "text"),
        ("2026-11-03", "date"),
        ("2026-13-03", "text"),
        ("2026-11-3", "text"),
        ("2026-11-03T19:30", "datetime"),
        ("2026-11-03T19:30:59", "datetime"),
        ("2026-11-03T25:30", "text"),
        ("2026-11-03 19:30", "text"),
        ({"a": 1}, "unknown"),
    ],
)
def test_y3_types_by_value(value: object, kind: PropertyType) -> None:
    assert type_of("any", value, {}) == kind


def test_y4_built_in_types() -> None:
    assert [type_of(name, "x", {}) for name in ("tags", "Aliases", "cssclasses")] == ["tags", "aliases", "multitext"]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("number", [5, -1.5], [True, "5", "five", [5], {"a": 5}]),
        ("checkbox", [True, False], [0, 1, "true", "yes", [True]]),
        ("date", ["2026-11-03"], ["tomorrow", "2026-02-30", "2026-11-03T10:00", 20261103, ["2026-11-03"]]),
        ("datetime", ["2026-11-03T10:00", "2026-11-03T10:00:00", "2026-11-03"], ["10:00", 10, True]),
        ("text", ["x", "2026-11-03", 5, True], [["x"], {"a": "x"}]),
        *((kind, ["x", 5, ["x", 5]], [{"a": "x"}]) for kind in ("multitext", "tags", "aliases", "cssclasses")),
    ],
)
def test_y3_values_that_fit_their_type(kind: PropertyType, good: list[object], bad: list[object]) -> None:
    assert [value for value in (*good, None, "", []) if not fits(value, kind)] == []
    assert [value for value in bad if fits(value, kind)] == []


def test_y3_template_is_not_reported_as_misfit() -> None:
    assert not any(find_misfits({"born": "{{date}}", "level": "<% tp.x %>"}, {"born": "date", "level": "number"}))


def test_y3_check_reports_which_property_does_not_fit_and_where(tmp_path: Path) -> None:
    text = "---\nname: Ivo\nlevel: five\n'alive': 'yes'\nmore:\n  born: x\nborn: [a]\nSeen: {a: b}\nkin: Ivo\n---\n"
    problems = check(vault_with(tmp_path, TYPES, text)).problems
    assert [(problem.line, problem.column, problem.code, problem.severity) for problem in problems] == [
        (line, 1, "property-type", "warning") for line in (3, 4, 7, 8)
    ]
    assert [problem.message for problem in problems] == [
        Says("level", "declared as a number", "five"),
        Says("alive", "declared as a checkbox", "yes"),
        Says("born", "declared as a date", "list"),
        Says("Seen", "declared as a date and time", "map"),
    ]
    assert all(problem.hint for problem in problems)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('---\n{"name": "Ivo", "level": "five"}\n---\n', (2, 17)),
        ('---\r\n"level" : five\r\n---\r\n', (2, 1)),
        ("---\n? level\n: five\n---\n", (1, 1)),
    ],
)
def test_y3_the_place_of_a_property(tmp_path: Path, text: str, place: tuple[int, int]) -> None:
    (problem,) = check(vault_with(tmp_path, TYPES, text)).problems
    assert (problem.line, problem.column) == place


def test_y3_notes_are_not_read_again_if_all_properties_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = vault_with(tmp_path, TYPES, "---\nlevel: 5\nborn:\nname: five\n---\n")
    assert len(vault.facts) == 1
    monkeypatch.setattr(Vault, "read", lambda *_: pytest.fail("read once more"))
    assert check(vault).problems == ()


def test_y3_undeclared_properties_are_accepted(tmp_path: Path) -> None:
    text = "---\nlevel: five\naliases: {a: b}\n---\n"
    assert check(vault_with(tmp_path, {"types": {}}, text)).problems == ()
    assert property_types.read_declared_types(tmp_path) == {}
