"""Before and after, one pair per bug form; nothing else in a note may change."""

import json
from pathlib import Path

import pytest

from tests.vault.making import make_files, repairer, repairs
from vaultkit.vault import Note

FILES: dict[str, str | bytes] = {
    "items/crown of x.md": "# Crown\n",
    "People/Ivo.md": "---\naliases: [Twin, Café Owner]\n---\n# Ivo\n",
    "Birds/Raven.md": "---\naliases: [The Bird, Corvus, Twin]\n---\n# Raven\n",
    "my note.md": "# A\n",
    "img/a b.png": "",
    "a/X.md": "---\naliases: [Ecks]\n---\n",
    "b/X.md": "",
    "c/A#B.md": "---\naliases: [Sharp]\n---\n",
    "People/Bram.md": "",
    "items/ring.md": "",
    "img/c.png": "",
    "siblings.md": "[[old/Bram]] [[Gone/Bram]] [[Lost/Bram]] [[old things/ring]] ![[old img/c.png]]\n",
}
SOURCE = "s/N.md"


def repaired(root: Path, text: str, files: dict[str, str | bytes] = FILES, **app: object) -> str:
    """The note after all repairs, verified to need no more, and to be the same in every other line end and BOM."""
    settings: dict[str, str | bytes] = {".obsidian/app.json": json.dumps(app)}
    vault = make_files(root, {**files, **settings, SOURCE: text})
    splice = repairer(vault).plan(vault.read(SOURCE))
    after = splice.apply(text) if splice else text
    assert repairs(vault, Note(SOURCE, after.encode())) == ()
    return after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"[[items\crown of x]]", "[[items/crown of x]]"),
        (r"![[items\crown of x#Crown|x]]", "![[items/crown of x#Crown|x]]"),
        (r"![[img\a b.png|100x145]]", "![[img/a b.png|100x145]]"),
        (r"[*t*](items\crown%20of%20x.md#a\b 'title')", r"[*t*](items/crown%20of%20x.md#a\b 'title')"),
        ("[t](items\\crown%20of%20x.md\t'title')", "[t](items/crown%20of%20x.md\t'title')"),
        (r"[t]( items\crown%20of%20x.md)", "[t]( items/crown%20of%20x.md)"),
        (r"[t](items%5Ccrown%20of%20x.md)", "[t](items/crown%20of%20x.md)"),
        (r"[t](<items\crown of x.md>)", "[t](<items/crown of x.md>)"),
        (r"![100](..\img\a%20b.png)", "![100](../img/a%20b.png)"),
        ("[![a](img\\a%20b.png)](items\\crown%20of%20x.md)", "[![a](img/a%20b.png)](items/crown%20of%20x.md)"),
        ("| a |\n|---|\n| [[items\\crown of x\\|x]] |", "| a |\n|---|\n| [[items/crown of x\\|x]] |"),
        ("---\na: 'see [[items\\crown of x]]'\n---\n", "---\na: 'see [[items/crown of x]]'\n---\n"),
        (r"# [t](items\crown%20of%20x.md)", "# [t](items/crown%20of%20x.md)"),
    ],
)
def test_r10_backslash_is_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[The Bird]]", "[[Raven|The Bird]]"),
        ("[[ the bird ]]", "[[ Raven|the bird]]"),
        ("[[The Bird|shown]]", "[[Raven|shown]]"),
        ("[[The Bird#Raven]]", "[[Raven#Raven|The Bird > Raven]]"),
        ("[[Cafe\u0301 Owner]]", "[[Ivo|Cafe\u0301 Owner]]"),
        ("[[Ecks]]", "[[a/X|Ecks]]"),
        ("[t](The%20Bird)", "[t](Raven.md)"),
        ("[t](corvus.md#Raven)", "[t](Raven.md#Raven)"),
        ("[[Corvus#Attic]]", "[[Corvus#Attic]]"),
        ("| a |\n|---|\n| [[The Bird]] |", "| a |\n|---|\n| [[Raven\\|The Bird]] |"),
        ("> | a |\n> |---|\n> | é [[The Bird\\|b]] |", "> | a |\n> |---|\n> | é [[Raven\\|b]] |"),
        ("a | [[The Bird]]", "a | [[Raven|The Bird]]"),
        ('---\na: "[[The Bird]]"\n---\n', '---\na: "[[Raven|The Bird]]"\n---\n'),
        ("---\na: [[The Bird]]\n---\n", '---\na: "[[Raven|The Bird]]"\n---\n'),
        ("# [[The Bird]]\n[[#The Bird]] [[The Bird]]", "# [[The Bird]]\n[[#The Bird]] [[Raven|The Bird]]"),
    ],
)
def test_r2_alias_is_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[Gone/Ivo]]", "[[Ivo]]"),
        ("[[../Old/Ivo#Nowhere|I]]", "[[Ivo#Nowhere|I]]"),
        ("[t](/Old/Ivo.md#x 'y')", "[t](Ivo.md#x 'y')"),
        ("[t](old%20things/crown%20of%20x.md)", "[t](crown%20of%20x.md)"),
        ("![s](<old img/a b.png>)", "![s](<a b.png>)"),
        ("![[old img/a b.png|100]]", "![[a b.png|100]]"),
        ('---\na: ["[[old/Ivo]]"]\n---\n', '---\na: ["[[Ivo]]"]\n---\n'),
    ],
)
def test_r9_moved_target_is_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before) == after


LIGHTS: dict[str, str | bytes] = {
    "spells/Light.md": "",
    "spells/Darkvision.md": "",
    "compendium/spells/Fire.md": "",
    "World/Old/NPCs/Guard.md": "",
    "Region West/NPCs/Smith.md": "",
    "World/NPCs/Bram.md": "",
}


@pytest.mark.parametrize(
    ("links", "certain"),
    [
        ("[[traits/Light]]", []),  # another thing of that name
        ("[[traits/Light]] [[traits/Darkvision]]", ["spells/Light.md", "spells/Darkvision.md"]),  # the folder has moved
        ("[[traits/Light]] [[traits/Darkvision]] [[traits/Keen Smell]]", []),
        ("[[traits/Light]] [[traits/Darkvision]] [[traits/Fire]]", []),
        ("[[traits/Light]] [t](traits/Light.md) ![[Traits/Light]]", []),  # one file is no folder
        ("[[x/compendium/old spells/Fire]]", []),
        ("[t](01%20World/02%20Old/NPCs/Guard.md)", ["World/Old/NPCs/Guard.md"]),  # the folders agree
        ("[[World/Older/Old/NPCs/Guard]]", ["World/Old/NPCs/Guard.md"]),
        ("[[World/NPCs/Guard]]", []),  # that folder is still there
        ("[[Region East/NPCs/Smith]]", []),
        ("[[Waterdeep/NPCs/Smith]]", []),
        ("[t](../traits/Light.md)", []),
        ("[[World/spells/Light]]", []),  # the folder before it is no folder too many
        ("[[My Vault/spells/Light]]", ["spells/Light.md"]),
    ],
)
def test_only_matching_or_moved_folders_are_certain(tmp_path: Path, links: str, certain: list[str]) -> None:
    vault = make_files(tmp_path, {**LIGHTS, "s/N.md": links})
    assert [repair.target for repair in repairs(vault, vault.read("s/N.md"))] == certain


@pytest.mark.parametrize(
    ("heading", "subpath", "after"),
    [
        ("+1 Sword", "-1 Sword", "-1 Sword"),
        ("Level 12", "Level 1-2", "Level 1-2"),
        ("1.5 Foo", "15 Foo", "1.5 Foo"),
        ("What's next?", "Whats next", "What's next?"),
    ],
)
def test_a_heading_with_other_numbers_is_another_heading(
    tmp_path: Path, heading: str, subpath: str, after: str
) -> None:
    assert repaired(tmp_path, f"[[X1#{subpath}]]", {"X1.md": f"# {heading}\n"}) == f"[[X1#{after}]]"


@pytest.mark.parametrize(
    ("style", "before", "after"),
    [
        ("absolute", "[[Gone/Ivo]]", "[[People/Ivo]]"),
        ("relative", "[[Gone/Ivo]]", "[[../People/Ivo]]"),
        ("relative", "[t](Gone/Ivo.md)", "[t](../People/Ivo.md)"),
        ("absolute", "[[The Bird]]", "[[Birds/Raven|The Bird]]"),
        ("relative", "[t](The%20Bird)", "[t](../Birds/Raven.md)"),
    ],
)
def test_r9_repairs_follow_the_link_style_of_the_vault(tmp_path: Path, style: str, before: str, after: str) -> None:
    assert repaired(tmp_path, before, newLinkFormat=style, useMarkdownLinks=True) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[t](my note.md)", "[t](my%20note.md)"),
        ("é ![p](img/a b.png  'a title')", "é ![p](img/a%20b.png  'a title')"),
        ("[t](my note%2Emd#No Heading)", "[t](my%20note%2Emd#No%20Heading)"),
        ("`[t](my note.md)` [sic](see above) [t](X y.md)", "`[t](my note.md)` [sic](see above) [t](X y.md)"),
    ],
)
def test_l3_space_is_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: [[Ivo]]", 'a: "[[Ivo]]"'),
        ("a: [[Nobody|N]]   # said", 'a: "[[Nobody|N]]"   # said'),
        ("a:\n  - [[Ivo]]\n  - x", 'a:\n  - "[[Ivo]]"\n  - x'),
        ("a: [[[Ivo]], [[my note]]]", 'a: ["[[Ivo]]", "[[my note]]"]'),
        ("a: [[old/Ivo]]", 'a: "[[Ivo]]"'),
        ("a: [[items\\crown of x]]", "a: '[[items/crown of x]]'"),
        ("a: [[1, 2]]", "a: [[1, 2]]"),
        ("a: [[Ivo]] or [[x]]", "a: [[Ivo]] or [[x]]"),
    ],
)
def test_l6_brackets_are_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, f"---\n{before}\n---\n[[Ivo]]\n") == f"---\n{after}\n---\n[[Ivo]]\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: a, b", "tags: [a, b]"),
        ('TAGS:  "a, b/c-d"  # why', "TAGS:  [a, b/c-d]  # why"),
        ("tags: a,true, é", 'tags: [a, "true", "é"]'),
        ("tags: a, b c", "tags: a, b c"),
        ("tags: a b", "tags: a b"),
        ("tags: a, 12", "tags: a, 12"),
        ("tags: a", "tags: a"),
        ("tags: a,\n  b", "tags: a,\n  b"),
    ],
)
def test_y4_tags_are_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, f"---\nx: 1\n{before}\n---\n") == f"---\nx: 1\n{after}\n---\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: #npc", "tags: npc"),
        ("Tags:  #npc/dead  # why", "Tags:  npc/dead  # why"),
        ("tags: #npc, #dead #true", 'tags: [npc, dead, "true"]'),
        ("tags:\n  - #npc\n  - place\n  - #no", 'tags:\n  - npc\n  - place\n  - "no"'),
        ("tags: #déjà", 'tags: "déjà"'),
        ("tags:\n- #npc #dead", "tags:\n- #npc #dead"),
        ("tags: # none yet", "tags: # none yet"),
        ("tags: #TODO ask Ivo", "tags: #TODO ask Ivo"),
        ("tags: place #npc", "tags: place #npc"),
        ("y: #npc", "y: #npc"),
    ],
)
def test_y4_tags_written_as_comments(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, f"---\nx: 1\n{before}\n---\n#npc\n") == f"---\nx: 1\n{after}\n---\n#npc\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\n\n---\nx: 1\n---\n# H", "---\nx: 1\n---\n# H"),
        (" \r\n\t---\r\nx: 1\r\n---\r\n# H", "---\r\nx: 1\r\n---\r\n# H"),
        ("--- \nx: 1\n---\n", "---\nx: 1\n---\n"),
        ("\n---\nx: [[old/Ivo]]\ntags: #a\n---\n[[The Bird]]", '---\nx: "[[Ivo]]"\ntags: a\n---\n[[Raven|The Bird]]'),
        ("----\nx: 1\n---\n", "----\nx: 1\n---\n"),
        ("\n--- Ivo\nx: 1\n---\n", "\n--- Ivo\nx: 1\n---\n"),
        ("\n---\nx: [1\n---\n", "\n---\nx: [1\n---\n"),
        ("\n---\nx: 1\nx: 2\n---\n", "\n---\nx: 1\nx: 2\n---\n"),
        ("\n---\nx: 1\n----\n", "\n---\nx: 1\n----\n"),
    ],
)
def test_y1_blank_lines_before_the_properties_are_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before) == after


def test_y1_later_repairs_are_reported_with_their_original_place(tmp_path: Path) -> None:
    text = "\ufeff\n\n---\ntags: a, b\n---\né [[The Bird]]\n"
    vault = make_files(tmp_path, {**FILES, SOURCE: text})
    note = vault.read(SOURCE)
    told = [(made.code, made.line, made.column) for made in repairs(vault, note)]
    assert told == [("frontmatter-place", 1, 1), ("property-tags", 4, 7), ("link-unresolved", 6, 3)]
    splice = repairer(vault).plan(note)
    assert splice is not None
    after = "\ufeff---\ntags: [a, b]\n---\né [[Raven|The Bird]]\n"
    assert note.encoded.to_bytes(splice.apply(note.text)) == after.encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"`dice: [](items\crown%20of%20x.md#^id)`", "`dice: [](items/crown%20of%20x.md#^id)`"),
        ("`dice: [[old/Ivo^id]]`", "`dice: [[Ivo^id]]`"),
        ("<a class='internal-link' href='old/Ivo.md#x'>i</a>", "<a class='internal-link' href='Ivo.md#x'>i</a>"),
        ("```statblock\nname: '[[old/Ivo|I]]'\n```", "```statblock\nname: '[[Ivo|I]]'\n```"),
        ("```statblock\nname: '[[The Bird]]'\n```", "```statblock\nname: '[[The Bird]]'\n```"),
    ],
)
def test_links_invisible_to_obsidian_are_not_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before) == after


@pytest.mark.parametrize(
    "text",
    [
        r"[[a\y]] [[b\X y]] [[gone\x]]",
        r"[[\]] [t](\\) [[\\]]",
        "[[Twin]]",
        "[[old/X]] [t](old/X.md)",
        "![[The Bird]]",
        "[[Sharp]]",
        "[[../../Ivo]] [[https://a.b/Ivo]]",
        "![[[old/Ivo|I]]](x)]]",
        "[t][r]\n\n[r]: old/Ivo.md",
        "`[[The Bird]]` [[Ivo]] [[X]]",
        "---\na: b: c\nd: [[Ivo]]\n---\n",
    ],
)
def test_guess_is_not_used_as_a_repair(tmp_path: Path, text: str) -> None:
    assert repaired(tmp_path, text) == text


LOST = "---\naliases: [Lost/Ivo, Lost/X, Lost/None]\n---\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[Lost/Ivo]]", "[[Ivo]]"),
        ("[t](Lost/Ivo.md)", "[t](Ivo.md)"),
        ("[[Lost/X]] [t](Lost/X.md)", "[[Lost/X]] [t](Lost/X.md)"),
        ("[[Lost/None]]", "[[Lost|Lost/None]]"),
    ],
)
def test_r2_alias_is_used_only_if_no_file_has_the_name(tmp_path: Path, before: str, after: str) -> None:
    assert repaired(tmp_path, before, {**FILES, "Lost.md": LOST}) == after


def test_repair_reports_code_place_and_target(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {**FILES, SOURCE: "---\ntags: a, b\n---\né [[The Bird]]\n[t](my note.md)\n"})
    told = [(made.code, made.line, made.column, made.target) for made in repairs(vault, vault.read(SOURCE))]
    assert told == [
        ("property-tags", 2, 7, ""),
        ("link-unresolved", 4, 3, "Birds/Raven.md"),
        ("link-space", 5, 5, "my note.md"),
    ]


def test_line_endings_and_byte_order_mark_are_preserved(tmp_path: Path) -> None:
    before = b"\xef\xbb\xbf---\r\na: [[Ivo]]\r\ntags: a, b\r\n---\r\n\r\n[[The Bird]]\rx\n[t](my note.md)"
    after = before.replace(b"[[Ivo]]", b'"[[Ivo]]"').replace(b"a, b", b"[a, b]").replace(b"[The", b"[Raven|The")
    vault = make_files(tmp_path, {**FILES, SOURCE: before})
    note = vault.read(SOURCE)
    splice = repairer(vault).plan(note)
    assert splice is not None
    assert note.encoded.to_bytes(splice.apply(note.text)) == after.replace(b"my note", b"my%20note")


def test_a_repair_that_would_change_anything_else_is_dropped_alone(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {**FILES, 'Q/It\'s "it".md': "---\naliases: [It]\n---\n"}
    text = '---\na: "[[It]]"\nb: "[[The Bird]]"\n---\n[[It]]\n'
    assert repaired(tmp_path, text, files) == ('---\na: "[[It]]"\nb: "[[Raven|The Bird]]"\n---\n[[It\'s "it"|It]]\n')


@pytest.mark.slow
def test_many_repairs_are_verified_at_once(tmp_path: Path) -> None:
    lines = [f"- [item {number}](items\\n{number}.md)\n" for number in range(500)]
    files: dict[str, str | bytes] = {f"items/n{number}.md": "" for number in range(500)}
    assert repaired(tmp_path, "".join(lines), files) == "".join(lines).replace("\\", "/")


def test_s1_repaired_headings_stay_findable_by_links(tmp_path: Path) -> None:
    text = "".join(f"# [[The Bird|x]] {number} [[old/Ivo]] [[The Bird]]\n" for number in range(100))
    assert repaired(tmp_path, text) == text
