from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from qdash_jupyter.cells.effects import EffectClass, Effects, inspect_code, mentioned_names
from qdash_jupyter.cells.names import Known, NameKind, describe_names
from tests.cells.corpus import stage

CORPUS = Path(__file__).parent / "corpus"


def snippets(name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in ("\n" + (CORPUS / name).read_text(encoding="utf-8")).split("\n### ")[1:]:
        head, _, code = part.partition("\n")
        assert head not in found, f"two snippets are called {head!r}"
        found[head] = code
    return found


PLAIN = snippets("plain.txt")
REFUSED = snippets("refused.txt")


@pytest.fixture(scope="module")
def kinds() -> dict[str, NameKind]:
    namespace = stage.build_namespace()
    del namespace["display"]  # IPython has it among the builtins
    found = describe_names(namespace, namespace)
    return found | {"copilot": NameKind(Known.COPILOT), "data": NameKind(Known.STORE)}


def read(code: str, kinds: dict[str, NameKind], own: tuple[str, ...] = ()) -> Effects:
    return inspect_code(code, {name: kinds[name] for name in mentioned_names(code) if name in kinds}, own_names=own)


@pytest.mark.parametrize("name", PLAIN)
def test_real_analysis_is_plain(name: str, kinds: dict[str, NameKind]) -> None:
    effects = read(PLAIN[name], kinds)
    assert effects.is_plain, effects.reasons
    assert effects.describe().startswith("Plain")


@pytest.mark.parametrize("name", REFUSED)
def test_everything_else_is_refused_with_its_class(name: str, kinds: dict[str, NameKind]) -> None:
    expected = EffectClass(name.split(" | ", maxsplit=1)[0])
    effects = read(REFUSED[name], kinds)
    assert effects.effect is expected, effects.reasons
    assert any(
        reason.effect is expected and reason.line >= 1 and reason.what and reason.why for reason in effects.reasons
    )
    assert str(expected) in effects.describe()


def test_no_snippet_called_plain_has_an_effect(kinds: dict[str, NameKind], tmp_path: Path) -> None:
    """Executes all that passes, with a hook on files, sockets and processes, and a counting instrument."""
    called_plain = {name: code for name, code in {**PLAIN, **REFUSED}.items() if read(code, kinds).is_plain}
    assert set(called_plain) >= set(PLAIN)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(CORPUS / "stage.py")],
        input=json.dumps(called_plain),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout) == {}
    assert list(tmp_path.iterdir()) == []


def test_the_watch_itself_sees_effects(tmp_path: Path) -> None:
    """The proof above would prove nothing with a blind watch."""
    effects = {
        "write": "open('x.txt', 'w')",
        "read": "open('/etc/hostname')",
        "process": "import subprocess; subprocess.run(['true'])",
        "socket": "import socket; socket.socket()",
        "touch": "len(instrument)",
        "change": "df['x'] = 1",
        "rebind": "n = 4",
        "figure": "fig0.update_layout(title='x')",
        "options": "pd.set_option('display.max_rows', 7)",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(CORPUS / "stage.py")],
        input=json.dumps(effects),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    assert set(json.loads(done.stdout)) == set(effects)


def test_names_are_listed(kinds: dict[str, NameKind]) -> None:
    effects = read("m = df['t1'].mean()\nn = 3\nxs.append(m)\ntmp = 1\ndel tmp", kinds)
    assert effects.effect is EffectClass.MUTATES
    assert effects.reads == ("df", "xs")
    assert effects.creates == ("m",)
    assert effects.rebinds == ("n",)
    assert effects.mutates == ("xs",)


def test_own_names_may_be_rebound_and_changed(kinds: dict[str, NameKind]) -> None:
    code = "df['x'] = 1\ndf = df.dropna()\nxs.append(2)\ndel limits"
    assert not read(code, kinds).is_plain
    assert read(code, kinds, own=("df", "xs", "limits")).is_plain


def test_an_own_name_of_the_users_object_is_still_the_users() -> None:
    frame = NameKind(Known.FRAME, aliases=("df",))
    effects = inspect_code("mine['x'] = 1", {"mine": frame}, own_names=("mine",))
    assert effects.effect is EffectClass.MUTATES
    assert set(effects.mutates) <= {"df"}


def test_unknown_objects_are_named_by_their_type(kinds: dict[str, NameKind]) -> None:
    said = read("print(1)\ninstrument.fire()", kinds).describe()
    assert "line 2" in said
    assert "Instrument" in said
    assert "`instrument`" in said


def test_describe_counts_the_other_reasons(kinds: dict[str, NameKind]) -> None:
    assert "There is 1 more reason." in read("df.to_csv('x')\nn = 3", kinds).describe()
    assert "There are 2 more reasons." in read("df.to_csv('x')\nn = 3\ndel xs", kinds).describe()


def test_long_code_is_read(kinds: dict[str, NameKind]) -> None:
    code = "\n".join(PLAIN.values())
    assert len(code.splitlines()) > 120
    read(code, kinds)


def test_code_without_end_is_given_up(kinds: dict[str, NameKind]) -> None:
    calls = "".join(
        f"def f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(x) + f{i - 1}(x) + f{i - 1}(x)\n" for i in range(1, 12)
    )
    effects = read(f"def f0(x):\n    return x\n{calls}f11(1)", kinds)
    assert effects.effect is EffectClass.UNKNOWN
    deep = "(" * 150 + "1" + ")" * 150
    read(deep, kinds)
    read("x = " + "-" * 5000 + "1", kinds)


def test_nothing_at_all_is_plain() -> None:
    assert inspect_code("", {}).is_plain
    assert inspect_code("# only words\n", {}).is_plain


def test_names_that_code_mentions() -> None:
    code = "import os.path as p\nfrom a import b\ndef f(x): return y\n"
    code += "try:\n    z\nexcept E as e: pass\nmatch q:\n    case [w, *r]: pass"
    assert set(mentioned_names(code)) >= {"p", "b", "f", "y", "z", "E", "e", "q", "w", "r"}
    assert mentioned_names("f(:") == ()
