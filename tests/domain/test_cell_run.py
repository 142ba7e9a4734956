from __future__ import annotations

from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus, repaired
from qdash_jupyter.domain.consent import CALLS, Effect, EffectKind


def refused(code: str, kind: EffectKind = EffectKind.UNKNOWN) -> CellRun:
    effects = (Effect(kind, "it", CALLS),)
    return CellRun(CellRequest("r", "refused", code), CellStatus.REJECTED, effects=effects, unasked=True)


def ran(code: str, status: CellStatus = CellStatus.OK) -> CellRun:
    return CellRun(CellRequest("s", "later", code), status)


def test_a_refusal_whose_work_a_later_cell_did_is_repaired() -> None:
    """ "Not run: … run `%copilot approve`" stayed in the answer, although a later cell had done the work."""
    assert repaired([refused("awg.fit()"), ran("1 + 1")]) == {"refused"}
    assert repaired([refused("x = read('a')", EffectKind.FILES), ran("x = 1\ny = 2")]) == {"refused"}


def test_what_nobody_has_done_stays() -> None:
    assert not repaired([refused("table.to_csv('a.csv')", EffectKind.FILES), ran("table")])
    assert not repaired([refused("x = get()", EffectKind.NETWORK), ran("y = 2")])
    assert not repaired([refused("awg.fit()"), ran("1 / 0", CellStatus.ERROR)])
    assert not repaired([ran("1 + 1"), refused("awg.fit()")])
