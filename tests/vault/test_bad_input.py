"""What people's disks hold: every bad input is a Problem with a place and a hint; never a crash, a hang or a write."""

import hashlib
import json
import os
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.vault.making import make_files, note
from vaultkit.errors import ExitCode, Problem
from vaultkit.vault import Vault
from vaultkit.vault.checking.check import check

SECONDS = 20
"""Far more than anything here takes; what hangs takes minutes."""
LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)

UNREADABLE: dict[str, tuple[bytes, int, int]] = {
    "invalid UTF-8": ("ok\né".encode() + b"\xff\n", 2, 2),
    "invalid UTF-8 after lone CR": (b"a\rb\rc \xff\n", 3, 3),
    "Windows-1252": (b"# Log\r\nCaf\xe9\r\n", 2, 4),
    "UTF-16 with a mark": ("# Log\n".encode("utf-16"), 0, 0),
    "UTF-16 without a mark": ("# Log\n".encode("utf-16-be"), 0, 0),
    "UTF-32": ("# Log\n".encode("utf-32"), 0, 0),
    "nothing but NUL": (b"\0" * 4096, 0, 0),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 0, 0),
    "half a character": ("Café über".encode() + b"\xc3", 1, 10),
}
FRONTMATTER: dict[str, str] = {
    "unclosed": "---\ntitle: x\n# Heading\n",
    "a bomb": f"---\n{LAUGHS}---\n",
    "a tab": "---\na:\n\t- b\n---\n",
    "unescaped quotes": '---\naliases: ["Laiba "Nana" Rosse"]\n---\n',
    "too long": f"---\n{'key: value ' * 30_000}\n---\n",
    "brackets without end": f"---\na: {'[' * 50_000}\n---\n",
    "braces without end": f"---\na: {'{a: ' * 40_000}\n---\n",
    "a list": "---\n- a\n- b\n---\n",
}
READ_ALL_THE_SAME: dict[str, str] = {
    "an empty note": "",
    "a byte order mark": "\ufeff---\naliases: [x]\n---\n# H\n",
    "CRLF": "---\r\na: b\r\n---\r\n# H\r\n[[N]]\r\n",
    "lone CR": "# H\rtext\r[[N]]\r",
    "keys that are no text": "---\n2: a\ntrue: b\nnull: c\n[x, y]: d\n1.5: e\n---\n",
    "line separators": "a\u2028b\u0085c\x0bd [[N]]\n",
    "text from right to left": "\u202eabc [[N]] \u200b\ufeff\n",
    "ten thousand headings": "".join(f"# Heading {n}\n\n" for n in range(10_000)) + "[[#Heading 9999]]\n" * 5,
    "ten thousand equal headings": "## Same\n" * 10_000 + "[[#Same]]\n",
    "a long line of words": "word " * 20_000,
    "five thousand quotes": f"{'>' * 5_000} a\n",
    "stairs of quotes": "".join(f"{'> ' * n}a\n" for n in range(300)),
    "stairs of lists": "".join(f"{'  ' * n}- a\n" for n in range(300)),
    "lists on one line": "- " * 5_000 + "a\n",
    "five thousand brackets": "[ " * 5_000 + "a" + " ]" * 5_000,
    "links in links": "[a" * 5_000 + "](N)" * 5_000,
    "emphasis in emphasis": "*a **b " * 10_000 + "*** " * 10_000,
    "tables of one row": "|a" * 5_000 + "|\n" + "|-" * 5_000 + "|\n",
    "comments without end": "%%" + "a %" * 30_000,
    "fences without end": "```\n" * 20_001,
    "a fence in a quote without end": "> ```statblock\n" + "> a: [[N]]\n" * 5_000,
    "tags without end": "<a href=" * 20_000,
    "block ids": "a ^b\n\n" * 10_000,
    "footnotes": "".join(f"[^{n}] " for n in range(3_000)) + "".join(f"\n\n[^{n}]: x" for n in range(3_000)),
}
LINES = (
    "[",
    "[[",
    "]",
    "*",
    "_",
    "> ",
    ">",
    "`",
    "`a",
    "$",
    "$a",
    "~",
    "%",
    "<",
    "<!--",
    "#",
    "|",
    "\\",
    "&",
    "^",
    "![[",
    "(",
)


@contextmanager
def unchanged(root: Path) -> Iterator[None]:
    """Nothing below `root` comes, goes or changes; and it does not take forever."""
    before, began = fingerprint(root), time.monotonic()
    yield
    assert time.monotonic() - began < SECONDS
    assert fingerprint(root) == before


def fingerprint(root: Path) -> dict[str, str]:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path): f"{path.stat().st_mtime_ns} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files}


def problems(root: Path, files: dict[str, str | bytes]) -> list[Problem]:
    """What the check of a vault with these files finds, a fresh one each time."""
    vault = make_files(root, files)
    with unchanged(root):
        found = list(check(vault).problems)
        collected: list[Problem] = []
        for read in vault.notes(collected):
            _ = (read.headings, read.blocks, read.properties, read.aliases, read.title)
    assert all(problem.message and (problem.hint or problem.code.startswith("link-")) for problem in found)
    return found


def codes(found: list[Problem]) -> list[str]:
    return [problem.code for problem in found]


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, kind: str) -> None:
    data, line, column = UNREADABLE[kind]
    (problem,) = problems(tmp_path, {"Bad.md": data, "Good.md": "[[Bad]] [[Bad#Heading]]"})
    assert (problem.note, problem.line, problem.column, problem.code) == ("Bad.md", line, column, "unreadable")
    assert problem.severity == "error"


@pytest.mark.parametrize("kind", FRONTMATTER)
def test_broken_frontmatter_is_told_and_the_body_is_read(tmp_path: Path, kind: str) -> None:
    found = problems(tmp_path, {"N.md": FRONTMATTER[kind] + "\n[[Gone]]\n"})
    assert sorted(codes(found))[0] == "frontmatter"
    assert any(problem.line for problem in found)
    assert kind == "unclosed" or "link-unresolved" in codes(found)


def test_y3_a_key_that_stands_twice_is_told(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"N.md": "---\na: 1\nb: x\na: 2\n---\n"})
    assert (problem.line, problem.column) == (4, 1)


@pytest.mark.parametrize("kind", READ_ALL_THE_SAME)
def test_odd_notes_are_read_without_a_word(tmp_path: Path, kind: str) -> None:
    assert [p for p in problems(tmp_path, {"N.md": READ_ALL_THE_SAME[kind]}) if p.severity == "error"] == []


@pytest.mark.parametrize("piece", LINES)
def test_a_line_of_a_hundred_thousand_signs(tmp_path: Path, piece: str) -> None:
    """Every sign that Markdown gives a meaning to, which is where parsers go quadratic."""
    text = "# A\n" + piece * (100_000 // len(piece)) + "\n\n# B\n\n[[#A]] [[Gone]]\n"
    found = problems(tmp_path, {"N.md": text})
    assert {problem.code for problem in found} <= {"link-unresolved", "link-heading"}


def test_places_are_exact_whatever_ends_the_lines(tmp_path: Path) -> None:
    found = problems(tmp_path, {"N.md": "\ufeffé\r\n漢\r😀 [[Gone]]\n\n[[Lost]]"})
    assert [(problem.line, problem.column) for problem in found] == [(3, 3), (5, 1)]


@pytest.mark.parametrize("kind", ["keys that are no text"])
def test_keys_become_the_text_that_yaml_writes(kind: str) -> None:
    assert {"2", "true", "null"} <= set(note(READ_ALL_THE_SAME[kind]).properties)


def test_a_note_of_fifty_megabytes_is_refused_unread(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Big.md": "", "N.md": "[[Big#Heading]]"})
    with (tmp_path / "Big.md").open("r+b") as stream:
        stream.truncate(50_000_000)
    began = time.monotonic()
    (problem,) = check(vault).problems
    assert time.monotonic() - began < 2
    assert (problem.note, problem.code) == ("Big.md", "unreadable")
    assert "50.0 MB" in problem.message and "20 MB" in problem.hint


def test_nul_characters_are_told_and_the_note_is_read(tmp_path: Path) -> None:
    found = problems(tmp_path, {"N.md": "# A\nab\0c\n[[#A]] [[Gone]]"})
    assert [(p.code, p.line, p.column, p.severity) for p in found] == [
        ("nul", 2, 3, "warning"),
        ("link-unresolved", 3, 8, "error"),
    ]


def test_mojibake_is_told_with_what_it_was(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"N.md": "# Gäste\n\nFranÃ§ois came.\n"})
    assert (problem.code, problem.line, problem.column, problem.severity) == ("mojibake", 3, 1, "warning")
    assert "probably 'François'" in problem.message


@pytest.mark.parametrize(
    "link", ["[[folder]]", "[[folder/]]", "[x](folder)", "[x](folder/)", "![[folder]]", "[x](./folder)"]
)
def test_links_to_folders_lead_nowhere(tmp_path: Path, link: str) -> None:
    assert codes(problems(tmp_path, {"N.md": link, "folder/A.md": ""})) == ["link-unresolved"]


@pytest.mark.parametrize(
    "link",
    [
        "[[../Secret]]",
        "[[../../Secret.md]]",
        "[x](../Secret.md)",
        "[x](%2E%2E/Secret.md)",
        "[x](/../Secret.md)",
        "![[../outside/Secret]]",
        "[x](..\\Secret.md)",
        "[[a/../../Secret]]",
        "[x](/etc/passwd)",
    ],
)
def test_links_out_of_the_vault_lead_nowhere(tmp_path: Path, link: str) -> None:
    (tmp_path / "Secret.md").write_text("# Secret")
    found = problems(tmp_path / "vault", {"N.md": link, "a/N.md": ""})
    assert codes(found) == ["link-unresolved"]
    assert "# Secret" not in str(found)


def test_symbolic_links_are_neither_followed_nor_read(tmp_path: Path) -> None:
    vault = make_files(tmp_path / "vault", {"N.md": "[[Secret]] [[loop]] [[inside]] [[up/N]]"})
    (tmp_path / "Secret.md").write_text("[[Gone]]")
    try:
        for name, target in {
            "Secret.md": tmp_path / "Secret.md",
            "loop.md": vault.root / "loop.md",
            "ping": vault.root / "pong",
            "pong": vault.root / "ping",
            "inside.md": vault.root / "N.md",
            "up": vault.root,
            "out": tmp_path,
            "dead.md": tmp_path / "gone.md",
        }.items():
            (vault.root / name).symlink_to(target)
    except OSError:
        pytest.skip("no symbolic links here")
    with unchanged(vault.root):
        report = check(Vault(vault.root))
    assert report.notes == 1
    assert set(codes(list(report.problems))) == {"link-unresolved"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_the_name_of_a_note_is_not_waited_for(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "x", "folder.md/A.md": "x"})
    os.mkfifo(tmp_path / "Pipe.md")
    assert check(vault).notes == 2


def test_a_note_that_vanishes_while_the_vault_is_read(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Gone.md": "x", "N.md": "[[Gone#Heading]] [[Gone]]"})
    assert vault.note_paths == ("Gone.md", "N.md")
    (tmp_path / "Gone.md").unlink()
    found = [problem for problem in check(vault).problems if problem.note == "Gone.md"]
    assert codes(found) == ["unreadable"] and found[0].hint
    assert [read.path for read in vault.notes([])] == ["N.md"]


def test_a_folder_that_vanishes_while_the_vault_is_read(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"a/Gone.md": "x", "N.md": "x"})
    assert len(vault.note_paths) == 2
    (tmp_path / "a" / "Gone.md").unlink()
    (tmp_path / "a").rmdir()
    (tmp_path / "a").write_text("now a file")
    assert codes(list(check(vault).problems)) == ["unreadable"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that bind")
def test_a_note_and_a_folder_without_permission(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Locked.md": "x", "shut/N.md": "x", "N.md": "x"})
    (tmp_path / "Locked.md").chmod(0)
    (tmp_path / "shut").chmod(0)
    try:
        found = list(check(vault).problems)
    finally:
        (tmp_path / "shut").chmod(0o755)
    assert [(problem.note, problem.code) for problem in found] == [("Locked.md", "unreadable"), ("shut", "unreadable")]


def name_allowed_here(root: Path, name: str) -> bool:
    try:
        (root / name).write_bytes(b"# Here\n")
    except OSError:
        return False
    return (root / name).is_file()


@pytest.mark.parametrize(
    "sign",
    [*"!\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~", " ", "\n", "\t", "\x1b", "\x7f", "\u00a0", "\u200b", "😀", "%20", "%%"],
)
def test_f4_names_with_every_character_that_some_system_allows(tmp_path: Path, sign: str) -> None:
    name = f"a{sign}b.md"
    make_files(tmp_path, {"N.md": "x"})
    if not name_allowed_here(tmp_path, name):
        pytest.skip("this system does not hold the name")
    with unchanged(tmp_path):
        vault = Vault(tmp_path)
        assert check(vault).notes == 2
        assert vault.read(name).title == "Here"
        assert sign == "\\" or vault.find(name).path == name


@pytest.mark.parametrize("sign", '#^[]|\\:?*<>"')
def test_f4_names_that_are_lost_elsewhere_are_told(tmp_path: Path, sign: str) -> None:
    make_files(tmp_path, {})
    if not name_allowed_here(tmp_path, f"a{sign}b.md"):
        pytest.skip("this system does not hold the name")
    found = problems(tmp_path, {})
    assert set(codes(found)) == {"file-name"}


def test_f2_names_that_differ_in_case_or_accents_are_told(tmp_path: Path) -> None:
    accents = [unicodedata.normalize(form, "Café.md") for form in ("NFC", "NFD")]
    make_files(tmp_path, dict.fromkeys(["A.md", "a.md", *accents], ""))
    if len(list(tmp_path.glob("*.md"))) < 4:
        pytest.skip("this file system takes them for one")
    assert codes(problems(tmp_path, {})) == ["file-case", "file-case"]


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    make_files(tmp_path, {"N.md": "x"})
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.md")).write_text("x")
    except OSError:
        pytest.skip("this system does not hold the name")
    (problem,) = check(Vault(tmp_path)).problems
    assert problem.code == "unreadable" and problem.note.isprintable()


def run(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The real program on a vault that it must not change, with caches and settings of its own."""
    home = {name: str(root.parent / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA")}
    command = [sys.executable, "-m", "vaultkit", *arguments, "--vault", str(root)]
    with unchanged(root):
        return subprocess.run(
            command,
            env=os.environ | home | {"PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


def test_the_program_on_everything_at_once(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    files: dict[str, str | bytes] = {f"u/{n}.md": data for n, (data, _, _) in enumerate(UNREADABLE.values())}
    files |= {f"f/{n}.md": text for n, text in enumerate(FRONTMATTER.values())}
    files |= {f"r/{n}.md": text.replace("[[N]]", "") for n, text in enumerate(READ_ALL_THE_SAME.values())}
    make_files(root, files)
    done = run(root, "check", "--json")
    assert (done.returncode, "Traceback" in done.stderr) == (ExitCode.PROBLEMS, False), done.stderr
    found = json.loads(done.stdout)["problems"]
    assert {p["note"] for p in found if p["code"] == "unreadable"} == {f"u/{n}.md" for n in range(len(UNREADABLE))}
    assert {p["note"] for p in found if p["code"] == "frontmatter"} == {f"f/{n}.md" for n in range(len(FRONTMATTER))}
    assert all(p["hint"] or p["code"].startswith("link-") for p in found)


def test_the_program_on_odd_notes_alone_is_content(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    make_files(root, {"N.md": "\ufeff# N\r\n[[N]]\r", "Empty.md": ""})
    done = run(root, "check")
    assert (done.returncode, done.stdout) == (ExitCode.OK, ""), done.stderr


@pytest.mark.parametrize(
    "name", ["Bad", *(pytest.param(x, marks=pytest.mark.slow) for x in ("../Bad", "Bad.md/x", "x" * 5000))]
)
def test_the_program_on_one_bad_note(tmp_path: Path, name: str) -> None:
    root = tmp_path / "vault"
    make_files(root, {"Bad.md": b"Caf\xe9\n"})
    done = run(root, "links", name)
    assert (done.returncode, "Traceback" in done.stderr) == (ExitCode.INVALID, False), done.stderr
    assert name != "Bad" or "Windows-1252" in done.stderr


DEEP = {
    "lists in lists": "a:\n " + "- " * 40_000 + "x",
    "lists in lists, not so many": "a:\n " + "- " * 3_000 + "x",
    "keys that are maps": "? " * 400,
    "maps in maps": "\n".join(" " * n + "a:" for n in range(600)),
}


def test_deep_frontmatter_is_refused(tmp_path: Path) -> None:
    """In a process of its own, which is gone past some depth."""
    root = tmp_path / "vault"
    make_files(root, {f"{n}.md": f"---\n{yaml}\n---\n[[Gone]]\n" for n, yaml in enumerate(DEEP.values())})
    done = run(root, "check", "--json")
    assert (done.returncode, "Traceback" in done.stderr) == (ExitCode.PROBLEMS, False), done.stderr[-300:]
    told = [(problem["note"], problem["code"]) for problem in json.loads(done.stdout)["problems"]]
    assert sorted(told) == [(f"{n}.md", code) for n in range(len(DEEP)) for code in ("frontmatter", "link-unresolved")]


@pytest.mark.slow
def test_thousands_of_links_to_the_last_of_ten_thousand_headings(tmp_path: Path) -> None:
    text = "".join(f"# Heading {n}\n\n" for n in range(10_000)) + "[[#Heading 9999]]\n" * 10_000
    assert problems(tmp_path, {"N.md": text}) == []


@pytest.mark.slow
def test_links_that_are_written_with_escapes_in_long_frontmatter(tmp_path: Path) -> None:
    text = '---\na: "' + "[[\\u004E]] " * 15_000 + '"\n---\n'
    assert problems(tmp_path, {"N.md": text}) == []


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["[[", "[", ">", "> ", "1. ", "`a", "*a ", "<a ", "|a", "# h\n", "[a](", "![[a|"])
def test_ten_megabytes_of_the_same_signs(tmp_path: Path, piece: str) -> None:
    root = tmp_path / "vault"
    make_files(root, {"N.md": piece * (10_000_000 // len(piece))})
    assert run(root, "check").returncode in {ExitCode.OK, ExitCode.PROBLEMS}
