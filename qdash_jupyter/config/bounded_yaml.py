"""YAML that anybody may have written, read within bounds: what an alias stands for counts each time that it does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    import yaml

MOST_DEPTH = 50
"""Lists and mappings in each other."""
MOST_VALUES = 100_000
"""Keys and values, with those of an alias wherever it stands: 282 bytes can stand for 10⁹."""


def load(text: str) -> Any:
    """What the text says, in plain types.

    Raises:
        yaml.YAMLError: it is no YAML, or beyond the bounds; says where. What is beyond them has a `Message` in `args`.
    """
    import yaml

    return yaml.load(text, Loader=loader())  # noqa: S506 - a safe loader


def compose(text: str) -> yaml.Node | None:
    """The same with the places of its parts.

    Raises:
        yaml.YAMLError: as `load`.
    """
    import yaml

    return yaml.compose(text, Loader=loader())


@cache
def loader() -> type[yaml.SafeLoader]:
    """PyYAML's safe loader, bounded."""
    import yaml

    made: type[yaml.SafeLoader] = bounded(yaml.SafeLoader, MOST_VALUES)
    return made


def bounded(base: Any, most_values: int) -> Any:
    """A loader that looks at what the other one has composed, before anything is made of it."""

    def checked(compose: Callable[[Any], yaml.Node | None], own: Any) -> yaml.Node | None:
        try:
            node = compose(own)
        except RecursionError:
            raise _beyond(Message("yaml-too-deep", most=MOST_DEPTH), None) from None
        if node is not None:
            _count(node, 1, {}, most_values)
        return node

    def get_node(self: Any) -> yaml.Node | None:
        return checked(base.get_node, self)

    def get_single_node(self: Any) -> yaml.Node | None:
        return checked(base.get_single_node, self)

    return type("BoundedLoader", (base,), {"get_node": get_node, "get_single_node": get_single_node})


def _count(node: yaml.Node, depth: int, known: dict[int, int | None], most: int) -> int:
    """How many keys and values it stands for."""
    import yaml

    if depth > MOST_DEPTH:
        raise _beyond(Message("yaml-too-deep", most=MOST_DEPTH), node.start_mark)
    if (count := known.get(id(node), 0)) is None:
        raise _beyond(Message("yaml-recursive"), node.start_mark)
    if count:
        return count
    known[id(node)] = None
    count = 1
    if isinstance(node, yaml.CollectionNode):
        for part in node.value:
            count += sum(
                _count(each, depth + 1, known, most) for each in (part if isinstance(part, tuple) else (part,))
            )
    if count > most:
        raise _beyond(Message("yaml-too-large", most=most), node.start_mark)
    known[id(node)] = count
    return count


def _beyond(problem: Message, mark: Any) -> yaml.YAMLError:
    import yaml

    error = yaml.MarkedYAMLError(problem=str(problem), problem_mark=mark)
    error.args = (problem,)
    return error
