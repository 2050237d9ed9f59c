"""Lazy import of a package's names on first use (PEP 562), since most commands need few of them."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_attributes(package: str, **names: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package that imports names on first use.

    Each keyword argument is a module of the package; its value lists that module's names, separated by spaces.
    """
    modules = {name: module for module, names_text in names.items() for name in names_text.split()}

    def look_up(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return look_up
