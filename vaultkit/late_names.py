"""Names of a package that are loaded when they are first asked for: what only reads notes needs few of them."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def late_names(package: str, **names: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package, given the names in each of its modules, with spaces between."""
    modules = {name: module for module, listed in names.items() for name in listed.split()}

    def look_up(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return look_up
