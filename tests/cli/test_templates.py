"""`vaultkit templates`: the list, a copy to edit, and mistakes in one's own."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.counts import short
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.templates import template_source
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.usefixtures("trusting")

FOLDER = ".vaultkit/templates"
SHIPPED = [
    *sorted(file.name for file in resources.shipped_folder("templates").glob("*.j2")),
    *sorted(f"story/{file.name}" for file in resources.shipped_folder("templates").glob("story/*.toml")),
    "words.toml",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault without a note, for which nothing has to be copied."""
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    return tmp_path / "vault"


def own(root: Path, name: str, text: str) -> None:
    (root / FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
    (root / FOLDER / name).write_text(text, encoding="utf-8")


def listed(vk: Vaultkit, root: Path) -> dict[str, str]:
    rows = vk("templates", cwd=root).out.splitlines()
    return {name: standing for name, standing, _ in (row.split("\t") for row in rows)}


def test_every_shipped_template_is_listed_with_its_output(vk: Vaultkit, root: Path) -> None:
    rows = vk("templates", "--json", cwd=root).json
    assert [row["name"] for row in rows] == SHIPPED
    assert all(len(row["makes"].split()) > 3 and row["used"] == "shipped" and row["own"] is None for row in rows)
    done = vk("templates", cwd=root)
    assert (done.code, len(done.out.splitlines())) == (ExitCode.OK, len(SHIPPED))
    assert "templates eject" in done.err


@pytest.mark.short(6)
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_template_documents_its_values(name: str) -> None:
    found = template_source(name, None)
    assert found.summary
    if found.blocks:
        assert set(found.takes) <= found.values


@pytest.mark.slow
@pytest.mark.parametrize("word", ["session-note", "session-note.md", "session-note.md.j2", "Session Note"])
def test_eject_copies_the_shipped_template_and_undo_removes_it(vk: Vaultkit, root: Path, word: str) -> None:
    done = vk("templates", "eject", word, cwd=root)
    copy = root / FOLDER / "session-note.md.j2"
    assert done.code == ExitCode.OK
    assert copy.read_bytes() == (resources.shipped_folder("templates") / "session-note.md.j2").read_bytes()
    assert '{% extends "shipped/session-note.md.j2" %}' in done.err
    assert "colophon" in done.err
    assert listed(vk, root)["session-note"] == "own"
    assert vk("templates", "check", cwd=root).code == ExitCode.OK
    assert vk("undo", cwd=root).code == ExitCode.OK
    assert not copy.exists()


@pytest.mark.short(1)
@pytest.mark.parametrize("word", ["story/propheta", "story/Propheta.toml", ".vaultkit/templates/story/propheta"])
def test_eject_copies_phrases_which_are_checked_as_templates_are(vk: Vaultkit, root: Path, word: str) -> None:
    assert vk("templates", "eject", word, cwd=root).code == ExitCode.OK
    copy = root / FOLDER / "story/propheta.toml"
    assert copy.read_bytes() == (resources.shipped_folder("templates") / "story/propheta.toml").read_bytes()
    assert listed(vk, root)["story/propheta"] == "own"
    assert vk("templates", "check", cwd=root).code == ExitCode.OK
    own(root, "story/propheta.toml", '[opening]\nany = "{plyers} met."\n')
    own(root, "story/skat.toml", '[opening]\nany = "x"\n')
    done = vk("templates", "check", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert done.out == Says(f"{FOLDER}/story/propheta.toml:2", "error", "plyers", "players")
    assert done.out == Says(f"{FOLDER}/story/skat.toml", "warning", "Nothing")


def test_eject_overwrites_nothing(vk: Vaultkit, root: Path) -> None:
    own(root, "log-line.md.j2", "mine ^{{ block }}")
    done = vk("templates", "eject", "log-line", cwd=root)
    assert done.code == ExitCode.WRITE
    assert f"{FOLDER}/log-line.md.j2" in done.err
    assert (root / FOLDER / "log-line.md.j2").read_text(encoding="utf-8") == "mine ^{{ block }}"


def test_a_dry_run_shows_the_copy_and_makes_none(vk: Vaultkit, root: Path) -> None:
    done = vk("templates", "eject", "log-line", "--dry-run", cwd=root)
    assert f"+++ b/{FOLDER}/log-line.md.j2" in done.out
    assert "Would make" in done.err
    assert not (root / ".vaultkit").exists()
    as_json = vk("templates", "eject", "log-line", "--dry-run", "--json", cwd=root).json
    assert as_json["diff"] in done.out
    assert as_json["file"] == f"{FOLDER}/log-line.md.j2"


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("sesion-note", "Did you mean 'session-note'?"),
        ("nonsense", "log-line"),
        ("../../etc/passwd", "There are:"),
        ("mine", "your own already"),
        ("", "There are:"),
    ],
)
def test_an_unknown_template_is_one_clear_error(vk: Vaultkit, root: Path, word: str, said: str) -> None:
    own(root, "mine.md.j2", "x")
    done = vk("templates", "eject", word, cwd=root)
    assert done.code == ExitCode.NOTHING
    assert said in done.err
    assert not (root / ".vaultkit/history").exists()


def test_own_templates_are_listed_with_what_they_replace(vk: Vaultkit, root: Path) -> None:
    own(root, "session-note.md.j2", '{% extends "shipped/session-note.md.j2" %}{% block colophon %}x{% endblock %}')
    own(root, "log-line.md.j2", "- {{ date }} {% include 'who.md.j2' %} ^{{ block }}\n")
    own(root, "who.md.j2", "{% include 'deep/who.md.j2' %}")
    own(root, "deep/who.md.j2", "{{ seats[0].link }}")
    own(root, "reading-lin.md.j2", "x")
    own(root, "reading.md.j2", "\n{% for %}")
    own(root, ".reading.md.j2.swp", "an editor's")
    found = listed(vk, root)
    assert found["session-note"] == "own, extends the shipped one"
    assert found["log-line"] == "own"
    assert found["who"] == found["deep/who"] == "own, part of log-line"
    assert found["reading-lin"] == "own, nothing uses it"
    assert found["reading"] == "own, faulty"
    assert found["reading-line"] == "shipped"
    assert len(found) == len(SHIPPED) + 3


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("\n{% for %}", 2, "cannot be used"),
        ("{{ date | shout }}", 1, "shout"),
        ("{{ date }}\n{{ reson }} ^{{ block }}", 2, "'reson'. Did you mean 'reason'?"),
        ("\n{% include 'who.md.j2' %}", 2, "who.md.j2"),
        ("\n\n{% extends 'shipped/log-lin.md.j2' %}", 3, "log-lin.md.j2"),
        ("{{ '{{' }", 1, "cannot be used"),
        ("- {{ date }}", 1, "Put ^{{ block }} at its end."),
        ("\n- {{ date }} ^{{ block }}.\n{# ^{{ block }} #}\n", 2, "does not end with its block id"),
    ],
)
def test_template_mistakes_are_reported_with_their_line(
    vk: Vaultkit, root: Path, text: str, line: int, said: str
) -> None:
    own(root, "log-line.md.j2", text)
    done = vk("templates", "check", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert done.out.startswith(f"{FOLDER}/log-line.md.j2:{line}: error: ")
    assert said in done.out
    (problem,) = vk("templates", "check", "--json", cwd=root).json["problems"]
    assert problem["line"] == line
    assert "templates check" in vk("templates", cwd=root).err


NESTED_TOO_DEEPLY = {
    "for": "x\n" + "{% for seat in seats %}\n" * 25 + "{% endfor %}" * 25,
    "if": "x\n" + "{% if seats %}\n" * 120 + "{% endif %}" * 120,
    "brackets": "x\n{{ " + "(" * 3000 + "date" + ")" * 3000 + " }}",
    "sum": "x\n{{ date" + " + date" * 2500 + " }}",
    "filters": "x\n{{ date" + " | trim" * 2500 + " }}",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", short(["session-note.md.j2", "part.md.j2"]))
@pytest.mark.parametrize("text", NESTED_TOO_DEEPLY.values(), ids=NESTED_TOO_DEEPLY)
def test_template_that_python_cannot_compile_is_a_problem_with_its_line(
    vk: Vaultkit, root: Path, name: str, text: str
) -> None:
    own(root, name, text)
    own(root, "loot-line.md.j2", "{% include 'part.md.j2' %} ^{{ block }}")
    own(root, "part.md.j2", text)
    done = vk("templates", "check", "--json", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    problem = next(one for one in done.json["problems"] if one["note"] == f"{FOLDER}/{name}")
    assert "nested too deeply" in problem["message"]
    assert problem["line"] >= 2


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("log-line.md.j2", "- {{ date }} {{ link }}:\n{{ reason }} ^{{ block }}", 0, "makes 2 lines"),
        ("log-line.md.j2", "- {{ date }}{% if not winners %}\n\nlost:\n{% endif %}. ^{{ block }}", 0, "makes 3 lines"),
        ("reading-line.md.j2", "- {% for card in cards %}{{ card.link }}\n{% endfor %} ^{{ block }}", 0, "6 lines"),
        ("loot-line.md.j2", "- {{ things | join('\n') }} ^{{ block }}", 0, "makes 2 lines"),
        (
            "log-line.md.j2",
            "-\n{#-#} {{ winners[0] }} ^{{ block }}",
            2,
            "a whole SeatText instead of one of its parts (text,",
        ),
        ("log-line.md.j2", "- {{ winners | join(', ') }} ^{{ block }}", 1, "a whole SeatText"),
        ("log-line.md.j2", "- {{ seats | first | upper }} ^{{ block }}", 1, "a whole SeatText"),
        ("log-line.md.j2", "- {{ 'won by ' ~ winners }} ^{{ block }}", 1, "a whole list"),
        ("log-line.md.j2", "- {{ '%s' | format(seats[0]) }} ^{{ block }}", 1, "a whole SeatText"),
        ("log-line.md.j2", "- {{ seats | map(attribute='link') }} ^{{ block }}", 1, "a whole list"),
        ("log-line.md.j2", "- {{ match }} ^{{ block }}", 1, "None"),
        ("log-line.md.j2", "- {% for s in seats %}{{ s.score }}{% endfor %} ^{{ block }}", 1, "None"),
        ("log-line.md.j2", "- {{ reason.upper }} ^{{ block }}", 1, "a function"),
        ("log-line.md.j2", "- {{ in_world }} ^{{ block }}", 1, "a table of values"),
        ("log-line.md.j2", "- {{ seats[0].nmae }} ^{{ block }}", 1, "nmae"),
        ("log-line.md.j2", "- {{ '\\ud800' }} ^{{ block }}", 0, "half of a character"),
        ("session-note.md.j2", "---\nvaultkit-session: {{ session }}\nnote: {{ note }}\n---\n", 0, "cannot read"),
        ("session-note.md.j2", "---\nvaultkit-session: {{ session }}\nrank: {{ seats[0].rank }}\n---\n", 3, "None"),
        ("session-note.md.j2", "# {{ title }}\n", 0, "must write the property"),
        ("reading.md.j2", "---\nvaultkit-reading: {{ reading | yaml }}\n---\n\n{{ cards }}", 5, "a whole list"),
        ("rewards.md.j2", "{{ rolls[0] }}\n\n^{{ block }}\n", 1, "a table of values"),
        ("rewards.md.j2", "## Rewards\n", 0, "block id"),
        ("stats.md.j2", "{{ begin }}\n{{ players }}\n{{ end }}\n", 2, "a whole list"),
        ("stats.md.j2", "{{ begin }}\n", 0, "both markers"),
    ],
)
def test_template_output_from_samples_is_checked(
    vk: Vaultkit, root: Path, *, name: str, text: str, line: int, said: str
) -> None:
    own(root, name, text)
    done = vk("templates", "check", "--json", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    (problem,) = done.json["problems"]
    assert (problem["note"], problem["line"]) == (f"{FOLDER}/{name}", line)
    assert said in problem["message"]
    assert problem["hint"]


def test_fault_of_an_included_template_is_reported_there(vk: Vaultkit, root: Path) -> None:
    own(root, "log-line.md.j2", "- {% include 'who.md.j2' %} ^{{ block }}")
    own(root, "who.md.j2", "\n{{ winners }}")
    (problem,) = vk("templates", "check", "--json", cwd=root).json["problems"]
    assert (problem["note"], problem["line"]) == (f"{FOLDER}/who.md.j2", 2)


def test_item_missing_only_from_the_samples_is_a_warning(vk: Vaultkit, root: Path) -> None:
    own(root, "log-line.md.j2", "- {{ seats[9].link }} ^{{ block }}")
    done = vk("templates", "check", cwd=root)
    assert done.code == ExitCode.OK
    assert "warning" in done.out


@pytest.mark.parametrize("name", short(name for name in SHIPPED if not name.endswith(".toml")))
def test_a_copy_of_a_shipped_template_has_no_problem(vk: Vaultkit, root: Path, name: str) -> None:
    vk("templates", "eject", name, cwd=root)
    assert vk("templates", "check", "--json", cwd=root).json["problems"] == []


def test_unused_template_is_a_warning(vk: Vaultkit, root: Path) -> None:
    own(root, "log-lin.md.j2", "{{ whatever }}")
    done = vk("templates", "check", cwd=root)
    assert done.code == ExitCode.OK
    assert done.out == Says("log-lin.md.j2", "Nothing", "log-line.md.j2")


def test_template_name_in_another_case_matches_where_the_system_allows_it(vk: Vaultkit, root: Path) -> None:
    own(root, "log-line.md.j2", "- ^{{ block }}")
    (root / FOLDER / "Log-Line.md.j2").hardlink_to(root / FOLDER / "log-line.md.j2")
    assert vk("templates", "check", "--json", cwd=root).json == {
        "templates": [f"{FOLDER}/log-line.md.j2"],
        "problems": [],
    }


def test_template_in_another_encoding_gets_a_hint_how_to_save_it(vk: Vaultkit, root: Path) -> None:
    own(root, "log-line.md.j2", "")
    (root / FOLDER / "log-line.md.j2").write_bytes("- ^{{ block }}".encode("utf-16"))
    assert vk("templates", "check", cwd=root).out == Says("template", "not", "UTF-8", "UTF-8")


@pytest.mark.parametrize(
    "text",
    [
        "{{ mood | default('calm') }} ^{{ block }}",
        "- {% if mood is defined %}{{ mood }}{% endif %} ^{{ block }}",
        "- {% include 'mood.md.j2' ignore missing %} ^{{ block }}",
        "{% set mood = 'calm' %}{{ mood }} ^{{ block }}",
        "- {% for seat in standing %}{{ seat.link }}{{ loop.index }}{% endfor %} ^{{ block }}",
        "- {{ in_world['greg-date'] }}{{ in_world.yearOfOurs }} ^{{ block }}",
        "- {{ seats | map(attribute='link') | join(', ') }}, {{ minutes or 0 }} min ^{{ block }}",
    ],
)
def test_value_defined_in_the_template_is_not_a_mistake(vk: Vaultkit, root: Path, text: str) -> None:
    own(root, "log-line.md.j2", text)
    assert vk("templates", "check", "--json", cwd=root).json["problems"] == []


def test_template_that_is_not_text_does_not_hide_others(vk: Vaultkit, root: Path) -> None:
    own(root, "log-line.md.j2", "")
    (root / FOLDER / "log-line.md.j2").write_bytes(b"\xff\xfe")
    assert listed(vk, root)["log-line"] == "own, faulty"
    assert vk("templates", "check", cwd=root).code == ExitCode.PROBLEMS


def test_vault_may_be_named_before_or_after_the_subcommand(vk: Vaultkit, root: Path, tmp_path: Path) -> None:
    for words in (("--vault", str(root), "check"), ("check", "--vault", str(root))):
        assert vk("templates", *words, cwd=tmp_path).code == ExitCode.OK
