"""What the panel shows, as plain JSON, and the changes that bring it there: docs/protocol.md, "The panel channel"."""

from qdash_jupyter.ui.panel_state.frames import frames_of
from qdash_jupyter.ui.panel_state.state import CONNECTING, PanelState, initial_state
from qdash_jupyter.ui.panel_state.turn_reducer import TurnReducer

__all__ = ["CONNECTING", "PanelState", "TurnReducer", "frames_of", "initial_state"]
