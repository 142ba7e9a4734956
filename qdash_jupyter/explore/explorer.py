"""A tool in the notebook that draws what one chooses of a table: `copilot.data["t1"].explore()`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import ipywidgets
import pandas as pd

from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME, figure_text
from qdash_jupyter.errors import PersonError
from qdash_jupyter.explore import OWN_VIEWS
from qdash_jupyter.explore.choice import Choice, Offer, offer_of
from qdash_jupyter.explore.code_button import CodeButton
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, text_in

_ALL = ""
"""In place of an id: all of them."""

_NARROW = {"description_width": "64px"}


class Explorer:
    """Choices above, the chart of them below. Each change reads the table as it is then."""

    def __init__(self, read: Callable[[], pd.DataFrame], name: Callable[[], str]) -> None:
        """`read` gives the table, and raises a KeyError when it is gone; `name` is how one writes it in a cell."""
        self._read = read
        self._name = name
        self._offer: Offer | None = None
        # The days are no slider: ipywidgets gives its handles no names to be heard.
        self.metric, self.other, self.kind, self.since, self.until = drop_downs = [
            ipywidgets.Dropdown(description=_label(name), style=_NARROW)
            for name in ("metric", "against", "chart", "from", "until")
        ]
        self.only = ipywidgets.SelectMultiple(rows=5, style=_NARROW)
        words = (Message("explore-reload"), Message("explore-reload-tip"))
        description, tooltip = (each.of(reader()) for each in words)
        self.again = ipywidgets.Button(description=description, tooltip=tooltip)
        self.again.layout.width = "auto"
        self.code = CodeButton()
        self.message = ipywidgets.HTML()
        self.chart = ipywidgets.Output()
        for control in (*drop_downs, self.only):
            control.layout.width = "290px"
            control.observe(self._chosen, "value")
        self.again.on_click(lambda _: self.read())
        self.choices = ipywidgets.VBox(drop_downs)
        elements = ipywidgets.VBox([self.only, ipywidgets.HBox([self.again, self.code])])
        above = ipywidgets.HBox([self.choices, elements], layout={"flex_flow": "row wrap"})
        self.box = ipywidgets.VBox([above, self.message, self.chart])
        OWN_VIEWS.add(self.box.model_id)
        self.read()

    def read(self) -> None:
        """Offer what the table has now; what was chosen stays, where the table still has it."""
        with self._said():
            offer = offer_of(self._table())
            self._offer = None  # what is set now is not what somebody chose
            _put(self.metric, offer.metrics)
            others = [column for _, column in offer.others]
            _put(self.other, offer.others, first=int(len(others) > 1 and others[0] == self.metric.value[0]))
            _put(self.kind, offer.kinds)
            self._put_elements(offer)
            _put_day(self.since, offer.days, 0)
            _put_day(self.until, offer.days, -1)
            self._offer = offer
            self.choices.layout.display = ""
            self._draw()

    @property
    def choice(self) -> Choice:
        """What is chosen.

        Raises:
            PersonError: no qubit or coupling is.
        """
        offer = self._offer
        if offer is None:
            raise PersonError(Message("explore-nothing-to-choose"), Message("explore-read-again-hint"))
        if offer.by is not None and not self.only.value:
            raise PersonError.with_hint("explore-none-chosen", what=Message("qubit-or-coupling", kind=offer.what))
        since, until = self.since.value, self.until.value
        return Choice(
            self.kind.value,
            self.metric.value,
            other=self.other.value if self.kind.value == "against" else None,
            by=offer.by,
            only=() if _ALL in self.only.value else tuple(self.only.value),
            time=offer.time,
            since=None if since in offer.days[:1] else since,
            until=None if until in offer.days[-1:] else until,
        )

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.box._repr_mimebundle_(**options)

    def _chosen(self, _: object) -> None:
        if self._offer is not None:
            with self._said():
                self._draw()

    def _draw(self) -> None:
        choice, table = self.choice, self._table()
        self.other.layout.display = "" if choice.kind == "against" else "none"
        try:
            figure = choice.figure(table)
        except KeyError as error:
            message = Message("explore-column-gone", column=str(error))
            raise PersonError(message, Message("explore-read-again-hint")) from None
        self.chart.outputs = ({"output_type": "display_data", "data": _bundle(figure), "metadata": {}},)
        self.code.code = choice.code(self._name())

    def _table(self) -> pd.DataFrame:
        try:
            return self._read()
        except KeyError:
            raise PersonError.with_hint("explore-table-gone", name=self._name()) from None

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Why there is no chart stands in its place."""
        try:
            yield
            self.message.value = ""
        except PersonError as error:
            self.chart.outputs, self.code.code = (), ""
            if self._offer is None:  # nothing was there yet to choose from
                self.choices.layout.display = self.only.layout.display = "none"
            self.message.value = f'<div role="status">{escape(text_in(error.text, reader()))}</div>'

    def _put_elements(self, offer: Offer) -> None:
        chosen = self.only.value
        ids = [qid for _, qid in offer.elements]
        self.only.layout.display = "" if ids else "none"
        self.only.description = _label(f"{offer.what.partition(' ')[0]}s")
        self.only.options = [(Message("explore-all", count=len(ids)).of(reader()), _ALL), *offer.elements]
        self.only.value = tuple(one for one in chosen if one in ids) or (_ALL,)


def _label(name: str) -> str:
    return Message("explore-label", name=name).of(reader())


def _put(control: Any, options: Sequence[tuple[str, object]], first: int = 0) -> None:
    chosen = control.value
    control.options = options
    names = [name for _, name in options]
    control.value = chosen if chosen in names else names[first]


def _put_day(control: Any, days: Sequence[str], end: int) -> None:
    """Where the first or the last day was chosen it is again, also when others have come."""
    chosen, was = control.value, control.options
    control.layout.display = "" if len(days) > 1 else "none"
    control.options = days
    if days:
        control.value = chosen if chosen in days and chosen != was[end] else days[end]


def _bundle(figure: Any) -> dict[str, Any]:
    from plotly.io.base_renderers import PlotlyRenderer

    drawn = PlotlyRenderer().to_mimebundle(figure.to_dict())[PLOTLY_MIME]
    return {PLOTLY_MIME: drawn, "text/plain": figure_text(drawn)}
