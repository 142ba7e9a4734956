"""What it costs to put a text into Japanese, beside English: messages in each other, and an error of another server."""

from __future__ import annotations

import time

from qdash_jupyter.messages.message import Message, all_of, sentences

STAGES, TIMES = 16, 400


def nested() -> Message:
    """An error that came through 16 stages, each with a hint."""
    said = "HTTP 500: stage 0 failed. Try again. There is no key for it. " * STAGES
    text = Message("key-failed", key="t", problem=said)
    for stage in range(STAGES):
        why = Message("not-found", what=Message("kind-task"), asked=f"stage {stage}")
        text = Message("key-failed", key=f"t{stage}", problem=sentences(text, why))
    return text


def listed() -> Message:
    """64 names."""
    return Message("withheld", setting="privacy.never_send", names=all_of(f"Q{number:02d}" for number in range(64)))


def seconds(text: Message, language: str) -> float:
    """The best of five, for one."""
    best = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(TIMES):
            text.of(language)
        best.append((time.process_time() - began) / TIMES)
    return min(best)


if __name__ == "__main__":
    print("| text | English, ms | Japanese | ratio |\n| --- | --- | --- | --- |")
    for name, text in {"an error of 16 stages": nested(), "a list of 64 names": listed()}.items():
        english, japanese = (seconds(text, language) for language in ("en", "ja"))
        print(f"| {name} | {english * 1000:.2f} | {japanese * 1000:.2f} | {japanese / english:.2f} |")
