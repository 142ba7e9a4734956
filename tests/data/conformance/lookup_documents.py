"""Document sets of what is read whole (runs, versions, provenance, notes), as real databases hold it."""

from __future__ import annotations

from typing import Any, cast

from tests.data.conformance.documents import (
    INF,
    NAN,
    T0,
    Document,
    Documents,
    at,
    chip,
    element,
    oid,
    project,
    record,
    result,
)

MOMENTS: list[Any] = [
    T0,
    "2026-03-01T20:00:00.456789+09:00",
    "2026-03-01 11:30:00",
    T0.replace(tzinfo=None),
    at(3),
    at(3),
    at(2),
    "yesterday",
    "",
    None,
    ...,
    20260301,
    True,
    {"when": 1},
    [at(900)],
    at(1),
]


def known(document: Document) -> Document:
    return {name: entry for name, entry in document.items() if entry is not ...}


def execution(execution_id: Any, start: Any, **more: Any) -> Document:
    whole = {
        "_id": oid(),
        "project_id": "p1",
        "chip_id": "c1",
        "username": "aoi",
        "name": "daily",
        "execution_id": execution_id,
        "status": "completed",
        "tags": ["daily"],
        "start_at": start,
        "end_at": at(5),
        "elapsed_time": 303.5,
        "message": "",
    }
    return known(whole | more)


def calibration_note(note: Any, timestamp: Any, **more: Any) -> Document:
    whole = {"_id": oid(), "project_id": "p1", "chip_id": "c1", "execution_id": "20260301-000", "task_id": "master"}
    return known(whole | {"note": note, "timestamp": timestamp, "version": 1} | more)


def runs() -> Documents:
    """Task results, runs and machine states of one chip."""
    t1 = {"t1": record(50.0), "zz": record(0), "none": record(0, unit="GHz")}
    outputs = [t1, {"t1": record(0)}, {"t1": record("n/a", error=INF)}, {"t1": 61.4}, {}, None, "broken"]
    rows = [result("1", outputs[n % len(outputs)], start) for n, start in enumerate(MOMENTS)]
    # The newest ones only look as if they were of qubit 7.
    rows += [result(qid, t1, at(50 + n), name="CheckT2") for n, qid in enumerate([7.0, ["7"], 7.0, [7], "mux0", True])]
    rows += [result(qid, t1, at(n), name="CheckT2") for n, qid in enumerate(["7", "007", 7, "Q7", "qubit 7", "4-1"])]
    rows += [result(none, t1, at(7), name="LinkUp", task_type="global") for none in ("", None, ...)]
    for n, status in enumerate(("scheduled", "running", "failed", "pending", "skipped", "cancelled", "", None, ...)):
        rows.append(result("2", None, at(n), status=status, end_at=None, message="low R2" if n % 2 else None))
    elapsed = ["0:12:03", "12:03", "12.5 seconds", "3 minutes", "a few seconds", "17", NAN, None, ..., True, -1]
    rows += [result("3", t1, at(n), elapsed_time=text) for n, text in enumerate(elapsed)]
    tags = [["daily"], ["daily", "weekly"], ["weekly", "daily"], [], "daily", None, ..., {"daily": 1}, [1, "daily"]]
    rows += [result("4", t1, at(n), tags=tagged, name="CheckRamsey") for n, tagged in enumerate(tags)]
    excluded = [True, False, None, ..., 0, 1, ""]
    rows += [result("5", t1, at(n), excluded=flag, excluded_reason="heater") for n, flag in enumerate(excluded)]
    cooldowns = ["2026-001", "2026-002", "", None, ...]
    rows += [result("6", t1, at(n), cooldown_id=cooldown) for n, cooldown in enumerate(cooldowns)]
    rows += [
        result("8", t1, at(4), name=name, execution_id=ran) for name, ran in ((None, "e1"), ("", None), (..., ...))
    ]
    runs_ = [execution(f"20260301-{n:03d}", start) for n, start in enumerate(MOMENTS)]
    runs_ += [
        execution(f"20260302-{n:03d}", at(n), elapsed_time=text, tags=tags[n % len(tags)], status=status)
        for n, (text, status) in enumerate(zip(elapsed, ["failed", "running", None, ...] * 3, strict=False))
    ]
    runs_ += [execution(f"20260303-{n:03d}", at(n), username=user) for n, user in enumerate(["bob", "", None, ..., 5])]
    state = {"rabi_params": {"Q00": {"amplitude": NAN, "frequency": 0.0125, "shape": [1, INF, "x"]}, "Q01": {}}}
    states = [state, {}, None, ..., "broken", [state], {"when": {"Q00": {"at": at(1), "id": 3}}}, {"version": 3}]
    notes = [calibration_note(note, at(n)) for n, note in enumerate(states)]
    notes += [calibration_note(state, moment, task_id="t-1") for moment in MOMENTS]
    notes += [calibration_note(state, at(3), execution_id=other) for other in ("20260301-001", None, ...)]
    return {
        "project": [project("p1")],
        "chip": [chip()],
        "qubit": [],
        "task_result_history": rows,
        "execution_history": runs_,
        "calibration_note": notes,
    }


def version(number: Any, qid: Any = "7", **more: Any) -> Document:
    identity = oid()
    whole = {
        "_id": identity,
        "entity_id": f"t1:{qid}:20260301-000:{identity[-4:]}",
        "parameter_name": "t1",
        "qid": qid,
        "value": 50.0,
        "value_type": "float",
        "unit": "μs",
        "error": 1.5,
        "version": number,
        "valid_from": T0,
        "valid_until": None,
        "execution_id": "20260301-000",
        "task_id": identity[-4:],
        "task_name": "CheckT1",
        "project_id": "p1",
        "chip_id": "c1",
    }
    return known(whole | more)


def relation(kind: Any, source: str, target: str, **more: Any) -> Document:
    whole = {"_id": oid(), "relation_id": f"{kind}:{source}:{target}", "relation_type": kind, "project_id": "p1"}
    ends = {"source_type": "entity", "source_id": source, "target_type": "activity", "target_id": target}
    return known(whole | ends | more)


def activity(activity_id: str, **more: Any) -> Document:
    whole: Document = {"_id": oid(), "activity_id": activity_id, "task_name": "CheckT1", "task_type": "qubit"}
    whole |= {
        "qid": "7",
        "execution_id": "e1",
        "task_id": "t1",
        "started_at": T0,
        "ended_at": at(1),
        "status": "completed",
    }
    return known(whole | {"project_id": "p1", "chip_id": "c1"} | more)


def provenance() -> Documents:
    """Versions of two chips on one line of numbers, and the graph between them."""
    values = [0, 0.0, "0", "61.4", "CR", "nan", "", None, ..., True, NAN, INF, 7, [1.0], {"v": 1}]
    numbers: list[Any] = [*range(1, 8), "8", " 9 ", 10.0, "10", None, ..., NAN, INF, "new", True, [99], {"n": 1}, at(0)]
    rows = [version(number) for number in numbers]
    rows += [version(n + 20, "8", value=value) for n, value in enumerate(values)]
    rows += [version(n + 20, "8", value=value, parameter_name="hpi_amplitude") for n, value in enumerate(values)]
    rows += [
        version(n, qid, parameter_name="zz") for n, qid in enumerate(["7", "007", 7, "Q7", 7.0, ["7"], "", None, ...])
    ]
    rows += [version(3, qid, parameter_name="zz", unit=None, error="±1") for qid in ("7", "07", "4-1", "04-01")]
    rows += [version(n + 40, "9", valid_from=moment, valid_until=moment) for n, moment in enumerate(MOMENTS)]
    # Two chips take turns on one line; another project and no project at all have lines of their own.
    rows += [version(n, "1", chip_id=f"c{1 + n // 3 % 2}") for n in range(1, 13)]
    rows += [version(50 + n, "1", project_id=other) for n, other in enumerate(["p2", None, ...])]
    edges = [relation("wasGeneratedBy", "a", "e1:t1"), relation("used", "e1:t1", "b", target_type="entity")]
    edges += [relation("wasDerivedFrom", "a", "b"), relation(None, "a", "c"), relation(..., "a", "d", target_type=...)]
    edges += [relation("used", "e1:t1", "b", project_id=other) for other in ("p2", None, ...)]
    doings = [activity(f"e1:t{n}", started_at=moment, ended_at=moment) for n, moment in enumerate(MOMENTS)]
    doings += [
        activity("e1:other", chip_id="c2", qid="007"),
        activity("e1:far", project_id="p2"),
        activity("e1:none", qid=...),
    ]
    cooldowns = [
        known(
            {"_id": oid(), "project_id": "p1", "cooldown_id": f"2026-{n:03d}", "started_at": moment, "chip_ids": chips}
        )
        for n, (moment, chips) in enumerate(
            zip(MOMENTS, [["c1"], ["c1", "c2"], ["c2"], "c1", None, ...] * 3, strict=False)
        )
    ]
    return {
        "project": [project("p1"), project("p2")],
        "chip": [chip(), chip(chip_id="c2"), chip("p2")],
        "qubit": [],
        "parameter_versions": rows,
        "provenance_relations": edges,
        "provenance_activities": doings,
        "cooldown": cooldowns,
    }


def words(content: Any, moment: Any = T0, by: Any = "aoi") -> Document:
    return known({"content": content, "updated_by": by, "updated_at": moment})


def written(moment: Any, **more: Any) -> Document:
    whole = {"_id": oid(), "project_id": "p1", "system_info": known({"created_at": T0, "updated_at": moment})}
    return known(whole | more)


def people() -> Documents:
    """What people wrote, in all the places and of all ages."""
    contents = ["T1 fell", "  ", "", None, ..., 5, "two\nlines "]
    odd: list[Any] = [
        "bare text",
        None,
        ...,
        [],
        {"content": "no more"},
        {"content": "odd", "updated_at": "yesterday", "updated_by": None},
    ]
    tasks = [
        result("7", {}, at(1), task_id="mine", user_note=words("looks bad", at(9)), ai_review_note=words("low R2")),
        result("Q07", {}, at(1), task_id="mine too", user_note=words("again")),
        result("mux0", {}, at(1), task_id="odd", user_note=words("odd id")),
        result("7", {}, at(1), task_id="theirs", chip_id="c2", user_note=words("other chip")),
        *(result("1", {}, at(1), user_note=note) for note in odd),
    ]
    targets = [
        ("qubit", "7"),
        ("qubit", "007"),
        ("coupling", "4-1"),
        ("coupling", "Q04-Q01"),
        ("qubit", "mux0"),
        (None, 7),
    ]
    comments = [
        {"comment_id": "1", "content": "seen again", "created_by": "bob", "created_at": at(4), "updated_at": None},
        {"comment_id": "2", "content": "gone", "created_by": "bob", "created_at": at(4), "updated_at": at(5)},
        {"comment_id": "3", "content": " "},
        "bare",
        None,
    ]
    target_notes = [
        written(T0, chip_id="c1", target_type=kind, target_id=target, note=words("a target"), comments=comments)
        for kind, target in targets
    ]
    target_notes += [
        written(T0, chip_id="c1", target_type="qubit", target_id="1", note=note, comments=None) for note in odd
    ]
    issues = [
        written(moment, task_id=task, username="aoi", title=title, content="why?", is_closed=closed, is_ai_reply=False)
        for moment, task, title, closed in (
            (at(1), "mine", "T1 too short", False),
            (at(2), "mine too", None, True),
            (at(3), "theirs", "not here", False),
            (at(4), "nobody's", "task is gone", None),
            (at(5), "", "no task", ...),
            (at(6), None, "no task", False),
        )
    ]
    issues += [written(T0, task_id="mine", content="I am a machine", is_ai_reply=True)]
    issues += [written(T0, task_id="mine", content="other project", project_id="p2")]
    root = str(issues[0]["_id"])
    issues += [
        written(moment, task_id="mine", username=by, content=content, parent_id=root, is_ai_reply=is_ai)
        for moment, by, content, is_ai in (
            (at(9), "bob", "later", False),
            (at(8), "aoi", "sooner", False),
            (at(8), "bot", "a machine's", True),
            (..., "bob", "without a date", None),
        )
    ]
    issues += [written(at(9), username="bob", content="its root is gone", parent_id="no such id", is_ai_reply=False)]
    posts = [
        written(at(n), username="bob", title="Jump", content="moved", status="open", **cast("Document", more))
        for n, more in enumerate(
            [
                {"chip_id": "c1", "target_type": "qubit", "target_id": "09"},
                {"chip_id": None, "target_type": None, "target_id": None},
                {"chip_id": "", "target_type": "chip", "target_id": "3"},
                {"target_type": "coupling", "target_id": "4-1"},
                {"chip_id": "c2"},
                {"chip_id": "c1", "is_deleted": True},
                {"chip_id": "c1", "is_ai_reply": True},
            ]
        )
    ]
    lesson = {"chip_id": "c1", "title": "TLS", "status": "approved", "reviewed_by": "eve", "root_cause": "TLS"}
    knowledge = [
        written(at(3), **lesson, qid="5", symptom="halves", resolution="", lesson_learned=["repeat", "later"]),
        written(at(4), **lesson | {"root_cause": None}, qid="", lesson_learned="none"),
        written(at(4), **lesson | {"chip_id": "c2"}, qid="5"),
        written(at(4), **lesson | {"project_id": None}, qid="Q5"),
    ]
    cooldowns = [
        written(
            at(5), cooldown_id="2026-001", chip_ids=["c1"], note=words("warm-up"), description="K", wiring_info="# w"
        ),
        written(..., cooldown_id="2026-002", chip_ids=["c1"], wiring_info="x", started_at=at(6), system_info=...),
        written(..., cooldown_id="2026-003", chip_ids=["c2"], note=words("other chip"), wiring_info="x"),
        written(at(5), cooldown_id="2026-004", note=words("no chips")),
    ]
    metrics = {"t1": words("short", at(8)), "t2_echo": words(""), "x": "bare", "y": None}
    return {
        "project": [project("p1"), project("p2")],
        "chip": [chip(note=words("of the chip")), chip(chip_id="c2", note=words("of c2")), chip("p2", "c9")],
        "qubit": [
            *(element(str(n), {}, note=words(content)) for n, content in enumerate(contents) if content is not ...),
            element("Q07", {}, note=words("padded"), metric_notes=metrics),
            element("mux0", {}, note=words("no id")),
            element("1", {}, None, note=words("no project")),
            element("1", {}, "p2", note=words("other project")),
            element("2", {}, metric_notes="bare"),
        ],
        "coupling": [element("4-1", {}, note=words("weak", "2026-03-02"), metric_notes=metrics)],
        "task_result_history": tasks,
        "chip_note": [
            written(T0, chip_id="c1", note=words(content, moment))
            for content, moment in zip(contents, MOMENTS, strict=False)
        ],
        "target_note": target_notes,
        "metric_note": [
            written(T0, chip_id="c1", target_type="qubit", target_id="7", metric_key="t1", note=words("old"))
        ],
        "issue": issues,
        "issue_knowledge": knowledge,
        "forum_post": posts,
        "cooldown": cooldowns,
    }


def shared_ids() -> Documents:
    """Two projects with a chip of one id, one chip that only one project has, and documents without a project."""
    everywhere = [(project_id, chip_id) for chip_id in ("both", "only") for project_id in ("p1", "p2", None, ...)]
    whole: dict[str, list[Document]] = {
        "project": [project("p1"), project("p2")],
        "chip": [chip("p1", "both"), chip("p2", "both"), chip("p1", "only")],
    }
    for n, (project_id, chip_id) in enumerate(everywhere):
        where = {"project_id": project_id, "chip_id": chip_id}
        added = {
            "task_result_history": result("1", {"t1": record(n)}, at(n), user_note=words(f"note {n}"), **where),
            "execution_history": execution("20260301-000", at(n), **where),
            "calibration_note": calibration_note({"n": {"Q00": n}}, at(n), **where),
            "parameter_versions": version(n, "1", **where),
            "chip_note": written(at(n), note=words(f"chip note {n}"), **where),
            "forum_post": written(at(n), content=f"post {n}", title="", **where),
            "cooldown": written(T0, cooldown_id=f"2026-{n:03d}", chip_ids=[chip_id], started_at=at(n), **where),
        }
        for collection, document in added.items():
            whole.setdefault(collection, []).append(known(document))
    return whole


def nothing_written() -> Documents:
    """A chip, and no other collection at all."""
    return {"chip": [chip()]}


LOOKUP_SETS = {each.__name__: each for each in (runs, provenance, people, shared_ids, nothing_written)}
