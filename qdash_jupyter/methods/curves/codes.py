"""What a verdict can say: codes with status and consequence, their physics, and what to measure next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from qdash_jupyter.messages.message import Message


class Trust(StrEnum):
    """Whether a value that comes from a curve may be used."""

    RELIABLE = "reliable"
    UNRELIABLE = "unreliable"
    NO_FIT = "no fit"

    @property
    def words(self) -> Message:
        """As people read it."""
        return _TRUST[self]


_TRUST = {
    Trust.RELIABLE: Message("trust-reliable"),
    Trust.UNRELIABLE: Message("trust-unreliable"),
    Trust.NO_FIT: Message("trust-no-fit"),
}


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
    OTHER_SHAPE = "OTHER_SHAPE"
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
        sentence: What people read.
        physics: Where it comes from.
        source: Who says so, or what the test is.
        next: What to measure next.
        fit: What becomes of the fit.
    """

    status: Status
    sentence: Message
    physics: str
    source: str
    next: Message
    fit: Trust = Trust.UNRELIABLE


MEANINGS: dict[Code, Meaning] = {
    Code.SUCCESS: Meaning(
        Status.EXPECTED,
        Message("curve-success"),
        "One process with the expected shape; residuals are noise.",
        "Nothing that is looked for beside the fit moves the parameter by more than its use.",
        Message("curve-success-next"),
        fit=Trust.RELIABLE,
    ),
    Code.NO_SIGNAL: Meaning(
        Status.ANOMALOUS,
        Message("curve-no-signal"),
        "Pulse, frequency or readout are off, or the qubit is dead; or the noise is larger than the contrast.",
        "Likelihood ratio of the best curve against a constant, with the number of curves tried in mind.",
        Message("curve-no-signal-next"),
        fit=Trust.NO_FIT,
    ),
    Code.FIT_OF_NOISE: Meaning(
        Status.ANOMALOUS,
        Message("curve-fit-of-noise"),
        "A least-squares fit always returns numbers; R² of many parameters on few points may pass a threshold.",
        "As NO_SIGNAL, where a value was stored.",
        Message("curve-fit-of-noise-next"),
    ),
    Code.LOW_SNR: Meaning(
        Status.SUBOPTIMAL,
        Message("curve-low-snr"),
        "Too few shots for the contrast: errors fall with the square root of their number. Of a readout: the two "
        "clouds overlap.",
        "Relative standard error of the fit, from its covariance; of a readout the distance of the clouds in σ.",
        Message("curve-low-snr-next"),
    ),
    Code.WINDOW_TOO_SHORT: Meaning(
        Status.SUBOPTIMAL,
        Message("curve-window-too-short"),
        "Without the floor, time constant and offset are exchangeable; a part of a period or of a line fixes neither "
        "frequency nor width.",
        "Window in units of the decay time, of the period or of the linewidth.",
        Message("curve-window-too-short-next"),
    ),
    Code.WINDOW_TOO_LONG: Meaning(
        Status.SUBOPTIMAL,
        Message("curve-window-too-long"),
        "What happens between two points cannot be told from a few points that lie on it.",
        "Points within the first decay time.",
        Message("curve-window-too-long-next"),
    ),
    Code.UNDERSAMPLED: Meaning(
        Status.SUBOPTIMAL,
        Message("curve-undersampled"),
        "Near two points a period a frequency and its mirror image at the sampling rate fit alike; a line between two "
        "points has no width.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)) with a margin; counting statistics of shots.",
        Message("curve-undersampled-next"),
    ),
    Code.ALIASED: Meaning(
        Status.SUBOPTIMAL,
        Message("curve-aliased"),
        "A frequency above half the sampling rate looks like one below it. The points alone cannot tell: what was "
        "expected decides.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)).",
        Message("curve-aliased-next"),
    ),
    Code.TWO_COMPONENTS: Meaning(
        Status.ANOMALOUS,
        Message("curve-two-components"),
        "Decays: quasiparticles or a two-level system in part of the shots; of benchmarking, leakage. Readout: a third "
        "cloud, as of |2⟩.",
        "AICc (Hurvich and Tsai 1989). Two-exponential decays by quasiparticles: I. M. Pop et al., "
        "Nature 508, 369 (2014).",
        Message("curve-two-components-next"),
    ),
    Code.BEATING: Meaning(
        Status.ANOMALOUS,
        Message("curve-beating"),
        "Charge parity switching, a coupled two-level system, ZZ with a neighbour that is not in |0⟩, or leakage.",
        "AICc (Hurvich and Tsai 1989). Parity: D. Ristè et al., Nat. Commun. 4, 1913 (2013).",
        Message("curve-beating-next"),
    ),
    Code.TWO_PEAKS: Meaning(
        Status.ANOMALOUS,
        Message("curve-two-peaks"),
        "A two-level system that is coupled to the qubit, a two-photon line at high power, or a second resonator.",
        "AICc (Hurvich and Tsai 1989).",
        Message("curve-two-peaks-next"),
    ),
    Code.OTHER_SHAPE: Meaning(
        Status.ANOMALOUS,
        Message("curve-other-shape"),
        "An envelope that is neither exponential nor Gaussian, a drive that is compressed, an asymmetric or Gaussian "
        "line; or a resonator of which nobody says whether |S|, |S|² or dB is stored.",
        "Bayes' factor of a small change of the shape, by how far it moves the parameter.",
        Message("curve-other-shape-next"),
    ),
    Code.UNEXPLAINED: Meaning(
        Status.ANOMALOUS,
        Message("curve-unexplained"),
        "Another process, or several at once.",
        "Autocorrelation of residuals; AICc of something periodic in the order of the points, as the mains.",
        Message("curve-unexplained-next"),
    ),
    Code.CLIPPED: Meaning(
        Status.APPARATUS,
        Message("curve-clipped"),
        "A digitizer or amplifier saturates, or a computed population was cut to its range.",
        "Exactly equal values at the extreme, far more often than between.",
        Message("curve-clipped-next"),
    ),
    Code.OUTLIERS: Meaning(
        Status.APPARATUS,
        Message("curve-outliers"),
        "Glitches of the readout or of a source, cosmic rays, a wrongly written point.",
        "Residuals against their median absolute deviation (F. R. Hampel, J. Am. Stat. Assoc. 69, 383 (1974)).",
        Message("curve-outliers-next"),
        fit=Trust.RELIABLE,
    ),
    Code.DRIFT: Meaning(
        Status.APPARATUS,
        Message("curve-drift"),
        "Gain, temperature or charge moved during the measurement: points at its end do not compare with those at its "
        "beginning.",
        "AICc (Hurvich and Tsai 1989) of a level that moves with the order of the points, or jumps once.",
        Message("curve-drift-next"),
    ),
    Code.AT_BOUND: Meaning(
        Status.EXPECTED,
        Message("curve-at-bound"),
        "A fit that runs into a limit of its parameters returns the limit.",
        "A round or impossible number far from the new fit.",
        Message("curve-at-bound-next"),
    ),
    Code.STORED_DISAGREES: Meaning(
        Status.EXPECTED,
        Message("curve-stored-disagrees"),
        "The stored fit found another minimum, or the value belongs to another measurement.",
        "Difference in standard deviations of both.",
        Message("curve-stored-disagrees-next"),
    ),
    Code.TOO_FEW_POINTS: Meaning(
        Status.SUBOPTIMAL,
        Message("curve-too-few-points"),
        "As many points as parameters always fit.",
        "Degrees of freedom.",
        Message("curve-too-few-points-next"),
        fit=Trust.NO_FIT,
    ),
    Code.BAD_DATA: Meaning(
        Status.APPARATUS,
        Message("curve-bad-data"),
        "Wrong units, lengths or columns, or another task's data.",
        "The data themselves.",
        Message("curve-bad-data-next"),
        fit=Trust.NO_FIT,
    ),
}
