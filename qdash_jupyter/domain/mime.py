"""Which types of files a model takes: the one place where that is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias

KeepPolicy: TypeAlias = Callable[[str, Sequence[str]], bool]
"""Whether a file of this type goes to a model that takes these."""

_TEXTS = ("text/*", "application/*json", "application/*yaml", "application/toml", "application/*xml")


def is_text(mime: str) -> bool:
    """Whether every model takes it, as text."""
    return any(fnmatchcase(mime.lower(), each) for each in _TEXTS)


def is_of(mime: str, types: Sequence[str]) -> bool:
    """Whether the type is one of these, or of a pattern such as `image/*`."""
    return any(fnmatchcase(bare_type(mime), each.lower()) for each in types)


def bare_type(mime: str) -> str:
    """Without parameters such as the charset."""
    return mime.partition(";")[0].strip().lower()


POLICIES: tuple[KeepPolicy, ...] = (is_of, lambda mime, _: is_text(mime))


def takes(mime: str, accepts: Sequence[str], policies: Sequence[KeepPolicy] = POLICIES) -> bool:
    """Whether a file of this type goes to a model that accepts these types: one policy that says so is enough."""
    return any(keeps(mime, accepts) for keeps in policies)
