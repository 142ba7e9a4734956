"""What a verdict can say: codes with status and consequence, and what to measure next."""

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
        next: What to measure next.
        fit: What becomes of the fit.
    """

    status: Status
    sentence: Message
    next: Message
    fit: Trust = Trust.UNRELIABLE


MEANINGS: dict[Code, Meaning] = {
    Code.SUCCESS: Meaning(Status.EXPECTED, Message("curve-success"), Message("curve-success-next"), fit=Trust.RELIABLE),
    Code.NO_SIGNAL: Meaning(
        Status.ANOMALOUS, Message("curve-no-signal"), Message("curve-no-signal-next"), fit=Trust.NO_FIT
    ),
    Code.FIT_OF_NOISE: Meaning(Status.ANOMALOUS, Message("curve-fit-of-noise"), Message("curve-fit-of-noise-next")),
    Code.LOW_SNR: Meaning(Status.SUBOPTIMAL, Message("curve-low-snr"), Message("curve-low-snr-next")),
    Code.WINDOW_TOO_SHORT: Meaning(
        Status.SUBOPTIMAL, Message("curve-window-too-short"), Message("curve-window-too-short-next")
    ),
    Code.WINDOW_TOO_LONG: Meaning(
        Status.SUBOPTIMAL, Message("curve-window-too-long"), Message("curve-window-too-long-next")
    ),
    Code.UNDERSAMPLED: Meaning(Status.SUBOPTIMAL, Message("curve-undersampled"), Message("curve-undersampled-next")),
    Code.ALIASED: Meaning(Status.SUBOPTIMAL, Message("curve-aliased"), Message("curve-aliased-next")),
    Code.TWO_COMPONENTS: Meaning(
        Status.ANOMALOUS, Message("curve-two-components"), Message("curve-two-components-next")
    ),
    Code.BEATING: Meaning(Status.ANOMALOUS, Message("curve-beating"), Message("curve-beating-next")),
    Code.TWO_PEAKS: Meaning(Status.ANOMALOUS, Message("curve-two-peaks"), Message("curve-two-peaks-next")),
    Code.OTHER_SHAPE: Meaning(Status.ANOMALOUS, Message("curve-other-shape"), Message("curve-other-shape-next")),
    Code.UNEXPLAINED: Meaning(Status.ANOMALOUS, Message("curve-unexplained"), Message("curve-unexplained-next")),
    Code.CLIPPED: Meaning(Status.APPARATUS, Message("curve-clipped"), Message("curve-clipped-next")),
    Code.OUTLIERS: Meaning(
        Status.APPARATUS, Message("curve-outliers"), Message("curve-outliers-next"), fit=Trust.RELIABLE
    ),
    Code.DRIFT: Meaning(Status.APPARATUS, Message("curve-drift"), Message("curve-drift-next")),
    Code.AT_BOUND: Meaning(Status.EXPECTED, Message("curve-at-bound"), Message("curve-at-bound-next")),
    Code.STORED_DISAGREES: Meaning(
        Status.EXPECTED, Message("curve-stored-disagrees"), Message("curve-stored-disagrees-next")
    ),
    Code.TOO_FEW_POINTS: Meaning(
        Status.SUBOPTIMAL, Message("curve-too-few-points"), Message("curve-too-few-points-next"), fit=Trust.NO_FIT
    ),
    Code.BAD_DATA: Meaning(
        Status.APPARATUS, Message("curve-bad-data"), Message("curve-bad-data-next"), fit=Trust.NO_FIT
    ),
}
