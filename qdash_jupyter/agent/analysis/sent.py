"""Pictures that the user sent with a question."""

from __future__ import annotations

from collections.abc import Sequence

from qdash_jupyter.domain.analysis import SENT_HEADING, SentPicture, picture_part, user_message, written
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.mime import is_of


def with_pictures(context: JsonObject | None, pictures: Sequence[SentPicture], accepts: Sequence[str]) -> JsonObject:
    """The context of the question with the pictures behind it, as far as the model takes them; one of its own where
    the question has none. `accepts` are MIME types.
    """
    seen = [each for each in pictures if is_of(each.mime, accepts)]
    said = [f"{len(seen)} attached."] if seen else []
    if len(seen) < len(pictures):
        said.append(f"{len(pictures) - len(seen)} that this model is not set up to see: tell the user.")
    text = written({"Pictures of the user": " ".join(said)}, heading=SENT_HEADING)
    before = context["content"] if context is not None else []
    return user_message(*before, text, *(picture_part(each.mime, each.data) for each in seen))
