"""Of curves: the numbers that a verdict rests on, and why points cannot be read."""

from __future__ import annotations

from collections.abc import Mapping

CURVES: Mapping[str, str] = {
    # A number, with the limit that it is held against.
    "{number} (asked: ≥ {limit})": "{number}(基準: {limit}以上)",
    "{number} (asked: ≤ {limit})": "{number}(基準: {limit}以下)",
    "signal against a baseline (AICc) {value}": "信号と基線の差(AICc) {value}",
    "{one} against {other} (AICc) {value}": "{other}に対する{one}の優位(AICc) {value}",
    "relative error of {name} {value}": "{name}の相対誤差 {value}",
    "error of {name} in linewidths {value}": "{name}の誤差(線幅に対する比) {value}",
    "error of {name} {value}": "{name}の誤差 {value}",
    "autocorrelation of the residuals {value}": "残差の自己相関 {value}",
    "stored {name} from the new fit {value}": "保存された{name}と再近似の差 {value}",
    "stored {name} from the new one {value}": "保存された{name}と再計算の差 {value}",
    "stored {name} {value}": "保存された{name} {value}",
    "expected frequency (detuning) {value}": "予想される周波数(離調) {value}",
    "expected frequency (amplitude) {value}": "予想される周波数(振幅) {value}",
    "periods in the window {value}": "測定範囲内の周期数 {value}",
    "points a period {value}": "1周期あたりの点数 {value}",
    "window in decay times {value}": "測定範囲(減衰時間の倍数) {value}",
    "points in the first decay time {value}": "最初の減衰時間内の点数 {value}",
    "points on the linewidth {value}": "線幅内の点数 {value}",
    "linewidths in the window {value}": "測定範囲(線幅の倍数) {value}",
    "linewidths to the nearer end {value}": "近い端までの距離(線幅の倍数) {value}",
    "points at the limit {value}": "上限または下限にある点の数 {value}",
    "wild points {value}": "外れた点の数 {value}",
    "shift of {name} by wild points {value}": "外れた点による{name}のずれ {value}",
    "reduced χ² {value}": "換算χ² {value}",
    "shots at the limit {value}": "上限または下限にあるショットの数 {value}",
    "half the distance of the clouds {value}": "2つの分布の距離の半分 {value}",
    "shots in a third cloud {value}": "第3の分布にあるショットの割合 {value}",
    "wild shots {value}": "外れたショットの数 {value}",
    "shift of {name} by wild shots {value}": "外れたショットによる{name}のずれ {value}",
    "distance of the means (χ² of 2) {value}": "平均の距離(自由度2のχ²) {value}",
    "drift of the clouds (χ²) {value}": "分布のドリフト(χ²) {value}",
    # The shapes that are compared.
    "straight line": "直線",
    "constant": "一定値",
    "exponential": "指数関数",
    "two exponentials": "2つの指数関数",
    "damped cosine": "減衰する余弦",
    "two damped cosines": "2つの減衰する余弦",
    "Lorentzian": "ローレンツ関数",
    "two Lorentzians": "2つのローレンツ関数",
    "complex resonance": "複素共振",
    "two complex resonances": "2つの複素共振",
    "line without resonance": "共振のない直線",
    "{shape} with a drift": "ドリフトのある{shape}",
    "{shape} with a step of the level": "水準に段差のある{shape}",
    "{shape} with a periodic disturbance": "周期的な雑音のある{shape}",
    "{shape}, asymmetric": "非対称な{shape}",
    "{shape}, Gaussian envelope": "ガウス包絡の{shape}",
    # Why there is no fit.
    "Curves of {name} are not known here.": "{name}の曲線の種類はここではわかりません。",
    "The fit could not be computed: {why}.": "フィットを計算できませんでした: {why}。",
    "x has {number} points, y {number2}: they have to be as many.": (
        "xは{number}点、yは{number2}点です。同じ数でなければなりません。"
    ),
    "x has {number} points, y {number2} and {number3} errors: they have to be as many.": (
        "xは{number}点、yは{number2}点、誤差は{number3}個です。同じ数でなければなりません。"
    ),
    "x is in {unit}; {kind} needs one like {name}.": "xの単位は{unit}です。{kind}には{name}のような単位が必要です。",
    "no unit": "なし",
    "{kind} needs both quadratures, I + iQ; y has one number each.": (
        "{kind}にはI + iQの両成分が必要ですが、yは1つの数です。"
    ),
    "{number} places were measured; {kind} needs {number2} or more.": (
        "測定された位置は{number}個です。{kind}には{number2}個以上必要です。"
    ),
    "{number} places were measured ({number3} more have no number); {kind} needs {number2} or more.": (
        "測定された位置は{number}個です(ほかに{number3}個は数がありません)。{kind}には{number2}個以上必要です。"
    ),
    "All x are alike: there is no window.": "xがすべて同じで、測定範囲がありません。",
    "Nearly all points lie at one place of the window.": "ほとんどの点が測定範囲の1か所にあります。",
    "All y are alike: nothing was measured, or the readout is off.": (
        "yがすべて同じです。何も測定されていないか、読み出しがずれています。"
    ),
    "{number} shots of |0⟩ and {number2} of |1⟩ have numbers; {number3} of each are needed.": (
        "数のあるショットは|0⟩が{number}個、|1⟩が{number2}個です。それぞれ{number3}個必要です。"
    ),
    "T2 echo": "T2エコー",
    "resonator spectroscopy": "共振器分光",
    "resonator reflection": "共振器反射",
    "qubit spectroscopy": "量子ビット分光",
    "randomized benchmarking": "ランダマイズドベンチマーキング",
    # Why files were left out.
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
