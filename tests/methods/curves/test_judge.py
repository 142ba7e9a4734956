"""Verdicts: on curves with planted faults, on hostile ones, and what is said of them."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from demo_chip.curves import FAMILIES, Simulated, faults_of, simulated
from demo_chip.curves.recipes import RECIPES, Recipe

from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.methods import Curve, Shots, StoredParameter, judge
from qdash_jupyter.methods.curves.codes import MEANINGS, Code, Status, Trust
from qdash_jupyter.methods.curves.families import FAMILIES as KNOWN
from qdash_jupyter.methods.curves.verdict import CurveVerdict, number_of

X = np.linspace(0, 200, 51)
NOISE = np.random.default_rng(5).standard_normal(51)
T1 = 0.9 * np.exp(-X / 48) + 0.05 + 0.02 * NOISE
TASKS = [task for family in KNOWN for task in family.tasks]
JAPANESE, ENGLISH = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"), re.compile(r"[A-Za-z]{2,} [a-z]{2,}\b")
PLANTED = [(family, fault) for family in FAMILIES for fault in faults_of(family)]


def t1(stored: float | None = None, error: float = 1.9, **more: Any) -> CurveVerdict:
    kept = {} if stored is None else {"t1": StoredParameter(stored, error, "μs")}
    return judge(Curve("CheckT1", "Q07", X, T1, "μs", stored=kept, **more))


@pytest.fixture(scope="module")
def planted() -> list[tuple[Simulated, CurveVerdict]]:
    """A curve of each fault of each family with its verdict: two processor seconds."""
    made = [simulated(family, fault, 43, "easy") for family, fault in PLANTED]
    return [(one, judge(one.curve)) for one in made]


def test_planted_faults_are_named(planted: list[tuple[Simulated, CurveVerdict]]) -> None:
    clear = [(one, verdict) for one, verdict in planted if one.truth.code_clear]
    assert len(clear) > 0.7 * len(PLANTED)
    wrong = [f"{one.family}: {one.truth.code}, not {of.code}" for one, of in clear if str(of.code) != one.truth.code]
    assert len(wrong) <= 1, wrong


@pytest.mark.long
@pytest.mark.parametrize(("family", "fault"), PLANTED)
def test_planted_faults_of_three_are_named(family: str, fault: str) -> None:
    made = [simulated(family, fault, seed, "easy") for seed in range(40, 43)]
    clear = [one for one in made if one.truth.code_clear]
    right = sum(str(judge(one.curve).code) == one.truth.code for one in clear)
    assert right >= len(clear) - 1


@pytest.mark.parametrize("family", FAMILIES)
def test_where_noise_is_hopeless_nothing_is_trusted(family: str) -> None:
    verdicts = [judge(simulated(family, "GOOD", seed, "hopeless").curve) for seed in range(40, 46)]
    assert {one.fit for one in verdicts} <= {Trust.UNRELIABLE, Trust.NO_FIT}


def test_a_good_curve_and_its_stored_value() -> None:
    verdict = t1(48.2)
    assert (verdict.fit, verdict.status, verdict.code) == (Trust.RELIABLE, Status.EXPECTED, Code.SUCCESS)
    assert [one.name for one in verdict.stored] == ["t1"]
    assert verdict.stored[0].sigmas < 2
    assert verdict.parameters["t1"].value == pytest.approx(48, abs=5)
    assert verdict.told().startswith("CheckT1 of Q07: fit reliable (SUCCESS, expected).")
    assert "t1: stored 48.2 ± 1.9 μs, refit" in verdict.told()


def test_a_bare_number_is_a_value_in_the_unit_of_the_fit() -> None:
    x = np.linspace(1, 200, 40)
    y = np.exp(-x / 48.2) + 0.01 * np.random.default_rng(1).standard_normal(40)
    verdict = judge(Curve("CheckT1", "7", x, y, "μs", stored={"t1": 48.2}, inputs={"detuning": 0.001}))  # pyrefly: ignore[bad-assignment]
    [beside] = verdict.stored
    assert (beside.stored, beside.unit) == (48.2, "μs")
    assert beside.sigmas < 3
    with pytest.raises(ValueError, match="t1 is a StoredParameter or a number"):
        Curve("CheckT1", "7", x, y, "μs", stored={"t1": "48"})  # pyrefly: ignore[bad-assignment]


def test_the_sign_of_a_frequency_is_not_held_against_a_fringe() -> None:
    x = np.linspace(0, 20, 120)
    y = 0.5 + 0.4 * np.exp(-x / 9) * np.cos(2 * np.pi * 1.2 * x) + 0.01 * np.random.default_rng(2).standard_normal(120)
    stored = {"ramsey_frequency": StoredParameter(-1.2, 0.002, "MHz")}
    found = {one.name: one for one in judge(Curve("CheckRamsey", "7", x, y, "μs", stored=stored)).stored}
    assert found["ramsey_frequency"].sigmas < 3


def test_a_qubit_is_told_as_people_see_it() -> None:
    verdict = judge(simulated("T1", "GOOD", 40, "good").curve)
    for qid, shown in (("35", "Q35"), ("4-1", "Q04-Q01"), ("Q07", "Q07")):
        assert f" of {shown}: fit" in replace(verdict, qid=qid).told()


@pytest.mark.parametrize(
    ("stored", "error", "code"),
    [
        (80.3, 2.0, Code.STORED_DISAGREES),
        (1000.0, 3.0, Code.AT_BOUND),
        (9999.0, 412.7, Code.AT_BOUND),
        (9949.0, 412.7, Code.STORED_DISAGREES),
        (0.0, 0.0, Code.AT_BOUND),
        (612.3, math.inf, Code.AT_BOUND),
        (48.3, math.inf, Code.SUCCESS),  # an error without end alone is no bound
    ],
)
def test_a_stored_value_that_is_not_that_of_the_points(stored: float, error: float, code: Code) -> None:
    assert t1(stored, error).code is code


@pytest.mark.parametrize("count", [9, 11, 13])
@pytest.mark.parametrize("decays", [4, 6])
def test_few_points_over_a_long_window_tell_t1(count: int, decays: int) -> None:
    x, rng = np.linspace(0, 50 * decays, count), np.random.default_rng(3)
    verdict = judge(Curve("CheckT1", "0", x, np.exp(-x / 50) + 0.01 * rng.standard_normal(count), "μs"))
    assert verdict.code is Code.SUCCESS
    assert verdict.parameters["t1"].value == pytest.approx(50, rel=0.1)


def test_a_stored_value_in_another_unit_is_converted_or_left() -> None:
    converted = judge(Curve("CheckT1", "0", X, T1, "μs", stored={"t1": StoredParameter(0.0482, 0.0019, "ms")}))
    assert converted.code is Code.SUCCESS
    assert converted.stored[0].stored == pytest.approx(48.2)
    other = judge(Curve("CheckT1", "0", X, T1, "μs", stored={"t1": StoredParameter(5.0, 0.1, "GHz")}))
    assert other.code is Code.SUCCESS
    assert math.isnan(other.stored[0].sigmas)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_perfect_curve_is_a_good_one(recipe: Recipe) -> None:
    """What a fit leaves at the level of rounding is no structure, and no second process."""
    x, numbers = recipe.draw(np.random.default_rng(4), "GOOD", {})
    verdict = judge(Curve(recipe.task, "0", x, recipe.mean(x, numbers), recipe.unit))
    assert (verdict.code, verdict.fit) == (Code.SUCCESS, Trust.RELIABLE)
    for name, (planted, _, convert) in recipe.outputs.items():
        assert verdict.parameters[name].value == pytest.approx(convert(numbers[planted]), rel=1e-6)


def test_a_wild_point_of_a_perfect_curve_is_named() -> None:
    y = np.exp(-X / 20)
    y[20] += 0.5
    verdict = judge(Curve("CheckT1", "0", X, y, "μs"))
    assert verdict.code is Code.OUTLIERS
    assert verdict.refit is not None
    assert verdict.refit.left_out == (X[20],)
    assert verdict.parameters["t1"].value == pytest.approx(20, rel=1e-6)


@pytest.mark.parametrize("place", range(1, 4))
def test_a_wild_point_near_the_first_is_seen(place: int) -> None:
    y = T1.copy()
    y[place] -= 0.6
    verdict = t1()
    spoilt = judge(Curve("CheckT1", "Q07", X, y, "μs"))
    assert spoilt.code is Code.OUTLIERS
    assert spoilt.parameters["t1"].value == pytest.approx(verdict.parameters["t1"].value, rel=0.05)


def test_a_stored_value_that_wild_points_pulled_names_them() -> None:
    y = T1.copy()
    y[[4, 10]] -= 1.0
    every, rest = 33.0, 48.0
    for part, code in ((0.8, Code.OUTLIERS), (-0.8, Code.STORED_DISAGREES), (2.5, Code.STORED_DISAGREES)):
        stored = {"t1": StoredParameter(rest + part * (every - rest), 1.0, "μs")}
        verdict = judge(Curve("CheckT1", "Q07", X, y, "μs", stored=stored))
        assert (verdict.code, verdict.fit) == (code, Trust.UNRELIABLE), part


def test_one_enormous_point_does_not_hide_the_curve() -> None:
    for size in (20.0, 1e3, -1e5):
        y = T1.copy()
        y[3] += size
        verdict = judge(Curve("CheckT1", "0", X, y, "μs"))
        assert verdict.code is Code.OUTLIERS, size
        assert verdict.parameters["t1"].value == pytest.approx(48, abs=5)


def test_a_jump_and_the_mains_are_seen_in_the_order_of_the_measurement() -> None:
    order = np.random.default_rng(3).permutation(51)
    assert judge(Curve("CheckT1", "0", X, T1 + 0.2 * (np.arange(51) > 30), "μs")).code is Code.DRIFT
    hum = judge(Curve("CheckT1", "0", X, T1 + 0.2 * np.sin(2 * np.pi * np.arange(51) / 5), "μs"))
    assert hum.fit is Trust.RELIABLE, "a hum of a fifth of the signal moves T1 by a few percent"
    assert hum.parameters["t1"].value == pytest.approx(48, rel=0.1)
    assert hum.parameters["t1"].parts[0].code is Code.UNEXPLAINED
    jumped = T1[order] + 0.3 * (np.arange(51) > 30)
    verdict = judge(Curve("CheckT1", "0", X[order], jumped, "μs"))
    assert verdict.code is Code.DRIFT
    assert [one.name for one in verdict.numbers[:2]] == ["budget", "error_by_drift"]


def test_a_frequency_that_is_stored_in_another_unit_is_not_called_aliased() -> None:
    made = simulated("Rabi", "GOOD", 1, "easy")
    assert isinstance(made.curve, Curve)
    frequency = made.truth.parameters["rabi_frequency"]
    for wrong, code in ((1e3, Code.STORED_DISAGREES), (1e-3, Code.STORED_DISAGREES), (7.0, Code.ALIASED)):
        stored = {"rabi_frequency": StoredParameter(wrong * frequency, 0.001 * wrong * frequency, "MHz")}
        assert judge(replace(made.curve, stored=stored)).code is code


def test_noise_with_and_without_a_stored_value() -> None:
    silent = judge(Curve("CheckT1", "0", X, NOISE, "μs"))
    assert (silent.code, silent.fit) == (Code.NO_SIGNAL, Trust.NO_FIT)
    stored = judge(Curve("CheckT1", "0", X, NOISE, "μs", stored={"t1": StoredParameter(48.2, 1.9, "μs")}))
    assert (stored.code, stored.fit) == (Code.FIT_OF_NOISE, Trust.UNRELIABLE)
    drawn = judge(Curve("CheckT1", "0", X, NOISE, "μs", fit_x=X, fit_y=np.exp(-X)))
    assert drawn.code is Code.FIT_OF_NOISE


def test_false_alarms_on_pure_noise_are_rare() -> None:
    rng = np.random.default_rng(8)
    for task, unit in (("CheckT1", "μs"), ("CheckRamsey", "μs"), ("CheckQubitSpectroscopy", "GHz")):
        found = [judge(Curve(task, "0", X, rng.standard_normal(51), unit)).code for _ in range(30)]
        assert sum(code is not Code.NO_SIGNAL for code in found) <= 1, task


@pytest.mark.long
def test_numbers_decide_and_are_told_with_more_noise() -> None:
    test_numbers_decide_and_are_told(
        [(one, judge(one.curve)) for one in (simulated(*which, 60, "good") for which in PLANTED)]
    )


def test_numbers_decide_and_are_told(planted: list[tuple[Simulated, CurveVerdict]]) -> None:
    for made, verdict in planted:
        assert len(verdict.told()) <= 600
        assert verdict.reason in verdict.told()
        if verdict.code is Code.TOO_FEW_POINTS:  # its reason has the number
            continue
        assert verdict.numbers, made.truth
        for number in verdict.numbers:  # each has its own words, and is the same after a model has read it
            assert JAPANESE.search(said := number.told().of("ja")), said
            assert number.name not in said
            assert not ENGLISH.search(said), said
            assert number_of(json.loads(to_json(number.as_json()))).told() == number.told()
        # What is wrong is a number on the wrong side of its limit.
        if verdict.code not in {Code.SUCCESS, Code.OUTLIERS}:
            assert not verdict.numbers[0].holds, (made.truth, verdict.code)


def test_every_code_has_its_meaning() -> None:
    assert set(MEANINGS) == set(Code)


def test_the_planted_numbers_are_the_same_for_the_same_seed() -> None:
    one, other = (simulated("Ramsey", "BEATING", 3, "fair") for _ in range(2))
    assert isinstance(one.curve, Curve)
    assert isinstance(other.curve, Curve)
    np.testing.assert_array_equal(one.curve.y, other.curve.y)
    assert one.truth == other.truth
    with pytest.raises(ValueError, match="no fault BEATING"):
        simulated("T1", "BEATING")
    given = simulated("T1", seed=1, given={"time": 48.2})
    assert given.truth.parameters == {"t1": 48.2}


HOSTILE = {
    "nothing": ([], [], {}),
    "one point": ([1.0], [1.0], {}),
    "two points": ([1.0, 2.0], [1.0, 2.0], {}),
    "three points": ([1.0, 2.0, 3.0], [1.0, 2.0, 1.5], {}),
    "all NaN": (X, np.full(51, np.nan), {}),
    "NaN in x": (np.full(51, np.nan), T1, {}),
    "infinite": (X, np.full(51, np.inf), {}),
    "constant": (X, np.full(51, 0.3), {}),
    "zeros": (X, np.zeros(51), {}),
    "one x": (np.ones(51), T1, {}),
    "lengths": (X[:-1], T1, {}),
    "errors' length": (X, T1, {"error": X[:3]}),
    "no unit": (X, T1, {"x_unit": ""}),
    "another unit": (X, T1, {"x_unit": "bananas"}),
    "huge": (X, np.where(X > 100, 1e300, -1e300), {}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_curves_have_no_fit_and_a_reason(name: str) -> None:
    x, y, more = HOSTILE[name]
    for task in TASKS:
        unit = "GHz" if "pectroscopy" in task or "Reflection" in task else "μs"
        values = np.asarray(y, dtype=complex) if "Reflection" in task else y
        settings: dict[str, Any] = {"x_unit": unit} | more
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            verdict = judge(Curve(task, "0", x, values, **settings))
        if "unit" in name and task == "RandomizedBenchmarking":
            continue  # numbers of Cliffords have none
        if name == "two points":
            assert verdict.code is Code.TOO_FEW_POINTS, task
        assert verdict.fit is Trust.NO_FIT, task
        assert verdict.reason.endswith("."), task
        assert len(verdict.told()) <= 600, task


@pytest.mark.parametrize("scale", [1e-250, 1e-12, 1e12, 1e90])
def test_the_scale_of_y_does_not_matter(scale: float) -> None:
    verdict = judge(Curve("CheckT1", "0", X, T1 * scale, "μs"))
    assert verdict.code is Code.SUCCESS
    assert verdict.parameters["t1"].value == pytest.approx(t1().parameters["t1"].value, rel=1e-4)


def test_unsorted_and_repeated_places_and_missing_points_are_no_fault() -> None:
    mixed = np.random.default_rng(1).permutation(51)
    assert judge(Curve("CheckT1", "0", X[mixed], T1[mixed], "μs")).code is Code.SUCCESS
    assert judge(
        Curve("CheckT1", "0", np.repeat(X, 2), np.repeat(T1, 2) + 0.02 * np.resize(NOISE[::-1], 102), "μs")
    ).fit
    holes = T1.copy()
    holes[::7] = np.nan
    assert judge(Curve("CheckT1", "0", X, holes, "μs")).code is Code.SUCCESS


def test_errors_that_are_zero_or_missing_are_not_used() -> None:
    verdict = judge(Curve("CheckT1", "0", X, T1, "μs", error=np.zeros(51)))
    assert verdict.code is Code.SUCCESS
    assert verdict.refit is not None
    assert verdict.refit.reduced_chi2 is None


def test_an_unknown_task_and_shots_without_numbers() -> None:
    assert judge(Curve("DumpBox", "0", X, T1, "μs")).code is Code.BAD_DATA
    assert judge(Shots("0", np.array([]), np.array([]))).code is Code.TOO_FEW_POINTS
    assert judge(Shots("0", np.full(99, np.nan), np.full(99, np.nan))).fit is Trust.NO_FIT
    assert judge(Shots("0", np.zeros(99), np.zeros(99))).fit is Trust.NO_FIT
    with pytest.raises(ValueError, match="has to be numbers"):
        Curve("CheckT1", "0", np.array(["a", "b"]), X)


def test_shots_give_the_fidelity_that_the_overlap_of_gaussians_has() -> None:
    rng = np.random.default_rng(2)
    zero, one = (place + rng.standard_normal(20000) + 1j * rng.standard_normal(20000) for place in (-2, 2))
    verdict = judge(Shots("0", zero, one))
    expected = 0.5 * (1 + math.erf(2 / math.sqrt(2)))
    assert verdict.code is Code.SUCCESS
    assert verdict.parameters["average_readout_fidelity"].value == pytest.approx(expected, abs=0.004)
    assert verdict.parameters["separation"].value == pytest.approx(2, abs=0.03)


def hostile(rng: np.random.Generator, count: int) -> Any:
    """Numbers of all kinds: rounded, tiny, huge, missing, endless, nearly constant, spread over decades."""
    values = rng.standard_normal(count)
    kind = int(rng.integers(8))
    values[rng.random(count) < 0.2] = {2: np.nan, 3: np.inf}.get(kind, 0.5)
    made = {0: np.round(values), 1: values * 10.0 ** rng.integers(-300, 300), 4: np.cumsum(values)}
    made |= {5: np.ones(count) + (rng.random(count) < 0.1), 6: np.exp(20 * np.clip(values, -9, 9))}
    return made.get(kind, values)


@pytest.mark.parametrize("numbers", [100, pytest.param(400, marks=pytest.mark.long)])
def test_whatever_the_numbers_are_there_is_a_verdict(numbers: int) -> None:
    rng = np.random.default_rng(0)
    odd = (0.0, 1.0, math.nan, math.inf, -3.0, 1e300)
    for _ in range(numbers):
        family, count = KNOWN[int(rng.integers(len(KNOWN)))], int(rng.choice([0, 3, 5, 8, 12, 30]))
        x, y, error = (hostile(rng, count) for _ in range(3))
        stored = {
            name: StoredParameter(float(rng.choice(odd)), float(rng.choice(odd)), unit)
            for name, unit in family.units.items()
        }
        values = y.astype(complex) if family.complex else y
        verdict = judge(Curve(family.tasks[0], "0", x, values, family.unit, error=np.abs(error), stored=stored))
        assert len(verdict.told()) <= 600
    for _ in range(60):
        zero, one = (hostile(rng, int(rng.choice([0, 5, 12, 100]))).astype(complex) for _ in range(2))
        assert judge(Shots("0", zero, one)).told()


def test_wild_points_beside_a_second_line_and_beating_are_no_error() -> None:
    for family, fault in (("Ramsey", "BEATING"), ("qubit spectroscopy", "TWO_PEAKS")):
        made = simulated(family, fault, 4, "easy").curve
        assert isinstance(made, Curve)
        y = made.y.copy()
        y[[5, 50]] += 3 * np.ptp(y)
        assert judge(Curve(made.task, "0", made.x, y, made.x_unit)).fit is Trust.UNRELIABLE


def test_arrays_are_copies_that_cannot_be_written() -> None:
    x, y = X.copy(), T1.copy()
    curve = Curve("CheckT1", "0", x, y, "μs")
    x[0] = 99
    assert curve.x[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        curve.y[0] = 1


def test_scipy_is_imported_with_the_first_fit() -> None:
    code = (
        "import sys, qdash_jupyter.methods as qm; qm.judge, qm.audit, qm.Curve\n"
        "assert 'scipy' not in sys.modules\n"
        "x = list(range(30)); qm.judge(qm.Curve('CheckT1', '0', x, [2.0 ** -v for v in x], 'μs'))\n"
        "assert 'scipy.optimize' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
