"""`copilot.yaml` as types. Every key has a default: without any file the copilot runs on the demo chip, offline."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import AwareDatetime, BeforeValidator, Field, SecretStr, model_validator

from qdash_jupyter.config.policy import Policy
from qdash_jupyter.config.section import Section
from qdash_jupyter.config.tool_sets import ToolSetSection
from qdash_jupyter.messages.message import Message, one_of

ApiStyle: TypeAlias = Literal["auto", "responses", "chat_completions"]

API_STYLES: tuple[ApiStyle, ...] = get_args(ApiStyle)

FEWEST_TOKENS = 1_000
"""Of a model's window."""

OFFLINE = "offline"
"""The model name of the planner that needs no language model."""


class PriceSection(Section):
    """What a model costs: `input` and `output` are prices of a million tokens in `currency`."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    currency: str = "USD"


class ModelSection(Section):
    """One language model behind an OpenAI-compatible server."""

    provider: Literal["openai", "ollama"] = "openai"
    """As in QDash: `ollama` is on this machine where `base_url` says nothing else; `openai` is any other server."""
    name: str
    """Name of the model as its server knows it."""
    base_url: str | None = Field(None, repr=False)
    """Address of the server up to and with `/v1`; None is OpenAI's own. It may hold a password, so it is not shown."""
    api_style: ApiStyle = "auto"
    """Which API the server is spoken to in; `auto` is the Responses API, and Chat Completions where that is missing."""
    api_key_env: str = "OPENAI_API_KEY"
    """Environment variable that holds the key. The key itself never stands in a manifest."""
    temperature: float | None = Field(None, ge=0, le=2)
    max_output_tokens: int | None = Field(16_384, ge=1)
    reasoning_effort: str | None = None
    timeout_seconds: float = Field(600, gt=0)
    accepts: tuple[str, ...] = ()
    """MIME types that the model takes besides text: `image/png` for one that sees."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Further HTTP headers, e.g. of a gateway; they may hold a key, so they are never shown."""
    window: int = Field(128_000, ge=FEWEST_TOKENS)
    """Tokens that the model reads at most: at 80 % of it old turns go out as a digest."""
    price: PriceSection | None = None
    """For `%copilot cost`."""
    static_tools: tuple[Any, ...] = ()
    """Tools of the model's own server, passed on as they are where `features.static_tools` is enabled: objects with
    `type: static_function`. They are never executed here.
    """


class DatabaseSection(Section):
    """Where QDash's data are. At most one of `mongo_uri`, `snapshot` and `reader`; none is the demo chip."""

    mongo_uri: SecretStr | None = None
    """MongoDB URI; may hold a password, so it is never shown."""
    mongo_database: str | None = None
    """Name of the database; None is the URI's own, else QDash's default `qdash`."""
    snapshot: Path | None = None
    """Folder of a snapshot."""
    reader: str | None = None
    """A reader of another package: the name of its entry point."""
    reader_options: dict[str, Any] = Field(default_factory=dict, repr=False)
    """What that reader is called with. They may hold a password, so they are never shown."""
    project: str | None = None
    """Project, where the database has several."""
    calib_data: Path | None = None
    """This machine's folder for QDash's `calib_data`, where figures of results are; None reads none."""
    as_of: AwareDatetime | None = None
    """Moment from which the ages of a MongoDB's data count, for a restored copy; None is the clock."""


class PrivacySection(Section):
    """What stays with the user."""

    never_send: tuple[str, ...] = ()
    """Names of stored fields, parameters and notes that never go to a language model, perhaps with `*`; `notes` are all
    that people wrote. Each layer of the settings adds its own, and none takes one away.
    """


class LanguageSection(Section):
    """Languages of the answers and of the model's reasoning."""

    response: str = "auto"
    """`auto` answers in the language of the question, English or Japanese; else `en`, `ja`, or one that was added."""
    thinking: str = "en"


class ScoringSection(Section):
    """Thresholds of one parameter, on the displayed scale (percent, μs, MHz)."""

    good: float
    excellent: float
    bad: float | None = None
    unit: str = ""
    higher_is_better: bool = True


def _checked_band(given: Any) -> Any:
    match given:
        case [int() | float() as low, int() | float() as high] if -math.inf < low < high < math.inf:
            return (low, high)
    raise ValueError(Message("band-form"))


class OrchestratorSection(Section):
    """The model that answers, and what it is told."""

    deployment: str = OFFLINE
    """Which model: a key of `models`, or a model's name at OpenAI; `offline` is the planner without one."""
    system_prompt: str = ""
    """The lab's own instructions, beside ours; or `{predefined: NAME}`, a Markdown file of the predefined content."""
    max_iterations: int = Field(10, ge=1, le=100)
    """Rounds of tool calls before the model has to answer with what it has."""
    attachment_strategy: Literal["lazy_on_demand"] | None = None
    """How files reach a model that takes their type, where `ENABLE_PREVIEW_FEATURES` is set: `lazy_on_demand` is one by
    one, when it asks for them. None: pictures of an analysis, and of other files that they are there.
    """


class ToolDefaultsSection(Section):
    """What counts for tools that say nothing themselves."""

    timeout_seconds: float | None = Field(None, gt=0)
    """Time limit of a call. None: 60 s for a read of the database; others have their client's. Running cells have none:
    they are shown and can be stopped.
    """
    show_errors: bool = True
    """Whether the step of a tool that failed says why; the model reads it in any case."""


class LimitsSection(Section):
    """How much one question may take."""

    max_same_call: int = Field(3, ge=1)
    """How often the same call with the same arguments may be made."""
    max_tool_calls: int = Field(50, ge=1)
    """Tool calls of one question."""
    max_tokens: int | None = Field(None, ge=1)
    """Tokens of one question, input and output of all its requests; None is no limit. With any of these limits reached,
    the model answers with what it has.
    """
    max_seconds: float | None = Field(None, gt=0)
    """Time of one question in s, without that of running cells and of waiting for the user."""
    conversation_tokens: int | None = Field(None, ge=1)
    """Tokens of a whole conversation; then a new one has to be begun."""
    on_tool_timeout: Literal["continue", "stop"] = "continue"
    """After a time limit: the model learns of it and goes on, or the question ends with what there is."""
    cell_warning_seconds: float | None = Field(60, gt=0)
    """A cell that has been running for so long is said to, beside Stop; None says nothing."""
    cell_warning_memory_mb: int | None = Field(2000, ge=1)
    """So is one since whose beginning the kernel's memory has grown by so many MB (10⁶ bytes)."""
    session_memory_mb: int | None = Field(None, ge=200)
    """Memory in MB (10⁶ bytes) for the code of a conversation in a notebook; None is half of what the machine has left,
    at least 2,000 MB.
    """
    question_chars: int = Field(20_000, ge=100)
    """Longest question."""
    data_memory_mb: int = Field(1024, ge=1)
    """Memory in MB (10⁶ bytes) for all that was fetched; what is above it goes to files."""


class WorkerSection(Section):
    """Limits of each piece of code where there is no kernel (docs/worker.md)."""

    seconds: float = Field(30, gt=0)
    """By the clock."""
    cpu_seconds: int = Field(30, ge=1)
    """Of the processor."""
    memory_mb: int = Field(1024, ge=1)
    """MB (10⁶ bytes), the data that it gets included."""


class AnalysisSection(Section):
    """How one result is analysed."""

    images: bool = True
    """Whether figures go to a model that accepts `image/png`."""
    max_reference_images: int | None = Field(None, ge=0)
    """Most reference figures of the task knowledge; None is all."""


class StarterSection(Section):
    """A question to begin with, as a button of the panel."""

    label: str
    prompt: str
    skill: str | None = None
    """A skill that the model is to read first."""


class ContextSection(Section):
    """A file that a model is told of, and may read when it needs it."""

    file: Path
    title: str = ""
    """Default is the file's name."""
    description: str = ""
    type: str = ""
    """Its MIME type; default is by the file's ending."""


class SkillSection(Section):
    """Where a skill comes from that is not in one of the folders of predefined content: one of the two."""

    folder: Path | None = None
    """The folder with its `SKILL.md`."""
    url: str | None = None
    """The address of its `SKILL.md`, where `features.external_url_fetch` is enabled."""

    @model_validator(mode="after")
    def _has_one_source(self) -> SkillSection:
        if (self.folder is None) == (self.url is None):
            raise ValueError(Message("set-one-of", names=one_of(("folder", "url"))))
        return self


class SwitchSection(Section):
    """One permission."""

    enabled: bool = False


class FeaturesSection(Section):
    """What is off unless it is enabled here."""

    external_url_fetch: SwitchSection = Field(default_factory=SwitchSection)
    """Fetch what the settings name by URL; the administrator's `EXTERNAL_URL_FETCH_ENABLED` has to allow it, too."""
    static_tools: SwitchSection = Field(default_factory=SwitchSection)
    """Pass the `static_tools` of a model on to it."""
    write_methods: SwitchSection = Field(default_factory=SwitchSection)
    """Let REST tools use POST, PUT, PATCH and DELETE."""


class ServiceSection(Section):
    """The service for clients without a kernel."""

    data_shape: Literal["frames", "records"] = "frames"
    """What `data` holds for analysis code: `frames` is as in a notebook, `records` is lists of dicts, as in QDash."""
    max_streams: int = Field(64, ge=1)
    """Questions that are answered at once; more are told to come again."""


class Manifest(Section):
    """All settings."""

    orchestrator: OrchestratorSection = Field(default_factory=OrchestratorSection)
    models: dict[str, ModelSection] = Field(default_factory=dict)
    database: DatabaseSection = Field(default_factory=DatabaseSection)
    privacy: PrivacySection = Field(default_factory=PrivacySection)
    chip: str | None = None
    """The current chip; None where the database has only one active chip."""
    qid: str | None = None
    """The current qubit or coupling: a language model knows its parameters, and takes questions as about it."""
    language: LanguageSection = Field(default_factory=LanguageSection)
    scoring: dict[str, ScoringSection] = Field(default_factory=dict)
    """Thresholds by parameter name, in place of QDash's."""
    bands: dict[str, Annotated[tuple[float, float], BeforeValidator(_checked_band)]] = Field(default_factory=dict)
    """Where values are believed: lowest and highest by parameter name, on the displayed scale."""
    knowledge: tuple[Path, ...] = ()
    """Text or Markdown files with what the lab knows; a language model reads them as part of its instructions."""
    greeting: str = ""
    """What the panel says before the first question."""
    starters: tuple[StarterSection, ...] = ()
    """Questions to begin with, in place of ours."""
    tool_sets: tuple[ToolSetSection, ...] = ()
    """Tools besides the built-in ones."""
    tool_defaults: ToolDefaultsSection = Field(default_factory=ToolDefaultsSection)
    contexts: tuple[ContextSection, ...] = ()
    """Files that a model is told of."""
    skills: tuple[SkillSection, ...] = ()
    """Instructions for a kind of question, which a model reads when they are needed."""
    features: FeaturesSection = Field(default_factory=FeaturesSection)
    qdash_copilot: Path | None = None
    """QDash's own copilot settings: its `copilot` folder, or one file. What stands in copilot.yaml counts before it."""
    task_knowledge: Path | None = None
    """QDash's `task-knowledge.json`, or the folder that holds it; by task name in place of the starter knowledge."""
    analysis: AnalysisSection = Field(default_factory=AnalysisSection)
    limits: LimitsSection = Field(default_factory=LimitsSection)
    service: ServiceSection = Field(default_factory=ServiceSection)
    worker: WorkerSection = Field(default_factory=WorkerSection)
    history: bool = True
    """Whether conversations are kept in the user's data folder, so that a restarted kernel takes them up again."""
    history_days: float | None = Field(365, gt=0)
    """Kept conversations that nobody has gone on with for so long are deleted; None keeps them all."""
    cells: Literal["notebook", "scratch"] = "notebook"
    """Where analysis code runs: as cells of the notebook, or unseen, until the user inserts it."""
    policy: Policy = "guarded"
    """What analysis code may do. `guarded`: what only reads and computes runs, for everything else you are asked;
    `review`: you are asked for each cell; `insert_only`: nothing runs, cells are inserted for you to run; `trusted`:
    everything runs, and nothing is checked.
    """

    def asking(self, deployment: str) -> Manifest:
        """The same with another model."""
        orchestrator = self.orchestrator.model_copy(update={"deployment": deployment})
        return self.model_copy(update={"orchestrator": orchestrator})
