"""Which servers of models outside of the lab this user has agreed to ask, after a look at what goes there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from qdash_jupyter.config.disk import keep_json, kept_json, user_folder
from qdash_jupyter.config.keys import model_in_use
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.llm.openai_server.endpoint import endpoint_of
from qdash_jupyter.messages.message import Message, sentences

_agreed_now: set[str] = set()  # also where the file cannot be written

_GOES = (
    Message("sends-questions"),
    Message("sends-instructions"),
    Message("sends-names"),
    Message("sends-variables"),
    Message("sends-results"),
)


def first_look(manifest: Manifest) -> panel.Look | None:
    """What the user has to see before the model is asked; None where that has happened, or nothing leaves the lab.

    Nothing does with the offline planner and servers of the private network; clients of other packages are not known.

    Raises:
        ConfigurationError: the settings of the model are wrong.
    """
    section = model_in_use(manifest)
    if section is None:
        return None
    endpoint = endpoint_of(section.base_url)
    if endpoint.is_private or endpoint.shown in _agreed_now or endpoint.shown in _agreed():
        return None
    more = [Message("sends-knowledge")] if manifest.knowledge or manifest.contexts or manifest.skills else []
    more += [Message("sends-pictures")] if any(kind.startswith("image/") for kind in section.accepts) else []
    withheld = tuple(f"`{name}`" for name in manifest.privacy.never_send)
    return {
        "endpoint": endpoint.shown,
        "model": section.name,
        "goes": [*_GOES, *more],
        "stays": sentences(Message("stays"), Message("stays-withheld", names=withheld) if withheld else ""),
    }


def agree(endpoint: str) -> None:
    """This server may be asked from now on, in all notebooks of the user."""
    _agreed_now.add(endpoint)
    with contextlib.suppress(OSError):  # it is asked again in another kernel
        keep_json(_place(), sorted({endpoint, *_agreed()}))


def _agreed() -> Iterator[str]:
    known = kept_json(_place())
    if isinstance(known, list):
        yield from (each for each in known if isinstance(each, str))


def _place() -> Path:
    return user_folder("config") / "endpoints.json"
