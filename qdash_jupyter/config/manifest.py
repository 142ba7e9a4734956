"""`copilot.yaml` as types. Every key has a default: without any file the copilot runs on the demo chip, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, SecretStr

OFFLINE = "offline"
"""The model name of the planner that needs no language model."""


class Section(BaseModel):
    """Base of all sections: an unknown key is an error, so that a typing mistake is not a silent default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSection(Section):
    """One language model behind an OpenAI-compatible server."""

    name: str
    """Name of the model as its server knows it."""
    base_url: str | None = Field(None, repr=False)
    """Address of the server up to and with `/v1`; None is OpenAI's own. It may hold a password, so it is not shown."""
    api_key_env: str = "OPENAI_API_KEY"
    """Environment variable that holds the key. The key itself never stands in a manifest."""
    temperature: float | None = Field(None, ge=0, le=2)
    max_output_tokens: int | None = Field(16_384, ge=1)
    reasoning_effort: str | None = None
    timeout_seconds: float = Field(600, gt=0)
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Further HTTP headers, e.g. of a gateway; they may hold a key, so they are never shown."""


class DatabaseSection(Section):
    """Where QDash's data are. At most one of `mongo_uri` and `snapshot`; neither is the demo chip."""

    mongo_uri: SecretStr | None = None
    """MongoDB URI; may hold a password, so it is never shown."""
    mongo_database: str | None = None
    """Name of the database; None is the URI's own, else QDash's default `qdash`."""
    snapshot: Path | None = None
    """Folder of a snapshot."""
    project: str | None = None
    """Project, where the database has several."""
    as_of: AwareDatetime | None = None
    """Moment from which the ages of a MongoDB's data count, for a restored copy; None is the clock."""


class LanguageSection(Section):
    """Languages of the answers and of the model's reasoning."""

    response: Literal["auto", "en", "ja"] = "auto"
    """`auto` answers in the language of the question."""
    thinking: Literal["en", "ja"] = "en"


class ScoringSection(Section):
    """Thresholds of one parameter, on the displayed scale (percent, μs, MHz)."""

    good: float
    excellent: float
    bad: float | None = None
    unit: str = ""
    higher_is_better: bool = True


class LimitsSection(Section):
    """How much one question may take."""

    max_tool_rounds: int = Field(10, ge=1, le=100)
    """Rounds of tool calls before the model has to answer with what it has."""
    max_same_call: int = Field(3, ge=1)
    """How often the same call with the same arguments may be made."""
    tool_timeout_seconds: float = Field(60, gt=0)
    """Time limit of one read of the database. Running cells have none: they are shown and can be stopped."""
    on_tool_timeout: Literal["continue", "stop"] = "continue"
    """After a time limit: the model is told and goes on, or the question ends with what there is."""
    question_chars: int = Field(20_000, ge=100)
    """Longest question."""


class Manifest(Section):
    """All settings."""

    model: str = OFFLINE
    """Which model answers: a key of `models`, or a model's name at OpenAI; `offline` is the planner without one."""
    models: dict[str, ModelSection] = Field(default_factory=dict)
    database: DatabaseSection = Field(default_factory=DatabaseSection)
    chip: str | None = None
    """The current chip; None where the database has only one active chip."""
    language: LanguageSection = Field(default_factory=LanguageSection)
    scoring: dict[str, ScoringSection] = Field(default_factory=dict)
    """Thresholds by parameter name, in place of QDash's."""
    knowledge: tuple[Path, ...] = ()
    """Text or Markdown files with what the lab knows; a language model reads them as part of its instructions."""
    limits: LimitsSection = Field(default_factory=LimitsSection)
    history: bool = True
    """Whether conversations are kept in the person's data folder, so that a restarted kernel takes them up again."""
    policy: Literal["guarded"] = "guarded"
    """`guarded`: code that only reads and computes runs; everything else is refused with the reason."""
