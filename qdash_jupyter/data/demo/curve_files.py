"""The files behind the demo chip's results: a Plotly figure of each, made when it is first asked for.

The points are made of what the result stored (or, where it failed, of a value of the chip's kind), some with a fault.
The same result gives the same file.
"""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from qdash_jupyter.data.calib_data import place_below
from qdash_jupyter.data.records import TaskResult

if TYPE_CHECKING:
    import numpy as np

    from qdash_jupyter.data.demo.curves.made import Simulated
    from qdash_jupyter.methods.curves.curve import Curve, Shots

FILES_VERSION = 3
"""Goes up when the same result gives another file."""

FAULTY_SHARE, FAULTY_SHARE_OF_FEW = 0.04, 0.08
"""Of the results that stored a value; of tasks with few results more, that each fault is among them."""

NO_FIGURE = "no answer from the readout box"
"""A result that failed with this has no points."""

_WITHOUT_STORED = {"no contrast between the states": "NO_SIGNAL", "R² of the fit is below 0.7": "LOW_SNR"}
_ONLY_PLANTED = {"GOOD", "NO_SIGNAL", "LOW_SNR", "STORED_DISAGREES", "WRONG_UNIT", "AT_BOUND", "ALIASED"}
_FIT_POINTS = 1000

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
    "CheckRamsey": Kind(
        "Ramsey", _named(time="t2_star", frequency="ramsey_frequency"), "Time (μs)", "Signal (arb. units)"
    ),
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


def planted_fault(result: TaskResult, dead: Collection[str] = ()) -> str:
    """What is wrong with the points of a result: one of `qdash_jupyter.data.demo.curves.made.faults_of`.

    A qubit that is `dead` never shows a signal.
    """
    from qdash_jupyter.data.demo.curves.made import faults_of

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
    from qdash_jupyter.data.demo.curves.made import simulated

    kind, fault = KINDS[result.task_name], planted_fault(result, dead)
    values = {row.parameter: row.value for row in result.outputs if math.isfinite(row.value)}
    given = {} if fault == "AT_BOUND" else kind.given(values)
    digest = _digest(result.task_id)
    noise = ("easy", "good")[digest[-1] % 2]
    return simulated(kind.family, fault, int.from_bytes(digest[16:20]), noise, given=given, qid=result.qid)


def figure_of(result: TaskResult, dead: Collection[str] = ()) -> bytes:
    """The Plotly figure of a result, as JSON."""
    from qdash_jupyter.methods.curves.curve import Shots

    kind, points = KINDS[result.task_name], made(result, dead).curve
    title = {"text": f"{kind.family} : Q{result.qid.zfill(2)}"}
    if isinstance(points, Shots):
        return _json(_histograms(points), {"title": title, "barmode": "overlay"}, kind.x_title, kind.y_title)
    label, _, _ = kind.x_title.partition(" (")
    x_title = f"{label} ({points.x_unit})" if points.x_unit else label
    scale = {"type": "log"} if kind.is_log else {}
    return _json([*_line(result, points), _markers(points)], {"title": title, "xaxis": scale}, x_title, kind.y_title)


def write_figures(results: Sequence[TaskResult], folder: Path, dead: Collection[str] = ()) -> None:
    """Write the figures of these results that are not there below `folder`, which stands for `calib_data`.

    Raises:
        OSError: it cannot be written.
    """
    for result in results:
        if result.task_name not in KINDS or (result.status == "failed" and NO_FIGURE in result.message):
            continue
        for path in result.json_figure_path:
            place = folder / place_below(path)
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                _write_whole(place, figure_of(result, dead))


def _write_whole(place: Path, content: bytes) -> None:
    """Two kernels may write the same file."""
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


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


def _markers(curve: Curve) -> dict[str, Any]:
    errors = {} if curve.error is None else {"error_y": {"type": "data", "array": curve.error}}
    return {"type": "scatter", "mode": "markers", "name": "Data", "x": curve.x, "y": curve.y} | errors


def _histograms(shots: Shots) -> list[dict[str, Any]]:
    """Projected on the line through both centres, as QDash draws them."""
    zero, one = shots.zero.mean(), shots.one.mean()
    along = (one - zero) / (abs(one - zero) or 1.0)
    middle = (zero + one) / 2
    drawn = {"type": "histogram", "opacity": 0.6, "nbinsx": 60}
    return [
        drawn | {"name": name, "x": ((each - middle) * along.conjugate()).real.copy()}
        for name, each in (("|0⟩", shots.zero), ("|1⟩", shots.one))
    ]


def _line(result: TaskResult, curve: Curve) -> list[dict[str, Any]]:
    """The line of the stored fit: the stored value, with the amplitude and the level that suit the points best."""
    import numpy as np

    shapes = _shapes(result, curve.x_unit)
    if shapes is None:
        return []
    known = np.isfinite(curve.x) & np.isfinite(curve.y)
    factors, *_ = np.linalg.lstsq(shapes(curve.x[known]), curve.y[known], rcond=None)
    places = np.linspace(curve.x.min(), curve.x.max(), _FIT_POINTS)
    return [{"type": "scatter", "mode": "lines", "name": "Fit", "x": places, "y": shapes(places) @ factors}]


def _shapes(result: TaskResult, unit: str) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]] | None:
    """What the stored value makes of places, but for the factors: columns; None where it draws no line."""
    import numpy as np

    values = {row.parameter: row.value for row in result.outputs if math.isfinite(row.value) and row.value > 0}
    step = 1e-3 if unit == "ns" else 1.0  # to μs
    time = values.get("t1") or values.get("t2_echo") or values.get("t2_star")
    frequency = values.get("ramsey_frequency")
    if result.task_name == "RandomizedBenchmarking":
        time = _cliffords(values).get("time")
    if time is None or (result.task_name == "CheckRamsey" and frequency is None):
        return None

    def shapes(places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        envelope = np.exp(-places * step / time)
        phase = 2 * np.pi * (frequency or 0.0) * places * step
        waves = [envelope * np.cos(phase), envelope * np.sin(phase)] if frequency else [envelope]
        columns: np.ndarray[Any, Any] = np.column_stack([*waves, np.ones(len(places))])
        return columns

    return shapes
