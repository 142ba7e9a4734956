"""Where a question is asked: when, of which database, chip and qubit, and beside which names of the user's kernel.

It is data, and goes out behind the question. So the instructions are the same in each request, and a server that caches
prompts goes on with what it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ElementKind
from qdash_jupyter.domain.analysis import SITUATION, fenced
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.tools.chips import has_muxes
from qdash_jupyter.tools.current_values import current_values, in_words

MUX = "n: qubits 4n to 4n+3"
MOST_CHARS = 600
"""Of the qubit's parameters, and of the names: what comes first says most."""


def situation_of(
    reader: QDashReader,
    metrics: MetricTable,
    chip: ChipRecord | None,
    qid: str | None = None,
    names: Sequence[str] = (),
) -> JsonObject:
    """The time, the database, the current chip, the current qubit or coupling with its parameters, and the names of the
    user's own data in the kernel; what there is. Reads the database.
    """
    origin = reader.origin
    snapshot = ", the snapshot's, for every age and window" if origin.as_of is not None else ""
    found: JsonObject = {"now": f"{reader.now():%Y-%m-%d %H:%M} UTC{snapshot}", "database": origin.label}
    if chip is not None:
        found |= {"chip": chip.ref.chip_id, "project": chip.ref.project_id, "qubits": chip.size}
        found |= {"mux": MUX} if has_muxes(chip) else {}
        for cooldown in reader.cooldowns(chip.ref) if chip.current_cooldown_id else ():
            if cooldown.cooldown_id == chip.current_cooldown_id and cooldown.started_at is not None:
                found["cooldown"] = f"{cooldown.cooldown_id}, since {cooldown.started_at:%Y-%m-%d %H:%M} UTC"
    if chip is not None and qid is not None:
        kind: ElementKind = "coupling" if is_coupling(qid) else "qubit"
        values = in_words(current_values(reader, chip, kind, None, [qid], metrics=metrics), metrics).get(qid, {})
        known = [*(name for name in METRICS if name in values), *(name for name in values if name not in METRICS)]
        found |= {f"current_{kind}": qid, "its_parameters": _fitting(f"{name}: {values[name]}" for name in known)}
    if names:
        found["names_of_the_user"] = _fitting(names)
    return found


def news(situation: JsonObject, told: JsonObject) -> JsonObject:
    """What of it was not told yet; null for what is no more."""
    gone = dict.fromkeys(name for name in told if name not in situation)
    return gone | {name: value for name, value in situation.items() if told.get(name) != value}


def situation_text(situation: JsonObject) -> str:
    """It as the model reads it."""
    return f"{SITUATION}\n{fenced(to_json(situation))}"


def _fitting(lines: Iterable[str]) -> list[str]:
    """The first ones for which there is room, and how many there are besides."""
    shown, left, room = [], 0, MOST_CHARS
    for line in lines:
        room -= len(line) + 3
        if room >= 0:
            shown.append(line)
        else:
            left += 1
    return [*shown, *([f"+{left} more"] if left else [])]
