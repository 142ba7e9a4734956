"""The files behind the demo chip's results: a Plotly figure of each.

The points are made of what the result stored (or, where it failed, of a value of the chip's kind), some with a fault.
The same result gives the same file. Numbers have as many digits as the noise leaves.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from demo_chip.digits import Array, places, rounded
from qdash_jupyter.data.records import TaskResult

if TYPE_CHECKING:
    import numpy as np

    from demo_chip.curves.made import Simulated
    from qdash_jupyter.methods.curves.curve import Curve, Shots

FAULTY_SHARE, FAULTY_SHARE_OF_FEW = 0.04, 0.08
"""Of the results that stored a value; of tasks with few results more, that each fault is among them."""

NO_FIGURE = "no answer from the readout box"
"""A result that failed with this has no points."""

_WITHOUT_STORED = {"no contrast between the states": "NO_SIGNAL", "R² of the fit is below 0.7": "LOW_SNR"}
_ONLY_PLANTED = {"GOOD", "NO_SIGNAL", "LOW_SNR", "STORED_DISAGREES", "WRONG_UNIT", "AT_BOUND", "ALIASED"}
_OF_DEVIATION, _OF_SHOT = 10, 5
"""A point, and a shot, is told to this part of its deviation: that adds 0.1 %, and 0.3 %, to its variance."""
_OF_LINE = 300
"""A line is told to this part of its height, """
_LINE_POINTS = 17
"""and at so many places."""
_SCALED = {"CheckRabi", "RandomizedBenchmarking"}
"""Their signals have a scale of their own. Those of the others are counts of a digitizer: whole numbers are short."""
_SHOTS_ERROR, _FEWEST_SHOTS = 0.009, 200
"""As many shots are kept as tell the fidelity to this error, and not fewer; the limit of what is judged is 0.012."""
_FINER = 10
"""Where something is planted all shots are kept, and one digit more of points: thinning must not hide it."""
_THINNED = {"GOOD", "NO_SIGNAL"}
_NO_FIDELITY, _USUAL_FIDELITY = 0.6, 0.95
"""Below the first one there is none to be known: as many shots as of the other."""

Given = Callable[[Mapping[str, float]], dict[str, float]]
"""What is planted, of the stored values."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How the points of a task are made and drawn; `may_alias`: what it stored may be faster than the steps."""

    family: str
    given: Given
    x_title: str
    y_title: str
    is_log: bool = False
    faulty_share: float = FAULTY_SHARE
    may_alias: bool = False


def _named(**names: str) -> Given:
    def given(values: Mapping[str, float]) -> dict[str, float]:
        return {planted: values[name] for planted, name in names.items() if name in values}

    return given


def _fringes(values: Mapping[str, float]) -> dict[str, float]:
    """A fringe takes 1 μs and they last for 40: a window of more decays would have a thousand points."""
    return _named(time="t2_star", frequency="ramsey_frequency")(values) | {"decays": 1.1, "a_period": 5.0}


def _cliffords(values: Mapping[str, float]) -> dict[str, float]:
    lost = values.get("depolarizing_rate", 2 * (1 - values.get("average_gate_fidelity", 0.999)))
    return {"time": -1 / math.log1p(-lost)} if 0 < lost < 1 else {}


def _separation(values: Mapping[str, float]) -> dict[str, float]:
    """Half the distance of the clouds in their deviations, beside the shots that are in the other state."""
    fidelity = values.get("average_readout_fidelity")
    if fidelity is None:
        return {}
    from scipy.special import erfcinv

    other = min(0.015, (1 - fidelity) / 2)
    right = (fidelity - other) / (1 - 2 * other)  # fidelity = (1 - other) · right + other · (1 - right)
    half = math.sqrt(2) * float(erfcinv(2 * min(max(1 - right, 1e-9), 0.45)))
    return {"separation": half, "excited": 2 / 3 * other, "relaxed": 4 / 3 * other}


KINDS: Mapping[str, Kind] = {
    "CheckT1": Kind("T1", _named(time="t1"), "Time (μs)", "Signal (arb. units)", is_log=True),
    "CheckT2Echo": Kind("T2 echo", _named(time="t2_echo"), "Time (μs)", "Signal (arb. units)"),
    "CheckRamsey": Kind("Ramsey", _fringes, "Time (μs)", "Signal (arb. units)"),
    "CheckRabi": Kind(
        "Rabi",
        _named(frequency="rabi_frequency", scale="rabi_amplitude"),
        "Drive duration (μs)",
        "Signal (arb. units)",
        faulty_share=FAULTY_SHARE_OF_FEW,
        may_alias=True,
    ),
    "CheckResonatorSpectroscopy": Kind(
        "resonator spectroscopy",
        _named(centre="readout_frequency"),
        "Frequency (GHz)",
        "Signal (arb. units)",
        faulty_share=FAULTY_SHARE_OF_FEW,
    ),
    "CheckQubitSpectroscopy": Kind(
        "qubit spectroscopy", _named(centre="coarse_qubit_frequency"), "Frequency (GHz)", "Signal (arb. units)"
    ),
    "ReadoutClassification": Kind(
        "readout classification", _separation, "projection along c0→c1 (arb. units)", "count"
    ),
    "RandomizedBenchmarking": Kind("randomized benchmarking", _cliffords, "Number of Cliffords", "Normalized signal"),
}
"""The tasks whose results have points."""


def has_figure(result: TaskResult) -> bool:
    """Tell whether there are points behind a result."""
    return result.task_name in KINDS and not (result.status == "failed" and NO_FIGURE in result.message)


def planted_fault(result: TaskResult, dead: Collection[str] = ()) -> str:
    """What is wrong with the points of a result: one of `demo_chip.curves.made.faults_of`.

    A qubit that is `dead` never shows a signal.
    """
    from demo_chip.curves.made import faults_of

    kind = KINDS[result.task_name]
    faults = faults_of(kind.family)
    chance, place = _chances(result.task_id)
    if result.excluded and "AT_BOUND" in faults:
        return "AT_BOUND"
    if result.qid in dead:
        return "NO_SIGNAL"
    if result.status == "failed":
        said = (fault for words, fault in _WITHOUT_STORED.items() if words in result.message)
        fault = next(said, "WINDOW_TOO_SHORT" if chance < 0.5 else "GOOD")  # noqa: PLR2004
        return fault if fault in faults else "NO_SIGNAL"
    seldom = _ONLY_PLANTED - {"ALIASED"} if kind.may_alias else _ONLY_PLANTED
    wrong = [fault for fault in faults if fault not in seldom]
    return wrong[int(place * len(wrong))] if chance < kind.faulty_share else "GOOD"


def made(result: TaskResult, dead: Collection[str] = ()) -> Simulated:
    """The points of a result, and what is true of them."""
    from demo_chip.curves.made import simulated

    kind, fault = KINDS[result.task_name], planted_fault(result, dead)
    values = {row.parameter: row.value for row in result.outputs if math.isfinite(row.value)}
    given = {} if fault == "AT_BOUND" else kind.given(values)
    digest = _digest(result.task_id)
    noise = ("easy", "good")[digest[-1] % 2]
    return simulated(kind.family, fault, int.from_bytes(digest[16:20]), noise, given=given, qid=result.qid)


def figure_of(result: TaskResult, dead: Collection[str] = ()) -> bytes:
    """Return the Plotly figure of a result, as JSON."""
    from qdash_jupyter.methods.curves.curve import Shots

    kind, simulated = KINDS[result.task_name], made(result, dead)
    points, is_thinned = simulated.curve, simulated.fault in _THINNED
    if isinstance(points, Shots) and is_thinned:
        points = _fewer(points, simulated.truth.parameters["average_readout_fidelity"])
    finest = simulated.deviation / (_OF_SHOT if isinstance(points, Shots) else _OF_DEVIATION)
    if result.task_name not in _SCALED:
        points, finest = _in_units_of(finest, points), 1.0
    if not is_thinned and not isinstance(points, Shots):
        finest /= _FINER
    title = {"text": f"{kind.family} : Q{result.qid.zfill(2)}"}
    if isinstance(points, Shots):
        traces = _histograms(points, finest)
        return _json(traces, {"title": title, "barmode": "overlay"}, kind.x_title, kind.y_title)
    label, _, _ = kind.x_title.partition(" (")
    x_title = f"{label} ({points.x_unit})" if points.x_unit else label
    scale = {"type": "log"} if kind.is_log else {}
    traces = [*_line(result, points, finest), _markers(points, finest)]
    return _json(traces, {"title": title, "xaxis": scale}, x_title, kind.y_title)


def _digest(task_id: str) -> bytes:
    return hashlib.sha256(task_id.encode()).digest()


def _chances(task_id: str) -> tuple[float, float]:
    """Two numbers from 0 to 1."""
    digest = _digest(task_id)
    return int.from_bytes(digest[:8]) / 2**64, int.from_bytes(digest[8:16]) / 2**64


def _json(traces: list[dict[str, Any]], layout: dict[str, Any], x_title: str, y_title: str) -> bytes:
    layout["xaxis"] = {"title": {"text": x_title}} | layout.get("xaxis", {})
    layout["yaxis"] = {"title": {"text": y_title}}
    return orjson.dumps({"data": traces, "layout": layout}, option=orjson.OPT_SERIALIZE_NUMPY)


def _in_units_of(size: float, points: Curve | Shots) -> Curve | Shots:
    from qdash_jupyter.methods.curves.curve import Shots

    if isinstance(points, Shots):
        return replace(points, zero=points.zero / size, one=points.one / size)
    return replace(points, y=points.y / size, error=None if points.error is None else points.error / size)


def _markers(curve: Curve, finest: float) -> dict[str, Any]:
    drawn = {"type": "scatter", "mode": "markers", "name": "Data"} | places(curve.x)
    drawn["y"] = rounded(curve.y, finest)
    if curve.error is not None:
        drawn["error_y"] = {"type": "data", "array": rounded(curve.error, curve.error / 100)}
    return drawn


def _histograms(shots: Shots, finest: float) -> list[dict[str, Any]]:
    """Projected on the line through both centres, as QDash draws them."""
    zero, one = shots.zero.mean(), shots.one.mean()
    along = (one - zero) / (abs(one - zero) or 1.0)
    middle = (zero + one) / 2
    drawn = {"type": "histogram", "opacity": 0.6, "nbinsx": 60}
    return [
        drawn | {"name": name, "x": rounded(((each - middle) * along.conjugate()).real, finest)}
        for name, each in (("|0⟩", shots.zero), ("|1⟩", shots.one))
    ]


def _fewer(shots: Shots, fidelity: float) -> Shots:
    """As many of the shots as the fidelity needs, in their order: every so many by size, so that the clouds stay."""
    fidelity = fidelity if fidelity > _NO_FIDELITY else _USUAL_FIDELITY
    count = max(_FEWEST_SHOTS, math.ceil(fidelity * (1 - fidelity) / 2 / _SHOTS_ERROR**2))
    if count >= len(shots.zero):
        return shots
    along = (shots.one.mean() - shots.zero.mean()).conjugate()
    return replace(shots, zero=_every(shots.zero, along, count), one=_every(shots.one, along, count))


def _every(shots: Array, along: complex, count: int) -> Array:
    import numpy as np

    by_size = np.argsort((shots * along).real)
    chosen = by_size[((np.arange(count) + 0.5) * len(shots) / count).astype(int)]
    kept: Array = shots[np.sort(chosen)]
    return kept


def _line(result: TaskResult, curve: Curve, finest: float) -> list[dict[str, Any]]:
    """The line of the stored fit: the stored value, with the amplitude and the level that suit the points best."""
    import numpy as np

    shapes = _shapes(result, curve.x_unit)
    if shapes is None:
        return []
    known = np.isfinite(curve.x) & np.isfinite(curve.y)
    factors, *_ = np.linalg.lstsq(shapes(curve.x[known]), curve.y[known], rcond=None)
    chosen = np.linspace(0, len(curve.x) - 1, min(_LINE_POINTS, len(curve.x)))
    x = np.interp(chosen, np.arange(len(curve.x)), curve.x)
    y = shapes(x) @ factors
    y = rounded(y, max(finest, float(np.ptp(y)) / _OF_LINE))
    return [{"type": "scatter", "mode": "lines", "name": "Fit"} | places(x) | {"y": y}]


def _shapes(result: TaskResult, unit: str) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]] | None:
    """What the stored value makes of places, but for the factors: columns; None where no decay is stored."""
    import numpy as np

    values = {row.parameter: row.value for row in result.outputs if math.isfinite(row.value) and row.value > 0}
    step = 1e-3 if unit == "ns" else 1.0  # to μs
    time = values.get("t1") or values.get("t2_echo")
    if result.task_name == "RandomizedBenchmarking":
        time = _cliffords(values).get("time")
    if time is None:
        return None

    def shapes(places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        columns: np.ndarray[Any, Any] = np.column_stack([np.exp(-places * step / time), np.ones(len(places))])
        return columns

    return shapes
