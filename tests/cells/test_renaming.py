"""Names of the agent's code that somebody else uses get others."""

from __future__ import annotations

import numpy as np
import pytest

from qdash_jupyter.cells.renaming import with_free_names

VALUES: dict[str, object] = {"df": [3, 1, 2], "limit": 30, "total": 5, "f": 1, "x": 7, "d": {}}
NAMES: dict[str, object] = {**VALUES, "np": np, "mean": np.median}
"""What the person has."""

CASES = {
    "a value": ("df = [1]\nlen(df)", "df_2 = [1]\nlen(df_2)"),
    "what the person has is read first": ("df = sorted(df)\ndf", "df_2 = df\ndf_2 = sorted(df_2)\ndf_2"),
    "added to": ("total += 1\ntotal", "total_2 = total\ntotal_2 += 1\ntotal_2"),
    "added to in a loop": (
        "for x in [1, 2]:\n    total += x\ntotal + x",
        "total_2 = total\nfor x_2 in [1, 2]:\n    total_2 += x_2\ntotal_2 + x_2",
    ),
    "only perhaps bound": (
        "if len(df) > 9:\n    limit = 1\nlimit",
        "limit_2 = limit\nif len(df) > 9:\n    limit_2 = 1\nlimit_2",
    ),
    "in an f-string": ("limit = 4\nf'{limit:.1f} of {limit}'", "limit_2 = 4\nf'{limit_2:.1f} of {limit_2}'"),
    "behind text of more bytes than characters": ("limit = 4\n('μs', limit)[1]", "limit_2 = 4\n('μs', limit_2)[1]"),
    "in a text for pandas": (
        "import pandas as pd\nlimit = 4\nlen(pd.DataFrame({'v': [1, 9]}).query('4 < @limit + 1 < v + @limit'))",
        "import pandas as pd\nlimit_2 = 4\nlen(pd.DataFrame({'v': [1, 9]}).query('4 < @limit_2 + 1 < v + @limit_2'))",
    ),
    "unpacked": ("limit, (x, *f) = 1, (2, 3)\n[limit, x, f]", "limit_2, (x_2, *f_2) = 1, (2, 3)\n[limit_2, x_2, f_2]"),
    "a function": ("def f(x=x):\n    return x\nf() + f(x=1)", "def f_2(x=x):\n    return x\nf_2() + f_2(x=1)"),
    "a function that reads it": (
        "limit = 2\ndef g():\n    return limit\ng()",
        "limit_2 = 2\ndef g():\n    return limit_2\ng()",
    ),
    "a function with one of its own": (
        "limit = 2\ndef g():\n    limit = 3\n    return limit\ng()",
        "limit_2 = 2\ndef g():\n    limit = 3\n    return limit\ng()",
    ),
    "a global of a function": (
        "def g():\n    global limit\n    limit = 3\ng()\nlimit",
        "def g():\n    global limit_2\n    limit_2 = 3\ng()\nlimit_2",
    ),
    "in a comprehension, and outside": (
        "x = 1\n[x for x in [4]] + [y + x for y in [5]]",
        "x_2 = 1\n[x for x in [4]] + [y + x_2 for y in [5]]",
    ),
    "in a lambda": ("x = 1\n(lambda x: x)(4) + (lambda: x)()", "x_2 = 1\n(lambda x: x)(4) + (lambda: x_2)()"),
    "an argument, an attribute and a text are other things": (
        "d = dict(d=1)\nd.get('d'), d.items.__name__",
        "d_2 = dict(d=1)\nd_2.get('d'), d_2.items.__name__",
    ),
    "deleted": ("n = len(df)\ndel df\nn", "df_2 = df\nn = len(df_2)\ndel df_2\nn"),
    "walrus": ("(limit := 3) + limit", "limit_2 = limit\n(limit_2 := 3) + limit_2"),
    "another module": ("import math as np\nnp.pi", "import math as np_2\nnp_2.pi"),
    "another function": ("from math import fsum as f\nf([1])", "from math import fsum as f_2\nf_2([1])"),
    "with": (
        "import contextlib\nwith contextlib.nullcontext(3) as f:\n    x = f\nx",
        "import contextlib\nwith contextlib.nullcontext(3) as f_2:\n    x_2 = f_2\nx_2",
    ),
    "an exception": (
        "try:\n    1 / 0\nexcept Exception as f:\n    x = str(f)\nx",
        "f_2 = f\nx_2 = x\ntry:\n    1 / 0\nexcept Exception as f_2:\n    x_2 = str(f_2)\nx_2",
    ),
}


def outcome(code: str) -> object:
    """What its last line gives in a namespace like the person's."""
    *lines, last = code.rstrip().split("\n")
    space = {name: list(value) if isinstance(value, list) else value for name, value in NAMES.items()}
    exec("\n".join(lines), space)  # noqa: S102 - what is tested is code
    return eval(last, space)  # noqa: S307


@pytest.mark.parametrize(("code", "expected"), CASES.values(), ids=CASES)
def test_it_does_the_same_under_another_name(code: str, expected: str) -> None:
    made, others = with_free_names(code, NAMES, ())
    assert made == expected
    assert others
    assert outcome(made) == outcome(code)
    space = dict(NAMES)
    exec(made, space)  # noqa: S102
    assert all(space[name] is value for name, value in NAMES.items())


@pytest.mark.parametrize(
    "code",
    [
        "df",
        "import numpy as np\nnp.pi",
        "from numpy import median as mean\nmean",
        "new = 1",
        "df =",
        "[df for df in [1]]",
    ],
)
def test_code_that_takes_no_name_stays(code: str) -> None:
    assert with_free_names(code, NAMES, ()) == (code, {})


def test_the_agents_own_names_are_bound_again() -> None:
    assert with_free_names("df = 3", NAMES, {"df"}) == ("df = 3", {})


def test_the_first_free_name() -> None:
    made, others = with_free_names("df = 3\ndf_2 = 4", {**NAMES, "df_2": 1}, ())
    assert others == {"df": "df_3", "df_2": "df_2_2"}
    assert made == "df_3 = 3\ndf_2_2 = 4"


def test_imports_without_a_name_of_their_own() -> None:
    code = "import math\nfrom statistics import mean, median\nmath.pi + mean([median([1])])"
    assert with_free_names(code, {"math": 3, "mean": 4}, ()) == (
        "import math as math_2\nfrom statistics import mean as mean_2, median\nmath_2.pi + mean_2([median([1])])",
        {"math": "math_2", "mean": "mean_2"},
    )


def test_a_name_that_cannot_be_changed_in_its_place() -> None:
    code = "import os.path\nos.path"
    assert with_free_names(code, {"os": 3}, ()) == (code, {})


def test_what_was_written_together_means_the_same_names() -> None:
    names = {**NAMES, "df_2": [1]}
    before = {"df": "df_2"}
    assert with_free_names("len(df)", names, {"df_2"}, before) == ("len(df_2)", {})
    assert with_free_names("df = sorted(df)", names, {"df_2"}, before) == ("df_2 = sorted(df_2)", {})
    assert with_free_names("len(df)", NAMES, (), before) == ("len(df)", {}), "that one is gone"
