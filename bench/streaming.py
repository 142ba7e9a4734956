"""How long the words of a model take to the panel's text, at reading speed and in a burst; and the plain way beside it.

Goals: at 50 deltas a second 95 of 100 are in the DOM within 60 ms; a burst of 5,000 is there in full 500 ms after its
last delta was sent. The plain way, in the same notebook: a cell reads the same stream with the OpenAI SDK and sends a
widget one message a delta, whose text is added to a node. That shows letters as they come; the panel shows Markdown, at
most 30 times a second, and its kernel stays free. A burst is also read by the SDK alone, in a process with nothing else
to do: nobody who uses it can be quicker.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from in_lab import SLOW_MS, Bench, Panel, Row, Table, configured, expect, opened, p95, text_answer

from tests.scripted_server import Pause, Script, text_turn
from tests.scripted_server.turns import Step

ROUNDS = 3
STEADY, PAUSE_S = 300, 0.02
BURST = 5_000
PARAGRAPH = 50

# Notes when each word was first seen in a node that was added, and so costs no more than what is drawn anew.
NOTE_WORDS = """selector => {
    const root = document.querySelector(selector);
    bench.words?.disconnect();
    bench.seen = {};
    const note = text => {
        const now = bench.now();
        for (const [, n] of text.matchAll(/w(\\d{5})/g)) bench.seen[Number(n)] ??= now;
    };
    bench.words = new MutationObserver(records => {
        for (const {addedNodes, target, type} of records) {
            if (type === 'characterData') note(target.textContent);
            for (const node of addedNodes) note(node.textContent);
        }
    });
    bench.words.observe(root, {subtree: true, childList: true, characterData: true});
}"""

PLAIN_WIDGET = """\
import anywidget, openai
class Plain(anywidget.AnyWidget):
    _esm = '''export default {
        render({ model, el }) {
            el.id = 'plain';
            model.on('msg:custom', message => el.append(message.text));
        },
    }'''
plain = Plain()
plain
"""
PLAIN_READING = """\
client = openai.OpenAI()
for event in client.responses.create(model="scripted-model", input="Tell me", stream=True):
    if event.type == "response.output_text.delta":
        plain.send({"text": event.delta})
"""
LAST_DELTA = """\
print([each.at.timestamp() for each in copilot.turns[-1].events if type(each.event).__name__ == "TextDelta"][-1])
"""
SDK_READING = """\
import asyncio, sys, time, openai
async def read():
    client = openai.AsyncOpenAI(base_url=sys.argv[1], api_key="none")
    async for event in await client.responses.create(model="m", input="Tell me", stream=True):
        if event.type == "response.output_text.delta":
            last = time.time()
    print(last)
asyncio.run(read())
"""


@dataclass
class Noted:
    """The steps of a script, and when each delta was sent."""

    script: Script
    sent: list[float] = field(default_factory=list)

    def as_script(self) -> Script:
        """The script that notes; its server only walks through its steps."""
        return replace(self.script, steps=cast("tuple[Step, ...]", self))

    def __iter__(self) -> Iterator[Step]:
        for step in self.script.steps:
            if getattr(step, "type", "") == "response.output_text.delta":
                self.sent.append(time.time())
            yield step


@dataclass(frozen=True)
class Round:
    """One stream: milliseconds from sent to seen of each word, and from the last delta to the last word."""

    words: list[float]
    rest: float
    lost: int
    sending_s: float
    ended: float


def story(words: int, *, pause_s: float = 0, every: int = 1) -> Script:
    """An answer of one word a delta, with a pause after so many of them."""
    pieces = [("\n\n" if number % PARAGRAPH == 0 else " ") + f"w{number:05}" for number in range(words)]
    head, tail = text_answer("|").split("|")
    script = text_turn(text_answer("".join(pieces)), pieces=1)
    at = script.place_of("response.output_text.delta")
    texts = [json.dumps(piece, ensure_ascii=False)[1:-1] for piece in pieces]
    first: Any = script.steps[at]
    deltas: list[Step] = [first.model_copy(update={"delta": head})]
    for number, text in enumerate(texts):
        deltas += [Pause(pause_s)] if pause_s and number % every == 0 else []
        deltas.append(first.model_copy(update={"delta": text}))
    deltas.append(first.model_copy(update={"delta": tail}))
    return replace(script, steps=(*script.steps[:at], *deltas, *script.steps[at + 1 :]))


def in_panel(bench: Bench, panel: Panel, script: Script) -> Round:
    """Stream it as an answer."""
    noted = Noted(script)
    bench.model.add(noted.as_script())
    bench.page.evaluate(NOTE_WORDS, "#qdash-copilot")
    turn = panel.ask("Tell me")
    panel.expect_state(turn, "done")
    shown = re.findall(r"w(\d{5})", turn.inner_text())
    return outcome(bench, noted, [int(number) for number in shown])


def in_plain_widget(bench: Bench, script: Script) -> Round:
    """Stream it from a cell to the plain widget."""
    noted = Noted(script)
    bench.model.add(noted.as_script())
    bench.page.evaluate("document.querySelector('#plain').replaceChildren()")
    bench.page.evaluate(NOTE_WORDS, "#plain")
    bench.notebook.run(PLAIN_READING)
    bench.page.wait_for_timeout(1500)
    shown = re.findall(r"w(\d{5})", bench.page.locator("#plain").inner_text())
    return outcome(bench, noted, [int(number) for number in shown])


def outcome(bench: Bench, noted: Noted, shown: list[int]) -> Round:
    """What was seen of it."""
    ahead = bench.ahead
    seen = {int(number): at - ahead for number, at in bench.page.evaluate("bench.seen").items()}
    words = noted.sent[1:-1]  # without the brackets around
    if shown != sorted(shown):
        raise RuntimeError("words out of order")
    return Round(
        [1000 * (seen[number] - sent) for number, sent in enumerate(words) if number in seen],
        1000 * (max(seen.values()) - noted.sent[-1]),
        len(words) - len(set(shown)),
        noted.sent[-1] - noted.sent[0],
        max(seen.values()),
    )


def main() -> None:
    """Print the tables."""
    with opened() as bench:
        panel = Panel.start(bench.notebook, configured(bench.model.base_url))
        bench.notebook.run(PLAIN_WIDGET)
        expect(bench.page.locator("#plain")).to_be_attached(timeout=SLOW_MS)
        in_panel(bench, panel, story(20))
        in_plain_widget(bench, story(20))
        steady(bench, panel)
        burst(bench, panel)


def steady(bench: Bench, panel: Panel) -> None:
    """Reading speed."""
    script = story(STEADY, pause_s=PAUSE_S)
    ours, plain = [], []
    for _ in range(ROUNDS):
        ours.append(in_panel(bench, panel, script))
        plain.append(in_plain_widget(bench, script))
    rate = STEADY / statistics.median(each.sending_s for each in ours)
    table = Table(f"From a delta sent to its word in the DOM, {rate:.0f} deltas/s, {ROUNDS} x {STEADY} words")
    values = [[word for each in rounds for word in each.words] for rounds in (ours, plain)]
    table.add(Row("panel", values[0], 60, p95, lost(ours)))
    table.add(Row("plain way: one message a delta", values[1], note=lost(plain)))
    for name, of in (("median", statistics.median), ("p95", p95)):
        print(f"ratio of the {name}s, panel over plain: {of(values[0]) / of(values[1]):.2f}")


def burst(bench: Bench, panel: Panel) -> None:
    """As fast as the server can, and as fast as the SDK reads."""
    at_once, quickly = story(BURST), story(BURST, pause_s=0.02, every=50)
    ours, own, paced, plain, bare = [], [], [], [], []
    for _ in range(ROUNDS):
        ours.append(in_panel(bench, panel, at_once))
        own.append(since_read(bench, ours[-1]))
        plain.append(in_plain_widget(bench, at_once))
        bare.append(read_by_sdk(bench, at_once))
        paced.append(in_panel(bench, panel, quickly))
    seconds = [statistics.median(each.sending_s for each in rounds) for rounds in (ours, paced)]
    table = Table(f"A burst of {BURST} deltas: from the last one sent to the last word in the DOM")
    table.add(Row(f"panel, sent within {seconds[0]:.2f} s", [each.rest for each in ours], 500, note=lost(ours)))
    table.add(Row("of which after the agent has read the last delta", own))
    table.add(Row("the SDK alone: last delta read, nothing shown", bare))
    table.add(Row("plain way: one message a delta", [each.rest for each in plain], note=lost(plain)))
    table.add(Row(f"panel, sent within {seconds[1]:.1f} s", [each.rest for each in paced], 500, note=lost(paced)))
    middle = statistics.median(each.rest for each in ours)
    print(f"ratio of the medians, panel over plain: {middle / statistics.median(each.rest for each in plain):.2f}")
    print(f"ratio of the medians, panel over the SDK alone: {middle / statistics.median(bare):.2f}")


def since_read(bench: Bench, shown: Round) -> float:
    """Milliseconds from the agent's last delta to the last word in the DOM."""
    output = bench.notebook.run(LAST_DELTA).locator(".jp-OutputArea-output")
    expect(output).to_contain_text(".")
    return 1000 * (shown.ended - float(output.inner_text()))


def read_by_sdk(bench: Bench, script: Script) -> float:
    """Milliseconds from the last delta sent until a process with nothing else to do has read it."""
    noted = Noted(script)
    bench.model.add(noted.as_script())
    command = [sys.executable, "-c", SDK_READING, bench.model.base_url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return 1000 * (float(done.stdout) - noted.sent[-1])


def lost(rounds: list[Round]) -> str:
    """How many words never came."""
    number, all_of = sum(each.lost for each in rounds), sum(each.lost + len(each.words) for each in rounds)
    return f"  {number} of {all_of} words lost" if number else "  none lost"


if __name__ == "__main__":
    main()
