from pathlib import Path

import pytest

from vaultkit.vault import Vault
from vaultkit.vault.writing.link_style import Linker, LinkStyle

FILES = (
    "Ivo.md",
    "a/Ivo.md",
    "a/Bell Tower.md",
    "a/b/Dr. Fell.md",
    "a/map (old).png",
    "a/x#y.md",
    "a/x|y.md",
    "a/100%% z.md",
    "a/q:r.md",
)
SOURCE = "a/Source.md"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    for path in FILES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    return Vault(tmp_path)


@pytest.mark.parametrize(
    ("style", "target", "expected"),
    [
        (LinkStyle(), "a/Bell Tower.md", "[[Bell Tower]]"),
        (LinkStyle(), "a/Ivo.md", "[[a/Ivo|Ivo]]"),
        (LinkStyle(), "Ivo.md", "[[Ivo]]"),
        (LinkStyle(), "a/b/Dr. Fell.md", "[[Dr. Fell]]"),
        (LinkStyle(), "a/map (old).png", "[[map (old).png]]"),
        (LinkStyle(markdown=True), "a/map (old).png", "[map (old).png](map%20%28old%29.png)"),
        (LinkStyle("absolute"), "a/Bell Tower.md", "[[a/Bell Tower|Bell Tower]]"),
        (LinkStyle("absolute", True), "a/Bell Tower.md", "[Bell Tower](a/Bell%20Tower.md)"),
        (LinkStyle("relative"), "Ivo.md", "[[../Ivo|Ivo]]"),
        (LinkStyle("relative"), "a/b/Dr. Fell.md", "[[b/Dr. Fell|Dr. Fell]]"),
        (LinkStyle("relative", True), "Ivo.md", "[Ivo](../Ivo.md)"),
        (LinkStyle(), "a/x#y.md", "x\\#y"),
        (LinkStyle(), "a/x|y.md", "[x\\|y](x%7Cy.md)"),
        (LinkStyle(), "a/100%% z.md", "[100%\\% z](100%25%25%20z.md)"),
        (LinkStyle(), "a/q:r.md", "q:r"),
        (LinkStyle(), "gone.md", "gone"),
    ],
)
def test_r9_links_as_obsidian_writes_them(vault: Vault, style: LinkStyle, target: str, expected: str) -> None:
    assert Linker(vault, style=style).link(target, SOURCE) == expected


def test_shown_text_headings_and_tables(vault: Vault) -> None:
    linker = Linker(vault)
    assert linker.link("a/Bell Tower.md", SOURCE, "The Bell") == "[[Bell Tower|The Bell]]"
    assert linker.link("a/Bell Tower.md", SOURCE, "B", table=True) == "[[Bell Tower\\|B]]"
    assert linker.link("a/Bell Tower.md", SOURCE, subpath="Up#The Stairs") == "[[Bell Tower#Up#The Stairs|The Stairs]]"
    assert linker.link("a/Bell Tower.md", SOURCE, "a]]b|c") == "[a\\]\\]b\\|c](Bell%20Tower.md)"
    assert linker.link("a/Bell Tower.md", SOURCE, "a]]b|c", table=True) == "[a\\]\\]b\\|c](Bell%20Tower.md)"


def test_missing_link_target_leaves_the_words(vault: Vault) -> None:
    assert Linker(vault).link("", SOURCE, "The *Bell*") == "The \\*Bell\\*"
    assert Linker(vault).property_link("", SOURCE, "The *Bell*") == "The *Bell*"


def test_a_property_gets_a_wikilink_or_the_words(vault: Vault) -> None:
    linker = Linker(vault, style=LinkStyle(markdown=True))
    assert linker.property_link("a/Bell Tower.md", SOURCE, "Bell") == "[[Bell Tower|Bell]]"
    assert linker.property_link("a/x|y.md", SOURCE, "X") == "X"
    assert linker.property_link("a/Bell Tower.md", SOURCE, "[x]") == "[x]"


def test_planned_files_count_for_link_style(vault: Vault) -> None:
    linker = Linker(vault, ["Games/Night 1.md", "c/Bell Tower.md", "Ivo.md"])
    assert linker.link("Games/Night 1.md", SOURCE) == "[[Night 1]]"
    assert linker.link("a/Bell Tower.md", SOURCE) == "[[a/Bell Tower|Bell Tower]]"


@pytest.mark.parametrize("app", [{}, {"newLinkFormat": "odd", "useMarkdownLinks": "yes"}, {"newLinkFormat": 3}])
def test_unknown_link_settings_use_the_defaults(app: dict[str, object]) -> None:
    assert LinkStyle.from_settings(app) == LinkStyle()


def test_link_settings_are_read() -> None:
    assert LinkStyle.from_settings({"newLinkFormat": "relative", "useMarkdownLinks": True}) == LinkStyle(
        "relative", True
    )
