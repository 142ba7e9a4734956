"""`get_qubit_params`: the current calibrated parameters of one qubit."""

from __future__ import annotations

from pydantic import Field

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.errors import InvalidArguments
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import known_qids
from qdash_jupyter.tools.current_values import (
    CHARS_A_VALUE,
    about_moment,
    current_values,
    in_words,
    nothing_current,
    source_of,
    wanted_names,
)
from qdash_jupyter.tools.spec import (
    CurrentArguments,
    ElementId,
    NewFrame,
    ParameterName,
    ToolContext,
    ToolOutput,
    ToolSpec,
)


class QubitParamsArguments(CurrentArguments):
    rare = CurrentArguments.rare | {"param_names"}
    qid: ElementId = Field(description="qubit")
    param_names: list[ParameterName] | None = Field(None, max_length=100)


def get_qubit_params(args: QubitParamsArguments, context: ToolContext) -> ToolOutput:
    """Each parameter's value as QDash stores it, and the ids that lead to its lineage. Of a value that is missing, or
    of which more is to be known, `flag` says what: `no fit` (QDash stores 0), `excluded: …`. `never_calibrated` are
    those of `param_names` without any. With `at`, the newest values at the end of that date, by QDash's history and by
    results: `as_of` says which moment that is, `calibrated` from when the values are; ages count from then.

    Table: `parameters` (one row a parameter: `parameter`, `value`, `error`, `unit`, `calibrated_at`, `age_days`,
    `execution_id`, `task_id`, `flag`).
    """
    reader, chip = context.reader_and_chip(args)
    at = args.moment(reader.now())
    (qid,) = known_qids(reader, chip, [args.qid])
    if is_coupling(qid):
        raise InvalidArguments(Message("is-a-coupling", qid=qid), Message("is-a-coupling-hint"))
    values = current_values(reader, chip, "qubit", args.param_names, [qid], metrics=context.metrics, at=at)
    if values.empty:
        raise nothing_current(reader, chip, "qubit", [qid], args.param_names)
    told: JsonObject = {**about_moment(at, values)}
    if never := [name for name in wanted_names(args.param_names) if name not in set(values["parameter"])]:
        told["never_calibrated"] = ", ".join(never)
    stored = {"chip_id": chip.ref.chip_id, "qid": qid, **told, "parameters": values.drop(columns="qid")}
    return ToolOutput(
        is_whole=True,
        frame=NewFrame(f"qubit_{qid}", stored, main="parameters", units={"age_days": "d"}, chip=chip.ref),
        notable=[("current", in_words(values, context.metrics)[qid])],
        budget=SUMMARY_CHARS + CHARS_A_VALUE * len(values),
        sources=(source_of(chip, "qubit", values),),
    )


QUBIT_PARAMS = ToolSpec(
    label=Message("label-qubit-params"),
    description="One qubit's current parameters: values, errors, dates, ages, task ids.",
    run=get_qubit_params,
    max_calls_per_turn=3,
    instead="Several qubits: compare_qubits.",
)
