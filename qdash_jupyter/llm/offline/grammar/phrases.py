"""The phrases that a pattern of a grammar fits: for spelling, and for what can be typed next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from re import _constants as kind
from re import _parser as parser
from typing import Any

MOST, MOST_EACH = 2000, 60
"""Of a pattern that fits more, that many; of each of its alternatives that many, so that none is left out."""


def phrases_of(pattern: str) -> tuple[str, ...]:
    """What a pattern fits, as far as that is words: a number or any letter gives nothing."""
    return tuple(islice(_of(parser.parse(pattern)), MOST))


def _of(parts: Any) -> Iterator[str]:
    choices = [[*islice(_one(operator, value), MOST)] for operator, value in parts]
    for words in product(*choices):
        yield "".join(words)


def _one(operator: Any, value: Any) -> Iterator[str]:
    if operator is kind.LITERAL:
        yield chr(value)
    elif operator is kind.BRANCH:
        for branch in value[1]:
            yield from islice(_of(branch), MOST_EACH)
    elif operator is kind.SUBPATTERN:
        yield from _of(value[-1])
    elif operator is kind.MAX_REPEAT:
        least, most, what = value
        if least == 0:
            yield ""
        if most == 1:
            yield from _of(what)
    elif operator is kind.IN:
        yield from (chr(code) for one, code in value if one is kind.LITERAL)
    elif operator in {kind.ASSERT, kind.ASSERT_NOT, kind.AT}:
        yield ""
