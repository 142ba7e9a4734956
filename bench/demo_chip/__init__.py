"""Demo chips: documents in QDash's shapes from a seed, with planted faults and the truth about them."""

from demo_chip.generator import AS_OF, DemoChip, Documents, make_demo
from demo_chip.truth import Truth

__all__ = ["AS_OF", "DemoChip", "Documents", "Truth", "make_demo"]
