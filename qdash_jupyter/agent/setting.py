"""What a turn works with."""

from __future__ import annotations

from dataclasses import dataclass, field

from qdash_jupyter.agent.transcript import MadeCall
from qdash_jupyter.config.manifest import LimitsSection, PriceSection
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.events import SubjectRead
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.tools.spec import ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Around:
    """The lab's files beside a question: its tools, the calls that go before it, and what is attached to it."""

    tools: tuple[ToolSpec, ...] = ()
    calls: tuple[MadeCall, ...] = ()
    attachments: str = ""
    names: tuple[str, ...] = ()
    """What a question may call the files."""


@dataclass(frozen=True, slots=True)
class TurnSetting:
    """The model, the tools, and how far a turn may go."""

    llm: LLM
    toolbox: Toolbox
    instructions: str
    language: Language
    limits: LimitsSection
    max_rounds: int
    situation: JsonObject | None = None
    """Where the question is asked: it goes out behind it."""
    context: JsonObject | None = None
    """What an analysis knows of its result: a message before the question."""
    subject: SubjectRead | None = None
    """What the user sees of that."""
    charts: tuple[ChartBlock, ...] = ()
    """Of the answer to an analysis: the curve of its result."""
    window: int | None = None
    """Tokens that the model reads at most; None sends everything."""
    price: PriceSection | None = None
    around: Around = field(default_factory=Around)
    """The lab's files: what goes before the question, and beside it."""
    static_tools: tuple[JsonObject, ...] = ()
    """Tools that the model's server runs."""
    in_page: bool = False
    """Whether the question was asked in a page."""
