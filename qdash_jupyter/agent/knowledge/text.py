"""Knowledge of a task as the model reads it: QDash's sections in QDash's order, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile

from qdash_jupyter.agent.knowledge.task import ExpectedResult, FailureMode, KnowledgeCase, TaskKnowledge
from qdash_jupyter.domain.safe_text import one_line

BUDGET = 6_000
"""Characters. The starter knowledge takes about half of it."""

_CASE_FIELDS = tuple(dropwhile(lambda name: name != "symptom", KnowledgeCase.model_fields))


def knowledge_text(knowledge: TaskKnowledge, budget: int = BUDGET) -> str:
    """The sections that there are, in order. What does not fit is left out whole, and said at the end."""
    sections = {name: text for name, text in _sections(knowledge).items() if text}
    kept: dict[str, str] = {}
    room = budget
    for name, text in sections.items():
        made = f"### {name}\n{text}"
        if len(made) + 2 <= room:
            kept[name] = made
            room -= len(made) + 2
    left_out = [name for name in sections if name not in kept]
    words = "\n\n".join(kept.values())
    if left_out:
        words += f"\n\n(Left out to keep within {budget:,} characters: {', '.join(left_out)}.)"
    return words.strip()


def _sections(knowledge: TaskKnowledge) -> Mapping[str, str]:
    figures = [image for image in (*knowledge.images, *knowledge.review_images) if image.alt_text]
    return {
        f"Experiment: {one_line(knowledge.name)}": knowledge.summary.strip(),
        "What it measures": knowledge.what_it_measures.strip(),
        "Physical principle": knowledge.physical_principle.strip(),
        "Expected result": _expected(knowledge.expected_result),
        "Evaluation criteria": knowledge.evaluation_criteria.strip(),
        "Check": _list(knowledge.check_questions),
        "Output parameters": _list(_said(one.name, one.description) for one in knowledge.output_parameters_info),
        "Failure patterns": _list(map(_failure, knowledge.failure_modes)),
        "Tips": _list(knowledge.tips),
        "Analysis guide": "\n".join(f"{at}. {step.strip()}" for at, step in enumerate(knowledge.analysis_guide, 1)),
        "Prerequisites": _list(knowledge.prerequisites),
        "Reference figures": _list(_said(image.alt_text, image.section) for image in figures),
        "Past cases": "\n\n".join(map(_case, knowledge.cases)),
        "How the lab reviews": knowledge.review_markdown.strip(),
    }


def _expected(expected: ExpectedResult) -> str:
    axes = " against ".join(axis for axis in (expected.y_axis, expected.x_axis) if axis)
    bullets = _list(
        _said(name, text)
        for name, text in (
            ("type", expected.result_type),
            ("axes", axes + (f", colour: {expected.z_axis}" if expected.z_axis else "")),
            ("fit", expected.fit_model),
            ("typical range", expected.typical_range),
            ("good", expected.good_visual),
        )
        if text
    )
    return f"{expected.description.strip()}\n{bullets}".strip()


def _failure(mode: FailureMode) -> str:
    severity = f"[{mode.severity}] " if mode.severity else ""
    details = [
        _said(name, text)
        for name, text in (("looks like", mode.visual), ("cause", mode.cause), ("next", mode.next_action))
        if text
    ]
    return "; ".join([f"{severity}{mode.description.strip()}", *details])


def _case(case: KnowledgeCase) -> str:
    where = ", ".join(part for part in (case.date, case.chip_id, case.qid, case.severity, case.status) if part)
    labels = ", ".join((*case.failure_mode_labels, *case.case_type))
    said = [(name.replace("_", " "), str(getattr(case, name))) for name in _CASE_FIELDS]
    said += [("labels", labels), ("lesson", " ".join(case.lesson_learned))]
    head = f"**{case.title or 'Case'}**" + (f" ({where})" if where else "")
    return f"{head}\n{_list(_said(name, text) for name, text in said if text)}".strip()


def _said(name: str, text: str) -> str:
    return f"{name}: {text.strip()}" if text.strip() else name


def _list(entries: Iterable[str] | Sequence[str]) -> str:
    return "\n".join(f"- {entry.strip()}" for entry in entries if entry.strip())
