"""What a verdict can say: codes with status and consequence, their physics, and what to measure next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Trust(StrEnum):
    """Whether a value that comes from a curve may be used."""

    RELIABLE = "reliable"
    UNRELIABLE = "unreliable"
    NO_FIT = "no fit"


class Status(StrEnum):
    """What kind of outcome the measurement had."""

    EXPECTED = "expected"
    SUBOPTIMAL = "suboptimal parameters"
    ANOMALOUS = "anomalous"
    APPARATUS = "apparatus"


class Code(StrEnum):
    """The one thing that decided."""

    SUCCESS = "SUCCESS"
    NO_SIGNAL = "NO_SIGNAL"
    FIT_OF_NOISE = "FIT_OF_NOISE"
    LOW_SNR = "LOW_SNR"
    WINDOW_TOO_SHORT = "WINDOW_TOO_SHORT"
    WINDOW_TOO_LONG = "WINDOW_TOO_LONG"
    UNDERSAMPLED = "UNDERSAMPLED"
    ALIASED = "ALIASED"
    TWO_COMPONENTS = "TWO_COMPONENTS"
    BEATING = "BEATING"
    TWO_PEAKS = "TWO_PEAKS"
    UNEXPLAINED = "UNEXPLAINED"
    CLIPPED = "CLIPPED"
    OUTLIERS = "OUTLIERS"
    DRIFT = "DRIFT"
    AT_BOUND = "AT_BOUND"
    STORED_DISAGREES = "STORED_DISAGREES"
    TOO_FEW_POINTS = "TOO_FEW_POINTS"
    BAD_DATA = "BAD_DATA"


@dataclass(frozen=True, slots=True)
class Meaning:
    """Of one code.

    Attributes:
        status: The kind of outcome.
        fit: What becomes of the fit.
        sentence: What a person is told.
        physics: Where it comes from.
        source: Who says so, or what the test is.
        next: What to measure next.
    """

    status: Status
    fit: Trust
    sentence: str
    physics: str
    source: str
    next: str


MEANINGS: dict[Code, Meaning] = {
    Code.SUCCESS: Meaning(
        Status.EXPECTED,
        Trust.RELIABLE,
        "The curve is what it should be, and carries its parameter.",
        "One process with the expected shape; residuals are noise.",
        "Residual tests of Durbin and Watson (1950) and of Wald and Wolfowitz (1940).",
        "Nothing; use the value.",
    ),
    Code.NO_SIGNAL: Meaning(
        Status.ANOMALOUS,
        Trust.NO_FIT,
        "No signal stands out of the noise.",
        "Pulse, frequency or readout are off, or the qubit is dead; or the noise is larger than the contrast.",
        "Likelihood ratio of the best curve against a constant, with the number of curves tried in mind.",
        "Check readout and Rabi first; then more shots.",
    ),
    Code.FIT_OF_NOISE: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        "A value is stored, but no signal stands out of the noise.",
        "A least-squares fit always returns numbers; R² of many parameters on few points may pass a threshold.",
        "As NO_SIGNAL, where a value was stored.",
        "Exclude the value; check readout and Rabi, then repeat with more shots.",
    ),
    Code.LOW_SNR: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        "There is a signal, but the noise leaves the parameter too uncertain.",
        "Too few shots for the contrast: errors fall with the square root of their number. Of a readout: the two "
        "clouds overlap.",
        "Relative standard error of the fit, from its covariance; of a readout the distance of the clouds in σ.",
        "More shots, or more points where the curve changes; of a readout, tune amplitude, frequency and length.",
    ),
    Code.WINDOW_TOO_SHORT: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        "The window ends before the curve has told its parameter.",
        "Without the floor, time constant and offset are exchangeable; a part of a period or of a line fixes neither "
        "frequency nor width.",
        "Window in units of the decay time, of the period or of the linewidth.",
        "Widen the window: 4 decay times, 3 periods, or 5 linewidths about the centre.",
    ),
    Code.WINDOW_TOO_LONG: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        "Nearly all points lie on the floor: the decay is over after the first few.",
        "What happens between two points cannot be told from a few points that lie on it.",
        "Points within the first decay time.",
        "Shorten the window to about 4 decay times, or space the points logarithmically.",
    ),
    Code.UNDERSAMPLED: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        "Too few points a period, on the line, or of shots, to fix the parameter.",
        "Near two points a period a frequency and its mirror image at the sampling rate fit alike; a line between two "
        "points has no width.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)) with a margin; counting statistics of shots.",
        "Smaller steps (6 points a period, 3 on a linewidth) or a smaller detuning; of a readout, more shots.",
    ),
    Code.ALIASED: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        "The frequency that is expected or stored lies above what the steps resolve.",
        "A frequency above half the sampling rate looks like one below it. The points alone cannot tell: what was "
        "expected decides.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)).",
        "Smaller steps, or a smaller detuning or drive amplitude.",
    ),
    Code.TWO_COMPONENTS: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        "Two components fit far better than one.",
        "Decays: quasiparticles or a two-level system in part of the shots; of benchmarking, leakage. Readout: a third "
        "cloud, as of |2⟩.",
        "AICc (Hurvich and Tsai 1989). Two-exponential decays by quasiparticles: I. M. Pop et al., "
        "Nature 508, 369 (2014).",
        "Repeat with more points at short times; compare neighbours and the days before.",
    ),
    Code.BEATING: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        "Two frequencies fit far better than one: the fringes beat.",
        "Charge parity switching, a coupled two-level system, ZZ with a neighbour that is not in |0⟩, or leakage.",
        "AICc (Hurvich and Tsai 1989). Parity: D. Ristè et al., Nat. Commun. 4, 1913 (2013).",
        "Fit two frequencies with a longer window; repeat; compare with the neighbours' ZZ.",
    ),
    Code.TWO_PEAKS: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        "Two lines fit far better than one.",
        "A two-level system that is coupled to the qubit, a two-photon line at high power, or a second resonator.",
        "AICc (Hurvich and Tsai 1989).",
        "Lower the power; repeat after an hour; look which line moves with the qubit.",
    ),
    Code.UNEXPLAINED: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        "The residuals have a structure that none of the known shapes explains.",
        "Another process, or several at once.",
        "Autocorrelation of residuals; AICc of something periodic in the order of the points, as the mains.",
        "Look at the residuals; repeat before using the value.",
    ),
    Code.CLIPPED: Meaning(
        Status.APPARATUS,
        Trust.UNRELIABLE,
        "Values stand at a limit: the top or bottom of the curve is cut off.",
        "A digitizer or amplifier saturates, or a computed population was cut to its range.",
        "Exactly equal values at the extreme, far more often than between.",
        "Lower the readout power or gain, then repeat.",
    ),
    Code.OUTLIERS: Meaning(
        Status.APPARATUS,
        Trust.UNRELIABLE,
        "Single points lie far off the curve.",
        "Glitches of the readout or of a source, cosmic rays, a wrongly written point.",
        "Residuals against their median absolute deviation (F. R. Hampel, J. Am. Stat. Assoc. 69, 383 (1974)).",
        "Repeat; use the fit without these points where it hardly moves.",
    ),
    Code.DRIFT: Meaning(
        Status.APPARATUS,
        Trust.UNRELIABLE,
        "The level drifted while the curve was taken.",
        "Gain, temperature or charge moved during the measurement: points at its end do not compare with those at its "
        "beginning.",
        "AICc (Hurvich and Tsai 1989) of a level that moves with the order of the points, or jumps once.",
        "Repeat faster or with the points in another order; check the readout's stability.",
    ),
    Code.AT_BOUND: Meaning(
        Status.EXPECTED,
        Trust.UNRELIABLE,
        "The stored value stands at a bound of its fit; the points say another one.",
        "A fit that runs into a limit of its parameters returns the limit.",
        "A round or impossible number far from the new fit.",
        "Exclude the stored value; use the new fit.",
    ),
    Code.STORED_DISAGREES: Meaning(
        Status.EXPECTED,
        Trust.UNRELIABLE,
        "The points carry their parameter, but the stored value is another.",
        "The stored fit found another minimum, or the value belongs to another measurement.",
        "Difference in standard deviations of both.",
        "Use the new fit; look at the stored one.",
    ),
    Code.TOO_FEW_POINTS: Meaning(
        Status.SUBOPTIMAL,
        Trust.NO_FIT,
        "There are fewer points than such a curve needs.",
        "As many points as parameters always fit.",
        "Degrees of freedom.",
        "Measure more points.",
    ),
    Code.BAD_DATA: Meaning(
        Status.APPARATUS,
        Trust.NO_FIT,
        "The points cannot be read as such a curve.",
        "Wrong units, lengths or columns, or another task's data.",
        "The data themselves.",
        "Look at the file that the task wrote.",
    ),
}
