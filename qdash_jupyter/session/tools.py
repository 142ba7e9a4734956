"""The tools, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from qdash_jupyter.errors import nearest
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.listing import tools_html

if TYPE_CHECKING:
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.tools.spec import ToolSpec
    from qdash_jupyter.tools.toolbox import Toolbox

Added = TypeVar("Added", bound="ToolSpec | Callable[..., Any]")
Fetch: TypeAlias = "Callable[[str, JsonObject], StoredResult | JsonObject]"


class Tools:
    """The tools as functions for people: keyword arguments in, a `StoredResult` (or the plain content) out."""

    def __init__(self, toolbox: Callable[[], Toolbox], fetch: Fetch) -> None:
        """`toolbox` gives the tools that there are, and may connect first; `fetch` calls one by its name."""
        self._toolbox = toolbox
        self._fetch = fetch

    def add(self, tool: Added) -> Added:
        """One more tool for this conversation: a `ToolSpec`, or a function with types and a docstring. Gives it back,
        so that it also serves as a decorator: `@copilot.tools.add`.

        Raises:
            PersonError: its name is taken, or it has no docstring or types; the message says what to do.
        """
        from qdash_jupyter.tools.function import spec_of

        self._toolbox().add(spec_of(tool))
        return tool

    def called(self, name: str, by_place: Sequence[Any], by_name: JsonObject) -> StoredResult | JsonObject:
        """What the tool of this name gives, and no other attribute."""
        return Tools.__getattr__(self, name)(*by_place, **by_name)

    def __dir__(self) -> list[str]:
        return ["add", *self._reads()]

    def __repr__(self) -> str:
        return "\n".join(["<copilot.tools>", *(f"  {name}({_takes(spec)})" for name, spec in self._reads().items())])

    def _repr_html_(self) -> str:
        return tools_html((spec.name, _takes(spec), spec.description) for spec in self._reads().values())

    def __getattr__(self, name: str) -> Callable[..., StoredResult | JsonObject]:
        if name.startswith("_"):
            raise AttributeError(name)
        reads = self._reads()
        if name not in reads:
            known = list(reads)
            msg = f"There is no tool {name!r} to call from Python. Tools: {', '.join(nearest(name, known) or known)}"
            raise AttributeError(msg)

        def call(*required: Any, **arguments: Any) -> StoredResult | JsonObject:
            by_place = reads[name].required()
            if len(required) > len(by_place):
                first = f"the first {len(by_place)}" if by_place else "none"
                raise TypeError(f"{name} takes its arguments by their names, {first} also by place: {signature}")
            given = dict(zip(by_place, required, strict=False))
            if twice := given.keys() & arguments.keys():
                raise TypeError(f"{name} got {', '.join(sorted(twice))} twice.")
            return self._fetch(name, given | arguments)

        call.__name__ = call.__qualname__ = name
        call.__doc__ = reads[name].help()
        signature = reads[name].signature().replace(return_annotation=StoredResult | dict[str, Any])
        call.__signature__ = signature  # pyrefly: ignore[missing-attribute]  # where `inspect`, `?` and completion look
        return call

    def _reads(self) -> Mapping[str, ToolSpec]:
        """Those that read. The model alone writes code, and people have cells for theirs."""
        return {name: spec for name, spec in self._toolbox().specs.items() if spec.effect == "read"}


def _takes(spec: ToolSpec) -> str:
    """The names of its arguments; `help` says what each means."""
    return ", ".join(spec.signature().parameters)
