"""`tool_sets` of `copilot.yaml`: tools that a lab declares, by what answers their calls."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from qdash_jupyter.config.section import Section
from qdash_jupyter.messages.message import Message, one_of

Trigger: TypeAlias = Literal[
    "timeout", "unauthorized", "unreachable", "refused", "broken_answer", "not_found", "invalid_arguments"
]
"""What can go wrong with a call, as `Fallback.trigger_on` names it."""


class FallbackSection(Section):
    """What happens when a call fails. Of several, the first that names what happened counts, then the first that names
    nothing; that one does not count for a time limit.
    """

    strategy: Literal["continue", "stop"] = "continue"
    """`continue`: the model reads the error and the message, and goes on; `stop` ends the question with the message."""
    trigger_on: tuple[Trigger, ...] | None = None
    """What it is for; None is everything but a time limit."""
    message: str = ""
    """For the model (`continue`: what to try instead) or for the user (`stop`: why)."""


class AuthenticationSection(Section):
    """How a server knows us. The secret is read when a call is made, and stands in no file, log, event or notebook."""

    type: Literal["bearer", "basic", "header"] = "bearer"
    env: str | None = None
    """The environment variable that holds the secret."""
    keyring: str | None = None
    """Or its place in this machine's keyring, as `service/user`."""
    header: str = "Authorization"
    """The header that a bare secret goes into, with `type: header`."""
    user: str = ""
    """The user of `type: basic`."""

    @model_validator(mode="after")
    def _has_one_source(self) -> AuthenticationSection:
        if (self.env is None) == (self.keyring is None):
            raise ValueError(Message("set-one-of", names=one_of(("env", "keyring"))))
        return self


class DeclaredSection(Section):
    """What a tool and a tool set have in common; what the tool says counts before what its set says."""

    timeout_seconds: float | None = Field(None, gt=0)
    """Time limit of a call."""
    fallback: tuple[FallbackSection, ...] = ()
    supported_types: tuple[str, ...] | None = None
    """MIME types of attachments that are kept, such as `image/*`; None is all."""
    propagate_types_to_choice: tuple[str, ...] = ()
    """Those of them that the user sees in the answer."""


class ResponseAsAttachmentSection(Section):
    """Whether what a REST tool answers with is kept as a file or a table."""

    enabled: bool = False
    content_types: tuple[str, ...] = ("application/json", "text/csv")
    include_body_as_content: bool = False
    """Whether the model reads the body besides."""


class RestParameterSection(Section):
    """One argument of a REST tool."""

    name: str = ""
    """Its name in the request, where that is no name of Python's: `page-size`. Default is the argument's."""
    place: Literal["path", "query", "body"] = Field("query", alias="in")
    type: Literal["string", "number", "integer", "boolean", "array", "object"] = "string"
    description: str = ""
    required: bool = False
    default: Any = None
    enum: tuple[Any, ...] | None = None

    @field_validator("enum")
    @classmethod
    def _is_of_scalars(cls, values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """Whether `Literal` takes others depends on the version of Python, and YAML makes dates of bare ones."""
        if not all(each is None or isinstance(each, (str, int, float)) for each in values or ()):
            raise ValueError(Message("enum-values"))
        return values


class RestToolSection(DeclaredSection):
    """One call of a REST API."""

    name: str
    description: str
    guidance: str = ""
    """Its line in the model's instructions: when to call it. Default is the description's first sentence."""
    method: Literal["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    path: str = ""
    """Below `base_url`, with `{name}` for each argument in the path."""
    headers: dict[str, str] = Field(default_factory=dict)
    parameters: dict[str, RestParameterSection] = Field(default_factory=dict)
    response_as_attachment: ResponseAsAttachmentSection = Field(default_factory=ResponseAsAttachmentSection)


class RestToolSetSection(DeclaredSection):
    """Tools of one REST API."""

    type: Literal["rest"]
    name: str
    base_url: str
    authentication: AuthenticationSection | None = None
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    tools: tuple[RestToolSection, ...] = Field(min_length=1)


class McpToolSetSection(DeclaredSection):
    """Tools of one server that speaks the Model Context Protocol."""

    type: Literal["mcp"]
    name: str
    command: str | None = None
    """The program of a server that is started here and spoken to on its standard input and output."""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    """Variables that the program gets, beside `PATH`, `HOME` and the like; no others of this process."""
    cwd: Path | None = None
    url: str | None = None
    """Or the address of one that is spoken to by streamable HTTP."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    authentication: AuthenticationSection | None = None
    """Of a program: the variable `env` is handed on to it. Of an address without any, `QDASH_MCP_<NAME>_KEY` is sent as
    a bearer key where it is set.
    """
    allow: tuple[str, ...] | None = None
    """The names of its tools that are offered; None is all."""

    @model_validator(mode="after")
    def _has_one_way(self) -> McpToolSetSection:
        if (self.command is None) == (self.url is None):
            raise ValueError(Message("set-one-of", names=one_of(("command", "url"))))
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise ValueError(Message("url-without-scheme"))
        if self.command is not None and self.authentication is not None and self.authentication.env is None:
            raise ValueError(Message("program-secret"))
        return self


class DeploymentToolSection(DeclaredSection):
    """Another model as a tool."""

    name: str
    description: str
    guidance: str = ""
    deployment: str
    """A key of `models`."""
    system_prompt: str = ""
    temperature: float | None = Field(None, ge=0, le=2)
    max_output_tokens: int | None = Field(None, ge=1)
    reasoning_effort: str | None = None


class DeploymentToolSetSection(DeclaredSection):
    """Other models as tools."""

    type: Literal["deployment"]
    name: str
    tools: tuple[DeploymentToolSection, ...] = Field(min_length=1)


class InternalToolSetSection(DeclaredSection):
    """Some of the built-in tools: where there is any such set, only the tools of such sets are offered."""

    type: Literal["internal"]
    name: str
    tools: tuple[str, ...] = Field(min_length=1)


ToolSetSection: TypeAlias = Annotated[
    RestToolSetSection | McpToolSetSection | DeploymentToolSetSection | InternalToolSetSection,
    Field(discriminator="type"),
]
"""One tool set; `type: predefined` has become one of these when the settings are checked."""
