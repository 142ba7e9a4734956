"""What was fetched, and the conversation as a file or on the clipboard."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from qdash_jupyter.explore.code_button import SCRIPT
from tests.lab.bare_panel import TABLE, Json, PanelPage, conversation, frame, preview, step, text, turn
from tests.patience import until

pytest_plugins = ("tests.lab.panel_page",)


def test_data_are_listed_under_their_python_names(panel: PanelPage) -> None:
    now: float = panel.page.evaluate("Date.now()")
    frames = [
        frame(fetched_at=now - 180_000),
        frame(table="qubits", main=False, rows=64),
        frame("old", note="version 2"),
    ]
    panel.snapshot(conversation(frames=frames))
    panel.button("Data 2").click()
    other, item = panel.page.get_by_role("list", name="Data").get_by_role("listitem").all()
    for words in (
        'data["t1"]',
        "timeseries",
        "1,234 rows × 3 columns",
        "64 rows",
        'get_chip_parameter_timeseries(parameter_name="t1", since="2026-09-01")',
        "3 min ago",
    ):
        expect(item).to_contain_text(words)
    expect(other).to_contain_text("as of 2026-05-28 · version 2")
    other.get_by_role("button", name="Explore").click()  # in reach, without its tables
    call = 'get_chip_parameter_timeseries(parameter_name="t1", since="2026-09-01")'
    lines = f'%load_ext qdash_jupyter\nif "old" not in copilot.data:\n    copilot.data["old"] = copilot.tools.{call}\n'
    assert panel.events("insert")[-1]["detail"]["code"] == f'{lines}copilot.data["old"].explore()'
    many = [frame(f"t1_{n}", call=f'get_chip_parameter_timeseries("t{n}")', fetched_at=now + n) for n in range(6)]
    panel.patch({"op": "set", "key": "frames", "value": [*frames, *many]})
    items = panel.page.get_by_role("list", name="Data").get_by_role("listitem")
    expect(items.first).to_contain_text('"t5"')  # the newest
    panel.patch({"op": "set", "key": "frames", "value": [*frames, *({**each, "fetched_at": now} for each in many)]})
    expect(items.first).to_contain_text('"t5"')  # also by a snapshot's clock, which stands still
    panel.page.get_by_role("searchbox", name="Filter").fill("TIMESERIES t3")
    expect(items).to_have_count(1)
    panel.page.get_by_role("searchbox", name="Filter").fill("nothing of it")
    expect(panel.page.get_by_role("region", name="Data")).to_contain_text("No data matches.")
    panel.button("Data 8").click()
    expect(panel.page.get_by_role("region", name="Conversation")).to_be_visible()


def test_a_table_shows_its_first_rows_when_it_is_opened(panel: PanelPage) -> None:
    panel.snapshot(conversation(frames=[frame(call="", source="file")], turns=[turn(blocks=[step(frame_key="t1")])]))
    # From its step it is opened at once; nothing of its rows had come before.
    panel.button('data["t1"] · 1,234 rows').click()
    line = panel.page.get_by_role("button", name="timeseries 1,234 rows × 3 columns")
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(line).to_be_focused()
    expect(panel.status).to_have_text("Loading rows")
    until(lambda: len(panel.commands("preview")) > 1)
    wanted = [{key: each[key] for key in ("key", "table")} for each in panel.commands("preview")]
    assert wanted == [{"key": "t1", "table": "timeseries"}, {"key": "", "table": ""}]
    panel.patch({"op": "set", "key": "preview", "value": preview(changed=True)})
    data = panel.page.get_by_role("region", name="Data")
    expect(panel.page.get_by_role("columnheader", name="v (μs)")).to_be_visible()
    expect(data).to_contain_text("First 20 of 1,234 rows, 3 of 3 columns · changed by you")
    expect(data).to_contain_text("1,234 documents of task_result_history")

    panel.button("Open in a cell").click()
    panel.button("Explore").click()
    expect(panel.button('Copy name data["t1"]["timeseries"]')).to_be_visible()
    code = {"code": 'data["t1"]["timeseries"]', "about": 'data["t1"]', "run": True, "cell_id": "inserted"}
    assert [event["detail"] for event in panel.events("insert")] == [code, code | {"code": 'data["t1"].explore()'}]

    # A `data` of the user's own is never named; where nothing leads there, no name is offered.
    panel.patch({"op": "set", "key": "data_name", "value": "copilot.data"})
    expect(panel.button('Copy name copilot.data["t1"]["timeseries"]')).to_be_visible()
    panel.button("Explore").click()
    assert panel.events("insert")[-1]["detail"]["code"] == 'copilot.data["t1"].explore()'
    panel.patch({"op": "set", "key": "data_name", "value": ""})
    expect(panel.page.get_by_role("button", name=re.compile("^Copy name|^Open in|^Explore"))).to_have_count(0)
    expect(data).to_contain_text("Your variables already use the names")

    panel.patch(
        {"op": "set", "key": "preview", "value": preview(state="failed", rows=[], message="It is not there any more.")}
    )
    expect(panel.page.get_by_role("alert")).to_have_text("It is not there any more.")
    panel.patch({"op": "set", "key": "preview", "value": preview(rows=[], total_rows=0)})
    expect(data).to_contain_text("No rows.")

    # Without a kernel it can be read, and no more.
    panel.patch({"op": "set", "key": "data_name", "value": "data"})
    panel.link("lost")
    expect(data).to_contain_text("As last reported by the kernel.")
    panel.patch({"op": "set", "key": "preview", "value": None})
    expect(data).to_contain_text("Reading rows needs the kernel.")
    for name in ("Open in a cell", "Explore", "Refresh t1", "Delete t1"):
        expect(panel.button(name)).to_be_disabled()


def test_the_code_of_an_explored_chart_is_shown_where_no_cell_can_be_inserted(panel_page: Page) -> None:
    panel_page.evaluate(
        """async ([script, state]) => {
            const { default: widget } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
            const model = { get: name => state[name], on: () => {}, off: () => {} };
            widget.render({ model, el: document.getElementById('place') });
        }""",
        [SCRIPT, {"code": "x = 1", "words": ["As code", "", "Code of this chart"]}],
    )
    button, code = panel_page.get_by_role("button", name="As code"), panel_page.get_by_label("Code of this chart")
    button.click()
    expect(code).to_be_hidden()
    assert [event["detail"] for event in PanelPage(panel_page).events("insert")] == [
        {"code": "x = 1", "cell_id": "inserted"}
    ]
    panel_page.evaluate("kit.hosted = false")
    button.click()
    expect(code).to_have_text("x = 1")
    assert panel_page.evaluate("getSelection().toString()") == "x = 1"


def test_what_is_gone_is_fetched_again_by_one_click(panel: PanelPage) -> None:
    gone: Json = {"gone": True, "table": ""}
    panel.snapshot(conversation(frames=[frame("q"), frame(**gone), frame("summary", columns=[], rows=64, **gone)]))
    panel.button("Data 3").click()
    lost = panel.page.get_by_role("listitem").filter(has_text='data["t1"]')
    expect(lost).to_contain_text("had 1,234 rows × 3 columns")
    expect(panel.page.get_by_role("listitem").first).to_contain_text("had 64 rows")
    expect(panel.page.get_by_role("region", name="Data")).to_contain_text("2 datasets were lost with the kernel.")
    panel.button("Fetch all again").click()
    panel.button("Fetch t1").click()
    panel.button("Refresh q").click()
    assert [each["keys"] for each in panel.commands("refresh")] == [[], ["t1"], ["q"]]
    fetching = [frame("q"), *(frame(key, fetching=True, **gone) for key in ("t1", "summary"))]
    panel.patch({"op": "set", "key": "frames", "value": fetching})
    expect(panel.button("Fetching…")).to_be_disabled()
    expect(panel.button("Fetch t1")).to_be_disabled()
    # It was taken, and fails later.
    of = panel.commands("refresh")[0]["n"]
    panel.ack(of, ok=True)
    panel.ack(of, ok=False, message="t1: No server answers.")
    expect(panel.page.get_by_role("alert")).to_have_text("t1: No server answers.")


def test_a_result_is_deleted_when_that_is_meant(panel: PanelPage) -> None:
    panel.snapshot(conversation(frames=[frame()], turns=[turn(blocks=[step(frame_key="t1", frame_gone=True)])]))
    panel.button("Data 1").click()
    panel.button("Delete t1").click()
    expect(panel.button("Keep")).to_be_focused()
    panel.button("Delete").click()
    assert [each["key"] for each in panel.commands("discard")] == ["t1"]
    panel.patch({"op": "set", "key": "frames", "value": []})
    expect(panel.page.get_by_role("region", name="Data")).to_contain_text("No data yet.")
    panel.button("Data 0").click()
    panel.button('data["t1"] · gone').click()
    expect(panel.page.get_by_role("alert")).to_contain_text("t1 was deleted.")


def test_the_menu_by_keyboard(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("More").press("Enter")
    expect(panel.page.get_by_role("menuitem", name="Copy conversation")).to_be_focused()
    panel.page.keyboard.press("ArrowDown")
    expect(panel.page.get_by_role("menuitem", name="Save as notebook")).to_be_focused()
    panel.page.keyboard.press("Escape")
    expect(panel.page.get_by_role("menu")).to_have_count(0)
    expect(panel.button("More")).to_be_focused()


def test_the_conversation_is_saved_as_the_kernel_writes_it(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Save as notebook").click()
    [asked] = panel.commands("export")
    part = {"v": 1, "type": "file", "file_id": asked["file_id"], "left": 0}
    with panel.page.expect_download() as saved:
        others = part | {"file_id": "of another page", "text": "not ours"}
        panel.receive(part | {"text": '{"cells": ', "left": 1}, others, part | {"text": "[]}"})
    assert saved.value.suggested_filename == "t1 conversation.ipynb"
    assert Path(saved.value.path()).read_text(encoding="utf-8") == '{"cells": []}'
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Save as Markdown").click()
    assert [each["format"] for each in panel.commands("export")] == ["ipynb", "md"]


def test_a_command_may_be_refused_after_it_was_taken(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Save as notebook").click()
    [asked] = panel.commands("export")
    panel.ack(asked["n"], ok=True)
    panel.ack(asked["n"], ok=False, message="The database went away.")
    expect(panel.page.get_by_text("The database went away.")).to_be_visible()


def test_copy_transcript_as_markdown(panel: PanelPage) -> None:
    panel.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = TABLE | {"rows": [["Q1", 1.5, None, "good"]], "total_rows": 1}
    panel.snapshot(conversation(turns=[turn(blocks=[step(), text("**Three** qubits."), table], assessment="bad")]))
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Copy conversation").click()
    expect(panel.page.get_by_text("Conversation copied")).to_be_attached()
    copied: str = panel.page.evaluate("navigator.clipboard.readText()")
    lines = [line for line in copied.splitlines() if line]
    assert lines[:3] == [
        "## Which qubits lost T1?",
        "**Assessment: Bad**",
        "- Reading a parameter of the whole chip over time · t1, last 30 days · 1,234 rows",
    ]
    assert lines[3:] == [
        "**Three** qubits.",
        "| qubit | T1 (µs) | measured | assessment |",
        "| --- | --- | --- | --- |",
        "| Q1 | 1.5 | – | good |",
    ]
