"""One run under the guard: what is stopped and said, what is granted, what the person may do afterwards."""

from __future__ import annotations

import ast
import builtins
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.guard import Effect, EffectKind, EffectRefused, Grant, Run, allowed
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from tests.session.conversation import open_shell


class Awg:
    """An instrument that counts what is done to it."""

    def __init__(self) -> None:
        self.pulses = 0

    def output_on(self) -> int:
        self.pulses += 1
        return 7


class Cells:
    """A namespace, in which the agent's cells run under the guard and the person's without."""

    def __init__(self, **names: Any) -> None:
        self.names: dict[str, Any] = {"__builtins__": builtins, **names}
        self.namespace = Namespace(self.names)

    @contextmanager
    def running(self, code: str, grants: tuple[Grant, ...] = ()) -> Iterator[Run]:
        before = self.namespace.before_run()
        with self.namespace.guard.running(code, grants) as run:
            yield run
        self.namespace.own_up(self.namespace.bound_since(before))

    def agent(self, code: str, grants: tuple[Grant, ...] = ()) -> Run:
        with self.running(code, grants) as run:
            assert run.tree is not None
            try:
                exec(compile(run.tree, "<cell>", "exec"), self.names)  # noqa: S102 - the test's own code
            except EffectRefused:
                assert not run.refused.is_plain
        return run

    def person(self, code: str) -> None:
        exec(code, self.names)  # noqa: S102 - the test's own code

    def preview(self, code: str) -> tuple[Effect, ...]:
        return self.namespace.guard.preview(code).found


def test_an_effect_is_stopped_before_it_happens_and_said_in_words() -> None:
    awg = Awg()
    cells = Cells(awg=awg)

    run = cells.agent("done = 1\nawg.output_on()\ndone = 2")

    assert awg.pulses == 0
    assert cells.names["done"] == 1
    (effect,) = run.refused.found
    assert str(effect) == "line 2 calls `awg.output_on()`"
    assert effect.kind is EffectKind.UNKNOWN
    assert "Ask the user to do it" in run.refused.describe()


@pytest.mark.parametrize("swallowed", ["except:\n    pass", "except BaseException:\n    pass", "finally:\n    x = 1"])
def test_what_the_code_makes_of_the_exception_does_not_matter(swallowed: str) -> None:
    cells = Cells(awg=Awg())
    assert not cells.agent(f"try:\n    awg.output_on()\n{swallowed}").refused.is_plain


def test_a_grant_is_for_one_effect_on_one_object() -> None:
    awg, other = Awg(), Awg()
    cells = Cells(awg=awg)
    (expected,) = cells.preview("awg.output_on()")

    run = cells.agent("got = awg.output_on()", (expected.grant,))
    assert (awg.pulses, cells.names["got"], run.refused.is_plain) == (1, 7, True)
    assert [str(effect) for effect in run.done.found] == ["line 1 calls `awg.output_on()`"]

    cells.agent("awg.pulses = 0\n", (expected.grant,))
    assert awg.pulses == 1
    cells.names["awg"] = other
    assert not cells.agent("awg.output_on()", (expected.grant,)).refused.is_plain
    assert other.pulses == 0


def test_the_preview_is_what_the_run_stops_at() -> None:
    code = {
        "awg.output_on()": "awg.output_on()",
        "awg.amplitude": "awg.amplitude",
        "measure(3)": "measure()",
        "import os": "os",
        "df.to_csv('report.csv')": "report.csv",
        "df.to_parquet('report.parquet')": "report.parquet",
        "pd.read_csv('https://example.org/x.csv')": "https://example.org/x.csv",
        "df['x'] = 1": "df",
        "lst.append(2)": "lst",
        "open('x')": "x",
        "n = 4": "n",
        "np.save('x.npy', 1)": "numpy.save",
        "%time 1": "%time 1",
        "f(": "f(",
    }
    for line, what in code.items():
        cells = Cells(awg=Awg(), df=pd.DataFrame({"a": [1]}), n=3, pd=pd, np=np, lst=[1], measure=lambda _: 1)
        expected = cells.preview(line)
        assert [effect.what for effect in expected] == [what], line
        assert {effect.grant for effect in cells.agent(line).refused.found} == {effect.grant for effect in expected}


def test_granted_from_the_preview_it_runs(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = Cells(df=pd.DataFrame({"a": [1]}))
    code = "df.to_csv('report.csv', index=False)"

    assert cells.agent(code, tuple(effect.grant for effect in cells.preview(code))).refused.is_plain

    assert (tmp_path / "report.csv").read_text() == "a\n1\n"
    assert not cells.agent("df.to_csv('other.csv')", tuple(e.grant for e in cells.preview(code))).refused.is_plain


def granted(code: str, **names: Any) -> tuple[Run, Cells]:
    """A run with all that its preview says."""
    cells = Cells(**names)
    return cells.agent(code, tuple(effect.grant for effect in cells.preview(code))), cells


@pytest.mark.parametrize("change", ["df['x'] = 1", "df.loc[0, 'a'] = 5"])
def test_with_leave_the_object_itself_is_changed(change: str) -> None:
    df = pd.DataFrame({"a": [3, 1, 2]})
    before = df.copy()

    run, _ = granted(change, df=df, other=df.copy())

    assert run.refused.is_plain
    assert [effect.what for effect in run.done.found] == ["df"]
    assert not df.equals(before)


def test_leave_to_change_one_object_is_none_for_the_next_of_that_name() -> None:
    cells = Cells(df=pd.DataFrame({"a": [1]}))
    code = "df['x'] = 1"
    leave = tuple(effect.grant for effect in cells.preview(code))
    cells.names["df"] = pd.DataFrame({"a": [2]})

    assert not cells.agent(code, leave).refused.is_plain
    assert list(cells.names["df"].columns) == ["a"]


def test_leave_for_one_file_is_none_for_another(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, cells = granted("with open('a.txt', 'w') as f:\n    f.write('hello')")
    assert run.refused.is_plain
    assert (tmp_path / "a.txt").read_text() == "hello"

    leave = tuple(effect.grant for effect in run.done.found)
    again = cells.agent("name = 'b' + '.txt'\nopen(name, 'w')", leave)
    assert [effect.what for effect in again.refused.found] == ["b.txt"]
    for other in ("opener=lambda path, flags: 1", "buffering=0", "closefd=False"):
        (refused,) = cells.agent(f"open('a.txt', 'w', {other})", leave).refused.found
        assert refused.kind is EffectKind.DYNAMIC
    assert cells.agent("with open('a.txt', 'w', encoding='utf-8') as f:\n    f.write('hello')", leave).refused.is_plain
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("code", "again"),
    [
        ("keep = [measure]\nkeep[0]()", "keep[0]()"),
        ("keep = {'on': awg.output_on}\nkeep['on']()", "keep['on']()"),
        ("class Rig:\n    pass\nrig = Rig()\nrig.on = measure\nrig.on()", "rig.on()"),
        ("keep = [open]\nkeep[0]('a.txt', 'w').close()", "keep[0]('a.txt', 'w')"),
        ("keep = [df.to_csv]\nkeep[0]('a.txt')", "keep[0]('a.txt')"),
        ("keep = lambda f=open: f('a.txt', 'w')\nkeep().close()", "keep()"),
    ],
)
def test_leave_for_one_run_is_none_for_the_next(
    code: str, again: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    awg = Awg()
    cells = Cells(awg=awg, measure=awg.output_on, df=pd.DataFrame({"a": [1]}))
    leave: tuple[Grant, ...] = ()
    while not (run := cells.agent(code, leave)).refused.is_plain:
        leave += tuple(effect.grant for effect in run.refused.found)
    done = (awg.pulses, len(list(tmp_path.iterdir())))
    assert sum(done) == 1
    for file in tmp_path.iterdir():
        file.unlink()

    assert not cells.agent(again).refused.is_plain
    assert not cells.agent(f"try:\n    {again}\nexcept BaseException:\n    pass").refused.is_plain
    assert (awg.pulses, list(tmp_path.iterdir())) == (done[0], [])


def test_a_part_of_an_instrument_and_what_is_handed_to_it_are_forecast() -> None:
    class Channel:
        source = Awg()

        def on(self) -> None:
            self.source.pulses += 1

    class Station:
        def __init__(self) -> None:
            self.ch1 = Channel()

        def load(self, source: Awg) -> None:
            self.ch1.source = source

    awg = Awg()
    run, _ = granted("station.load(awg)\nstation.ch1.on()", awg=awg, station=Station())
    assert run.refused.is_plain
    assert awg.pulses == 1
    assert [str(effect) for effect in run.done.found] == [
        "line 1 calls `station.load()`",
        "line 1 uses `awg`",
        "line 2 reads `station.ch1`",
        "line 2 calls `station.ch1.on()`",
    ]


def test_a_library_without_a_list_is_asked_about(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labframes.py").write_text("class DataFrame:\n    def head(self):\n        return self\n")
    monkeypatch.syspath_prepend(tmp_path)
    cells = Cells()
    code = "import labframes as pl\nframe = pl.DataFrame()\nframe.head()"

    assert [str(effect) for effect in cells.preview(code)] == [
        "line 1 imports `labframes`",
        "line 2 calls `labframes.DataFrame`",
    ]
    assert not cells.agent(code).refused.is_plain
    assert "labframes" not in sys.modules
    run = cells.agent(code, tuple(effect.grant for effect in cells.preview(code)))
    assert [str(effect) for effect in run.refused.found] == ["line 3 calls `DataFrame.head`"]
    del sys.modules["labframes"]

    cells.person("import labframes\ntheirs = labframes.DataFrame()")
    assert [str(effect) for effect in cells.preview("theirs.head()")] == ["line 1 calls `theirs.head()`"]
    assert not cells.agent("theirs.head()").refused.is_plain
    del sys.modules["labframes"]


def test_all_reasons_up_to_five_each_with_its_way_out() -> None:
    cells = Cells(awg=Awg(), n=1, df=pd.DataFrame({"a": [1]}))
    code = "import os\nawg.on()\nn = 3\ndf['x'] = 1\nopen('f', 'w')\nawg.off()\nawg.level"
    said = cells.namespace.guard.preview(code).describe()
    assert [line for line in said.splitlines() if line.startswith("- ")] == [
        f"- line 1 imports `os` (shell). Import {allowed.LIBRARIES}.",
        "- line 2 calls `awg.on()` (unknown). Ask the user to do it, or compute it from data.",
        "- line 3 binds `n` (rebinds). Choose another name.",
        "- line 4 changes `df` (mutates). Change a copy: `my_df = df.copy()`.",
        "- line 5 writes `f` (files). End the cell with the table: the user can save it.",
    ]
    assert said.endswith("There are 2 more.")


def test_what_the_agent_made_is_free_in_later_cells() -> None:
    cells = Cells(df=pd.DataFrame({"a": [1.0, 2.0]}))
    assert cells.agent(
        "mine = df.copy()\nrows = []\nclass P:\n    pass\np = P()\ndef f(x):\n    return x + 1"
    ).refused.is_plain
    assert cells.agent(
        "mine['b'] = f(3)\nrows.append(mine)\np.x = rows\nmine = mine.dropna()\ndel rows"
    ).refused.is_plain
    assert list(cells.names["mine"].columns) == ["a", "b"]
    assert list(cells.names["df"].columns) == ["a"]


@pytest.mark.parametrize("rows", [10, 3_000_000], ids=["small", "large"])
def test_a_table_of_the_persons_is_never_changed(rows: int) -> None:
    """The large one is not copied as a whole."""
    df = pd.DataFrame({"a": np.zeros(rows), "t": pd.Timestamp("2026-01-01"), "c": pd.Categorical(["x"] * rows)})
    before = df.iloc[:3].copy()
    cells = Cells(df=df, np=np)
    for code in (
        "df['a'] = 1",
        "df.loc[0, 'a'] = 1",
        "m = df.copy()\nm.loc[0, 'a'] = 1",
        "v = df['a']\nv.iloc[0] = 2",
        "np.add(df['a'].to_numpy(), 1, out=df['a'].to_numpy())",
        "df['a'].values[0] = 3",
        "df['t'].values[0] = df['t'].values[1]",
        "df['c'].values[0] = 'x'",
        "df['a'].rolling(2).apply(lambda v: v.fill(9) or 0.0, raw=True)" if rows < 100 else "df.head()",
    ):
        try:
            cells.agent(code)
        except ValueError as error:
            assert "read-only" in str(error)  # noqa: PT017 - either is right, a change is not
    pd.testing.assert_frame_equal(df.iloc[:3], before)


def test_the_person_calls_what_the_agent_wrote_without_checks() -> None:
    awg = Awg()
    cells = Cells()
    code = (
        "def on(dev):\n    return [dev.output_on() for _ in range(2)]\n"
        "def each(devs):\n    for dev in devs:\n        yield dev.output_on()\n"
        "first = lambda dev: dev.output_on()\n"
        "def make(dev):\n    def inner():\n        return dev.output_on()\n    return inner\n"
        "class Rig:\n    def __init__(self, dev):\n        self.dev = dev\n"
        "    def on(self):\n        return self.dev.output_on()\n"
    )
    assert cells.agent(code).refused.is_plain
    cells.names["awg"] = awg
    cells.person("on(awg), list(each([awg])), first(awg), make(awg)(), Rig(awg).on()")
    assert awg.pulses == 6
    assert not cells.agent("on(awg)").refused.is_plain
    cells.person("rig, go = Rig(awg), make(awg)")
    assert not cells.agent("go()").refused.is_plain
    assert not cells.agent("rig.on()").refused.is_plain
    assert awg.pulses == 6


def test_the_person_finds_the_objects_themselves_in_what_the_agent_made() -> None:
    awg = Awg()
    cells = Cells(awg=awg, measure=awg.output_on)
    assert cells.agent(
        "rigs = [awg, 1]\npair = (awg, [measure])\nby_name = {'a': {'b': awg}}\nplain = [1, [2]]\n"
        "same, one = plain, awg"
    ).refused.is_plain
    rigs, made = cells.names["rigs"], dict(cells.names)
    cells.person("rigs[0].output_on(), pair[1][0](), by_name['a']['b'].output_on(), one.output_on()")
    assert awg.pulses == 4
    assert cells.names["pair"] == (awg, [cells.names["measure"]])
    assert cells.names["same"] is cells.names["plain"]

    for code in (
        "rigs[0].output_on()",
        "pair[1][0]()",
        "by_name['a']['b'].output_on()",
        "one.output_on()",
        "sum(rigs)",
    ):
        run = cells.agent(code)
        assert [effect.kind for effect in run.refused.found] == [EffectKind.UNKNOWN], code
    assert awg.pulses == 4
    assert {name for name, value in made.items() if cells.names[name] is not value} == set()

    assert cells.agent("rigs.append(2)\nfirst = rigs[0]\nfor rig in rigs:\n    pass\nother = rigs").refused.is_plain
    assert cells.names["rigs"] is rigs
    assert rigs == [awg, 1, 2]
    assert cells.names["first"] is awg
    assert cells.names["other"] == rigs


def test_what_python_calls_by_itself_is_checked_in_the_persons_cells_too() -> None:
    awg = Awg()
    cells = Cells(awg=awg)
    cells.agent(
        "class P:\n    def __repr__(self):\n        return str(awg.output_on())\np = P()\n"
        "def g():\n    try:\n        yield 1\n    finally:\n        awg.output_on()\nit = g()\nnext(it)"
    )
    with pytest.raises(EffectRefused):
        cells.person("repr(p)")
    with pytest.raises(EffectRefused):
        cells.person("it.close() if hasattr(it, 'send') else it == 1")
    assert awg.pulses == 0


LATER = "    def g():\n        try:\n            yield 1\n        finally:\n            {}\n    return g()\n"


@pytest.mark.parametrize(
    "code",
    [
        f"fire = measure\ndef made():\n{LATER.format('fire()')}it = made()\nnext(it)",
        f"calls = [measure]\ndef made():\n{LATER.format('calls[0]()')}it = made()\nnext(it)",
        f"calls = [measure]\ndef made(them):\n{LATER.format('them[0]()')}it = made(calls)\nnext(it)",
        f"calls = {{'a': [measure]}}\ndef made(them):\n{LATER.format('them[0]()')}it = made(calls['a'])\nnext(it)",
        "calls = [measure]\nclass P:\n    def __eq__(self, it):\n        return calls[0]()\nit = P()",
    ],
)
def test_what_runs_later_finds_no_object_that_the_person_finds(code: str) -> None:
    awg = Awg()
    cells = Cells(measure=awg.output_on)
    assert cells.agent(code).refused.is_plain
    with pytest.raises(EffectRefused):
        cells.person("it.close() if hasattr(it, 'send') else it == 1")
    assert awg.pulses == 0


def test_settings_hold_for_one_cell() -> None:
    import matplotlib as mpl

    rows, dpi = pd.get_option("display.max_rows"), mpl.rcParams["figure.dpi"]
    cells = Cells(pd=pd)
    code = (
        "import warnings\nwarnings.filterwarnings('ignore')\nwarnings.warn('unheard')\n"
        "pd.set_option('display.max_rows', 3)\nimport numpy as np\nnp.set_printoptions(precision=2)\n"
        "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 33\n"
        "inside = (pd.get_option('display.max_rows'), plt.rcParams['figure.dpi'])"
    )
    with warnings.catch_warnings():
        filters = list(warnings.filters)
        assert cells.agent(code).refused.is_plain
        assert list(warnings.filters) == filters
    assert cells.names["inside"] == (3, 33)
    assert (pd.get_option("display.max_rows"), mpl.rcParams["figure.dpi"]) == (rows, dpi)
    assert np.get_printoptions()["precision"] == 8


def test_no_name_of_the_checks_is_left_behind() -> None:
    cells = Cells(n=2)
    cells.agent(
        "match n:\n    case int(real=r) if r > 1:\n        found = r\nn.real\n"
        "x = [1]\nx[0] += 1\nclass P:\n    a = 1\nP.a += 1"
    )
    assert cells.names["found"] == 2
    assert [name for name in cells.names if name.startswith("<")] == []


FORMS = """
import math
total = 0
for i in range(3):
    total += i
class P:
    count = 0
    __slots__ = ("x", "__y")
    def __init__(self, x):
        super().__init__()
        self.x, self.__y = x, 2
        P.count += 1
    @property
    def double(self):
        return self.x * self.__y
    def __add__(self, other):
        return P(self.x + other.x)
def outer():
    seen = 0
    def inner():
        nonlocal seen
        seen += 1
        return seen
    inner()
    return inner()
def star(a, /, b=2, *rest, c: int = 3, **more) -> int:
    "A text."
    return a + b + sum(rest) + c + len(more)
def gen():
    got = yield 1
    yield from [got, 3]
it = gen()
sent = (next(it), it.send(2), next(it))
match {"kind": "t1", "v": [1, 2, 3]}:
    case {"kind": "t1" | "t2" as kind, "v": [first, *others], **rest}:
        found = kind, first, others
    case _:
        found = None
match math.pi:
    case math.pi:
        pi = True
with __import__ if False else open if False else memory() as m:
    pass
try:
    raise ValueError("x")
except (ValueError, KeyError) as error:
    caught = str(error)
finally:
    last = True
doubled = [y for x in range(3) if (y := x * 2)]
pairs = {k: v for k, v in zip("ab", (1, 2), strict=True)}
lazy = tuple(n * total for n in (n for n in range(3)))
def uses_global():
    global made
    made = 5
uses_global()
(a, *b), c = [1, 2, 3], 4
p = P(3) + P(4)
result = (total, p.double, P.count, outer(), star(1, 2, 3, c=4, d=5), star.__doc__, sent, found, pi, caught, last,
          doubled, pairs, lazy, made, a, b, c, f"{p.x:>{total}}|{p.x!r}", (lambda v, k=2: v ** k)(3))
"""


def test_code_gives_what_it_gives_without_checks() -> None:
    code = FORMS.replace("with __import__ if False else open if False else memory() as m:\n    pass\n", "")
    plain: dict[str, Any] = {}
    exec(code, plain)  # noqa: S102 - the test's own code
    cells = Cells()
    run = cells.agent(code)
    assert run.refused.is_plain, run.refused.describe()
    assert cells.names["result"] == plain["result"]
    again: dict[str, Any] = cells.names
    assert (again["outer"](), again["star"](1), list(again["gen"]())) == (2, 6, [1, None, 3])


@pytest.mark.parametrize(
    "code",
    ["a" * 3, "f(" * 150 + ")" * 150, "x = " + "-" * 5000 + "1", "\0", "def f():\n" + " return 1", "# words", ""],
)
def test_any_text_is_read_and_never_raises(code: str) -> None:
    cells = Cells()
    cells.preview(code)
    with cells.running(code) as run:
        assert isinstance(run.tree, ast.Module)


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with open_shell() as opened:
        yield opened


def in_shell(shell: InteractiveShell, code: str, grants: tuple[Grant, ...] | None = ()) -> CellRun:
    namespace = Namespace(shell.user_ns)
    return InlineCellHost(shell, namespace).run_here(CellRequest("r", "c", code, grants=grants))


def test_a_run_that_was_stopped_is_rejected_with_its_reasons(shell: InteractiveShell) -> None:
    shell.user_ns["awg"] = awg = Awg()
    run = in_shell(shell, "print('before')\ntry:\n    awg.output_on()\nexcept BaseException:\n    pass\n1")
    assert (run.status, awg.pulses, run.text) == (CellStatus.REJECTED, 0, "before\n")
    assert "calls `awg.output_on()`" in run.reason
    assert [effect.what for effect in run.effects] == ["awg.output_on()"]
    assert in_shell(shell, "awg.output_on()", None).status is CellStatus.OK
    (granted,) = Namespace(shell.user_ns).guard.preview("awg.output_on()").found
    run = in_shell(shell, "awg.output_on()\nawg.output_off()", (granted.grant,))
    assert (run.status, awg.pulses) == (CellStatus.REJECTED, 2)
    assert run.reason.endswith("Done before that, as granted: line 1 calls `awg.output_on()`.")


def test_tracebacks_have_the_lines_of_the_cell_alone(shell: InteractiveShell) -> None:
    run = in_shell(shell, "import math\ndef root(x):\n    return math.sqrt(x)\nroot(-1)")
    assert run.status is CellStatus.ERROR
    assert run.traceback.splitlines() == [
        "line 4: root(-1)",
        "line 3, in root: return math.sqrt(x)",
        "ValueError: math domain error",
    ]
    run = in_shell(shell, "values = {}\nvalues.nothing")
    assert run.traceback.splitlines()[:1] == ["line 2: values.nothing"]


def test_looking_at_a_table_does_not_touch_its_attributes(shell: InteractiveShell) -> None:
    copied: list[str] = []

    class Device:
        def __deepcopy__(self, memo: object) -> Device:
            copied.append("copied")
            return self

    df = pd.DataFrame({"a": [1]})
    df.attrs["device"] = Device()
    shell.user_ns["df"] = df
    run = in_shell(shell, "df")
    assert (run.status, run.value["records"], copied) == (CellStatus.OK, [[1]], [])
    assert value_of(df) == run.value
    assert copied == []


def test_what_the_person_imported_is_used_and_imported_again() -> None:
    cells = Cells()
    imports = "from qdash_jupyter.methods import changes\nimport math as m\n"
    cells.person(f"{imports}from numpy import mean\nfrom collections import Counter")
    code = f"{imports}a = m.floor(mean([1, 2])), Counter('aab')['a'], changes.__name__"
    assert cells.preview(code) == ()
    assert cells.agent(code).refused.is_plain
    assert cells.names["a"] == (1, 2, "changes")
    assert [effect.what for effect in cells.preview("import cmath as m")] == ["m"]
