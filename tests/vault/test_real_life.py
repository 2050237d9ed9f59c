"""Text in the vaults of game masters that must not be taken for a link; and links that are easily missed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.vault.making import check, make_files, note
from vaultkit.vault import Resolution, Vault
from vaultkit.vault.resolve import Files

SILENT = {
    "templater": '<%*\nlet rows = [["Inn", 1], ["Shop", 2]].map(p => [[p.name]]);\ntR += "[[" + title + "]]";\n%>\n',
    "templater in a destination": "[l](<% tp.file.path() %>) [m](<%tp.file.path()%>) [[<% tp.date.now() %>]]\n",
    "template properties": "---\ntitle: {{title}} notes\na: {{title}}-{{date}}\n---\n",
    "templater properties": '---\na: <% tp.x("a: b") %>\n---\n',
    "templater script above": '---\n<%* tR += ["NPC: one"] %>\n---\n',
    "dataview texts": '```dataview\nTABLE "[[" + file.name + "|" + title + "]]" FROM "[[Nowhere]]"\n```\n',
    "dataview index": "```dataview\nTABLE rows[[0]], x[[1]]\n```\n",
    "encounter": "```encounter\ncreatures:\n  - [[Goblin, Jim]]\n```\n",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=list(SILENT))
def test_real_life_notes_give_no_false_alarm(tmp_path: Path, text: str) -> None:
    assert check(make_files(tmp_path, {"N.md": text})).problems == ()


def test_l6_a_link_is_found_where_it_is_quoted_and_in_its_own_property() -> None:
    text = '---\n# [[A]] was here\nx: 1 # or [[A]]\nlist: [[A]]\na: "[[A]]"\nb:\n  - "see [[A]]" # [[A]]\n---\n'
    found = [(link.line, link.column) for link in note(text).links]
    assert found == [(5, 5), (7, 10)]


def test_l6_a_destination_with_parentheses_in_a_property() -> None:
    (link,) = note('---\na: "[M](Moon_(deck).md)"\n---\n').links
    assert (link.path, link.line, link.column) == ("Moon_(deck).md", 2, 5)


def test_l4_a_picture_within_a_link() -> None:
    picture, around = note("see [![[i.png|100]]](Sword.md)").links
    assert (picture.kind, picture.embed, picture.path, picture.text) == ("wikilink", True, "i.png", "100")
    assert (around.kind, around.embed, around.path) == ("markdown", False, "Sword.md")
    assert (picture.start, picture.end, around.start, around.end) == (5, 19, 4, 30)


def test_o8_exact_file_name_is_preferred_to_a_note() -> None:
    assert Files(["LICENSE", "LICENSE.md"]).resolve("LICENSE", "") == Resolution("ok", "LICENSE", from_anywhere=True)
    assert Files(["a/Makefile", "Makefile.md"]).resolve("makefile", "") == Resolution(
        "ok", "a/Makefile", from_anywhere=True
    )
    assert Files(["f/LICENSE"]).resolve("f/LICENSE", "") == Resolution("ok", "f/LICENSE", from_anywhere=True)
    assert Files(["f/LICENSE.md"]).resolve("f/LICENSE", "") == Resolution("ok", "f/LICENSE.md", from_anywhere=True)
    assert Files(["f/LICENSE.txt"]).resolve("f/LICENSE.txt", "") == Resolution(
        "ok", "f/LICENSE.txt", from_anywhere=True
    )


@pytest.mark.skipif(os.name != "posix", reason="needs rights elsewhere")
def test_f3_links_into_a_linked_folder_are_not_checked(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "Rules.md").write_text("# Rules")
    vault = make_files(tmp_path / "vault", {"N.md": "[[Shared/Rules]] [x](Shared/Rules.md#No) [[Other/Rules]]"})
    (vault.root / "Shared").symlink_to(tmp_path / "shared")
    found = [(problem.code, problem.note, problem.severity) for problem in check(Vault(vault.root)).problems]
    assert found == [("link-unwritten", "N.md", "remark"), ("folder-link", "Shared", "warning")]


def test_endlessly_nested_obsidian_settings_are_ignored(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "", ".obsidian/app.json": "[" * 100_000})
    assert check(vault).problems == ()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the processes end with their pipe")
def test_processes_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    code = (
        "import os, time; from vaultkit.vault.index import worker_pool; worker_pool.count_processors = lambda: 3;"
        "work = lambda number: number and (print(os.getpid(), flush=True), time.sleep(1));"
        "list(worker_pool.map_in_processes(work, range(1000), lambda number: None))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = next(int(line) for line in parent.stdout if int(line) != parent.pid)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{child}/cmdline").exists() and time.monotonic() < deadline:
        if "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]:
            break
        time.sleep(0.2)
    else:
        assert not Path(f"/proc/{child}").exists()
