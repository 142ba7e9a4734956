"""The steps of docs/extending.md work: its code is run here, its packages are put onto the path."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config.installed import offered
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import Answer, Block, CellEditBlock, ChartBlock, TableBlock, TextBlock
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.messages.languages import FILES, LANGUAGES
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.codec import NAMES
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.ui.panel_state.blocks import blocks_of
from tests.session.conversation import open_shell, small_demo, without_settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def code_of(section: str, kind: str = "python") -> list[str]:
    """The blocks of code below a heading."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_demo(tmp_path_factory.mktemp("demo16"))


@pytest.fixture
def names(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What the page's code finds and makes; its conversations are closed."""
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(folder))
    opened: list[Copilot] = []

    def opening(*args: Any, **options: Any) -> Copilot:
        opened.append(open_copilot(*args, **options))
        return opened[-1]

    with open_shell() as shell:
        yield {"shell": shell, "folder": folder, "open_copilot": opening}
    for copilot in opened:
        copilot.close()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install a package: its pyproject's entry points, and the code of the modules that they name."""

    def install(project: str, code: str) -> None:
        (tmp_path / "lab-1.0.dist-info").mkdir()
        lines = ["[build]"]
        for group, points in tomllib.loads(project)["project"]["entry-points"].items():
            lines.append(f"[{group}]")
            for name, value in points.items():
                lines.append(f"{name} = {value}")
                (tmp_path / f"{value.split(':')[0]}.py").write_text(code, encoding="utf-8")
        (tmp_path / "lab-1.0.dist-info" / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
        (tmp_path / "lab-1.0.dist-info" / "METADATA").write_text("Name: lab\nVersion: 1.0\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        offered.cache_clear()

    yield install
    offered.cache_clear()


def run(code: str, names: dict[str, Any]) -> None:
    exec(compile(code.replace("from qdash_jupyter import open_copilot\n", ""), "extending.md", "exec"), names)  # noqa: S102


def test_a_tool(names: dict[str, Any], package: Callable[..., None]) -> None:
    declared, opened, added, worded = code_of("A tool")
    assert len(declared.strip().split("def ")[1].splitlines()) <= 10
    run(declared, names)
    run(opened, names)
    copilot = names["copilot"]
    assert copilot.tools.fridge_log(last_n=48).rows == 48
    names["copilot"] = opened_now = names["open_copilot"](names["shell"])
    run(added, names)
    assert "- fridge_log: Temperatures of" in opened_now._conversation.parts().setting("en", NoCells()).instructions
    run(worded, names)
    assert names["FRIDGE_LOG"].label == "Reading the fridge's log"
    package(*code_of("A tool", "toml"), declared)
    assert "fridge_log" in dir(names["open_copilot"](names["shell"]).tools)


def test_a_reader(names: dict[str, Any], package: Callable[..., None]) -> None:
    declared, opened = code_of("A reader")
    run(declared, names)
    run(opened, names)
    plain = names["open_copilot"](names["shell"])
    days = {copilot._conversation.parts().reader.now().day for copilot in (names["copilot"], plain)}
    assert len(days) == 2
    reader = names["copilot"]._conversation.parts().reader
    names["copilot"].close()
    assert reader.chips()  # still open: it is the giver's
    reader.close()
    package(*code_of("A reader", "toml"), declared)
    settings = yaml.safe_load(code_of("A reader", "yaml")[0])
    settings["database"]["reader_options"]["folder"] = names["folder"]
    named = names["open_copilot"](names["shell"], settings=settings)
    assert type(named._conversation.parts().reader).__name__ == "YesterdaysReader"


def test_a_model(names: dict[str, Any], package: Callable[..., None]) -> None:
    declared, opened = code_of("A model")
    run(declared, names)
    run(opened, names)
    assert names["copilot"].ask("How many?").text == "11 tools"
    names["copilot"].use_model("offline")
    names["copilot"].use_model("echo")
    package(*code_of("A model", "toml"), declared)
    for settings, model in (({"model": "echo"}, None), ({}, "echo")):
        chosen = names["open_copilot"](names["shell"], settings=settings, model=model)
        assert chosen.ask("How many?").text == "11 tools"


def test_a_language(names: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(LANGUAGES, "de", "")  # gone again afterwards
    monkeypatch.setitem(FILES, "de", Path())
    monkeypatch.chdir(tmp_path)
    run(code_of("A tool")[0], names)
    declared, opened = code_of("A language")
    run(declared, names)
    run(opened, names)
    copilot = names["copilot"]
    copilot.tools.add(names["fridge_log"])
    setting = copilot._conversation.parts().setting("en", NoCells())
    assert "Answer in German; reason in English." in setting.instructions
    assert Message("stage-thinking").of(setting.language) == "Denke nach…"
    assert setting.toolbox.specs["get_chip_summary"].label.of(setting.language).startswith("Reading")


EXAMPLES: dict[type, Any] = {
    TextBlock: TextBlock("words"),
    ChartBlock: ChartBlock(({"type": "bar", "y": [1]},), {}, "title"),
    TableBlock: TableBlock("t1", ("qid",), (("7",),), 1),
    CellEditBlock: CellEditBlock("e1", "c1", "[3]", "1 / 0", "1 / 1"),
}


@pytest.mark.parametrize("kind", get_args(Block))
def test_every_type_of_block_is_known_everywhere(kind: type) -> None:
    block = EXAMPLES[kind]
    assert kind in NAMES.values()
    (shown,) = blocks_of("block", [block])
    panel = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "js" / "src").rglob("*.ts"))
    assert f"case '{shown['kind']}':" in panel
    lowered = Answer((block,)).to_seed_schema()["blocks"]
    assert [each["type"] for each in lowered] in (["text"], ["chart"])
    assert len([bundle for bundle in Answer((block,)).bundles() if bundle["text/plain"]]) == 1


def test_a_table_that_a_tool_returns_is_seen_in_the_answer(names: dict[str, Any]) -> None:
    run(code_of("A tool")[0], names)
    model = ScriptedLLM([call_reply(("fridge_log", {"last_n": 30})), text_reply("Cold.")])
    copilot = names["open_copilot"](names["shell"], tools=[names["fridge_log"]], model=model)
    answer = copilot.ask("How cold is it?")
    _, table = answer.blocks
    assert isinstance(table, TableBlock)
    assert (table.frame_key, table.columns) == ("fridge_log", ("t", "stage", "mK"))
    assert (len(table.rows), table.total_rows) == (20, 30)
    assert "10 more rows in `data['fridge_log']`" in answer.text
    assert copilot.data["fridge_log"].rows == 30
