"""Settings of libraries that hold for one cell, and the figures of pyplot that are the person's."""

from __future__ import annotations

import random
import sys
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pandas as pd


@contextmanager
def settings_kept(own_figures: WeakValueDictionary[int, Any]) -> Iterator[None]:
    """Put everything back that a cell may set. pyplot shows it the figures of `own_figures` alone, by identity: those
    that cells of the agent's have made; new ones are added to them.
    """
    drawn, numbers = random.getstate(), np.random.get_state()  # noqa: NPY002 - the person's, not ours
    printing, errors = np.get_printoptions(), np.geterr()
    options = {key: pd.get_option(key) for key in _display_options()}
    matplotlib = sys.modules.get("matplotlib")
    rc = dict.copy(matplotlib.rcParams) if matplotlib is not None else None
    pylab = sys.modules.get("matplotlib._pylab_helpers")
    theirs = OrderedDict() if pylab is None else pylab.Gcf.figs
    if pylab is not None:
        pylab.Gcf.figs = OrderedDict((n, m) for n, m in theirs.items() if id(m.canvas.figure) in own_figures)
    try:
        with warnings.catch_warnings():
            yield
    finally:
        np.set_printoptions(**printing)  # numpy's own context managers want to end in the context that they began in
        np.seterr(**errors)
        random.setstate(drawn)
        np.random.set_state(numbers)  # noqa: NPY002
        for key, value in options.items():
            if pd.get_option(key) != value:
                pd.set_option(key, value)
        if rc is not None and dict.copy(matplotlib.rcParams) != rc:  # type: ignore[union-attr]  # it was there
            dict.update(matplotlib.rcParams, rc)  # type: ignore[union-attr]
        pylab = sys.modules.get("matplotlib._pylab_helpers")
        if pylab is not None:
            _join_figures(pylab.Gcf, theirs, own_figures)


@cache
def _display_options() -> list[str]:
    select = pd._config.config._select_options  # noqa: SLF001 - a public list is none
    return [*select("display"), *select("styler")]


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
