"""Steps, texts and code of an answer in the panel."""

import json
import re

from playwright.sync_api import expect

from tests.lab.bare_panel import PanelPage, conversation, running, step, text, turn

pytest_plugins = ("tests.lab.panel_page",)


def test_a_step_shows_exactly_what_was_sent(panel: PanelPage) -> None:
    sent = json.dumps({"rows": 1234, "note": "<b>x</b>  two  spaces"})
    block = step(sent=sent, code="t1 = data['t1'].frame", hint="Try Q09.", state="failed", error="No such qubit: Q99.")
    panel.snapshot(conversation(turns=[turn(blocks=[block], state="error")]))
    line = panel.page.get_by_role("button", name="Reading a parameter")
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(panel.turns).to_contain_text("No such qubit: Q99.")
    expect(panel.page.get_by_text("get_chip_parameter_timeseries")).to_have_count(0)
    line.click()
    for words in ("get_chip_parameter_timeseries", '"parameter_name": "t1"', "Try Q09.", "t1 = data['t1'].frame"):
        expect(panel.turns).to_contain_text(words)
    expect(panel.page.get_by_text(f"Read by the offline planner · {len(sent)} characters")).to_be_visible()
    expect(panel.turns.locator("pre").last).to_have_text(sent, use_inner_text=False)
    expect(panel.button("Copy: Read by the offline planner")).to_be_visible()


def test_steps_that_went_well_fold_and_failed_ones_stay_out(panel: PanelPage) -> None:
    begun_at = step()["started_at"]  # the first two side by side, the last two one after the other
    starts = [begun_at + later_ms for later_ms in (0, 0, 2000, 2500)]
    steps = [step(f"s{n}", label=f"Reading {n}", started_at=at, elapsed_s=0.5) for n, at in enumerate(starts)]
    steps.insert(2, step("s9", label="Reading Q99", state="failed", error="No such qubit."))
    panel.snapshot(conversation(turns=[running(*steps)]))
    expect(panel.page.get_by_text("Reading 3")).to_be_visible()
    panel.snapshot(conversation(turns=[turn(blocks=steps)]))
    fold = panel.page.get_by_role("button", name="4 steps · 1.5 s")
    expect(fold).to_be_visible()
    expect(panel.page.get_by_text("Reading 3")).to_have_count(0)
    expect(panel.page.get_by_text("Reading Q99")).to_be_visible()
    fold.click()
    expect(panel.page.get_by_text("Reading 3")).to_be_visible()
    panel.snapshot(conversation(turns=[turn("a2", blocks=steps[:2])]))  # two do not
    expect(panel.page.get_by_role("button", name=re.compile("Reading [01]"))).to_have_count(2)


def test_the_way_to_the_cell_of_a_step(panel: PanelPage) -> None:
    in_cell = step("s1", state="running", cell_id="c1", cell_place="notebook", cell_state="waiting", elapsed_s=None)
    panel.snapshot(conversation(turns=[running(in_cell, step("s2", cell_place="kernel", code="1 + 1"))]))
    expect(panel.turns).to_contain_text("waiting for the kernel")
    expect(panel.turns).to_contain_text("ran without a cell")
    panel.button("In cell ↗").click()
    assert [event["detail"] for event in panel.events("reveal")] == [{"cell_id": "c1"}]


def test_data_that_are_gone_are_fetched_again(panel: PanelPage) -> None:
    gone = step(frame_key="t1", frame_gone=True)
    panel.snapshot(conversation(turns=[turn(blocks=[gone])]))
    expect(panel.turns).to_contain_text('data["t1"] · gone')
    panel.button("Fetch again").click()
    assert [(each["turn_id"], each["call_id"]) for each in panel.commands("fetch")] == [("a1", "call-s1")]
    expect(panel.button("Fetching…")).to_be_disabled()
    panel.patch({"op": "block", "turn_id": "a1", "block": gone | {"frame_gone": False}})
    expect(panel.turns).to_contain_text('data["t1"] · 1,234 rows')


def test_the_replies_to_a_question_back_are_buttons(panel: PanelPage) -> None:
    asked = turn(blocks=[text("Which parameter do you mean: T2 Echo or T2 Star?")], choices=["t2_echo", "t2_star"])
    panel.snapshot(conversation(turns=[turn("a0", choices=["Q05"], blocks=[text("Which qubit?")]), asked]))
    replies = panel.page.get_by_role("group", name="Replies").get_by_role("button")
    expect(replies).to_have_text(["t2_echo", "t2_star"])  # of the newest question alone
    panel.button("Q05").click()  # what was offered before fills the box
    expect(panel.box).to_have_value("Q05")
    assert panel.commands("ask") == []
    panel.box.fill("")
    replies.last.click()
    expect(panel.button("Stop")).to_be_visible()
    assert [asked["text"] for asked in panel.commands("ask")] == ["t2_star"]
    expect(replies).to_have_count(0)


def test_an_assessment_is_a_word_above_the_answer(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[step(), text("Three qubits.")], assessment="bad")]))
    chip, answer = panel.page.get_by_text("Bad", exact=True), panel.page.get_by_text("Three qubits.")
    expect(chip).to_be_visible()
    above, below = chip.bounding_box(), answer.bounding_box()
    assert above
    assert below
    assert above["y"] < below["y"]


def test_a_failed_question_is_tried_again(panel: PanelPage) -> None:
    error = {"id": "e1", "kind": "error", "title": "The model did not answer.", "hint": "Start it."}
    panel.snapshot(conversation(turns=[turn(blocks=[error], state="error")]))
    for words in ("The model did not answer.", "Start it."):
        expect(panel.turns).to_contain_text(words)
    panel.button("Try again").click()
    assert [each["turn_id"] for each in panel.commands("retry")] == ["a1"]
    expect(panel.page.get_by_role("button", name="asked again below")).to_be_visible()
    expect(panel.turns).to_have_count(1)  # the one that runs
    expect(panel.button("Stop")).to_be_visible()
    expect(panel.button("Try again")).to_have_count(0)
    panel.ack(panel.commands("retry")[0]["n"], ok=False, message="It cannot be asked again.")
    expect(panel.button("Try again")).to_be_visible()
    expect(panel.turns).to_have_count(1)
    expect(panel.page.get_by_role("alert")).to_contain_text("It cannot be asked again.")
    expect(panel.box).to_have_value("")


def test_a_question_that_the_kernel_did_not_outlive(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text("Three qu"), broken_off=True)]))
    expect(panel.turns).to_have_attribute("data-state", "stopped")
    expect(panel.turns).to_contain_text("Interrupted: the kernel stopped")
    expect(panel.button("Send")).to_be_visible()
    panel.button("Ask again").click()
    assert [each["turn_id"] for each in panel.commands("retry")] == ["a1"]


def test_blocks_of_a_later_version_are_left_out(panel: PanelPage) -> None:
    odd = {"id": "x1", "kind": "hologram"}
    panel.snapshot(conversation(turns=[turn(blocks=[odd, text("Still here.")])]))
    expect(panel.turns).to_contain_text("Still here.")


def test_long_code_opens_on_a_click(panel: PanelPage) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(30))
    panel.snapshot(conversation(turns=[turn(blocks=[text(f"```python\n{code}\n```")])]))
    expect(panel.turns).not_to_contain_text("line_29")
    panel.button("All 30 lines").click()
    expect(panel.turns).to_contain_text("line_29")


def test_code_has_the_hosts_colours_when_it_is_complete(panel: PanelPage) -> None:
    panel.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel.snapshot(conversation(turns=[running(text("```python\nimport numpy"))]))
    expect(panel.turns).to_contain_text("import numpy")
    assert panel.events("highlight") == []
    assert panel.page.get_by_role("button", name="Insert as cell").count() == 0
    panel.patch(
        {"op": "text", "turn_id": "a1", "block_id": "t1", "append": " as np\n```\n\nAnd:\n\n```yaml\na: 1\n```\n\n"}
    )
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'highlight').length >= 1")
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "done"}})
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'highlight').length === 2")
    assert [event["detail"] for event in panel.events("highlight")] == [
        {"code": "import numpy as np", "language": "python"},
        {"code": "a: 1", "language": "yaml"},
    ]
    assert panel.page.locator(".qd-code pre").first.inner_html().startswith("<span")
    panel.button("Copy code").first.click()
    expect(panel.button("Copied")).to_be_visible()
    assert panel.page.evaluate("navigator.clipboard.readText()") == "import numpy as np"


def test_python_goes_into_the_notebook(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text("```python\nx = 1\n```\n\n```json\n{}\n```")])]))
    insert = panel.button("Insert as cell")
    expect(insert).to_have_count(1)
    insert.click()
    [event] = panel.events("insert")
    turn_id = panel.turns.first.get_attribute("data-turn")
    assert event["detail"] == {"code": "x = 1", "about": turn_id, "run": False, "cell_id": "inserted"}
    panel.button("In cell ↗").click()
    assert [event["detail"] for event in panel.events("reveal")] == [{"cell_id": "inserted"}]


def test_without_a_notebook_nothing_is_to_be_inserted(panel: PanelPage) -> None:
    panel.page.evaluate("kit.tell('link', { notebook: null, kernel: null, state: 'live', missing: [] })")
    panel.snapshot(conversation(turns=[turn(blocks=[text("```python\nx = 1\n```")])]))
    expect(panel.button("Copy code")).to_be_visible()
    expect(panel.button("Insert as cell")).to_have_count(0)


def test_a_notebook_that_takes_no_cells_is_said(panel: PanelPage) -> None:
    panel.page.evaluate("kit.refuses.add('insert')")
    panel.snapshot(conversation(turns=[turn(blocks=[text("```python\nx = 1\n```")])]))
    panel.button("Insert as cell").click()
    expect(panel.button("Not inserted: the notebook can't be edited")).to_be_visible()


def test_a_burst_of_deltas_arrives_complete(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text(""))]))
    words = [f"{n} " if n % 40 else f"{n}\n\n" for n in range(5_000)]
    patches = [
        {
            "v": 1,
            "type": "patch",
            "seq": next(panel.numbers),
            "ops": [
                {"op": "text", "turn_id": "a1", "block_id": "t1", "append": word} for word in words[first : first + 30]
            ],
        }
        for first in range(0, 5_000, 30)
    ]
    panel.receive(*patches)
    expect(panel.turns).to_contain_text("4999")
    shown = panel.page.locator(".qd-text").inner_text().split()
    assert shown == "".join(words).split()


GROWING = """# Head

- one
- two

  more of two

Above

| a | b |
| --- | --- |
| 1 | 2 |

```python
x = 1

y = 2
```

See [a link] and $x_1$.

[a link]: https://a.example/1

End."""


def test_what_grows_in_steps_looks_like_what_came_at_once(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn("a0", blocks=[text(GROWING)])]))
    html = panel.page.locator(".qd-text")
    expect(html).to_have_count(1)
    panel.page.wait_for_function("kit.events.some(each => each.type === 'highlight')")
    expect(html.locator(".qd-table .qd-scroller")).to_have_attribute("style", re.compile("--qd-first"))
    at_once = html.inner_html()
    panel.snapshot(conversation(turns=[running(text(""))]))
    for first in range(0, len(GROWING), 2):
        panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": GROWING[first : first + 2]})
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "done"}})
    expect(panel.turns).to_have_attribute("data-state", "done")
    expect(html).to_have_js_property("innerHTML", at_once)


def test_reasoning_is_one_line_that_opens_to_its_summary(panel: PanelPage) -> None:
    thought = {"id": "thought", "kind": "thought", "text": "**Reading T1**\n\nThe chip", "elapsed_s": None}
    panel.snapshot(conversation(turns=[running(thought)]))
    line = panel.page.get_by_role("button", name="Thoughts so far")
    line.click()
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "thought", "append": " first."})
    expect(panel.turns.last).to_contain_text("The chip first.")
    done = thought | {"text": "**Reading T1**\n\nThe chip first.", "elapsed_s": 4.04}
    panel.snapshot(conversation(turns=[turn(blocks=[done, step(), text("Q07 fell.")])]))
    line = panel.page.get_by_role("button", name="Thought for 4.0 s")
    expect(line).to_have_attribute("aria-expanded", "true")
    line.click()
    expect(panel.page.get_by_text("The chip first.")).to_have_count(0)
    expect(panel.turns.last).to_contain_text("Q07 fell.")
