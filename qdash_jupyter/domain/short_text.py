"""Long text of databases and models, cut."""

from __future__ import annotations


def compact_text(text: str, most: int) -> str:
    """The first `most` characters of a text, and how many are left out."""
    return text if len(text) <= most else f"{text[:most]}… (+{len(text) - most} characters)"
