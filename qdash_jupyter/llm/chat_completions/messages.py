"""The conversation, whose items are those of the Responses API, as messages of Chat Completions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.openai_server.items import CHAT_REASONING


def messages_of(
    instructions: str, items: Iterable[JsonObject], *, with_calls: bool = True, with_reasoning: bool = True
) -> list[JsonObject]:
    """The messages, instructions first.

    What belongs to one reply (reasoning, text, calls) becomes one message. Items that only the Responses API knows,
    such as encrypted reasoning, are left out. Without `with_calls`, for servers that know no tools, calls and their
    results are told in words.
    """
    messages: list[JsonObject] = [{"role": "system", "content": instructions}] if instructions else []
    for item in items if with_calls else _calls_in_words(items):
        match item.get("type", "message"):
            case "message" if item.get("role") == "assistant":
                message = _own(messages)
                message["content"] = _joined(message.get("content"), _text(item.get("content")))
            case "message":
                role = "user" if item.get("role") == "user" else "system"
                messages.append({"role": role, "content": _content(item.get("content"))})
            case "function_call":
                _own(messages).setdefault("tool_calls", []).append(_call(item))
            case "function_call_output":
                call_id, output = str(item.get("call_id")), _text(item.get("output"))
                messages.append({"role": "tool", "tool_call_id": call_id, "content": output})
            case kind if kind == CHAT_REASONING and with_reasoning:
                # A reply begins with its reasoning; replies that follow each other stay apart.
                messages.append({"role": "assistant", item["field"]: item["text"]})
            case _:
                continue
    # Some servers refuse an assistant's message without `content`, others one with null and no calls.
    for message in messages:
        if message["role"] == "assistant" and "content" not in message:
            message["content"] = None if "tool_calls" in message else ""
    return messages


def _calls_in_words(items: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """The items, whose calls and results are messages."""
    names: dict[Any, Any] = {}
    for item in items:
        if item.get("type") == "function_call":
            names[item.get("call_id")] = item.get("name")
            told = f"I call the tool {item.get('name')} with {item.get('arguments') or '{}'}."
            yield {"role": "assistant", "content": told}
        elif item.get("type") == "function_call_output":
            name = names.get(item.get("call_id"), "that you called")
            yield {"role": "user", "content": f"Result of the tool {name}: {_text(item.get('output'))}"}
        else:
            yield item


def _own(messages: list[JsonObject]) -> JsonObject:
    """The assistant's message that stands last; a new one where another's does."""
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant"})
    return messages[-1]


def _call(item: JsonObject) -> JsonObject:
    function = {"name": item.get("name"), "arguments": _object(item.get("arguments"))}
    return {"id": str(item.get("call_id")), "type": "function", "function": function}


def _object(arguments: Any) -> str:
    """The arguments as the text of a JSON object: the templates of many servers fail at anything else."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    if is_object:
        return text
    return json.dumps({"unreadable_arguments": text}, ensure_ascii=False) if text.strip() else "{}"


def _content(content: Any) -> Any:
    """Text as text, which every server takes; a list of parts only where an image or another file is among them."""
    if not isinstance(content, list) or not any(map(_is_file, content)):
        return _text(content)
    return [_file(part) if _is_file(part) else _text_part(part) for part in content]


def _is_file(part: JsonObject) -> bool:
    return part.get("type") == "input_image" or (part.get("type") == "input_file" and "file_data" in part)


def _file(part: JsonObject) -> JsonObject:
    if part["type"] == "input_file":
        return {"type": "file", "file": {name: part[name] for name in ("filename", "file_data") if name in part}}
    detail = {"detail": part["detail"]} if part.get("detail") else {}
    return {"type": "image_url", "image_url": {"url": part.get("image_url"), **detail}}


def _text_part(part: JsonObject) -> JsonObject:
    return {"type": "text", "text": _part_text(part)}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n\n".join(text for part in content if (text := _part_text(part)))
    return content if isinstance(content, str) else ""


def _part_text(part: JsonObject) -> str:
    text = part.get("text") or part.get("refusal")
    return text if isinstance(text, str) else f"[{part.get('type')}: this server cannot take it]"


def _joined(before: str | None, text: str) -> str:
    return f"{before}\n\n{text}" if before and text else before or text
