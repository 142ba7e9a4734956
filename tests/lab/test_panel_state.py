"""The reducer of the shipped panel, on the messages that the kernel's tests write and read as well."""

import json
from pathlib import Path
from typing import Any

import pytest
from bare_panel import conversation, text, turn
from playwright.sync_api import Page

pytest_plugins = ("panel_page",)

WIRE = Path(__file__).parents[1] / "wire"

REDUCE = """({ start, messages }) => messages.reduce(
  (state, { type, ops, state: whole }) => (type === 'snapshot' ? whole : ops.reduce(kit.apply, state)),
  start ?? kit.initialState,
)"""


def golden_cases() -> list[Any]:
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(WIRE.glob("panel-*.json"))}
    return [
        pytest.param(case, id=f"{name}: {case['name']}")
        for name, content in files.items()
        for case in (content if isinstance(content, list) else [content])
    ]


@pytest.mark.parametrize("case", golden_cases())
def test_golden_messages(panel_page: Page, case: dict[str, Any]) -> None:
    given = {"start": case["start"], "messages": case["messages"]}
    assert panel_page.evaluate(REDUCE, given) == case["expected"]


def test_what_an_op_does_not_touch_stays_the_same_object(panel_page: Page) -> None:
    start = conversation(turns=[turn("a1", blocks=[text("one")]), turn("a2", blocks=[text("two"), text("", "t2")])])
    same = panel_page.evaluate(
        """start => {
            const after = kit.apply(start, { op: 'text', turn_id: 'a2', block_id: 't2', append: 'x' });
            const [first, second] = after.turns;
            return {
                other_turn: first === start.turns[0],
                other_block: second.blocks[0] === start.turns[1].blocks[0],
                frames: after.frames === start.frames,
                turn: second === start.turns[1],
                block: second.blocks[1] === start.turns[1].blocks[1],
                nothing: kit.apply(start, { op: 'drop', turn_id: 'a2', block_id: 'none' }) === start,
            };
        }""",
        start,
    )
    unchanged, changed = ["other_turn", "other_block", "frames", "nothing"], ["turn", "block"]
    assert same == dict.fromkeys(unchanged, True) | dict.fromkeys(changed, False)


def test_an_op_changes_no_object(panel_page: Page) -> None:
    """Frozen all through, the state before an op can still be gone on from."""
    result = panel_page.evaluate(
        """([start, ops]) => {
            const freeze = value => {
                if (value && typeof value === 'object') {
                    Object.values(value).forEach(freeze);
                    Object.freeze(value);
                }
                return value;
            };
            return ops.reduce((state, op) => freeze(kit.apply(state, freeze(op))), freeze(start)).turns;
        }""",
        [
            conversation(turns=[turn("a1", blocks=[text("one")])]),
            [
                {"op": "text", "turn_id": "a1", "block_id": "t1", "append": " two"},
                {"op": "block", "turn_id": "a1", "block": text("three", "t3")},
                {"op": "turn", "turn_id": "a1", "set": {"state": "done"}},
                {"op": "turn", "turn_id": "a2", "set": {"state": "thinking"}},
                {"op": "drop", "turn_id": "a1", "block_id": "t3"},
                {"op": "set", "key": "frames", "value": []},
            ],
        ],
    )
    assert [each["turn_id"] for each in result] == ["a1", "a2"]
    assert result[0]["blocks"] == [text("one two")]


def test_the_state_before_the_first_message(panel_page: Page) -> None:
    state = panel_page.evaluate("kit.initialState")
    assert state["v"] == 1
    assert state["about"]["state"] == "connecting"
    assert [state["frames"], state["turns"], state["starters"]] == [[], [], []]
