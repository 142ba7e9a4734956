"""The pictures that a model can look at: of the experiment, and of the knowledge. PNG files, within a limit."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from qdash_jupyter.agent.knowledge.task import KnowledgeImage
from qdash_jupyter.data.calib_data import CalibData, LeftOut, read_below, stored_path
from qdash_jupyter.domain.analysis import picture_part
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.messages.message import Message, Text

PNG = "image/png"
MOST_BYTES = 5 * 1024 * 1024

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its title, or the reason why it is left out."""

    title: Text
    png: bytes = b""
    left_out: Text = ""

    def content(self, number: int) -> list[str | JsonObject]:
        """Its parts of a message, by its number there: the title is data, and stands in a fence."""
        return [f"Figure {number}:", picture_part(PNG, base64.b64encode(self.png).decode())]


def of_result(path: str, calib_data: CalibData) -> Figure:
    """Read a figure of a result. Its path is that of QDash's machine."""
    title = Message("figure-of-result", file=stored_path(path).name)
    return _read(title, path, partial(calib_data.read, path))


def of_knowledge(image: KnowledgeImage, folder: Path | None) -> Figure:
    """A reference figure of a task; `folder` is where the knowledge lies."""
    title = Message("reference-figure", title=image.alt_text or image.relative_path)
    if image.base64_data:
        try:
            return _checked(title, base64.b64decode(image.base64_data.rpartition(",")[2], validate=True))
        except binascii.Error:
            return Figure(title, left_out=Message("figure-no-base64"))
    if folder is None or not image.relative_path:
        return Figure(title, left_out=Message("figure-no-data"))
    return _read(title, image.relative_path, partial(read_below, folder, Path(image.relative_path)))


def _read(title: Text, path: str, read: Callable[..., bytes]) -> Figure:
    if stored_path(path).suffix.lower() != ".png":
        return Figure(title, left_out=Message("figure-no-png"))
    try:
        return _checked(title, read(most_bytes=MOST_BYTES))
    except LeftOut as reason:
        return Figure(title, left_out=reason.why)


def _checked(title: Text, png: bytes) -> Figure:
    if len(png) > MOST_BYTES:
        return Figure(title, left_out=Message("result-file-too-large", size=size_words(MOST_BYTES)))
    if not png.startswith(_SIGNATURE):
        return Figure(title, left_out=Message("figure-no-png"))
    return Figure(title, png)
