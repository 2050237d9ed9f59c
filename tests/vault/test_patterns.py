import re
from pathlib import Path

import vaultkit

POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
IN_A_CLASS = {"vault/subpath.py"}
"""Where the characters stand for themselves."""


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 misreads such a pattern (gh-106052), and Debian's is older than that."""
    root = Path(vaultkit.__file__).parent
    texts = {file.relative_to(root).as_posix(): file.read_text("utf-8") for file in root.rglob("*.py")}
    assert {name for name, text in texts.items() if POSSESSIVE_GROUP.search(text)} <= IN_A_CLASS
