"""A tool made of a Python function: its parameters are the arguments, its docstring says what they mean."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Annotated, Any, get_type_hints

from pydantic import Field, create_model

from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Text
from qdash_jupyter.tools.returned import output_of
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

_SECTION = re.compile(r"^(?:Args|Arguments|Returns|Raises|Yields|Examples?|Notes?):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^ {2,4}(\w+)(?: \([^)]*\))?: (.+(?:\n {6,}.+)*)", re.MULTILINE)


def tool(
    function: Callable[..., Any],
    /,
    *,
    name: str = "",
    label: Text = "",
    guidance: str = "",
    timeout_s: float | None = None,
    max_calls_per_turn: int | None = None,
) -> ToolSpec:
    """Make a tool that reads of a function with types and a docstring: `@tool`, or `tool(function, label="…")`.

    A parameter of type `ToolContext` gets the context, the others are the arguments. What the function returns becomes
    what `qdash_jupyter.tools.returned.output_of` says. It runs on a thread of its own.

    Args:
        function: the docstring's text before its sections is what the model reads of it, `Args:` says what the
            arguments mean (as does `Annotated[…, Field(description=…)]`).
        name: default is the function's.
        label: what people see while it runs; default is the name in words.
        guidance: its line in the model's instructions: when to call it. Default is the docstring's first sentence.
        timeout_s: default is `tool_defaults.timeout_seconds` of the settings.
        max_calls_per_turn: how often the model may call it in one question.

    Raises:
        PersonError: it has no docstring, or a parameter without a type.
    """
    name = name or getattr(function, "__name__", type(function).__name__)
    whole = inspect.getdoc(function) or ""
    text = _SECTION.split(whole)[0].strip()
    if not text:
        raise PersonError.with_hint("function-no-docstring", name=name)
    description = " ".join(text.split())
    return ToolSpec(
        name=name,
        label=label or name.replace("_", " ").capitalize(),
        description=description,
        guidance=guidance or f"{name}: {description.split('. ')[0].rstrip('.')}.",
        **_called(function, name, whole),
        timeout_s=timeout_s,
        max_calls_per_turn=max_calls_per_turn,
    )


def spec_of(given: ToolSpec | Callable[..., Any]) -> ToolSpec:
    """The tool itself, or the one that a function makes.

    Raises:
        PersonError: it is neither, the function has no docstring or a parameter without a type, or its arguments cannot
            be described to a model.
    """
    if not isinstance(given, ToolSpec) and not callable(given):
        raise PersonError.with_hint("function-not-a-tool", value=repr(given))
    try:
        spec = given if isinstance(given, ToolSpec) else tool(given)
        spec.schema()
    except PersonError:
        raise
    except Exception as error:  # whatever types and default values lead to
        raise PersonError.with_hint(
            "function-arguments", name=str(getattr(given, "__name__", given)), why=str(error)
        ) from error
    return spec


def _called(function: Callable[..., Any], name: str, docstring: str) -> dict[str, Any]:
    """The arguments, and the code that calls the function with them."""
    meanings = {found[1]: " ".join(found[2].split()) for found in _ARGUMENT.finditer(docstring)}
    parameters, types = inspect.signature(function).parameters, _types(function, name)
    arguments: dict[str, Any] = {}
    for parameter, kind in types.items():
        if kind is not ToolContext:
            default, meaning = parameters[parameter].default, meanings.get(parameter)
            described = Annotated[kind, Field(description=meaning)] if meaning else kind
            arguments[parameter] = (described, ... if default is inspect.Parameter.empty else default)

    def run(args: ToolArguments, context: ToolContext) -> ToolOutput:
        given = {each: getattr(args, each) if each in arguments else context for each in types}
        returned = function(**given)
        return output_of(asyncio.run(returned) if inspect.iscoroutine(returned) else returned, name)

    run.__doc__ = _SECTION.split(docstring)[0].strip()
    return {"args": create_model(f"{name}_arguments", __base__=ToolArguments, **arguments), "run": run}


def _types(function: Callable[..., Any], name: str) -> dict[str, Any]:
    """The types of all parameters. That of what is returned is not looked at: it may be known to type checkers only."""
    written: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        has_name = parameter.kind in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}
        if parameter.annotation is parameter.empty or not has_name or parameter.name.startswith("_"):
            raise PersonError.with_hint("function-no-type", parameter=str(parameter), name=name)
        written[parameter.name] = parameter.annotation
    known = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return get_type_hints(SimpleNamespace(__annotations__=written), globalns=known, include_extras=True)
    except NameError as error:
        raise PersonError.with_hint("function-types", name=name, why=str(error)) from None
