"""Demo chips: documents in QDash's shapes from a seed, with planted faults and the truth about them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.data.demo.generator import AS_OF, DemoChip, Documents, make_demo
    from qdash_jupyter.data.demo.truth import Truth

__all__ = ["AS_OF", "DemoChip", "Documents", "Truth", "make_demo"]


def __getattr__(name: str) -> Any:
    """The generator is imported when a chip is made: its snapshot is on disk after the first use."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    home = "truth" if name == "Truth" else "generator"
    return getattr(import_module(f"{__name__}.{home}"), name)
