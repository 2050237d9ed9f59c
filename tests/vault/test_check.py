import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.growth import IN_STEP, growth
from tests.vault.making import check, count_certain, make_files, repairer
from tests.wording import Says
from vaultkit import resources
from vaultkit.errors import Problem
from vaultkit.session.checks import every_check
from vaultkit.vault import Vault
from vaultkit.vault.bases import read_base
from vaultkit.vault.checking.report import Cause


def problems(root: Path, text: str, **more: str) -> list[Problem]:
    """Of a note `N.md` with `text`, beside other notes by name."""
    vault = make_files(root, {"N.md": text, **{f"{name}.md": content for name, content in more.items()}})
    return list(check(vault).problems)


def told(root: Path, text: str, **more: str) -> tuple[str, int, int, str]:
    (problem,) = problems(root, text, **more)
    return problem.code, problem.line, problem.column, problem.hint


def test_example_vault_has_no_problems() -> None:
    report = check(Vault(resources.shipped_folder("vault-example")))
    assert report.problems == ()
    assert report.notes > 50 and report.links > 500


def test_empty_vault_has_no_problems(tmp_path: Path) -> None:
    assert check(make_files(tmp_path, {})).notes == 0


UNWRITTEN_HINT = "Write the note, or correct the name."


def test_missing_file_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    found = told(tmp_path, "\ufeffé\n漢 [[Ravn]]", Raven="")
    assert found == ("link-unresolved", 2, 3, Says("mean", "Raven.md"))


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("[[wrong/Raven]]", "Did you mean 'Raven.md'?"),
        ("[[The Bird]]", "That is an alias; write [[Raven|The Bird]]."),
        ("[[Quite Another]]", "Write the note, or correct the name."),
        ("![[nothing.png]]", "Correct the name, or bring the file in."),
    ],
)
def test_hints_for_a_missing_file(tmp_path: Path, link: str, hint: str) -> None:
    assert told(tmp_path, link, Raven="---\naliases: The Bird\n---\n")[3] == hint


def test_f4_a_backslash_between_folders_is_explained(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[x](items\\crown.md)", "items/crown.md": ""})
    hint = "Write 'items/crown.md': in links, folders are separated by '/'."
    assert check(vault).problems[0].hint == hint


def test_missing_heading_is_reported_with_the_nearest_one(tmp_path: Path) -> None:
    found = told(tmp_path, "x [[Raven#High Dek]]", Raven="# Raven\n## High Deck\n")
    assert found == ("link-heading", 1, 3, Says("mean", "High Deck"))


def test_missing_block_is_reported_with_the_nearest_one(tmp_path: Path) -> None:
    assert told(tmp_path, "[[Raven#^bok]]", Raven="Text. ^book\n") == ("link-block", 1, 1, "Did you mean '^book'?")


def test_r7_an_ambiguous_link_is_a_warning(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[[X]]", "a/X.md": "", "b/X.md": ""})
    (problem,) = check(vault).problems
    assert (problem.code, problem.severity) == ("link-ambiguous", "warning")
    assert "'a/X.md' or 'b/X.md'" in problem.message


def test_r7_an_accidental_link_is_a_warning(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[[ary/X]]", "glossary/X.md": ""})
    (problem,) = check(vault).problems
    assert (problem.code, problem.severity, problem.hint) == ("link-partial", "warning", "Write 'glossary/X.md'.")


def test_broken_frontmatter_and_unreadable_notes(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": "---\na: b: c\n---\n", "B.md": "Ä\nÖ".encode("latin-1")})
    found = [(p.note, p.line, p.column, p.code) for p in check(vault).problems]
    assert found == [("A.md", 2, 5, "frontmatter"), ("B.md", 1, 1, "unreadable")]


def test_l4_fragments_of_other_files_are_not_checked(tmp_path: Path) -> None:
    vault = make_files(
        tmp_path, {"N.md": "![x](a.png#card) ![[a.png#token]] [[b.pdf#page=3]]", "a.png": "", "b.pdf": ""}
    )
    assert check(vault).problems == ()


def test_problems_are_sorted_and_crlf_counts_once(tmp_path: Path) -> None:
    found = problems(tmp_path, '---\r\nwho: "[[Z]]"\r\n---\r\n[[Y]] [[X]]\r\n\r\n[[W]]\r\n')
    assert [(p.line, p.column) for p in found] == [(2, 7), (4, 1), (4, 7), (6, 1)]


TEMPLATES = {
    "T.md": "---\ntags: [<% tp.file.folder() %>]\n---\n[[{{title}}]] [[<% tp.date.now() %>|next]] [x](<%f%>.md)\n",
    "Draw.excalidraw.md": "Hi ^abc\n",
    "N.md": "![[Draw.excalidraw#^group=abc]] [[#[^1]]] [[N#[^1]]] [[#[^1]|one]]\n\n[^1]: x\n",
    "F.md": '```leaflet\noverlay: [["blue", [32, -89], "500 m"]]\nsize: [[1, 2], [3, 4]]\nimage: [[N]]\n```\n',
}


def test_no_false_alarm_for_templates_drawings_and_nested_lists(tmp_path: Path) -> None:
    report = check(make_files(tmp_path, dict(TEMPLATES)))
    assert report.problems == ()
    assert [link.subpath for link in make_files(tmp_path, {}).read("N.md").links][1:] == ["[^1]"] * 3


def test_f5_excluded_notes_are_checked_only_when_named(tmp_path: Path) -> None:
    settings = '{"userIgnoreFilters": ["Templates/", "/^x.*y\\\\.md$/", "/(/", 3, ""]}'
    files: dict[str, str | bytes] = dict.fromkeys(["Templates/A.md", "xAy.md", "xAz.md"], "[[Nowhere]]")
    vault = make_files(tmp_path, {**files, "B.md": "[[A]] [[xAy]]", ".obsidian/app.json": settings})
    report = check(vault)
    assert [problem.note for problem in report.problems] == ["xAz.md"]
    assert (report.notes, report.excluded) == (2, 2)
    assert [problem.note for problem in check(vault, ["Templates"]).problems] == ["Templates/A.md"]


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("[[Places]]", "That is a folder"),
        ("[[../../Out]]", "out of the vault"),
        ("[[https://example.org]]", "Write an address of the web as [text](https://example.org)"),
        ("[[Quite another thing]]", "Write the note"),
        ("[[Home#Cellars and rooms]]", "give the note such a heading"),
        ("[[Home#^nothing]]", "put '^nothing' at the end"),
    ],
)
def test_every_broken_link_comes_with_a_hint(tmp_path: Path, link: str, hint: str) -> None:
    vault = make_files(tmp_path, {"Places/Inn.md": "", "Home.md": "# Home\n", "N.md": link})
    (problem,) = check(vault, ["N.md"]).problems
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("link", "near"),
    [
        ("Session 5", None),
        ("Session 12", None),
        ("Session 001", "Session 1.md"),
        ("Sesion 1", "Session 1.md"),
        ("Sesion 5", None),
        ("Session", None),
    ],
)
def test_another_number_is_not_a_misspelling(tmp_path: Path, link: str, near: str | None) -> None:
    hint = told(tmp_path, f"[[{link}]]", **{"Session 1": "", "Other": ""})[3]
    assert hint == (f"Did you mean '{near}'?" if near else "Write the note, or correct the name.")


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("corvin.png", "Did you mean 'Pictures/corvins.png'?"),
        ("corvin.pdf", "Correct the name, or bring the file in."),
        ("Corvi", "Did you mean 'Corvin'? Then write [[Corvin|Corvi]]."),
    ],
)
def test_missing_picture_suggests_a_picture(tmp_path: Path, link: str, hint: str) -> None:
    vault = make_files(tmp_path, {"N.md": f"[[{link}]]", "Corvin.md": "", "Pictures/corvins.png": b""})
    assert [problem.hint for problem in check(vault).problems] == [hint]


def test_only_repairs_that_fix_makes_are_promised(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "N.md": "[[World/People/Ivo]] [[Iv]] [a][r]\n\n[r]: World/People/Ivo.md\n",
        "made.md": "---\ncssclasses: json5e-item\n---\n[[World/People/Ivo]]\n",
        "World/Old/People/Ivo.md": "",
    }
    report = check(make_files(tmp_path, files))
    promised = "It is in 'World/Old/People/Ivo.md'."
    guess = "Did you mean 'World/Old/People/Ivo.md'?"
    made = "It is in 'World/Old/People/Ivo.md'."
    assert [problem.hint for problem in report.problems] == [made, promised, UNWRITTEN_HINT, guess]
    assert count_certain(report) == 2


def test_repairs_of_many_notes_are_found_from_their_links_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vaultkit.vault.checking.runner.MAX_REREAD_NOTES", 1)
    notes: dict[str, str | bytes] = {
        "A.md": "[[World/People/Ivo]] [[Iv]]\n",
        "B.md": "[[World/People/Ivo]]\n",
        "World/Old/People/Ivo.md": "",
    }
    report = check(make_files(tmp_path, notes))
    assert count_certain(report) == 2
    assert [problem.cause for problem in report.problems] == ["moved", "unwritten", "moved"]


def test_two_processes_plan_the_same_repairs_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: dict[str, str | bytes] = {f"{number}.md": "[[World/People/Ivo]] [[People\\Ivo]]\n" for number in range(12)}
    vault = make_files(tmp_path, notes | {"World/Old/People/Ivo.md": ""})
    alone = check(vault)
    monkeypatch.setattr("vaultkit.vault.checking.runner.MIN_PARALLEL_REPAIR_NOTES", 1)
    monkeypatch.setattr("vaultkit.vault.index.worker_pool.count_processors", lambda: 2)
    both = check(vault.reopen())
    assert both == alone and count_certain(both) == 24


def test_two_processes_find_the_same_problems_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = "[[World/People/Ivo]] [[N #x]] [x](Lost.md) [[Ivo#^no]] [[1]] %%[[Gone]]%%\n"
    notes: dict[str, str | bytes] = {f"{number}.md": links * (number % 3) for number in range(13)}
    vault = make_files(tmp_path, notes | {"World/Old/People/Ivo.md": ""})
    alone = check(vault)
    monkeypatch.setattr("vaultkit.vault.checking.runner.MIN_PARALLEL_CHECK_NOTES", 1)
    monkeypatch.setattr("vaultkit.vault.index.worker_pool.count_processors", lambda: 2)
    monkeypatch.setattr("threading.active_count", lambda: 1)  # pytest's own workers have more
    both = check(vault.reopen())
    assert both == alone and len(both.problems) > 20


def test_one_process_runs_all_checks_that_read_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together: list[int] = []

    @contextmanager
    def run_beside(work: Callable[[object], object], tasks: list[partial[object]], **_: bool) -> Iterator[object]:
        together.extend(len(task.args[1]) for task in tasks if len(task.args) > 1)
        yield lambda: map(work, tasks)

    monkeypatch.setattr("vaultkit.vault.checking.runner.run_in_background", run_beside)
    of_decks = {one.in_vault for one in every_check() if one.of_decks}
    check(make_files(tmp_path, {}), checks=every_check())
    assert len(of_decks) == 4 and together[0] == 4 and {*together[1:]} == {1}


def test_progress_counts_the_reported_notes(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": "", "B.md": "", "C.canvas": "{}"})
    seen: list[tuple[int, int]] = []
    assert check(vault, None, lambda done, total: seen.append((done, total))).notes == 2
    assert seen[-1] == (2, 2)


@pytest.mark.parametrize(
    ("written", "wrong", "hint"),
    [
        ("who: Ivo: the twin", "a value with a colon needs quotes", 'Write who: "Ivo: the twin"'),
        ('said: He said: "hi"', "a value with a colon needs quotes", "Write said: 'He said: \"hi\"'"),
        ('said: it\'s: "x"', "a value with a colon needs quotes", 'Write said: "it\'s: \\"x\\""'),
        ("l:\n  - a: b: c", "a value with a colon needs quotes", 'Write - a: "b: c"'),
        ('aliases: ["Laiba "Nana" Rosse"]', "a quote within quotes", "Write aliases: ['Laiba \"Nana\" Rosse']"),
        ("who: 'it's'", "a quote within quotes", 'Write who: "it\'s"'),
        ('who: "Ivo" the twin', "text after them", "Write who: '\"Ivo\" the twin'"),
        ('l: [a, "b "c" d"]', "a quote within quotes", "Put quotes around that item"),
        ('who: "Ivo', "a quote is opened and not closed", 'Write who: "Ivo"'),
        ("l: [a, b", "has no ']'", "Put ']' after the last item"),
        ("l: [a, b: c: d]", "has a colon too many", "Put quotes around that item"),
        ("l: [b]]", "a bracket too many", "Delete it"),
        ("who: @Ivo", "a character that needs quotes", 'Write who: "@Ivo"'),
        ("who: *Ivo*", "begins with '*'", 'Write who: "*Ivo*"'),
        ("who: > Ivo", "begins with '|' or '>'", 'Write who: "> Ivo"'),
        ("who: {name} x", "text after the end of a value", 'Write who: "{name} x"'),
        ('where: "C:\\dir"', "a meaning of its own", "Write where: 'C:\\dir'"),
        ("who: - Ivo", "on the line of its name", "Write each '- item' on a line of its own."),
        ("a:\n\t- b", "a tab", "Put spaces in place of the tab."),
        ("a: 1\n  b: 2", "this line is indented", "Delete the spaces at its beginning."),
        ("a: 1\nplain words", "no colon", "Write 'name: value'"),
        ("plain words", "not of the form", "Write a name, a colon, a space and the value."),
        ("a: !<x y", "YAML says 'while scanning a verbatim tag", "Put quotes around the value"),
    ],
)
def test_y1_yaml_errors_are_reported_in_plain_words(tmp_path: Path, written: str, wrong: str, hint: str) -> None:
    (problem,) = problems(tmp_path, f"---\n{written}\n---\n")
    assert problem.message.startswith("The properties at the top of this note cannot be read: ")
    assert wrong in problem.message and problem.hint.startswith(hint)
    if hint.startswith("Write ") and not hint.endswith(".") and "'name" not in hint:
        mended = [*written.split("\n")[:-1], problem.hint.removeprefix("Write ")]
        assert problems(tmp_path / "mended", "\n".join(["---", *mended, "---", ""])) == []


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("| a |\n|---|\n| [[Ivo|I]] x ![[Ivo|9]] |", [3, 15]),
        ("| a |\n|---|\n| [[Ivo\\|I]] `[[Ivo|x]]` |", []),
        ("a | [[Ivo|I]]", []),
        ("| [[Ivo|I]] |", []),
    ],
)
def test_s7_a_bare_pipe_in_a_table(tmp_path: Path, text: str, columns: list[int]) -> None:
    vault = make_files(tmp_path, {"Ivo.md": "", "N.md": f"{text}\n"})
    problems = check(vault, ["N.md"]).problems
    assert [(problem.code, problem.line, problem.column) for problem in problems] == [
        ("table-pipe", 3, column) for column in columns
    ]
    splice = repairer(vault).plan(vault.read("N.md"))
    mended = splice.apply(f"{text}\n") if splice else text
    assert len(columns) == mended.count("\\|") - text.count("\\|")


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("text[^1] and[^2]\n\n[^2]: here", ["[^1]"]),
        ("a[^Owl]\n\n[^owl]: b", []),
        ("`[^1]` \\[^2] [^ 3] x^[inline]", []),
        ("> in a quote[^q]", ["[^q]"]),
    ],
)
def test_reference_without_its_footnote(tmp_path: Path, text: str, marks: list[str]) -> None:
    problems = check(make_files(tmp_path, {"N.md": text})).problems
    assert [problem.message.split("'")[1] for problem in problems] == marks


def test_s7_links_in_comments_give_one_warning_of_each_kind(tmp_path: Path) -> None:
    text = "%% [[Gone]] [[Gone too]] %%\n\n`%%` [[Lost]] `%%`\n\n%%\n[[N#No]]\n%%\n%% [[open"
    report = check(make_files(tmp_path, {"N.md": text, "O.md": "%% [[Away]] %%"}))
    told = [(one.note, one.line, one.code, one.severity, one.cause) for one in report.problems]
    assert told == [
        ("N.md", 1, "link-unresolved", "warning", "comment"),
        ("N.md", 3, "link-unwritten", "remark", "unwritten"),
        ("N.md", 6, "link-heading", "warning", "comment"),
    ]
    assert "So do 2 more links in comments" in report.problems[0].message


def test_suggestions_match_the_longest_end_of_a_path(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a/Ivo.md": "", "x/People/Ivo.md": "", "z/Ivo.md": "", "r/Mill.md": "## Wheel\n"}
    files["N.md"] = "[[World/People/Ivo]] [[git/r/Mill]] [[Wheel]] [x](www.example.org/a) [y](a@example.org)"
    problems = check(make_files(tmp_path, files), ["N.md"]).problems
    assert [(problem.cause, problem.hint) for problem in problems] == [
        ("moved", Says("mean", "x/People/Ivo.md")),
        ("prefix", Says("Write 'r/Mill'")),
        ("unwritten", Says("heading", "write", "[[Mill#Wheel]]")),
        ("other", Says("Write", "[text](https://www.example.org/a)")),
        ("other", Says("Write", "[text](mailto:a@example.org)")),
    ]


def test_alias_never_suggests_its_own_note_or_a_missing_heading(tmp_path: Path) -> None:
    inn = "---\naliases: Old Inn\n---\n## Cellar\n[[Old Inn]]\n"
    report = check(make_files(tmp_path, {"Inn.md": inn, "N.md": "[[Old Inn#Attic]] [[Old Inn#Cellar]]"}))
    own, lacking, kept = report.problems
    assert (own.cause, lacking.cause, kept.cause) == ("unwritten", "other", "alias")
    assert "which has no 'Attic'" in lacking.hint and "alias" not in own.hint
    assert kept.hint.startswith("That is an alias; write [[Inn#Cellar|Old Inn > Cellar]]")
    assert count_certain(report) == 1


def test_a_view_and_names_in_a_base(tmp_path: Path) -> None:
    base = "views:\n  - type: table\n    name: All\n    order: [file.name, stattus, formula.x, new]\n"
    base += """    filters: {and: ["file.hasTag('statu')", {not: 'note["statuss"] == 1'}]}\n"""
    files: dict[str, str | bytes] = {"X.base": base, "N.md": "---\nstatus: a\n---\n![[X.base#All]] ![[X.base#Alll]]\n"}
    files["M.md"] = f"```base\n{base}```\n"
    told = [(one.note, one.line, one.code) for one in check(make_files(tmp_path, files)).problems]
    assert told == [
        ("M.md", 5, "base-name"), ("N.md", 4, "link-view"), ("X.base", 4, "base-name"),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", ['\\"', "\\/", "note[", '"a" ', "a ("])
def test_base_expressions_take_linear_time(piece: str) -> None:
    def read(size: int) -> None:
        text = json.dumps({"filters": '"/' + piece * size})
        assert len([*read_base("X.base", text).names()]) <= size

    assert growth(read, 8_000) < IN_STEP


@pytest.mark.parametrize(
    ("problems", "notes", "expected"),
    [(1, 1, "1 problem has the code x-y, in 1 note"), (2, 1, "2 problems have the code x-y, in 1 note"),
     (1_052, 13, "1,052 problems have the code x-y, in 13 notes")],
)  # fmt: skip
def test_numbers_of_a_cause(problems: int, notes: int, expected: str) -> None:
    assert Cause("certain", "x-y", problems, notes, 0, False, ()).sentence == expected


@pytest.mark.parametrize(
    ("link", "is_suggested"), [("Bram", True), ("bram", True), ("Bra", False), ("12", False), ("B", False)]
)
def test_only_a_name_in_words_suggests_notes_that_begin_with_it(tmp_path: Path, link: str, is_suggested: bool) -> None:
    others = {"Bram Tolliver": "", "Bramble": "", "12 Bells": "", "B Flat": ""}
    hint = told(tmp_path, f"[[{link}]]", **others)[3]
    assert ("Bram Tolliver" in hint) == is_suggested
    assert "Bells" not in hint and "Flat" not in hint
