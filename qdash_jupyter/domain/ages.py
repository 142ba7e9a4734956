"""How long ago, in words."""

from __future__ import annotations

from datetime import timedelta

from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_WHOLE_DAYS_FROM = 100


def age_words(age: timedelta, language: Language = "en") -> str:
    """`just now` (below a minute), `5 min ago`, `3.2 h ago`, `3.2 d ago`, `214 d ago`; `in 3.2 h` for what is ahead."""
    size = abs(age)
    if size < _MINUTE:
        return Message("age-now").of(language)
    if size < _HOUR:
        amount = f"{size // _MINUTE} min"
    elif size < _DAY:
        amount = f"{size / _HOUR:.1f} h"
    else:
        days = size / _DAY
        amount = f"{days:.0f} d" if days >= _WHOLE_DAYS_FROM else f"{days:.1f} d"
    message = Message("age-past", amount=amount) if age > timedelta() else Message("age-ahead", amount=amount)
    return message.of(language)
