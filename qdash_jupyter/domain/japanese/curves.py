"""Of curves: why files were left out."""

from __future__ import annotations

from collections.abc import Mapping

CURVES: Mapping[str, str] = {
    "QDash stored no figure and no raw data with these results.": (
        "QDashはこれらの結果の図も生データも保存していません。"
    ),
    "{name}: the file isn't on this machine": "{name}: このマシンにファイルがありません",
    "{name}: the folder with figures isn't set (database.calib_data)": (
        "{name}: 図のフォルダが未設定です(database.calib_data)"
    ),
    "{name} and {number} more: the folder with figures isn't set (database.calib_data)": (
        "{name}ほか{number}個: 図のフォルダが未設定です(database.calib_data)"
    ),
    "{name} and {number} more: the file isn't on this machine": (
        "{name}ほか{number}個: このマシンにファイルがありません"
    ),
}
