"""`PYTHONPATH=bench python -m eval.curves`: makes curves, judges them, and writes docs/curves-evaluation.md.

CURVE_SEEDS="600 625" are the first seed and the one behind the last. Those from 600 on are held out: limits are chosen
on seeds below 100 alone. The page is written for the default.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from eval.curves.judged import Judged, judged
from eval.curves.report import by, confusion, headline, share, unclear

SEEDS = "600 625"
PAGE = Path("docs/curves-evaluation.md")
INTRODUCTION = """\
# How well curves are judged

`make eval` (or `PYTHONPATH=bench python -m eval.curves`) makes curves with planted faults, has `judge` say whether
their value can be trusted and what is wrong, and compares that with what was planted. It writes this page.

The curves are those of `bench/demo_chip/curves/`: nine kinds of measurement, each over the range of parameters
that chips have, with every fault that makes sense for it ([twelve or more](curves.md#what-can-be-planted)), errors of
the points known or not, units and scales that change, and noise from easy (amplitude 40 to 100 σ of a point) to
hopeless (0.05 to 0.3 σ). The right verdict follows from the planted numbers alone: from Fisher's information (how well
any estimate could tell the parameters) and from
distances, in units of the noise, to the nearest curve without the fault. Through enough noise nothing can be told, and
then the right verdict is NO_SIGNAL, or FIT_OF_NOISE where a value was stored. A jump, a drift, the mains and clipping
make a value unreliable only where they move it by more than it is used for
([decision 0062](decisions/0062-an-error-budget-for-each-parameter.md)). Where a planted number is near a limit,
chance decides, and the curve does not count; how many these are is told below the first table.

The limits of the judge were chosen on curves of the seeds below 100, the curves here are those of other seeds.
"""
BESIDE = """\
## Beside vision models

QCalEval (NVIDIA, 2026; 243 plots of 87 scenarios from 22 families of experiments, arXiv:2604.25884) asks vision models
similar questions about pictures of calibration plots, scored from 0 to 100. **Their data are others**: pictures, more
kinds of experiments, real and simulated, with codes of their own, judged by a model; ours are points that we simulate
ourselves. The numbers cannot be compared one to one; they show what is hard when only a picture is looked at.

| QCalEval, without examples | best model named there |
| --- | ---: |
| can the fit be trusted (Q4) | 90.5 |
| the parameters (Q5) | 71.5 |
| the diagnosis with a code (Q6) | 75.3; about 90 with examples of the same family |
"""


def wrong(rows: list[Judged]) -> list[str]:
    """Every wrong verdict, in a line."""
    return [
        f"{one.made.family}, {one.made.fault}, seed {one.made.seed}, {one.made.noise}: {one.made.truth.code} "
        f"({one.made.truth.fit}) taken for {one.verdict.code} ({one.verdict.fit})"
        for one in rows
        if (one.made.truth.code_clear and not one.code_right) or (one.made.truth.fit_clear and not one.fit_right)
    ]


def page(rows: list[Judged], first: int, last: int) -> str:
    """The whole page."""
    alarms = sum(one.false_alarm for one in rows if one.made.fault == "GOOD" and one.made.truth.fit_clear)
    return "\n\n".join(
        (
            INTRODUCTION.strip(),
            f"Seeds {first} to {last - 1}; {len(rows)} curves.",
            headline(rows),
            unclear(rows),
            "## By kind\n\n" + by(rows, "kind", lambda one: one.made.family),
            "## By what was planted\n\n" + by(rows, "planted", lambda one: one.made.fault),
            "## By noise\n\n" + by(rows, "noise", lambda one: one.made.noise),
            "## Codes that were taken for others\n\n" + confusion(rows),
            f"{share(len(wrong(rows)), len(rows))} are wrong, {alarms} of them on good curves; `-v` lists them.",
            BESIDE.strip(),
        )
    )


def main() -> int:
    """Make, judge, write."""
    first, last = (int(seed) for seed in os.environ.get("CURVE_SEEDS", SEEDS).split())
    rows = list(judged(range(first, last)))
    text = page(rows, first, last)
    print(text, *(wrong(rows) if "-v" in sys.argv else ()), sep="\n")
    if f"{first} {last}" == SEEDS:
        PAGE.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
