"""Characters that results cost the model: a script of all reading tools, and whether more data cost more.

The script makes 38 calls. So did QDash's own, of 96,288 characters; which ones, and on which chip, is not known. Beside
ours: what QDash sends for the same calls on the same chip, by its own rules, and the same results as plain JSON.

Last, how much of each request of a conversation a server that caches prompts has read already.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from calls import script
from demo_chip import AS_OF, DemoChip, make_demo
from qdash_documents import QDashDocuments
from qdash_results import QDashTools

from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.tools.timeseries import TREND_CHARS

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.session.prompt_prefix import GOAL, QUESTIONS, asked_on, shared_prefixes
from tests.tools.toolbench import Tools

QDASH_CHARACTERS = 96_288
ROWS = (160, 1_000, 10_000, 100_000, 1_000_000)
SERIES_GOAL, SUMMARY_GOAL, COLUMN_GOAL = 600 + TREND_CHARS, 600, 60
SIZES = (64, 144, 1024)


def compare(chip: DemoChip, reader: SnapshotReader) -> None:
    """Characters by tool, three ways."""
    tools = Tools(reader)
    documents = QDashDocuments(chip.documents)
    ways = [QDashTools(documents, chip.chip_id, shortened=shortened) for shortened in (False, True)]
    calls = script(chip)
    counts: dict[str, list[int]] = {}
    for tool, arguments in calls:
        row = counts.setdefault(tool, [0, 0, 0, 0])
        for place, number in enumerate(
            (1, _asked(tools, tool, arguments), *(w.characters(tool, arguments) for w in ways))
        ):
            row[place] += number
    total = [sum(row[place] for row in counts.values()) for place in range(4)]
    print(f"Characters to the model, {chip.chip_id}, 90 days")
    print(f"{'':<32} {'calls':>5} {'ours':>8} {'plain JSON':>11} {'QDash way':>10} {'of plain':>9} {'of QDash':>9}")
    for name, (count, ours, plain, qdash) in {**counts, "all": total}.items():
        print(f"{name:<32} {count:>5} {ours:>8,} {plain:>11,} {qdash:>10,} {ours / plain:>9.2f} {ours / qdash:>9.2f}")
    print(f"ours over QDash's own {QDASH_CHARACTERS:,}: {total[1] / QDASH_CHARACTERS:.2f}\n")


def _asked(tools: Tools, tool: str, arguments: dict[str, Any]) -> int:
    tools.begin_turn()
    result = tools.asked(tool, **arguments)
    if result.failure is not None:
        raise ValueError(f"{tool}: {result.content}")
    return len(result.content)


class LongSeries(SnapshotReader):
    """The demo chip with as many measurements of T1 as one wants."""

    rows = 0

    def parameter_series(self, *_: Any, **__: Any) -> pd.DataFrame:
        """Clean measurements, a second apart."""
        number = pd.Series(range(self.rows))
        return pd.DataFrame(
            {
                "qid": (number % 64).astype("str"),
                "t": (pd.Timestamp(AS_OF) - pd.to_timedelta(self.rows - number, unit="s")).astype(
                    "datetime64[ms, UTC]"
                ),
                "v": 60 + number % 997 / 50,
                "error": 1.5,
                "unit": "μs",
                "task_name": "CheckT1",
                "execution_id": "20260630-000",
                "task_id": number.astype("str"),
                "flag": "",
            }
        )


def flatness(folder: Path, rows: Sequence[int] = ROWS) -> None:
    """A series' summary for ever more rows."""
    print(f"{'series of T1, rows':<24} {'characters':>10} {'goal':>6} {'met':>4} {'over the first':>15}")
    reader = LongSeries(folder)
    tools, first = Tools(reader), 0
    for reader.rows in rows:
        count = _asked(tools, "get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "90d"})
        first = first or count
        print(f"{reader.rows:<24,} {count:>10} {SERIES_GOAL:>6} {_met(count, SERIES_GOAL):>4} {count / first:>15.2f}")
    reader.close()
    print()


def summaries(place: Path) -> None:
    """The chip summary for ever more qubits."""
    print(
        f"{'chip summary, qubits':<24} {'columns':>7} {'characters':>10} {'goal':>6} {'met':>4} {'over the first':>15}"
    )
    first = 0
    for size in SIZES:
        chip = make_demo(size=size, days=15)
        kept = {name: chip.documents[name] for name in ("project", "chip", "qubit", "coupling")}
        reader = SnapshotReader(write_snapshot(kept, place / str(size), as_of=chip.as_of, source="bench"))
        tools = Tools(reader)
        count = _asked(tools, "get_chip_summary", {})
        (stored,) = tools.store.values()
        columns = len(stored.frame.columns)
        goal, first = SUMMARY_GOAL + COLUMN_GOAL * columns, first or count
        print(f"{size:<24,} {columns:>7} {count:>10} {goal:>6} {_met(count, goal):>4} {count / first:>15.2f}")
        reader.close()


def prefixes(folder: Path) -> None:
    """What consecutive requests of a conversation have in common at their beginning."""
    shares = shared_prefixes(asked_on(folder))
    print(f"\n{QUESTIONS} questions, {len(shares) + 1} requests: the same beginning as the request before")
    print(f"least {min(shares):.3f}, mean {sum(shares) / len(shares):.3f} of that request; goal {GOAL}")


def _met(count: int, goal: int) -> str:
    return "yes" if count <= goal else "no"


def main() -> None:
    """Print the tables."""
    chip = make_demo()
    with tempfile.TemporaryDirectory() as place:
        folder = write_snapshot(chip.documents, Path(place, "demo"), as_of=chip.as_of, source="bench")
        reader = SnapshotReader(folder)
        compare(chip, reader)
        reader.close()
        flatness(folder)
        summaries(Path(place))
        prefixes(folder)


if __name__ == "__main__":
    main()
