"""The demo chip: a snapshot that comes with the package and is opened in place (docs/demo-chip.md)."""

from pathlib import Path

DEMO = Path(__file__).parent / "64Q-demo"
