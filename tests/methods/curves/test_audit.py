"""Many curves at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from qdash_jupyter.methods import Curve, StoredParameter, audit, audited

X = np.linspace(0, 200, 51)
NOISE = np.random.default_rng(5).standard_normal(51)
T1 = 0.9 * np.exp(-X / 48) + 0.05 + 0.02 * NOISE


def curve(qid: str, y: object = T1, stored: float | None = None) -> Curve:
    kept = {} if stored is None else {"t1": StoredParameter(stored, 1.9, "μs")}
    return Curve("CheckT1", qid, X, y, "μs", stored=kept)


def test_a_row_for_each_curve_says_what_to_look_at() -> None:
    table = audit(
        [curve("0", stored=48.2), curve("1", stored=81.0), curve("2", NOISE, 48.2), curve("3"), curve("4", NOISE)]
    )
    assert table["qid"].tolist() == ["0", "1", "2", "3", "4"]
    assert table["code"].tolist() == ["SUCCESS", "STORED_DISAGREES", "FIT_OF_NOISE", "SUCCESS", "NO_SIGNAL"]
    assert table["look at"].tolist()[0::2] == ["", table["look at"][2], ""]
    assert table["look at"][1] == "stored value off"
    assert table["look at"][2] in {"stored value off", "stored, but not to be trusted"}
    assert table["look at"][3] == "failed, but there was a signal"
    assert table["σ apart"][1] > 3
    assert table["stored"].tolist()[:2] == [48.2, 81.0]
    assert table["refit"][0] == pytest.approx(48, abs=5)
    assert table["unit"][0] == "μs"
    assert table.attrs["method"].endswith(".")


def test_nothing_is_an_empty_table() -> None:
    table = audit([])
    assert table.empty
    assert {"qid", "fit", "code", "look at"} <= set(table.columns)


def test_an_audit_goes_on_only_as_far_as_it_is_asked() -> None:
    taken = []

    def endless() -> Iterator[Curve]:
        for number in itertools.count():
            taken.append(number)
            yield curve(str(number), stored=48.2)

    three = list(itertools.islice(audited(endless()), 3))
    assert [one.verdict.qid for one in three] == ["0", "1", "2"]
    assert len(taken) == 3
