"""A request to a Chat Completions server: of tools, schema, streaming and parameters, what the server takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.chat_completions.messages import messages_of
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.llm.openai_server.capabilities import Learned

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import ModelSection

LEGACY_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "summary": {"type": "string", "description": "The finding in one line."},
        "assessment": {"type": "string", "enum": ["good", "warning", "bad"]},
        "explanation": {"type": "string", "description": "Markdown."},
        "potential_issues": {"type": "array", "items": {"type": "string"}},
        "recommendations": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["summary", "assessment", "explanation", "potential_issues", "recommendations"],
}
"""QDash's older answer, for models without tools; `qdash_jupyter.agent.parse` reads it."""

_NO_TOOLS = """# No tools
This server cannot call tools, whatever is said of them above: you can neither read the database nor run code. Use only
what stands in this conversation, and never make up a measurement. If the question needs data that are not here, say so
in the first sentence, and say which data the user could paste or that a model with tools would fetch them.
Answer with one JSON object: `summary` (one line), `assessment` (`good`, `warning` or `bad`; `warning` where the data do
not tell), `explanation` (Markdown), `potential_issues` and `recommendations` (lists of texts)."""

_BARE_JSON = """# Form of the answer
Write the answer as one bare JSON object that fits this schema, without a code fence or words around it:
"""

REASONING_BACK = "reasoning_content"
"""The name under which `Learned.left_out` keeps that a server does not take its own reasoning back."""

_OUTPUT_LIMITS = ("max_tokens", "max_completion_tokens")


def body_of(request: ModelRequest, section: ModelSection, known: Learned, *, is_openai: bool) -> JsonObject:
    """Everything but the model's name.

    Tools and a format of the answer go together at OpenAI only: other servers hold the model to the format from its
    first token on, and it could never call a tool.
    """
    tools = request.tools if known.tools else ()
    schema = request.answer_schema
    instructions = request.instructions
    if schema is not None and not known.tools:
        schema = LEGACY_SCHEMA
        instructions = _with(instructions, _NO_TOOLS)
    response_format = None if tools and not is_openai else _format(schema, known)
    # Where tools are offered the instructions already say how to answer, and calls are no answers.
    if schema is not None and response_format is None and not tools:
        instructions = _with(instructions, _BARE_JSON + json.dumps(schema, ensure_ascii=False))
    body: JsonObject = {
        "messages": messages_of(
            instructions,
            request.items,
            with_calls=known.tools,
            with_reasoning=REASONING_BACK not in known.left_out,
        ),
        "stream": known.streaming,
        "stream_options": {"include_usage": True} if known.streaming else None,
        "temperature": section.temperature,
        "reasoning_effort": section.reasoning_effort,
        "tools": [_tool(tool) for tool in tools] or None,
        "parallel_tool_calls": True if tools else None,
        "response_format": response_format,
    }
    limits = _OUTPUT_LIMITS[::-1] if is_openai else _OUTPUT_LIMITS
    taken = [name for name in limits if name not in known.left_out]
    if taken:
        body[taken[0]] = section.max_output_tokens
    return {name: value for name, value in body.items() if value is not None and name not in known.left_out}


def _tool(tool: JsonObject) -> JsonObject:
    if tool.get("type") != "function":
        return tool  # of the server's own
    function = {name: tool[name] for name in ("name", "description", "parameters") if name in tool}
    return {"type": "function", "function": function}


def _format(schema: JsonObject | None, known: Learned) -> JsonObject | None:
    if schema is None or known.answer_format == "none":
        return None
    if known.answer_format == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "copilot_answer", "schema": schema, "strict": False}}


def _with(instructions: str, part: str) -> str:
    return f"{instructions}\n\n{part}" if instructions else part
