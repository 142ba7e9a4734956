"""The pictures that a model can look at: of the experiment, and of the knowledge. PNG files, within a limit."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from functools import partial
from pathlib import Path

from qdash_jupyter.agent.knowledge.task import KnowledgeImage
from qdash_jupyter.data.calib_data import CalibData, LeftOut, read_below, stored_path
from qdash_jupyter.domain.analysis import SubjectFigure
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.messages.message import Message, Text

PNG = "image/png"
MOST_BYTES = 5 * 1024 * 1024

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def of_result(path: str, calib_data: CalibData) -> SubjectFigure:
    """Read a figure of a result. Its path is that of QDash's machine."""
    title = Message("figure-of-result", file=stored_path(path).name)
    return _read(title, path, partial(calib_data.read, path))


def of_knowledge(image: KnowledgeImage, folder: Path | None) -> SubjectFigure:
    """A reference figure of a task; `folder` is where the knowledge lies."""
    title = Message("reference-figure", title=image.alt_text or image.relative_path)
    if image.base64_data:
        try:
            return _checked(title, base64.b64decode(image.base64_data.rpartition(",")[2], validate=True))
        except binascii.Error:
            return SubjectFigure(title, left_out=Message("figure-no-base64"))
    if folder is None or not image.relative_path:
        return SubjectFigure(title, left_out=Message("figure-no-data"))
    return _read(title, image.relative_path, partial(read_below, folder, Path(image.relative_path)))


def _read(title: Text, path: str, read: Callable[..., bytes]) -> SubjectFigure:
    if stored_path(path).suffix.lower() != ".png":
        return SubjectFigure(title, left_out=Message("figure-no-png"))
    try:
        return _checked(title, read(most_bytes=MOST_BYTES))
    except LeftOut as reason:
        return SubjectFigure(title, left_out=reason.why)


def _checked(title: Text, png: bytes) -> SubjectFigure:
    if len(png) > MOST_BYTES:
        return SubjectFigure(title, left_out=Message("result-file-too-large", size=size_words(MOST_BYTES)))
    if not png.startswith(_SIGNATURE):
        return SubjectFigure(title, left_out=Message("figure-no-png"))
    return SubjectFigure(title, base64.b64encode(png).decode())
