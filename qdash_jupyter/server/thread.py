"""An issue's thread as a conversation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qdash_jupyter.data.records import IssuePost, IssueThread
from qdash_jupyter.domain.answer import JsonObject


def thread_messages(thread: IssueThread, kept: Iterable[IssuePost], more: str = "") -> list[JsonObject]:
    """Questions and answers in turn, the last one a question; empty where nobody has asked anything since the last
    answer. `kept` are replies that only this service has, `more` is asked behind the thread.

    Posts of people that follow each other are one question, each behind the name of its author.
    """
    first, *others = thread.posts
    posts = [first, *sorted([*others, *kept], key=_when)]
    messages: list[dict[str, Any]] = []
    for place, post in enumerate(posts):
        role = "assistant" if post.is_ai_reply and place else "user"
        text = post.content if role == "assistant" else _asked(post, thread.title if place == 0 else "")
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += f"\n\n{text}"
        else:
            messages.append({"role": role, "content": text})
    if more and more.strip() == posts[-1].content.strip():  # QDash's page sends what was posted just before
        more = ""
    if more and messages[-1]["role"] == "user":
        messages[-1]["content"] += f"\n\n{more}"
    elif more:
        messages.append({"role": "user", "content": more})
    return messages if messages[-1]["role"] == "user" else []


def _asked(post: IssuePost, title: str) -> str:
    heading = f"# {title}\n\n" if title else ""
    return f"{heading}{post.by or 'somebody'}: {post.content}"


def _when(post: IssuePost) -> tuple[bool, float]:
    """Posts without a date come last."""
    return (post.at is None, post.at.timestamp() if post.at is not None else 0.0)
