"""`get_parameter_lineage`: the versions of a parameter that were written for a chip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.queries import VersionQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ParameterVersion
from qdash_jupyter.data.tables import MOMENT, NUMBER, TEXT, frame_of_records
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import title_of
from qdash_jupyter.domain.qid import is_coupling, other_direction, qid_label
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import known_qids, read_of
from qdash_jupyter.tools.spec import (
    ChipArguments,
    ElementId,
    NewFrame,
    ParameterName,
    ToolContext,
    ToolOutput,
    ToolSpec,
)
from qdash_jupyter.tools.timestamps import full_timestamp
from qdash_jupyter.tools.totals import cut_to

COLUMNS = {
    "entity_id": TEXT,
    "version": "Int64",
    "current": "bool",
    "value": "object",
    "error": NUMBER,
    "unit": TEXT,
    "valid_from": MOMENT,
    "valid_until": MOMENT,
    "execution_id": TEXT,
    "task_id": TEXT,
    "task_name": TEXT,
}


SKIPPED_MEANS = "not of this chip: chips of a project share the numbers"


class LineageArguments(ChipArguments):
    parameter_name: ParameterName = Field(min_length=1)
    qid: ElementId = Field(min_length=1)
    last_n: int = Field(10, description="newest n", ge=1, le=5_000)


def get_parameter_lineage(args: LineageArguments, context: ToolContext) -> ToolOutput:
    """Versions, newest first. Table: `versions`; the first row is the chip's current one, whatever `valid_until` says:
    QDash ends a version's validity also when another chip of the project gets its own. `skipped` are numbers that the
    project gave to another chip. Where there are more than are given, `total` says how many.
    """
    reader, chip = context.reader_and_chip(args)
    parameter = args.parameter_name
    (qid,) = known_qids(reader, chip, [args.qid])
    query = VersionQuery(chip.ref, parameter, qid, last_n=args.last_n + 1)
    found = reader.parameter_versions(query)
    if not found and is_coupling(qid):
        query = replace(query, qid=other_direction(qid))
        found = reader.parameter_versions(query)
    if not found:
        raise no_versions(reader, chip, parameter, qid)
    qid = query.qid
    versions, older = found[: args.last_n], found[args.last_n :]
    total = cut_to(len(versions), reader.count(query) if older else 0)
    where = read_of(chip.ref, Message("read-parameter-of", parameter=parameter, qid=qid))
    units = dict.fromkeys(("value", "error"), versions[0].unit)
    stored = {"chip_id": chip.ref.chip_id, "parameter_name": parameter, "qid": qid, **total}
    stored |= {"versions": _table(versions), **_skipped(versions, older)}
    return ToolOutput(
        is_whole=True,
        frame=NewFrame(f"{parameter}_lineage", stored, main="versions", units=units, chip=chip.ref),
        notable=[("current", _row(versions[0]))],
        budget=1_000,
        sources=(Source("parameter_versions", where, len(versions), tuple(one.entity_id for one in versions[:3])),),
    )


def no_versions(reader: QDashReader, chip: ChipRecord, parameter: str, qid: str) -> NotFound | NoData:
    """Why there is no version of a parameter: it does not exist on the chip, or was never written for `qid`."""
    known = list(reader.parameter_names(chip.ref)["parameter"])
    if parameter not in known:
        return NotFound(Message("kind-parameter"), parameter, known, where=Message("on-chip", chip=chip.ref.chip_id))
    title, label = title_of(parameter), qid_label(qid, chip.size)
    mine = list(reader.parameter_names(chip.ref, qid)["parameter"])
    if parameter not in mine:
        return NoData.with_hint(
            "never-measured-there", parameter=title, qid=label, parameters=tuple(mine) or Message("nothing-at-all")
        )
    return NoData.with_hint("no-versions", parameter=title, qid=label)


def _row(version: ParameterVersion) -> JsonObject:
    return {
        "version": version.version,
        "value": compact_number(version.value, version.error),
        "unit": version.unit,
        "error": compact_number(version.error) if version.error else None,
        "execution_id": version.execution_id,
        "task_id": version.task_id,
        "task_name": version.task_name,
        "valid_from": full_timestamp(version.valid_from),
        "valid_until": full_timestamp(version.valid_until),
        "entity_id": version.entity_id,
        "current": True,
    }


def _skipped(versions: Sequence[ParameterVersion], older: Sequence[ParameterVersion]) -> dict[str, str]:
    """The numbers that are missing between these versions and before the first of the chip, and why."""
    numbers = [one.version for one in (*versions, *older) if one.version is not None]
    if len(numbers) < len(versions) + len(older):
        return {}
    gaps = [
        (below + 1, above - 1) for above, below in zip(numbers, [*numbers[1:], *([] if older else [0])], strict=False)
    ]
    said = [f"{first}" if first == last else f"{first}–{last}" for first, last in gaps if first <= last]
    return {"skipped": ", ".join(said), "skipped_means": SKIPPED_MEANS} if said else {}


def _table(versions: Sequence[ParameterVersion]) -> pd.DataFrame:
    numeric = not any(isinstance(version.value, str) for version in versions)
    columns = COLUMNS | {"value": NUMBER} if numeric else COLUMNS
    return frame_of_records(versions, columns, current=lambda version: version is versions[0])


PARAMETER_LINEAGE = ToolSpec(
    label=Message("label-lineage"),
    description="Versions of a parameter, newest first. valid_from: when written; current: this chip's newest.",
    on_request=True,
    run=get_parameter_lineage,
)
