"""Doubles in the place of what hosted modules call by name."""
from typing import Any


def put(module: Any, **doubles: Any) -> None:
    """Gives the module or object these in place of its own; each must be there already, so that a
    version that calls it otherwise does not run on unnoticed."""
    for name, double in doubles.items():
        if not hasattr(module, name):
            raise AttributeError(f"{module} has no {name} in this version")
        setattr(module, name, double)
