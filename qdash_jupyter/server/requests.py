"""What clients ask for."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from qdash_jupyter.agent.message_shape import ShapeViolation, unreadable
from qdash_jupyter.domain.analysis import SentPicture
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.messages.message import Message

MOST_IMAGE_BYTES = 5 * 1024 * 1024
_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def _text(raw: object) -> object:
    return str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else raw


Id = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=200)]
"""The id of a chip, a qubit, a run or a task; numbers are taken, too."""
OptionalId = Annotated[Id | None, BeforeValidator(lambda raw: None if raw == "" else raw)]
"""The same, where an empty text means none, as QDash's page sends it."""


class StreamRequest(BaseModel):
    """What the three streams have in common. Keys that are not known are passed over, as QDash does."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, protected_namespaces=())

    message: str = ""
    conversation_history: list[Any] = []
    """Messages before this one, `{role, content}`; an answer's content is its text, or its blocks as JSON. Any order: a
    page keeps a question that was stopped, and no answer to it.
    """
    project_id: OptionalId = None
    model_override: JsonObject | None = None
    """Which of the configured models answers (`chosen_model`)."""
    image_base64: str | None = None
    """A PNG or JPEG picture of at most 5 MB, as base64 or as a `data:` URL."""
    stream_deltas: bool = False
    """Whether text is sent while it is written, as events `delta`."""

    @field_validator("image_base64")
    @classmethod
    def _checked_image(cls, image: str | None) -> str | None:
        if image:
            _picture(image)
        return image or None

    @model_validator(mode="after")
    def _checked_history(self) -> StreamRequest:
        history = self.conversation_history
        found = unreadable(history) + [
            ShapeViolation(place, Message("shape-no-text"))
            for place, message in enumerate(history)
            if isinstance(message, dict) and not isinstance(message.get("content"), str)
        ]
        if found:
            said = map(str, sorted(found, key=lambda one: one.place))
            raise ValueError("conversation_history: " + "; ".join(said))
        return self

    @property
    def pictures(self) -> tuple[SentPicture, ...]:
        """What is to be looked at."""
        return (_picture(self.image_base64),) if self.image_base64 else ()


class ChatRequest(StreamRequest):
    """A question. Without a chip it is about the settings' one, or the only one."""

    message: str = Field(min_length=1)
    chip_id: OptionalId = None
    qid: OptionalId = None


class AnalyzeRequest(StreamRequest):
    """A result to be judged: that of a task's id or of a run, else the newest of the task on that qubit or coupling."""

    task_name: str = Field(min_length=1, max_length=200)
    qid: Id
    chip_id: OptionalId = None
    execution_id: OptionalId = None
    task_id: OptionalId = None


class ReplyRequest(StreamRequest):
    """A reply to an issue; the conversation is its thread, behind which `message` stands where there is one."""

    message: str = Field("", validation_alias=AliasChoices("message", "user_message"))


class CancelRequest(BaseModel):
    """Which stream is to end."""

    request_id: Id


class ValidateRequest(BaseModel):
    """Settings to be looked at: the text of a copilot.yaml, or what it holds."""

    yaml: str | None = None
    config: JsonObject = {}


class SessionMessage(BaseModel):
    """A message of a kept session, as QDash keeps it."""

    model_config = ConfigDict(extra="allow")

    role: str
    content: str
    attached_image: str | None = None
    created_at: str | None = None


class SessionBody(BaseModel):
    """A session as a client keeps it (QDash's `copilot_chat_session`)."""

    model_config = ConfigDict(extra="ignore")

    title: str = "New Chat"
    context: JsonObject | None = None
    messages: list[SessionMessage] = []


class NewSession(SessionBody):
    """The same, by the id that the client made for it."""

    session_id: Id


def _picture(image: str) -> SentPicture:
    data = image.rpartition(",")[2] if image.startswith("data:") else image
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("not valid base64") from None
    if len(raw) > MOST_IMAGE_BYTES:
        raise ValueError(f"larger than {MOST_IMAGE_BYTES // 1024**2} MB")
    mime = next((mime for signature, mime in _SIGNATURES.items() if raw.startswith(signature)), None)
    if mime is None:
        raise ValueError("not a PNG or JPEG image")
    return SentPicture(mime, data)
