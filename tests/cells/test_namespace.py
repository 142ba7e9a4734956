from __future__ import annotations

import datetime as dt
import gc
import weakref
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.taken_apart import Stays
from qdash_jupyter.store.store import FrameStore
from tests.cells.test_told_names import Instrument


def run(namespace: Namespace, names: dict[str, Any], code: str) -> tuple[str, ...]:
    """As the host does it around a cell of the copilot."""
    before = namespace.all()
    exec(code, names)  # noqa: S102 - the test's own code
    created = namespace.bound_since(before)
    namespace.own_up(created)
    return created


def made(**names: Any) -> tuple[Namespace, dict[str, Any]]:
    held = {"__builtins__": __builtins__, **names}
    return Namespace(held), held


def test_what_a_cell_binds_is_the_copilots() -> None:
    namespace, names = made(theirs=1)

    created = run(namespace, names, "a = 1.5\ndef f(): pass\nimport math\n_private = 2\n")

    assert created == ("a", "f", "math", "_private")
    assert set(namespace.own) == set(created)


def test_names_of_the_shell_are_nobodys() -> None:
    namespace, names = made()

    assert run(namespace, names, "In = Out = exit = _ = __ = _i = _ii = _oh = _dh = _12 = _i12 = __name__ = 3") == ()
    assert run(namespace, names, "_i_am_mine = _1st = 3") == ("_i_am_mine", "_1st")


def test_a_name_that_the_person_binds_again_is_theirs() -> None:
    namespace, names = made()
    run(namespace, names, "a = [1]\nb = [2]\nc = [3]")

    names["a"] = [1]
    del names["b"]

    assert set(namespace.own) == {"c"}
    assert not namespace.bind_if_free("a", [4])
    assert namespace.bind_if_free("b", [4])


def test_a_cell_may_bind_its_own_names_again() -> None:
    namespace, names = made()
    run(namespace, names, "x = 0.5")

    assert run(namespace, names, "x = 1.5") == ("x",)
    assert set(namespace.own) == {"x"}


def test_objects_that_come_and_go_are_told_apart() -> None:
    """The address of a deleted object may be used again at once: not the same object for all that."""
    namespace, names = made()
    for _ in range(50):
        assert run(namespace, names, "x = [0.5]") == ("x",)


def test_a_table_that_the_person_deletes_is_gone() -> None:
    namespace, names = made(pd=pd)
    run(namespace, names, "big = pd.DataFrame({'a': [1]})")
    gone = weakref.ref(names["big"])

    del names["big"]
    gc.collect()

    assert gone() is None
    names["big"] = None
    assert "big" not in namespace.own


def test_a_handle_is_bound_only_where_the_name_is_free_or_ours() -> None:
    namespace, names = made(data="theirs")

    assert not namespace.bind_if_free("data", object())
    assert names["data"] == "theirs"
    first, second = FrameStore(), FrameStore()
    assert namespace.bind_if_free("copilot", first)
    assert namespace.bind_if_free("copilot", second)
    assert names["copilot"] is second
    namespace.release("copilot", first)
    assert names["copilot"] is second
    namespace.release("copilot", second)
    namespace.release("nothing", None)
    assert "copilot" not in names


def test_what_a_failed_cell_bound_is_taken_back() -> None:
    names: dict[str, object] = {"theirs": [1], "kept": "before"}
    namespace = Namespace(names)
    before = namespace.all()
    names |= {"new": [2], "kept": "after", "_": 3}
    namespace.take_back(before)
    assert names == {"theirs": [1], "kept": "before", "_": 3}


def test_names_go_and_come_again() -> None:
    table, other = [1], [2]
    names: dict[str, object] = {"table": table, "other": other, "theirs": [3]}
    namespace = Namespace(names)
    namespace.own_up(["table", "other"])
    given = namespace.give_up({"table", "other", "theirs", "never"})
    assert names == {"theirs": [3]}
    names["other"] = "mine now"
    assert namespace.take_up(given) == ["other"]
    assert names == {"theirs": [3], "table": table, "other": "mine now"}
    assert namespace.may_bind == {"table"}


def test_what_a_cell_binds_that_the_person_runs_again() -> None:
    names: dict[str, object] = {"table": [1]}
    namespace = Namespace(names)
    before = namespace.all()
    names |= {"table": [2], "other": [3]}
    namespace.bound_again(namespace.bound_since(before))
    assert namespace.may_bind == {"table", "other"}
    assert not namespace.own, "what it holds is the user's"
    names["table"] = [4]
    assert namespace.may_bind == {"other"}


def test_code_gets_free_names() -> None:
    namespace = Namespace({"df": 1, "_": 2, "Out": {}})
    code, renamed = namespace.with_free_names("for _ in [1]:\n    df = 3\n")
    assert renamed == {"df": "df_2"}
    assert code == "for _ in [1]:\n    df_2 = 3\n"


class Registered:
    """Of the notebook, as is `Kind`: making it anew would run code of its own."""

    __module__ = "__main__"
    made = 0

    def __init_subclass__(cls) -> None:
        Registered.made += 1


class Kind(Registered):
    __module__ = "__main__"


def test_a_variable_is_given_as_a_copy() -> None:
    limits, table = [1.5, {"t1": dt.date(2026, 6, 1)}], pd.DataFrame({"v": [1.0]})
    others = {"awg": Instrument(), "instance": Kind(), "kind": Kind, "function": lambda: 1, "np": np, "many": [Kind()]}
    namespace = Namespace({"limits": limits, "table": table, "_i": "x", **others})
    assert namespace.data_of("limits") == limits
    copied: Any = namespace.data_of("table")
    copied.loc[0, "v"] = 9.0
    assert table.loc[0, "v"] == 1.0
    for name in others:
        with pytest.raises(Stays):
            namespace.data_of(name)
    assert Registered.made == 1
    for name in ("nothing", "_i"):
        with pytest.raises(KeyError):
            namespace.data_of(name)
