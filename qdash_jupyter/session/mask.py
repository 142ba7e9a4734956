"""Keeps keys and passwords out of a conversation's log, should one ever stand in a question or an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from qdash_jupyter.config.keys import key_in
from qdash_jupyter.config.manifest import Manifest, ModelSection
from qdash_jupyter.domain.hidden import FEWEST_CHARS, HIDDEN, spellings

_HIDDEN = HIDDEN.encode()
_LONGEST_WORD = 15
"""Letters."""
_IN_ADDRESS = re.compile(rb"""(://[^\s/:@"'\\]*:)[^\s/@"'\\]+(?=@)""")
_KEY = re.compile(rb"\bsk-[\w\-]{16,}")


class Mask:
    """Hides what the settings name as secret, passwords within addresses, and what looks like a key."""

    def __init__(self, manifest: Manifest) -> None:
        """Variables are read when they are needed: a user may set them in a cell."""
        models = (ModelSection(name=""), *manifest.models.values())
        self._variables = {model.api_key_env for model in models} | {"MONGO_INITDB_ROOT_PASSWORD"}
        uri = manifest.database.mongo_uri
        self._fixed = [
            *(value.get_secret_value() for model in models for value in model.headers.values()),
            *(_passwords(uri.get_secret_value()) if uri is not None else ()),
        ]

    def __call__(self, line: bytes) -> bytes:
        """The line of JSON without them."""
        secrets = [*self._fixed, *map(key_in, self._variables)]
        for word in sorted({word for secret in filter(_is_one, secrets) for word in spellings(secret)}, key=len)[::-1]:
            line = line.replace(json.dumps(word, ensure_ascii=False)[1:-1].encode("utf-8", "replace"), _HIDDEN)
        return _KEY.sub(_HIDDEN, _IN_ADDRESS.sub(rb"\1" + _HIDDEN, line))


def _is_one(secret: str) -> bool:
    """Short ones and plain words are left alone: hiding them would spoil what people and models wrote. Letters alone
    may be a key too, where no word has so many.
    """
    return len(secret) >= FEWEST_CHARS and (len(secret) > _LONGEST_WORD or not secret.isalpha())


def _passwords(uri: str) -> Iterator[str]:
    try:
        password = urlsplit(uri).password
    except ValueError:
        return
    if password:
        yield password
        yield unquote(password)
