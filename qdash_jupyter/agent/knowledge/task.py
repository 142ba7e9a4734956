"""Knowledge of a task, in the shape of QDash's `TaskKnowledge` (qdash: `task-knowledge/task-knowledge.json`)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class KnowledgePart(BaseModel):
    """Base: keys of a later QDash are ignored, a null is the key's default."""

    model_config = ConfigDict(extra="ignore", frozen=True, protected_namespaces=())

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, raw: Any) -> Any:
        return {key: value for key, value in raw.items() if value is not None} if isinstance(raw, dict) else raw


class ExpectedResult(KnowledgePart):
    """What a good result looks like."""

    description: str = ""
    result_type: str = ""
    """QDash knows decay_curve, oscillation, 2d_map, histogram, scatter_plot, peak_curve, scalar_metric."""
    x_axis: str = ""
    y_axis: str = ""
    z_axis: str = ""
    fit_model: str = ""
    typical_range: str = ""
    good_visual: str = ""


class FailureMode(KnowledgePart):
    """One way in which the task goes wrong: how it looks, why it happens, what to do."""

    severity: str = ""
    description: str = ""
    cause: str = ""
    visual: str = ""
    next_action: str = ""


class OutputParameter(KnowledgePart):
    """One output, and what it means."""

    name: str
    description: str = ""


class KnowledgeImage(KnowledgePart):
    """A reference figure: its bytes, or where it lies beside the knowledge file."""

    alt_text: str = ""
    relative_path: str = ""
    section: str = ""
    base64_data: str = Field("", repr=False)


class RelatedContext(KnowledgePart):
    """What else a reader of the result has to see."""

    type: Literal["history", "neighbor_qubits", "coupling"]
    params: tuple[str, ...] = ()
    last_n: int = Field(5, ge=1, le=100)


class KnowledgeCase(KnowledgePart):
    """A past case of the lab."""

    title: str = ""
    date: str = ""
    severity: str = ""
    chip_id: str = ""
    qid: str = ""
    status: str = ""
    failure_mode_labels: tuple[str, ...] = ()
    case_type: tuple[str, ...] = ()
    lesson_learned: tuple[str, ...] = ()
    images: tuple[KnowledgeImage, ...] = ()
    # What a model reads one below the other, in this order.
    symptom: str = ""
    root_cause: str = ""
    resolution: str = ""
    human_label: str = ""
    human_review_decision: str = ""
    model_prediction: str = ""
    boundary_criteria: str = ""
    applicability: str = ""
    counterexample: str = ""
    prompt_guidance: str = ""


class TaskKnowledge(KnowledgePart):
    """All that is known of one task."""

    name: str
    category: str = ""
    summary: str = ""
    what_it_measures: str = ""
    physical_principle: str = ""
    expected_result: ExpectedResult = ExpectedResult()
    evaluation_criteria: str = ""
    check_questions: tuple[str, ...] = ()
    failure_modes: tuple[FailureMode, ...] = ()
    tips: tuple[str, ...] = ()
    output_parameters_info: tuple[OutputParameter, ...] = ()
    analysis_guide: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    images: tuple[KnowledgeImage, ...] = ()
    review_markdown: str = ""
    review_images: tuple[KnowledgeImage, ...] = ()
    related_context: tuple[RelatedContext, ...] = ()
    cases: tuple[KnowledgeCase, ...] = ()
