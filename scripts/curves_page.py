"""Writes `docs/curves.md`: its tables are those of the code."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from demo_chip.curves import FAMILIES as MADE
from demo_chip.curves import OTHER_FAULTS, faults_of

from qdash_jupyter.methods.curves.codes import MEANINGS
from qdash_jupyter.methods.curves.families import FAMILIES, Family
from qdash_jupyter.methods.curves.thresholds import LIMITS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "curves.md"
HEAD = """\
# The curve behind a number

Written by `scripts/curves_page.py`. Why it is so: [decision 0048](decisions/0048-the-curve-behind-the-number.md); how
well it works: [curves-evaluation.md](curves-evaluation.md); all arguments:
[methods.md](methods.md#the-curve-behind-a-number).

A stored T1 is only as good as its fit. `judge` takes the points, fits them again, and decides by numbers, without a
picture and without a model:

    from qdash_jupyter import methods as qm

    stored = {"t1": qm.StoredParameter(48.2, 1.9, "μs")}
    verdict = qm.judge(qm.Curve("CheckT1", "Q07", x, y, x_unit="μs", stored=stored))
    verdict.fit          # reliable, unreliable, no fit
    verdict.status       # expected, suboptimal parameters, anomalous, apparatus
    verdict.code         # SUCCESS, or one of those below
    verdict.numbers      # what decided: name, value, unit, limit, parameter
    verdict.parameters   # of the new fit, with standard errors, in QDash's names and units
    verdict.stored       # the stored ones beside them, and how many σ of both they are apart
    verdict.told()       # all that in at most 600 characters
    verdict.refit.line() # the new fit to draw; also residuals, correlations, tests, alternatives

    qm.audit(curves)     # a table, one row a result, with what to look at; qm.audited(curves) goes one by one

`fit` is about the stored value where there is one, else about the new one. Standard errors follow from the scatter
around the fit; where points have errors these are the weights, and χ² per degree of freedom is told. A fit begins where
the points say; nothing is given by hand. What is compared (one component with two, one line with two, with a drift,
with nothing) is compared by AICc, Akaike's criterion corrected for few points; of two models the one with the smaller
AICc explains the points with fewer parameters, and 10 between them is much.

## Kinds of curves
"""
FOOT = """
A resonator or qubit line has a straight baseline. Where an asymmetric line (Fano) of a resonator or a Gaussian envelope
of Ramsey fringes fits far better, it takes the place of the first model. Wild points are left out of a fit, and named.
x may be in any unit of its kind (ns, μs, MHz, GHz). Complex y of a kind that is not a reflection is turned to the
quadrature that has the signal.

The tests (`tests/methods/curves/test_published.py`) compare values, standard errors and sums of squares with published
ones: NIST's Misra1a, MGH17, Kirby2 and ENSO, scipy's and lmfit's examples of a decay and of a damped cosine, three
randomized benchmarkings of Qiskit Ignis, a measured reflection of resonator_tools, and Old Faithful's two Gaussians.

## What it cannot know

- A frequency above half the sampling rate looks like one below it. That a curve is aliased is known only from what was
  expected: the `detuning` in `inputs` of a Ramsey curve, `control_amplitude` and `maximum_rabi_frequency` of Rabi, or
  the stored frequency. Without any of them an aliased curve is a good one.
- Drift is seen where the level moves evenly with the order of the points, or jumps once. A frequency that drifts is at
  best UNEXPLAINED. Of a reflection, whose points have two quadratures, no drift is looked for, and nothing periodic.
- Errors follow from independent noise of one size. A fit that is right by these numbers can still be of the wrong
  physics: a T1 that is limited by the readout looks like any other. Of a measured reflection, two good methods differ
  by 1.4 % in the linewidths, where the noise alone gives errors of 0.1 to 0.3 %.
"""


def page() -> str:
    """The whole page."""
    parts = (HEAD, _kinds(), FOOT, _codes(), _faults(), _limits())
    return "\n".join(parts)


def _kinds() -> str:
    lines = ["| kind | tasks | fitted | parameters |", "| --- | --- | --- | --- |"]
    lines += [_kind(family) for family in FAMILIES]
    lines.append(
        "| readout classification (`Shots`) | ReadoutClassification | two Gaussians of one width on the line between "
        "the means; fidelities are counted | average_readout_fidelity, readout_fidelity_0, readout_fidelity_1, "
        "separation [σ] |"
    )
    return "\n".join(lines)


def _kind(family: Family) -> str:
    shown = ", ".join(f"{name} [{unit}]" if unit not in {"", "a.u."} else name for name, unit in family.units.items())
    models = ", or ".join(shape.name for shape in (family.base, *family.variants))
    return f"| {family.name} | {', '.join(family.tasks)} | {models} | {shown} |"


def _codes() -> str:
    lines = [
        "## What a verdict says\n",
        "| code | status | fit | what is told | where it comes from | how it is seen | what to measure next |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {code} | {one.status} | {one.fit} | {one.sentence} | {one.physics} | {one.source} | {one.next} |"
        for code, one in MEANINGS.items()
    ]
    lines.append(
        "\nOUTLIERS alone can be reliable: where the outliers shift the parameter by less than its error. The first "
        "that applies is told, in this order: unreadable points, clipping and aliasing; no signal; a second process or "
        "a drift; window and sampling; noise; structure of the residuals; outliers; the stored value.\n"
    )
    return "\n".join(lines)


def _faults() -> str:
    lines = [
        "## What can be planted\n",
        "`simulated(family, fault, seed, noise)` of `demo_chip.curves` makes curves with a planted fault "
        "and the right verdict on them:\n",
        "| kind | faults |",
        "| --- | --- |",
    ]
    lines += [f"| {family} | {', '.join(faults_of(family)[1:])} |" for family in MADE]
    lines.append("\nThe names are those of the codes, but for these:\n")
    lines += [f"- {name}: {what}" for name, what in OTHER_FAULTS.items()]
    return "\n".join([*lines, ""])


def _limits() -> str:
    lines = [
        "## Limits\n",
        "All in `qdash_jupyter.methods.curves.thresholds`, chosen on curves that are not those of the evaluation:\n",
        "| limit | value |",
        "| --- | ---: |",
    ]
    lines += [f"| {one.name.replace('_', ' ')} | {getattr(LIMITS, one.name)} |" for one in fields(LIMITS)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
