"""`list_available_parameters`: what was ever measured."""

from __future__ import annotations

from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.qid import other_direction
from qdash_jupyter.errors import NoData
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import known_qids, read_of
from qdash_jupyter.tools.spec import ChipArguments, ElementId, ToolContext, ToolOutput, ToolSpec


class AvailableParametersArguments(ChipArguments):
    qid: ElementId | None = None


def list_available_parameters(args: AvailableParametersArguments, context: ToolContext) -> ToolOutput:
    """Names of all measured parameters, with the number of results of each. Of a coupling, the direction that has any
    counts, and `qid` says which.
    """
    reader, chip = context.reader_and_chip(args)
    qid = known_qids(reader, chip, [args.qid])[0] if args.qid else None
    names = reader.parameter_names(chip.ref, qid)
    if names.empty and qid is not None and (turned := other_direction(qid)) != qid:
        found = reader.parameter_names(chip.ref, turned)
        names, qid = (names, qid) if found.empty else (found, turned)
    if names.empty:
        of = chip.ref.chip_id
        raise NoData(Message("nothing-measured-on", qid=qid, chip=of) if qid else Message("nothing-measured", chip=of))
    results, where = names["results"].tolist(), read_of(chip.ref, Message("read-completed"))
    counts = dict(zip(names["parameter"], results, strict=True))
    return ToolOutput(
        content={"chip_id": chip.ref.chip_id, "qid": qid, "results": counts},
        sources=(Source("task_result_history", where, sum(results)),),
    )


AVAILABLE_PARAMETERS = ToolSpec(
    label=Message("label-parameters"),
    description="Measured parameters of the chip or one qid, with counts.",
    on_request=True,
    run=list_available_parameters,
)
