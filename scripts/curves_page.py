"""Writes `docs/curves.md`: its tables are those of the code."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from demo_chip.curves import FAMILIES as MADE
from demo_chip.curves import OTHER_FAULTS, faults_of

from qdash_jupyter.methods.curves.codes import MEANINGS, Code
from qdash_jupyter.methods.curves.families import FAMILIES, Family, Parameter
from qdash_jupyter.methods.curves.thresholds import LIMITS
from scripts.budget_picture import picture

PAGE = Path(__file__).resolve().parents[1] / "docs" / "curves.md"
PICTURE = PAGE.with_name("curves-budget.svg")
HEAD = """\
# The curve behind a number

Written by `scripts/curves_page.py`. Why it is so: decisions [0048](decisions/0048-the-curve-behind-the-number.md) and
[0062](decisions/0062-an-error-budget-for-each-parameter.md); how well it works:
[curves-evaluation.md](curves-evaluation.md) and [benchmarks.md](benchmarks.md#what-a-verdict-is-worth); all arguments:
[methods.md](methods.md#the-curve-behind-a-number).

A stored T1 is only as good as its fit. `judge` takes the points, fits them again, and decides by numbers, without a
picture and without a model:

    from qdash_jupyter import methods as qm

    stored = {"t1": qm.StoredParameter(48.2, 1.9, "μs")}
    verdict = qm.judge(qm.Curve("CheckT1", "Q07", x, y, x_unit="μs", stored=stored))
    verdict.fit          # of the main parameter: reliable, unreliable, no fit
    verdict.status       # expected, suboptimal parameters, anomalous, apparatus
    verdict.code         # SUCCESS, or one of those below
    verdict.numbers      # what decided: name, value, unit, limit, parameter
    verdict.parameters   # of the new fit, each with its own fit and code, its error, parts, limit and interval
    verdict.stored       # the stored ones beside them, and how many σ of both they are apart
    verdict.told()       # all that in at most 600 characters
    verdict.refit.line() # the new fit to draw; also residuals, correlations, tests

    qm.audit(curves)     # a table, one row a result, with what to look at; qm.audited(curves) goes one by one

`fit` is about the stored value where there is one, else about the new one. A fit begins where the points say; nothing
is given by hand.

## The error budget

Each parameter has a budget: `error`, what noise leaves of it, and `parts`, by how much everything else that may be in
the points would move it (a second component, another envelope, a drift, the mains, outliers, clipping). How probable
each of these is follows from what it explains of the residuals; a disturbance that is certain and moves T1 by 0.2 %
counts 0.2 %. A parameter is reliable where the whole budget is within what it is used for, where window and sampling
carry it, and where the stored value is that of the points. The code names the largest part. One curve can give one
parameter and not another:

![The budgets of a Ramsey curve: the frequency is well within its limit, T2* is not](curves-budget.svg)

Noise is white, or 1/f where the residuals are. Where points have errors these are weights, and χ² per degree of freedom
is told. `interval` holds the value in 95 % of all cases as far as noise goes, by Student's t with the
degrees of freedom of the points that tell this parameter
([decision 0091](decisions/0091-the-freedom-of-an-interval.md)).

## Kinds of curves
"""
FOOT = """
A resonator or qubit line has a straight baseline. Where an asymmetric line (Fano), a Gaussian one, or a stretched
envelope exp(−(t/T)^n), n from 1 to 2, fits far better, it takes the place of the first model; T is the time at which
1/e is left. Wild points are left out of a fit, and named. A resonator's y is |S|² or, by its unit, |S| or dB.
x may be in any unit of its kind (ns, μs, MHz, GHz). Complex y of a kind that is not a reflection is turned to the
quadrature that has the signal.

The tests (`tests/methods/curves/test_published.py`) compare values, standard errors and sums of squares with published
ones: NIST's Misra1a and Kirby2, scipy's and lmfit's examples of a decay and of a damped cosine, three
randomized benchmarkings of Qiskit Ignis, a measured reflection of resonator_tools, and Old Faithful's two Gaussians.

## What it cannot know

- A frequency above half the sampling rate looks like one below it. That a curve is aliased is known only from what was
  expected: the `detuning` in `inputs` of a Ramsey curve, `control_amplitude` and `maximum_rabi_frequency` of Rabi, or
  the stored frequency. Without any of them an aliased curve is a good one.
- A disturbance that noise hides is in the budget only by how probable and how large such things usually are. A fall of
  an echo in mid-scan looks like a Gaussian envelope once noise hides the corner.
- Of a reflection, whose points have two quadratures, no drift is looked for.
- A fit that is right by these numbers can still be of the wrong
  physics: a T1 that is limited by the readout looks like any other. Of a measured reflection, two good methods differ
  by 1.4 % in the linewidths, where the noise alone gives errors of 0.1 to 0.3 %.
"""


def page() -> str:
    """The whole page."""
    parts = (HEAD, _kinds(), _uses(), FOOT, _codes(), _faults(), _limits())
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


def _uses() -> str:
    lines = [
        "\nThe largest error, one standard deviation of the whole budget, at which a parameter is of use:\n",
        "| kind | largest error |",
        "| --- | --- |",
    ]
    for family in FAMILIES:
        main_first = sorted(family.parameters.items(), key=lambda each: each[0] != family.main)
        lines.append(f"| {family.name} | {', '.join(_use(name, one) for name, one in main_first)} |")
    lines.append("| readout classification | fidelities 0.012, separation 20 % |")
    return "\n".join(lines)


def _use(name: str, use: Parameter) -> str:
    if use.of == "rad":
        return f"{name} {use.limit} rad"
    of = {"": "", "lost": " of the infidelity"}.get(use.of, f" of {use.of}")
    return f"{name} {use.limit:.0%}{of}".replace("%", " %")


CAUSES = {
    Code.SUCCESS: (
        "One process with the expected shape; residuals are noise.",
        "Nothing that is looked for beside the fit moves the parameter by more than its use.",
    ),
    Code.NO_SIGNAL: (
        "Pulse, frequency or readout are off, or the qubit is dead; or the noise is larger than the contrast.",
        "Likelihood ratio of the best curve against a constant, with the number of curves tried in mind.",
    ),
    Code.FIT_OF_NOISE: (
        "A least-squares fit always returns numbers; R² of many parameters on few points may pass a threshold.",
        "As NO_SIGNAL, where a value was stored.",
    ),
    Code.LOW_SNR: (
        "Too few shots for the contrast: errors fall with the square root of their number. Of a readout: the two "
        "clouds overlap.",
        "Relative standard error of the fit, from its covariance; of a readout the distance of the clouds in σ.",
    ),
    Code.WINDOW_TOO_SHORT: (
        "Without the floor, time constant and offset are exchangeable; a part of a period or of a line fixes neither "
        "frequency nor width.",
        "Window in units of the decay time, of the period or of the linewidth.",
    ),
    Code.WINDOW_TOO_LONG: (
        "What happens between two points cannot be told from a few points that lie on it.",
        "Points within the first decay time.",
    ),
    Code.UNDERSAMPLED: (
        "Near two points a period a frequency and its mirror image at the sampling rate fit alike; a line between two "
        "points has no width.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)) with a margin; counting statistics of shots.",
    ),
    Code.ALIASED: (
        "A frequency above half the sampling rate looks like one below it. The points alone cannot tell: what was "
        "expected decides.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)).",
    ),
    Code.TWO_COMPONENTS: (
        "Decays: quasiparticles or a two-level system in part of the shots; of benchmarking, leakage. Readout: a third "
        "cloud, as of |2⟩.",
        "AICc (Hurvich and Tsai 1989). Two-exponential decays by quasiparticles: I. M. Pop et al., "
        "Nature 508, 369 (2014).",
    ),
    Code.BEATING: (
        "Charge parity switching, a coupled two-level system, ZZ with a neighbour that is not in |0⟩, or leakage.",
        "AICc (Hurvich and Tsai 1989). Parity: D. Ristè et al., Nat. Commun. 4, 1913 (2013).",
    ),
    Code.TWO_PEAKS: (
        "A two-level system that is coupled to the qubit, a two-photon line at high power, or a second resonator.",
        "AICc (Hurvich and Tsai 1989).",
    ),
    Code.OTHER_SHAPE: (
        "An envelope that is neither exponential nor Gaussian, a drive that is compressed, an asymmetric or Gaussian "
        "line; or a resonator of which nobody says whether |S|, |S|² or dB is stored.",
        "Bayes' factor of a small change of the shape, by how far it moves the parameter.",
    ),
    Code.UNEXPLAINED: (
        "Another process, or several at once.",
        "Autocorrelation of residuals; AICc of something periodic in the order of the points, as the mains.",
    ),
    Code.CLIPPED: (
        "A digitizer or amplifier saturates, or a computed population was cut to its range.",
        "Exactly equal values at the extreme, far more often than between.",
    ),
    Code.OUTLIERS: (
        "Glitches of the readout or of a source, cosmic rays, a wrongly written point.",
        "Residuals against their median absolute deviation (F. R. Hampel, J. Am. Stat. Assoc. 69, 383 (1974)).",
    ),
    Code.DRIFT: (
        "Gain, temperature or charge moved during the measurement: points at its end do not compare with those at its "
        "beginning.",
        "AICc (Hurvich and Tsai 1989) of a level that moves with the order of the points, or jumps once.",
    ),
    Code.AT_BOUND: (
        "A fit that runs into a limit of its parameters returns the limit.",
        "A round or impossible number far from the new fit.",
    ),
    Code.STORED_DISAGREES: (
        "The stored fit found another minimum, or the value belongs to another measurement.",
        "Difference in standard deviations of both.",
    ),
    Code.TOO_FEW_POINTS: (
        "As many points as parameters always fit.",
        "Degrees of freedom.",
    ),
    Code.BAD_DATA: (
        "Wrong units, lengths or columns, or another task's data.",
        "The data themselves.",
    ),
}
"""Where what a code names comes from; and who says so, or what the test is."""


def _codes() -> str:
    lines = [
        "## What a verdict says\n",
        "| code | status | fit | what is told | where it comes from | how it is seen | what to measure next |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {code} | {one.status} | {one.fit} | {one.sentence} | {' | '.join(CAUSES[code])} | {one.next} |"
        for code, one in MEANINGS.items()
    ]
    lines.append(
        "\nThe code of a parameter is that of the largest part of its budget where the budget is too large, LOW_SNR "
        "for noise; else that of a stored value that disagrees; else OUTLIERS or SUCCESS, which are reliable. "
        "Unreadable points, aliasing and a missing signal are about all parameters. What matters besides is among the "
        "numbers.\n"
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
    PICTURE.write_text(picture(), encoding="utf-8")
