"""What a verdict can say: codes with status and consequence, their physics, and what to measure next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from qdash_jupyter.domain.language import Words


class Trust(StrEnum):
    """Whether a value that comes from a curve may be used."""

    RELIABLE = "reliable"
    UNRELIABLE = "unreliable"
    NO_FIT = "no fit"

    @property
    def words(self) -> Words:
        """It in the languages of the screen."""
        return Words(self.value, _TRUST_JA[self])


_TRUST_JA = {Trust.RELIABLE: "信頼できる", Trust.UNRELIABLE: "信頼できない", Trust.NO_FIT: "近似できない"}


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
    sentence: Words
    physics: str
    source: str
    next: Words


MEANINGS: dict[Code, Meaning] = {
    Code.SUCCESS: Meaning(
        Status.EXPECTED,
        Trust.RELIABLE,
        Words(
            "The curve is what it should be, and carries its parameter.", "曲線は想定どおりで、値を決めるのに十分です。"
        ),
        "One process with the expected shape; residuals are noise.",
        "Residual tests of Durbin and Watson (1950) and of Wald and Wolfowitz (1940).",
        Words("Nothing; use the value.", "不要です。"),
    ),
    Code.NO_SIGNAL: Meaning(
        Status.ANOMALOUS,
        Trust.NO_FIT,
        Words("No signal stands out of the noise.", "ノイズを超える信号がありません。"),
        "Pulse, frequency or readout are off, or the qubit is dead; or the noise is larger than the contrast.",
        "Likelihood ratio of the best curve against a constant, with the number of curves tried in mind.",
        Words(
            "Check readout and Rabi first; then more shots.",
            "まず読み出しとRabiを確認し、次にショット数を増やしてください。",
        ),
    ),
    Code.FIT_OF_NOISE: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        Words(
            "A value is stored, but no signal stands out of the noise.",
            "値は保存されていますが、ノイズを超える信号がありません。",
        ),
        "A least-squares fit always returns numbers; R² of many parameters on few points may pass a threshold.",
        "As NO_SIGNAL, where a value was stored.",
        Words(
            "Exclude the value; check readout and Rabi, then repeat with more shots.",
            "この値を除外し、読み出しとRabiを確認してから、ショット数を増やして再測定してください。",
        ),
    ),
    Code.LOW_SNR: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        Words(
            "There is a signal, but the noise leaves the parameter too uncertain.",
            "信号はありますが、ノイズのため値が十分に決まりません。",
        ),
        "Too few shots for the contrast: errors fall with the square root of their number. Of a readout: the two "
        "clouds overlap.",
        "Relative standard error of the fit, from its covariance; of a readout the distance of the clouds in σ.",
        Words(
            "More shots, or more points where the curve changes; of a readout, tune amplitude, frequency and length.",
            "ショット数、または変化の大きい部分の点を増やしてください。読み出しなら振幅・周波数・長さを調整してください。",
        ),
    ),
    Code.WINDOW_TOO_SHORT: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        Words(
            "The window ends before the curve has told its parameter.",
            "測定範囲が短すぎて、値が決まる前に終わっています。",
        ),
        "Without the floor, time constant and offset are exchangeable; a part of a period or of a line fixes neither "
        "frequency nor width.",
        "Window in units of the decay time, of the period or of the linewidth.",
        Words(
            "Widen the window: 4 decay times, 3 periods, or 5 linewidths about the centre.",
            "範囲を広げてください(減衰時間の4倍、3周期、または中心から線幅の5倍)。",
        ),
    ),
    Code.WINDOW_TOO_LONG: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        Words(
            "Nearly all points lie on the floor: the decay is over after the first few.",
            "ほとんどの点が減衰後の値で、減衰は最初の数点で終わっています。",
        ),
        "What happens between two points cannot be told from a few points that lie on it.",
        "Points within the first decay time.",
        Words(
            "Shorten the window to about 4 decay times, or space the points logarithmically.",
            "範囲を減衰時間の約4倍に縮めるか、点を対数間隔にしてください。",
        ),
    ),
    Code.UNDERSAMPLED: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        Words(
            "Too few points a period, on the line, or of shots, to fix the parameter.",
            "1周期(または線幅)あたりの点が少なすぎます。",
        ),
        "Near two points a period a frequency and its mirror image at the sampling rate fit alike; a line between two "
        "points has no width.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)) with a margin; counting statistics of shots.",
        Words(
            "Smaller steps (6 points a period, 3 on a linewidth) or a smaller detuning; of a readout, more shots.",
            "点の間隔を細かくする(1周期に6点、線幅に3点)か、離調を小さくしてください。読み出しならショット数を増やしてください。",
        ),
    ),
    Code.ALIASED: Meaning(
        Status.SUBOPTIMAL,
        Trust.UNRELIABLE,
        Words(
            "The frequency that is expected or stored lies above what the steps resolve.",
            "想定または保存された周波数は、この点の間隔では分解できません。",
        ),
        "A frequency above half the sampling rate looks like one below it. The points alone cannot tell: what was "
        "expected decides.",
        "Sampling theorem (C. E. Shannon, Proc. IRE 37, 10 (1949)).",
        Words(
            "Smaller steps, or a smaller detuning or drive amplitude.",
            "点の間隔を細かくするか、離調または駆動振幅を小さくしてください。",
        ),
    ),
    Code.TWO_COMPONENTS: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        Words("Two components fit far better than one.", "1成分より2成分のほうがはるかによく合います。"),
        "Decays: quasiparticles or a two-level system in part of the shots; of benchmarking, leakage. Readout: a third "
        "cloud, as of |2⟩.",
        "AICc (Hurvich and Tsai 1989). Two-exponential decays by quasiparticles: I. M. Pop et al., "
        "Nature 508, 369 (2014).",
        Words(
            "Repeat with more points at short times; compare neighbours and the days before.",
            "短い時間の点を増やして再測定し、隣接する量子ビットや前日までと比べてください。",
        ),
    ),
    Code.BEATING: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        Words(
            "Two frequencies fit far better than one: the fringes beat.",
            "1つの周波数より2つのほうがはるかによく合います(うなり)。",
        ),
        "Charge parity switching, a coupled two-level system, ZZ with a neighbour that is not in |0⟩, or leakage.",
        "AICc (Hurvich and Tsai 1989). Parity: D. Ristè et al., Nat. Commun. 4, 1913 (2013).",
        Words(
            "Fit two frequencies with a longer window; repeat; compare with the neighbours' ZZ.",
            "範囲を広げて2周波数でフィットし、再測定して、隣接とのZZと比べてください。",
        ),
    ),
    Code.TWO_PEAKS: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        Words("Two lines fit far better than one.", "1本の線より2本のほうがはるかによく合います。"),
        "A two-level system that is coupled to the qubit, a two-photon line at high power, or a second resonator.",
        "AICc (Hurvich and Tsai 1989).",
        Words(
            "Lower the power; repeat after an hour; look which line moves with the qubit.",
            "パワーを下げ、1時間後に再測定し、どちらの線が量子ビットとともに動くかを見てください。",
        ),
    ),
    Code.UNEXPLAINED: Meaning(
        Status.ANOMALOUS,
        Trust.UNRELIABLE,
        Words(
            "The residuals have a structure that none of the known shapes explains.",
            "残差に、既知の形では説明できない構造があります。",
        ),
        "Another process, or several at once.",
        "Autocorrelation of residuals; AICc of something periodic in the order of the points, as the mains.",
        Words(
            "Look at the residuals; repeat before using the value.", "値を使う前に残差を確認し、再測定してください。"
        ),
    ),
    Code.CLIPPED: Meaning(
        Status.APPARATUS,
        Trust.UNRELIABLE,
        Words(
            "Values stand at a limit: the top or bottom of the curve is cut off.", "値が上限または下限で切れています。"
        ),
        "A digitizer or amplifier saturates, or a computed population was cut to its range.",
        "Exactly equal values at the extreme, far more often than between.",
        Words(
            "Lower the readout power or gain, then repeat.", "読み出しのパワーまたはゲインを下げて再測定してください。"
        ),
    ),
    Code.OUTLIERS: Meaning(
        Status.APPARATUS,
        Trust.UNRELIABLE,
        Words("Single points lie far off the curve.", "曲線から大きく外れた点があります。"),
        "Glitches of the readout or of a source, cosmic rays, a wrongly written point.",
        "Residuals against their median absolute deviation (F. R. Hampel, J. Am. Stat. Assoc. 69, 383 (1974)).",
        Words(
            "Repeat; use the fit without these points where it hardly moves.",
            "再測定してください。値がほとんど動かなければ、その点を除いた近似を使えます。",
        ),
    ),
    Code.DRIFT: Meaning(
        Status.APPARATUS,
        Trust.UNRELIABLE,
        Words(
            "The level drifted or jumped while the curve was taken.",
            "測定中に基準の値がずれたか、急に変わっています。",
        ),
        "Gain, temperature or charge moved during the measurement: points at its end do not compare with those at its "
        "beginning.",
        "AICc (Hurvich and Tsai 1989) of a level that moves with the order of the points, or jumps once.",
        Words(
            "Repeat faster or with the points in another order; check the readout's stability.",
            "より速く、または点の順序を変えて再測定し、読み出しの安定性を確認してください。",
        ),
    ),
    Code.AT_BOUND: Meaning(
        Status.EXPECTED,
        Trust.UNRELIABLE,
        Words(
            "The stored value stands at a bound of its fit; the points say another one.",
            "保存された値はフィットの境界値で、点の示す値とは異なります。",
        ),
        "A fit that runs into a limit of its parameters returns the limit.",
        "A round or impossible number far from the new fit.",
        Words("Exclude the stored value; use the new fit.", "保存された値を除外し、再近似の値を使ってください。"),
    ),
    Code.STORED_DISAGREES: Meaning(
        Status.EXPECTED,
        Trust.UNRELIABLE,
        Words(
            "The points carry their parameter, but the stored value is another.",
            "点から値は決まりますが、保存された値と異なります。",
        ),
        "The stored fit found another minimum, or the value belongs to another measurement.",
        "Difference in standard deviations of both.",
        Words("Use the new fit; look at the stored one.", "再近似の値を使い、保存されたフィットを確認してください。"),
    ),
    Code.TOO_FEW_POINTS: Meaning(
        Status.SUBOPTIMAL,
        Trust.NO_FIT,
        Words("There are fewer points than such a curve needs.", "点の数が足りません。"),
        "As many points as parameters always fit.",
        "Degrees of freedom.",
        Words("Measure more points.", "点を増やして測定してください。"),
    ),
    Code.BAD_DATA: Meaning(
        Status.APPARATUS,
        Trust.NO_FIT,
        Words("The points cannot be read as such a curve.", "点をこの種の曲線として読めません。"),
        "Wrong units, lengths or columns, or another task's data.",
        "The data themselves.",
        Words("Look at the file that the task wrote.", "タスクが書いたファイルを確認してください。"),
    ),
}
