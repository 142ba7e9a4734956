"""`%copilot cost` and `%copilot sent`: what they show of turns made by hand, and in a kernel."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from qdash_jupyter.agent.ledger import SentRequest, TurnLedger
from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.config.manifest import PriceSection
from qdash_jupyter.domain.answer import Answer, JsonObject, TextBlock, Usage
from qdash_jupyter.domain.events import AnswerReady, StampedEvent
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.session.records import PastTurn
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.cost import conversation_cost, sent_bundle, spent_on, turn_cost, turn_meant
from tests.ui.kernel import Kernel

HOSTILE = '</pre></details><script>alert(1)</script><img src="https://evil.example/x.png">'
LOOP = AgentLoop()  # on which nothing runs


def message(text: str) -> JsonObject:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def request(question: str) -> ModelRequest:
    tool: JsonObject = {"type": "function", "name": "get_chip_summary"}
    return ModelRequest("# Role\nYou help.", (message(question),), (tool,), {"type": "object"})


def turn(question: str, *usages: Usage, price: PriceSection | None = None, is_model: bool = True) -> Turn:
    made = Turn(question, LOOP)
    made.ledger = TurnLedger(model="lab-model", is_language_model=is_model, price=price)
    for usage in usages:
        estimate = 500 if is_model else 0
        sent = SentRequest(request(question), 1, 0, digested=False, estimate=estimate, begun=True)
        sent.replied(usage)
        made.ledger.requests += (sent,)
    return made


def restored(question: str, usage: Usage) -> Turn:
    began = turn(question).began
    answer = AnswerReady(Answer((TextBlock("Well."),), usage=usage))
    return Turn.restored(PastTurn(began, (StampedEvent("t", 1, began.asked_at, answer),)), LOOP)


def cells(markdown: str, first: str) -> list[str]:
    """The cells of the table row that begins so."""
    [row] = [line for line in markdown.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in row.strip("|").split("|")]


PRICE = PriceSection(input=2.0, output=8.0, currency="EUR")


def test_each_question_and_the_sum_with_their_units() -> None:
    shown = conversation_cost(
        [turn("How is Q7?", Usage(1200, 30, 1), Usage(2000, 70, 1), price=PRICE), turn("And Q8?", Usage(4000, 1, 1))]
    )

    assert cells(shown, "1") == ["1", "How is Q7?", "2 requests", "3,200 tokens", "100 tokens", "0.0072 EUR"]
    assert cells(shown, "2") == ["2", "And Q8?", "1 request", "4,000 tokens", "1 token", ""]
    assert f"| all |  | 3 requests | 7,200 tokens | 101 tokens | {3200 * 2e-6 + 100 * 8e-6:.4f} EUR |" in shown
    assert "- Cost is tokens times the prices" in shown
    assert "≈: estimated" not in shown


def test_the_parts_of_all_prompts_with_their_units() -> None:
    shown = conversation_cost([turn("How is Q7?", Usage(1200, 30, 1))])
    whole = request("How is Q7?")
    sizes = {
        "instructions: Role": len(whole.instructions),
        "tool schemas": len(json.dumps(whole.tools[0], separators=(",", ":"))),
        "answer schema": len('{"type":"object"}'),
        "question": len(json.dumps(whole.items[0], separators=(",", ":"))),
    }

    for name, characters in sizes.items():
        shown_cells = cells(shown, name)
        assert shown_cells[1] == f"{characters:,} characters"
        assert re.fullmatch(r"≈ [\d,]+ tokens", shown_cells[2])
        assert shown_cells[3] == f"{100 * characters / sum(sizes.values()):.1f} %"
    assert f"| all | {sum(sizes.values()):,} characters | 1,200 tokens | 100 % |" in shown


def test_estimated_numbers_say_so() -> None:
    shown = conversation_cost([turn("How is Q7?", Usage(0, 0, 1))])

    assert cells(shown, "1")[3] == "≈ 500 tokens"
    assert "≈: estimated, because the server didn't count" in shown


def test_the_offline_planner_takes_0_tokens_and_that_is_said() -> None:
    shown = conversation_cost([turn("How is Q7?", Usage(), is_model=False)])

    assert cells(shown, "1")[3:5] == ["0 tokens", "0 tokens"]
    assert "offline planner isn't a language model, so its questions take 0 tokens" in shown


def test_questions_before_a_restart_are_counted_and_their_parts_are_not_kept() -> None:
    shown = conversation_cost([restored("How is Q7?", Usage(700, 40, 2)), turn("And Q8?", Usage(300, 5, 1))])

    assert cells(shown, "1") == ["1", "How is Q7?", "2 requests", "700 tokens", "40 tokens", ""]
    assert "1,000 tokens" in shown
    assert "before the kernel restarted" in shown
    assert "aren't kept" in turn_cost(restored("How is Q7?", Usage()), 1)


def test_the_panel_gets_the_size_of_the_last_request_and_the_money() -> None:
    asked = turn("How is Q7?", Usage(900, 40, 1), Usage(1500, 60, 1), price=PRICE)
    asked.ledger.window = 8000
    told = {"input_tokens": 2400, "output_tokens": 100, "filled": 1560, "window": 8000}
    assert spent_on(asked) == told | {"estimated": False, "cost": "0.0056 EUR"}
    rough = spent_on(turn("How is Q7?", Usage(0, 0, 1)))
    assert rough is not None
    assert (rough["filled"], rough["window"], rough["estimated"], rough["cost"]) == (500, None, True, "")
    assert spent_on(turn("How is Q7?", Usage(), is_model=False)) is None
    assert spent_on(restored("How is Q7?", Usage(700, 40, 2))) is None


def test_one_question_request_by_request() -> None:
    shown = turn_cost(turn("How is Q7?", Usage(1200, 30, 1), Usage(2000, 70, 1)), 4)

    assert "**Cost of question 4**: How is Q7?" in shown
    assert "**Request 1**: input 1,200 tokens, output 30 tokens" in shown
    assert "**Request 2**: input 2,000 tokens, output 70 tokens" in shown
    assert shown.count("| instructions: Role |") == 2


def test_a_question_cannot_break_the_table() -> None:
    shown = conversation_cost([turn(f"a | b\nc {HOSTILE}", Usage(1, 1, 1))])

    assert "<script" not in shown
    assert "a \\| b c" in shown
    assert len([line for line in shown.splitlines() if line.startswith("| 1 |")]) == 1


def test_before_the_first_question() -> None:
    assert conversation_cost([]) == "Nothing has been asked yet."


class Reader(HTMLParser):
    """The texts of all `pre` and the names of all elements."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag == "pre":
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.elements[-1:] == ["pre"]:
            self.texts[-1] += data


def test_what_went_out_is_shown_exactly_and_does_nothing() -> None:
    asked = turn(HOSTILE, Usage(1, 1, 1), Usage(1, 1, 1))

    bundle = sent_bundle(asked, 3)

    reader = Reader()
    reader.feed(bundle["text/html"])
    sent = request(HOSTILE)
    assert set(reader.elements) == {"p", "b", "details", "summary", "pre"}
    assert reader.texts[0] == sent.instructions
    assert json.loads(reader.texts[1]) == list(sent.items)
    assert json.loads(reader.texts[2]) == list(sent.tools)
    assert json.loads(reader.texts[3]) == sent.answer_schema
    assert len(reader.texts) == 8
    assert "Question 3: 2 requests to lab-model" in bundle["text/html"]
    for text in reader.texts:
        assert text in bundle["text/plain"]


def test_what_is_no_valid_text_is_shown_all_the_same() -> None:
    bundle = sent_bundle(turn("half \ud800 a pair", Usage(1, 1, 1)), 1)

    assert "half ? a pair" in bundle["text/plain"]
    bundle["text/html"].encode()


def test_turns_of_which_nothing_is_kept_say_so() -> None:
    assert "aren't kept" in sent_bundle(restored("How is Q7?", Usage()), 1)["text/plain"]
    assert "Nothing was sent" in sent_bundle(turn("How is Q7?"), 2)["text/plain"]


def test_which_question_is_meant() -> None:
    turns = [turn("One?"), turn("Two?")]

    assert turn_meant(turns, "") == (2, turns[1])
    assert turn_meant(turns, "1") == (1, turns[0])
    for words in ("0", "3", "-1", "last", "²"):
        with pytest.raises(PersonError, match="from 1 to 2"):
            turn_meant(turns, words)
    with pytest.raises(PersonError, match="Nothing has been asked yet"):
        turn_meant([], "1")


@pytest.mark.long  # what the magics say is tested above without one
@pytest.mark.kernel
def test_in_a_kernel(demo_kernel: Kernel) -> None:
    assert "Nothing has been asked yet" in demo_kernel.run("%copilot cost").text
    assert "Nothing has been asked yet" in demo_kernel.run("%copilot sent").text
    demo_kernel.run("%copilot ask How is the chip?")

    cost = demo_kernel.run("%copilot cost").text
    assert "| 1 | How is the chip? |" in cost
    assert "| tool results: get_chip_summary |" in cost
    assert "its questions take 0 tokens" in cost
    assert "**Request 1**: input 0 tokens" in demo_kernel.run("%copilot cost 1").text
    [bundle] = demo_kernel.run("%copilot sent").bundles
    assert "How is the chip?" in bundle["text/html"]
    assert "<details" in bundle["text/html"]
    assert "from 1 to 1" in demo_kernel.run("%copilot sent 2").text
    counted = demo_kernel.run("print(len(copilot.turns[0].requests), copilot.turns[0].usage.input_tokens)").stdout
    assert re.fullmatch(r"[1-9]\d* 0\n", counted)
