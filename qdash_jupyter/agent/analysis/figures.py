"""The pictures that a model can look at: of the experiment, and of the knowledge. PNG files, within a limit."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from qdash_jupyter.agent.knowledge.task import KnowledgeImage
from qdash_jupyter.config.disk import expanded
from qdash_jupyter.domain.answer import JsonObject

PNG = "image/png"
MOST_BYTES = 5 * 1024 * 1024
CALIB_DATA = "calib_data"
"""QDash's folder of results; its parents differ from machine to machine."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its title, or the reason why it is left out."""

    title: str
    png: bytes = b""
    left_out: str = ""

    def content(self, number: int) -> list[JsonObject]:
        """Its parts of a message, by its number there: the title is data, and stands in a fence."""
        url = f"data:{PNG};base64,{base64.b64encode(self.png).decode()}"
        title = {"type": "input_text", "text": f"Figure {number}:"}
        return [title, {"type": "input_image", "image_url": url, "detail": "auto"}]


def of_result(paths: Sequence[str], folder: Path | None) -> list[Figure]:
    """The figures of a result. Their paths are those of QDash's machine; `folder` stands for its `calib_data` here, and
    only below it files are read: a path in the database is somebody's text.
    """
    return [_of_result(path, folder) for path in paths]


def of_knowledge(images: Sequence[KnowledgeImage], folder: Path | None) -> list[Figure]:
    """The reference figures of a task; `folder` is where the knowledge lies."""
    return [_of_knowledge(image, folder) for image in images]


def _of_result(path: str, folder: Path | None) -> Figure:
    title = f"Figure of this result: {PurePosixPath(path).name}"
    if folder is None:
        return Figure(title, left_out="no folder for figures is set (database.calib_data)")
    parts = PurePosixPath(path).parts
    return _below(title, folder, Path(*parts[parts.index(CALIB_DATA) + 1 :] if CALIB_DATA in parts else parts))


def _of_knowledge(image: KnowledgeImage, folder: Path | None) -> Figure:
    title = f"Reference figure: {image.alt_text or image.relative_path}"
    if image.base64_data:
        try:
            return _checked(title, base64.b64decode(image.base64_data.rpartition(",")[2], validate=True))
        except binascii.Error:
            return Figure(title, left_out="its data are no base64")
    if folder is None or not image.relative_path:
        return Figure(title, left_out="it has no data")
    return _below(title, folder, Path(image.relative_path))


def _below(title: str, folder: Path, path: Path) -> Figure:
    try:
        folder = expanded(folder).resolve()
        whole = (folder / path).resolve()  # where links lead
    except (OSError, ValueError, RuntimeError):  # no path at all, or links in a circle
        return Figure(title, left_out="its path leads nowhere")
    return _read(title, whole) if whole.is_relative_to(folder) else Figure(title, left_out="it lies elsewhere")


def _read(title: str, path: Path) -> Figure:
    if path.suffix.lower() != ".png":
        return Figure(title, left_out="it is no PNG file")
    try:
        if not path.is_file():
            return Figure(title, left_out="there is no such file on this machine")
        with path.open("rb") as file:
            return _checked(title, file.read(MOST_BYTES + 1))
    except OSError as error:
        return Figure(title, left_out=f"it cannot be read ({error.strerror})")


def _checked(title: str, png: bytes) -> Figure:
    if len(png) > MOST_BYTES:
        return Figure(title, left_out=f"it is larger than {MOST_BYTES // 1024**2} MB")
    if not png.startswith(_SIGNATURE):
        return Figure(title, left_out="it is no PNG picture")
    return Figure(title, png)
