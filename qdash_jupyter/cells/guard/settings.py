"""Settings of libraries that hold for one cell, and the figures of pyplot that are the person's."""

from __future__ import annotations

import random
import sys
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary


@contextmanager
def settings_kept(own_figures: WeakValueDictionary[int, Any]) -> Iterator[None]:
    """Put everything back that a cell may set. pyplot shows it the figures of `own_figures` alone, by identity: those
    that cells of the agent's have made; new ones are added to them.
    """
    import numpy as np

    filters, printing, errors = warnings.filters[:], np.get_printoptions(), np.geterr()
    drawn, numbers = random.getstate(), np.random.get_state()  # noqa: NPY002 - the person's, not ours
    options = _display_options()
    matplotlib = sys.modules.get("matplotlib")
    rc = dict.copy(matplotlib.rcParams) if matplotlib is not None else None
    pylab = sys.modules.get("matplotlib._pylab_helpers")
    theirs = None
    if pylab is not None:
        theirs = pylab.Gcf.figs
        pylab.Gcf.figs = OrderedDict((n, m) for n, m in theirs.items() if id(m.canvas.figure) in own_figures)
    try:
        yield
    finally:
        warnings.filters[:] = filters  # type: ignore[index]  # typed as any sequence
        np.set_printoptions(**printing)
        np.seterr(**errors)
        random.setstate(drawn)
        np.random.set_state(numbers)  # noqa: NPY002
        _set_display_options(options)
        if rc is not None and dict.copy(matplotlib.rcParams) != rc:  # type: ignore[union-attr]  # it was there
            dict.update(matplotlib.rcParams, rc)  # type: ignore[union-attr]
        pylab = sys.modules.get("matplotlib._pylab_helpers")
        if pylab is not None:
            _join_figures(pylab.Gcf, theirs or OrderedDict(), own_figures)


def _join_figures(pyplots: Any, theirs: OrderedDict[int, Any], own_figures: WeakValueDictionary[int, Any]) -> None:
    """The person's figures and the agent's beside them; a number that is taken gets a new one."""
    ours = list(pyplots.figs.values())
    for number, manager in list(theirs.items()):
        if id(manager.canvas.figure) in own_figures and not any(manager is one for one in ours):
            del theirs[number]  # closed by the cell
    for manager in ours:
        own_figures[id(manager.canvas.figure)] = manager.canvas.figure
        if theirs.get(manager.num, manager) is not manager:
            manager.num = max(theirs) + 1
        theirs[manager.num] = manager
    pyplots.figs = theirs


def _display_options() -> dict[str, Any]:
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return {}
    keys = pandas._config.config._select_options("display")  # noqa: SLF001 - a public list is none
    keys += pandas._config.config._select_options("styler")  # noqa: SLF001
    return {key: pandas.get_option(key) for key in keys}


def _set_display_options(options: dict[str, Any]) -> None:
    for key, value in options.items():
        if sys.modules["pandas"].get_option(key) != value:
            sys.modules["pandas"].set_option(key, value)
