"""Everything that is known of one result, as one message that goes before the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qdash_jupyter.agent.analysis.context import Subject, result_context, subject_of
from qdash_jupyter.agent.analysis.curve import result_curve
from qdash_jupyter.agent.analysis.figures import PNG, of_knowledge, of_result
from qdash_jupyter.agent.analysis.offer import started
from qdash_jupyter.agent.knowledge.library import KnowledgeLibrary
from qdash_jupyter.agent.knowledge.text import knowledge_text
from qdash_jupyter.agent.prompt import part
from qdash_jupyter.domain.analysis import (
    CURVE,
    KNOWLEDGE,
    AnalysisRequest,
    SubjectFigure,
    fenced,
    picture_part,
    user_message,
    written,
)
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.events import SubjectRead
from qdash_jupyter.domain.mime import is_of
from qdash_jupyter.domain.qid import qid_label
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ToolContext


@dataclass(frozen=True, slots=True)
class AnalysisContext:
    """What is known of the result: the message for the model, what the user sees of it, and the charts that their
    answer has.
    """

    message: JsonObject
    subject: SubjectRead
    charts: tuple[ChartBlock, ...] = ()


def analysis_context(
    request: AnalysisRequest,
    sources: ToolContext,
    library: KnowledgeLibrary,
    *,
    accepts: Sequence[str],
    most_references: int | None,
) -> AnalysisContext:
    """Reads the database and the files of the result; only a model that can see gets its pictures.

    Args:
        request: which result.
        sources: where to read; the language is that of the charts.
        library: what is known of tasks.
        accepts: the MIME types that the model takes besides text.
        most_references: so many reference figures; None is all.

    Raises:
        NotFound: no such task, qubit or run; names the nearest.
        NoData: no result fits.
    """
    subject = subject_of(request, sources.reader, sources.scope)
    knowledge = library.of(subject.task)
    own = [of_result(path, sources.calib_data) for path in subject.detail.figures]
    curve, chart = result_curve(subject.result, subject.chip.ref, sources.calib_data, sources.language)
    figures = []
    if sees := is_of(PNG, accepts):
        images = (*knowledge.images, *knowledge.review_images)[:most_references] if knowledge else ()
        figures = [*(of_knowledge(image, library.folder) for image in images), *own]
    text = written(
        {
            "How to judge": part("analysis").strip(),
            KNOWLEDGE: knowledge_text(knowledge) if knowledge else "Nothing is written down about this task.",
            CURVE: fenced(to_json(curve)) if curve else "",
            **{
                name: fenced(to_json(data))
                for name, data in result_context(subject, knowledge, sources.reader, sources.metrics).items()
            },
            "Figures": _said(len(own), figures, sees=sees),
        }
    )
    pictures: list[str | JsonObject] = []
    for number, figure in enumerate(figures, 1):
        if figure.png:  # its title is data, and stands in a fence
            pictures += [f"Figure {number}:", picture_part(PNG, figure.png)]
    charts = () if chart is None else (chart,)
    return AnalysisContext(user_message(text, *pictures), _shown(subject, tuple(own)), charts)


def _shown(subject: Subject, figures: tuple[SubjectFigure, ...]) -> SubjectRead:
    result = subject.result
    return SubjectRead(
        f"{subject.task} · {qid_label(subject.qid, subject.chip.size)}",
        Message(
            "result-details",
            status=result.status,
            is_excluded=str(result.excluded),
            started=started(result),
            run=result.execution_id,
        ),
        figures,
    )


def _said(count: int, figures: Sequence[SubjectFigure], *, sees: bool) -> str:
    if count and not sees:
        return f"The result has {count} figure{'s' * (count > 1)}; this model is not set up to see pictures."
    listed = [
        {"figure": number, "title": each.title, **({"attached": True} if each.png else {"left_out": each.left_out})}
        for number, each in enumerate(figures, 1)
    ]
    return "\n".join(
        [*([] if count else ["The result has no figure."]), *([fenced(to_json(listed))] if listed else [])]
    )
