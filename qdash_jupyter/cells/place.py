"""Where a cell of the copilot belongs in a notebook."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CellPlace:
    """Where a cell belongs: in which turn, its number there, the tab to try first (by its client id), and the cell in
    which the question was asked, where there is one. `setup` are lines for its top, unless they stand above it;
    `heading` is Markdown that stands above the first cell of the turn.
    """

    turn_id: str
    step: int
    client_id: str | None = None
    asked_in: str | None = None
    setup: tuple[str, ...] = ()
    heading: str | None = None

    def is_text_of(self, raw: str, source: str) -> bool:
        """Whether a cell with this text is as it was inserted: editors change line ends, and the space after the last
        line.
        """
        lines = raw.replace("\r\n", "\n").rstrip().split("\n")
        while lines and lines[0] in self.setup:
            del lines[0]
        return "\n".join(lines) == source.replace("\r\n", "\n").rstrip()
