"""The instructions of the model, assembled from named parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from sys import intern

from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.messages.languages import LANGUAGES, Language
from qdash_jupyter.tools.arguments import REFERENCES
from qdash_jupyter.tools.describe import DESCRIBE
from qdash_jupyter.tools.spec import SHARED_ARGUMENTS, ToolSpec

PLAIN = ("qid", "parameter_name", "param_names", "execution_id", "task_id", "at")
"""Arguments that say themselves what they mean."""


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What the instructions speak of."""

    tools: Collection[ToolSpec]
    metrics: MetricTable
    response_language: Language
    thinking_language: Language
    system_prompt: str = ""
    """The lab's own instructions."""
    knowledge: Sequence[str] = ()
    place: str = ""
    """Where the model works, if that is no kernel."""


def instructions(context: PromptContext) -> str:
    """All parts, in order, each under its heading. Equal ones are one text, however many questions they are for."""
    return intern("\n\n".join(f"# {name}\n{text}" for name, text in prompt_sections(context).items()))


def prompt_sections(context: PromptContext) -> dict[str, str]:
    """The parts that there are, by heading. They are the same in an analysis, whose own parts stand in a message of the
    conversation (`qdash_jupyter.agent.analysis`), and with every question, whose time and chip stand behind it
    (`qdash_jupyter.agent.situation`): a server that caches prompts goes on with what it has.
    """
    parts = {
        "Role": part("role"),
        "Place": context.place,
        "Tools": "\n".join(_tools(context.tools)),
        "Language": (
            f"Answer in {LANGUAGES[context.response_language]}; reason in {LANGUAGES[context.thinking_language]}."
        ),
        "Thresholds": "\n".join(_thresholds(context.metrics)),
        "Instructions of the lab": context.system_prompt,
        "Knowledge of the lab": "\n\n".join(context.knowledge),
        "Answer": part("answer"),
    }
    return {name: text.strip() for name, text in parts.items() if text.strip()}


def _tools(tools: Collection[ToolSpec]) -> Iterable[str]:
    yield from (f"- {spec.guidance}" for spec in tools if spec.guidance)
    names = {spec.name for spec in tools}
    if DESCRIBE in names and (asked_for := [spec.name for spec in tools if spec.on_request]):
        listed = ", ".join(asked_for)
        yield f"- {DESCRIBE} makes these callable, and others with further arguments (chip_id, tags, …): {listed}."
    yield _shared_arguments({name for spec in tools if not spec.on_request for name in spec.offered_arguments()})
    if declared := [spec.name for spec in tools if spec.is_declared]:
        yield f"{REFERENCES.format(tools=', '.join(declared))}"


def _shared_arguments(offered: Collection[str]) -> str:
    named: dict[str, list[str]] = {}
    for name, meaning in SHARED_ARGUMENTS.items():
        if name in offered and name not in PLAIN:
            named.setdefault(meaning, []).append(name)
    meanings = "; ".join(f"{', '.join(names)} ({meaning})" for meaning, names in named.items())
    return f"- Arguments: {meanings}."


def part(name: str) -> str:
    """The text of `prompts/<name>.md`."""
    return files("qdash_jupyter.agent").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _thresholds(metrics: MetricTable) -> Iterable[str]:
    """A line for each scale, in the unit of the data, with all metrics that are held to it."""
    yield "Good, excellent; bad, in the data's unit."
    scales: dict[str, list[str]] = {}
    for key in METRICS:
        metric = metrics.of(key)
        if (scoring := metric.scoring) is None:
            continue
        sign = (">", "<") if scoring.higher_is_better else ("<", ">")
        good, excellent = metric.stored(scoring.good), metric.stored(scoring.excellent)
        bad = "" if scoring.bad is None else f"; {sign[1]}{metric.stored(scoring.bad):g}"
        scale = f"{sign[0]}{good:g}, {sign[0]}{excellent:g}{bad} {metric.stored_unit}".rstrip()
        scales.setdefault(scale, []).append(key)
    yield from (f"{', '.join(keys)}: {scale}" for scale, keys in scales.items())
