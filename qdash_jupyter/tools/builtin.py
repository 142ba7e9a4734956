"""The tools there are, in the order in which the model sees them. A new tool adds its file and one line here."""

from __future__ import annotations

from qdash_jupyter.tools.analysis import PYTHON_ANALYSIS
from qdash_jupyter.tools.calibration_notes import CALIBRATION_NOTES
from qdash_jupyter.tools.chip_summary import CHIP_SUMMARY
from qdash_jupyter.tools.comparison import COMPARISON
from qdash_jupyter.tools.describe import description_of
from qdash_jupyter.tools.element_params import COUPLING_PARAMS, QUBIT_PARAMS
from qdash_jupyter.tools.executions import EXECUTION_HISTORY
from qdash_jupyter.tools.heatmap import CHIP_HEATMAP
from qdash_jupyter.tools.lineage import PARAMETER_LINEAGE
from qdash_jupyter.tools.lineage_graph import LINEAGE_GRAPH
from qdash_jupyter.tools.parameter_series import PARAMETER_TIMESERIES
from qdash_jupyter.tools.parameters import AVAILABLE_PARAMETERS
from qdash_jupyter.tools.people_notes import NOTE_SEARCH
from qdash_jupyter.tools.result_curves import RESULT_CURVES
from qdash_jupyter.tools.spec import ToolSpec
from qdash_jupyter.tools.task_results import LATEST_TASK_RESULT, TASK_HISTORY, TASK_RESULT_SEARCH
from qdash_jupyter.tools.timeseries import CHIP_PARAMETER_TIMESERIES
from qdash_jupyter.tools.topology import CHIP_TOPOLOGY

_TOOLS: tuple[ToolSpec, ...] = (
    CHIP_SUMMARY,
    CHIP_PARAMETER_TIMESERIES,
    QUBIT_PARAMS,
    COUPLING_PARAMS,
    COMPARISON,
    PARAMETER_TIMESERIES,
    CHIP_TOPOLOGY,
    AVAILABLE_PARAMETERS,
    CHIP_HEATMAP,
    LATEST_TASK_RESULT,
    TASK_HISTORY,
    TASK_RESULT_SEARCH,
    RESULT_CURVES,
    EXECUTION_HISTORY,
    CALIBRATION_NOTES,
    NOTE_SEARCH,
    PARAMETER_LINEAGE,
    LINEAGE_GRAPH,
    PYTHON_ANALYSIS,
)
BUILTIN_TOOLS = (*_TOOLS, description_of(_TOOLS))
