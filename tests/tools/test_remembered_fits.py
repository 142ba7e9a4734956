"""A result is fitted once, until it or its files change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qdash_jupyter.data.calib_data import CalibFolder
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.methods.curves import audit
from qdash_jupyter.methods.curves.judge import judge
from qdash_jupyter.methods.curves.verdict import CurveVerdict
from qdash_jupyter.tools import remembered_fits
from qdash_jupyter.tools.remembered_fits import RememberedFits
from tests.data.curves.qdash_files import QDashFiles, decay_figure
from tests.tools.qdash_documents import a_chip, task

X = np.linspace(0.1, 200, 51)


def test_it_is_fitted_again_only_when_it_or_its_files_change(
    tmp_path: Path, opened: Callable[..., SnapshotReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    files, noise = QDashFiles(tmp_path / "calib_data"), np.random.default_rng(3).normal(0, 0.01, len(X))
    figure = decay_figure(X, np.exp(-X / 60) + noise, np.exp(-X / 60))
    paths = list(files.save_figures([figure], "CheckT1", "3"))
    rows = [task("CheckT1", "3", 1, {"t1": 60}, task_id="one", json_figure_path=paths)]
    reader = opened("snapshot", a_chip() | {"task_result_history": rows})
    chip = reader.chips()[0].ref
    calib_data, fits = CalibFolder(tmp_path / "calib_data"), RememberedFits()
    judged: list[Any] = []

    def counted(curve: Any) -> CurveVerdict:
        judged.append(curve)
        return judge(curve)

    monkeypatch.setattr(audit, "judge", counted)

    def result(of: ChipRef = chip) -> Any:
        return reader.task_results(ResultQuery(of, task_id="one"))[0]

    first = fits.of(result(), calib_data)
    assert fits.of(result(), calib_data) is first
    assert (len(judged), len(fits)) == (1, 1)
    fits.of(replace(result(), excluded=True), calib_data)
    assert len(judged) == 2
    (path,) = (tmp_path / "calib_data").rglob("*.json")
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    fits.of(result(), calib_data)
    assert len(judged) == 3
    path.unlink()
    assert fits.of(result(), calib_data).verdict is None
    monkeypatch.setattr(remembered_fits, "MOST", 2)
    fits.of(replace(result(), status="failed"), calib_data)
    assert len(fits) == 2
