"""The words of questions, in English and Japanese: parameters, and what is asked of them.

Patterns are for lower-case NFKC text, with `re.ASCII`: Japanese letters are no word characters, so that "t1が" holds
the word t1.
"""

from __future__ import annotations

COUPLING_GATE = "zx90_gate_fidelity"

PARAMETERS: dict[tuple[str, ...], str] = {
    (COUPLING_GATE,): (
        r"zx\s*90(?:[\s_]*gate|の?ゲート)?(?:[\s_の]*(?:fid(?:elit\w*|s\b|\b)|errors?|忠実度|エラー))?|(?:two"
        r"|2)[\s-]*q(?:ubit)?s?[\s-]*(?:gates?|fid(?:elit\w*|s\b|\b)|errors?)(?:[\s_]*(?:fid(?:elit\w*|s\b|\b)"
        r"|err(?:ors?)?\b))?|\bcr\s+gates?|cross[\s-]*resonance|2量子ビット(?:の)?ゲート(?:の?(?:忠実度|エラー))?"
    ),
    ("bell_state_fidelity",): r"\bbell(?:[\s_-]*states?)?(?:[\s_-]*fid(?:elit\w*|s\b|\b))?|ベル状態(?:の)?(?:忠実度)?",
    ("x90_gate_fidelity",): r"\bx90[\s_の]*(?:gates?|ゲート)?[\s_の]*(?:fid(?:elit\w*|s\b|\b)|errors?|忠実度|エラー)?",
    ("x180_gate_fidelity",): (
        r"\bx180[\s_の]*(?:gates?|ゲート)?[\s_の]*(?:fid(?:elit\w*|s\b|\b)|errors?|忠実度|エラー)?"
    ),
    ("readout_frequency",): (
        r"(?:read[\s-]*out|resonator|cavity)[\s_-]*(?:freq\w*|spectr\w+)|(?:読み出し|共振器)(?:の)?(?:周波数|スペクトル"
        "|スペクトロスコピー|分光)"
    ),
    ("coarse_qubit_frequency",): r"qubit[\s_-]*spectr\w+|量子ビットの?(?:スペクトル|スペクトロスコピー|分光)",
    ("maximum_rabi_frequency",): r"max(?:imum)?[\s_]*rabi[\s_]*freq\w*|最大ラビ周波数",
    ("rabi_amplitude",): r"(?<!\w)rabi[\s_の]*(?:amp\w*|振幅)|ラビの?振幅",
    ("rabi_frequency",): r"(?<!\w)rabi(?:[\s_の]*(?:freq\w*|oscillations?|周波数|振動))?(?!\w)|ラビ(?:の?周波数|振動)?",
    ("average_readout_fidelity",): (
        r"(?:average\s+)?read[\s-]*outs?(?!_)(?:\s+(?:fid(?:elit\w*|s\b|\b)|err(?:ors?)?\b|assignment))?"
        r"|\bro\s+(?:fid\w*|err\w*)|assignment (?:fid(?:elit\w*|s\b|\b)|errors?)|(?:平均)?(?:読み?出し|読出し"
        "|リードアウト)(?:の)?(?:忠実度|フィデリティ|エラー|誤り)?"
    ),
    ("ramsey_frequency",): r"ramsey[\s_]*freq\w*",
    ("average_gate_fidelity",): (
        r"(?:(?:single|one|1)[\s-]*q(?:ubit)?[\s-]*)?(?:gates?|ゲート)(?:の)?[\s_]*(?:fid(?:elit\w*|s\b|\b)|errors?"
        r"|忠実度?|フィデリティ|エラー)|(?:single|one|1)[\s-]*q(?:ubit)?[\s-]*gates?|\bclifford\b|(?<!\w)rb(?!\w)"
        "|randomi[sz]ed benchmarking"
    ),
    ("t1_average",): r"(?<!\w)t_?1[\s_]*average|平均t1",
    ("t1",): (
        r"(?<![a-z_])t_?1(?:s|\s+times?)?(?!\w)|energy relaxation(?: times?)?|relaxation times?|life\s?times?|緩和時間"
        "|寿命"
    ),
    ("t2_echo_average",): r"(?<!\w)t_?2[\s_]*echo[\s_]*average",
    ("t2_star",): r"(?<!\w)t_?2[\s_]*(?:star\b|\*|スター)|(?<!\w)ramsey|ラムゼー|ラムゼイ",
    ("t2_echo",): r"(?<!\w)t_?2(?:[\s_]*(?:echo\b|e\b|エコー))?(?!\w)|(?<!\w)echo\b(?: times?\b)?"
    r"|エコー(?:時間)?|dephasing|位相緩和",
    ("t1", "t2_echo"): r"(?<![\w-])coherence(?:\s+times?)?|コヒーレンス(?:時間)?",
    ("anharmonicity",): r"anharmonicit\w*|非調和性?",
    ("qubit_frequency",): (
        r"(?:qubit\s+|drive\s+)?frequenc\w*|(?:量子ビット|駆動)?周波数|(?<!\w)f_?01(?!\w)|(?<!\w)freqs?(?!\w)"
    ),
    ("hpi_amplitude",): r"(?<!\w)hpi[\s_]*amp\w*|hpi振幅",
    ("hpi_length",): r"(?<!\w)hpi[\s_]*len\w*|hpi長",
}
"""Words for parameters; the first that fits a place wins there, so the longer names stand first."""

FIDELITY = r"(?:average\s+)?fid(?:elit\w*|s\b|\b)|忠実度|フィデリティ"

UNCLEAR: tuple[tuple[str, tuple[str, ...]], ...] = (
    (FIDELITY, ("average_gate_fidelity", "average_readout_fidelity", "x90_gate_fidelity", "x180_gate_fidelity")),
    (r"(?<!\w)t_?2(?![\w*]|[\s_]*(?:echo|e\b|star|スター|エコー))", ("t2_echo", "t2_star")),
)
"""Words that fit several parameters of qubits. The first of these is what `PARAMETERS` makes of them."""

TASK_OF = {
    "t1": "CheckT1",
    "t2_echo": "CheckT2Echo",
    "t2_star": "CheckRamsey",
    "rabi_frequency": "CheckRabi",
    "readout_frequency": "CheckResonatorSpectroscopy",
    "coarse_qubit_frequency": "CheckQubitSpectroscopy",
    "average_readout_fidelity": "ReadoutClassification",
    "average_gate_fidelity": "RandomizedBenchmarking",
    "x90_gate_fidelity": "X90InterleavedRandomizedBenchmarking",
    "zx90_gate_fidelity": "ZX90InterleavedRandomizedBenchmarking",
}
"""The tasks of QDash that measure a parameter: who asks which T1 measurements failed means these."""

COUPLINGS = (
    r"\bcouplings?\b|\bcouplers?\b|\bpairs?\b|\b2q\b|\btwo[\s-]qubit\b|カップリング|カプラー?|ペア|結合(?!して)"
    "|2量子ビット"
)
QUBITS = r"\bqu?bits?\b|量子ビット|キュービット"
CHIP = (
    r"\b(?:the |this |our )?(?:whole )?(?:chips?|devices?|qpu|processor|fridge|calibrations?)\b|チップ|デバイス|素子"
    "|全体|キャリブレーション"
)

DIRECTIONS: dict[str, str] = {
    "down": (
        r"\blos[tes]\w*|\bloss(?:es)?\b|losing|\bdrop\w*|\bfell\b|\bfall\w*|decreas\w*|degrad\w*|(?:got |get |getting "
        r"|became |become )?(?:noticeably |clearly |much |significantly )?worse(?! than)|worsen\w*|\b(?:lower|shorter"
        r"|smaller)\b(?! than)|declin\w*|(?:went|gone|go(?:es|ing)?) down|deteriorat\w*|collaps\w*|\bdip\w*|低下\w*"
        "|下が(?:った|って|る)?|落ち(?:た|て|る)?|悪化|悪くな(?:った|って|る)?|減少|減っ(?:た|て)?|失(?!敗)(?:った"
        "|って|われた)?|劣化|短くな(?:った|って|る)?|低くな(?:った|って|る)?"
    ),
    "up": (
        r"\brose\b|\brises?\b|\brisen\b|\brising|improv\w*|\bgain(?:ed|s|ing)?\b|increas\w*|(?:went|gone|go(?:es"
        r"|ing)?) up|\b(?:higher|longer|larger)\b(?! than)|recover\w*|(?:got|get|getting|became) better|上が(?:った"
        "|って|る)?|上昇|改善|向上|増加|増え(?:た|て)?|回復|長くな(?:った|って|る)?|良くな(?:った|って|る)?"
        "|よくな(?:った|って|る)?|高くな(?:った|って|る)?"
    ),
    "either": (
        r"\bchang(?:e|es|ed|ing)\b|\bjump\w*|\bshift\w*|\bdrift\w*|\bmov(?:ed|ing)\b|\bmove\b|unstable|instabil\w*"
        r"|fluctuat\w*|what(?:'s| has| is)? happen\w*|happen\w*|what(?:'s| is) new|変化|変わ(?:った|って|る|り)?"
        "|飛(?:んだ|び)?|跳(?:んだ|び)?|ジャンプ|ずれ(?:た|て)?|シフト|ドリフト|変動|不安定|動い(?:た|て)?"
    ),
}

ORDERS: dict[str, str] = {
    "lowest": (
        r"\blowest|\bshortest|\bbottom\b|\bsmallest|\bminimum\b|\bmin\b|\bleast\b|最低|最小|最短|(?:最も|一番)(?:低い?"
        "|短い?|小さい?)|(?:低|短|小さ)い(?:順|方|ほう)(?:から)?"
    ),
    "highest": (
        r"\bhighest|\blongest(?! (?:ago|since))|\blargest|\bbiggest|\bgreatest|\bmaximum\b|\bmax\b|最高|最大|最長"
        "|(?:最も|一番)(?:高い?|長い?|大きい?)|(?:高|長|大き)い(?:順|方|ほう)(?:から)?"
    ),
    "worst": r"\bworst\b|\bpoorest|\bweakest|最悪|ワースト|最も悪い?|一番悪い?|悪い(?:順|方から|ほうから)|最?下位",
    "best": (
        r"\bbest\b|\btop\b|\bstrongest|ベスト|最良|トップ|上位|(?:最も|一番)(?:良い?|よい|いい)|(?:良|よ|い)い(?:順"
        "|方から)"
    ),
}
"""The first that is in a question: "lowest T1, top 3" are the lowest."""

STABILITY: dict[str, str] = {
    "highest": (
        r"least stable|most unstable|fluctuat\w*(?: the)? most|変動が(?:最も|一番)大きい?|(?:最も"
        r"|一番)[\ue000-\ue0fe ]*\s*(?:が|の)?\s*(?:不安定|変動)(?:な|する)?"
    ),
    "lowest": r"most stable|least unstable|(?:最も|一番)[\ue000-\ue0fe ]*\s*(?:が|の)?\s*安定(?:した|している)?",
}
"""What scatters most comes first where instability is asked for."""

SINCE_THEN = r"(?:前|昨日|先週|先月|今朝|\d日|月)より|いつから|\bsince when\b"
"""Beside these, "low" is that something became low."""

STATISTICS: dict[str, str] = {
    "median": r"\bmedian\b|\btypical(?:ly)?\b|中央値",
    "mean": r"\bmean\b|\baveraged?\b|\bavg\b|平均(?:値)?",
    "deviation": (
        r"\bstandard deviations?\b|\bstd\b|\bscatter(?!\s*(?:plot|chart))|\bspread\b|\bvaria(?:nce|tion)\b|標準偏差"
        "|ばらつき|分散"
    ),
}

FORMS: dict[str, str] = {
    "histogram": r"\bhistograms?\b|\bdistribut\w*\b|ヒストグラム|度数分布|(?<!空間)分布",
    "scatter": r"\bscatter\s*-?(?:plots?|charts?)\b|^\s*scatter\b|散布図",
    "map": (
        r"heat\s*-?maps?|chip map|\bmaps?\b|on the (?:chip )?grid|across the (?:chip|grid)|spatial(?:ly)?|ヒートマップ"
        "|マップ|空間分布"
    ),
    "plot": r"\bplot(?:ted)?\b|\bgraphs?\b|\bcharts?\b|\bdraw\b|グラフ|プロット",
}

FITS: dict[str, str] = {
    "exponential": (
        r"(?:fit\w*\s+(?:an?\s+)?)?exponential(?:ly)?(?:\s+(?:fit|decay))?(?:\s+to)?|指数(?:関数)?(?:を|で"
        "|の)?(?:フィット|近似)?"
    ),
    "line": (
        r"fit\w*\s+(?:an?\s+)?(?:straight\s+)?line(?:\s+to)?|(?:linear|straight[\s-]line)\s+(?:fit|trend"
        r"|regression)(?:\s+(?:to|of))?|(?:直線|線形)(?:を|で|の)?(?:フィット|近似|回帰)?"
    ),
}

CHOICES = {"form": FORMS, "order": ORDERS, "statistic": STATISTICS, "fit": FITS}
"""Fields of a query that say one of several."""

FLAGS: dict[str, str] = {
    "relation": (
        r"\bcorrelat\w*|\brelat(?:ed|ion|ionship)\b|\bdepend(?:s|ence)?\b(?:\s+on)?|\blinked?\b"
        r"|\bgo(?:es)? (?:along )?with\b|\bcorr\b|\bcoeff?(?:icients?)?\b|相関(?:係数)?|関係|関連|依存"
    ),
    "how_many": (
        r"\bhow many\b|\bnumber of\b|\bcounts?\b(?: of)?|\bwhat (?:fraction|percentage|share|part|proportion) of|割合"
        "|いくつ|何(?:個|件|回|量子ビット|ペア)|(?<!係)数は"
    ),
    "how_much": (
        r"\bhow (?:much|far|long|large|big|high|low|good|bad|strongly)\b|\b(?:in|how many)\s+(?:%|percent|us\b|μs"
        r"|mhz\b|ghz\b)|どれ(?:だけ|くらい|ほど)|何\s*(?:%|パーセント|ポイント|mhz|ghz|μs|us|マイクロ秒)"
    ),
    "when": r"\bsince when\b|\bwhen\b|いつ(?:から)?",
    "uncertainty": r"\bwith (?:its |the )?(?:errors?|uncertaint\w*)|\buncertaint\w*|誤差(?:つき|付き)?|不確かさ",
    "started": r"\bstart(?:ed|ing)?\b|\bbegan\b|始ま(?:った|る)|開始(?:した|された)?",
    "why": (
        r"\bwhy\b|\bhow come\b|\b(?:what(?:'s| is) the )?reasons?\b|\bcaused?\b|\bwhat (?:made|is causing|explains)\b"
        "|root cause|なぜ|何故|どうして|原因|理由"
    ),
    "compare": (
        r"compar\w*(?: to| with)?|\bvs\b\.?|\bversus\b|\bagainst\b|differ(?:ence|ent)?\b|side by side|better than"
        "|worse than|比較|比べ(?:て|る)?|対(?!し)|違い|差は"
    ),
    "trend": (
        r"\btrends?\b|(?:\bvs\.?|versus|against) time\b|over time|histor\w*|evolution|evolv\w*|develop\w*"
        r"|time\s*series|timeline|(?<!un)\bstab(?:le|ility)\b|behav\w*|推移|トレンド|履歴|時系列|経時|安定"
        "|(?<=時間)変化"
    ),
    "low": (
        r"\bbad(?:ly)?\b|\bpoor(?:ly)?\b|\blow\b|\bweak\b|\bshort\b|\bbroken\b|out of spec|not good|unacceptable"
        "|below (?:the )?(?:limit|spec|threshold)|(?:低|悪|短)い|低く|基準(?:値)?(?:を下回る?|以下|未満|より)|不良"
        "|ダメ|だめ"
    ),
    "good": r"\bgood\b|\bhigh\b|\blong\b|良い|よい|いい量子ビット|高い|長い",
    "dead": (
        r"\bdead\b|never (?:been )?(?:measured|calibrated|worked)|\b(?:have|has|with|had)?\s*no (?:results?|data"
        r"|values?)\b|without (?:any )?(?:results?|data|values?|measurements?)|not work\w*|non[\s-]*working"
        "|死んで(?:いる)?|死んだ|動(?:か|いてい)ない|使えない|測定(?:結果|値|データ)(?:の|が)ない|データ(?:の"
        "|が)(?:全く|まったく|一切)?ない|一度も"
    ),
    "stale": (
        r"\bstale\b|\boutdated\b|out of date|(?:\bnot|n't)(?: been| being)? (?:re-?)?(?:measured|calibrated|updated"
        r"|characteri[sz]ed)|\b(?:un-?measured|uncalibrated)\b|longest (?:ago|since)|\bskipped\b"
        r"|\bold(?:est)?\b.{0,12}\b(?:data|values?|measurements?|calibrations?|results?)\b|(?:data|values?"
        r"|measurements?|calibrations?|results?)\b.{0,10}\b(?:are|is) old|測定されて(?:い)?(?:ない|ません)"
        "|測って(?:い)?(?:ない|ません)|測られて(?:い)?(?:ない|ません)|(?:最近"
        "|しばらく)?測定(?:の)?(?:して)?(?:い)?ない|未測定|測定が(?:古い?|途絶)|更新されて(?:い)?ない"
        "|校正されて(?:い)?ない|古い(?:データ|値|測定)|データが古い?"
    ),
    "health": (
        r"\bhealth\w*|\bstatus\b|overview|summar\w*|how(?:'s| is| are| does| do)\b|\bstate of\b|anything (?:wrong|odd"
        r"|strange|unusual|broken|suspicious|new)|\bproblems?|\bissues?\b|\breport\b|\bok(?:ay)?\b|\bfine\b"
        r"|(?:needs? )?attention|look wrong|what(?:'s| is) wrong|\bwrong\b|\bworry\b|anomal\w*|健康|状態|概要|調子"
        "|サマリー?|要約|問題|異常|大丈夫|おかしい?|注意が必要|具合|不調"
    ),
    "parameter_list": (
        r"(?:which|what|list|available|show).{0,25}(?:parameters?|metrics?|quantities)\b(?! of q)(?: are there)?"
        r"|what (?:is|was|gets|do we|are) .{0,6}measured?\b|パラメータ.{0,8}(?:一覧|ある|あり|リスト|種類|何)"
        "|(?:利用可能|測定済み|使える)な?の?パラメータ|何が測定|測定項目|測定(?:されて|して)いるパラメータ"
    ),
    "neighbour": (
        r"neighbou?rs?(?: of)?|neighbou?ring|adjacent|coupled to|connected to|next to|topology|\blayout\b"
        "|隣接(?:する)?|隣|となり|トポロジー?|結合して|つなが|繋が"
    ),
    "its_values": r"(?<=\s)'?s\s+(?:\w+\s+)?(?:parameters?|values?)\b",
    "values": (
        r"\batm\b|\b(?:right )?now\b|\bcurrent(?:ly)?\b|\bvalues?\b|\bparameters?\b|現在|今の|今いくつ|パラメータ"
        "|校正値"
    ),
    "measurements": (
        r"\bmeasurements?\b|\bdata\s?points?\b|\bmeasured values?\b|測定値|測定点|データ点|測定のうち|測定は(?=何)"
    ),
    "measured_when": r"\bwhen (?:was|were)\b.*\bmeasured\b|いつ測定",
    "a_qubit": r"\b(?:a|the|one|this|that|my|single) (?:qubit|coupling)(?:'s)?\b|\b(?:qubit|coupling) parameters?\b",
    "newest": r"\b(?:latest|newest|most recent|last)\b|最新|最後",
    "failed": r"\bfail\w*|失敗",
    "trust": (
        r"\b(?:can(?:not|'t)? |should(?:n't)? |do(?:n't)? )?(?:i |we |you )?(?:not )?(?:to )?(?:be )?"
        r"(?:trust\w*|believ\w*|rely on)\b|\b(?:not )?(?:un)?(?:reliab|trustworth)\w+|\breal\b"
        r"|\bre-?fit\w*|\bfit\w* (?:again|anew)|(?:信頼|信用)(?:性|(?:は|が)?でき(?:ません|ます|ない|なさ|る)?"
        r"|に?足(?:る|りる))?|信じ(?:て|られ)?(?:ません|ます|ない|る)?|再(?:フィット|近似)(?:し)?|フィットし直し?|本当"
    ),
    "fits": r"\bfit(?:s|ted)?\b|\bcurves?\b|フィット|近似|曲線",
    "judged": (
        r"\b(?:check\w*|judge\w*|assess\w*|verif\w+|redo|again|quality|well|right|correct|suspicious|dubious)\b"
        r"|\bfit of noise\b|\bbehind\b|もう一度|判定(?:して|し)?|品?質|正し[いく]?|妥当|(?:怪|疑わ)し[いく]?|保存値"
    ),
    "results": r"\btasks?\b|\bresults?\b|\blast (?:calibrated?|measured?)\b|タスク|結果|最後[にの](?:測定|校正)",
    "several": r"\bresults\b|histor\w*|previous|earlier|past|\bold(?:er)?\b|履歴|過去|以前",
    "runs": (
        r"\bruns\b|\b(?:last|latest|newest|recent) run\b|\brun (?:history|list|log)|\bexecutions?\b"
        r"|\bcalibration runs?\b|\b(?:last|latest|newest|recent|previous|which|failed|list|show|\d+)\s+(?:the\s+"
        r"|all\s+|me\s+){0,2}(?:\w+\s+)?calibrations\b|\b(?:last|latest|newest) calibration\b(?! (?:of|notes?))"
        r"|\b(?:what|anything|which \w+) ran\b|実行(?!し|中)|キャリブレーションの?(?:履歴|一覧)|(?:最後|最新|直近"
        "|前回)のキャリブレーション(?!の?ノート)|(?<![ァ-ー])ラン(?![ァ-ー])"
    ),
    "machine_state": (
        r"\bcalibration notes?\b|\bmachine (?:states?|notes?)\b|(?:キャリブレーション|校正)の?ノート|装置の?状態"
    ),
    "notes": (
        r"\bnotes?\b|\bcomments?\b|\bforum\b(?: posts?)?|\bopen issues?\b|\bissues? (?:about|mention)|未解決の?課題"
        r"|\bknown (?:trouble|issues?|problems?)|メモ|ノート|コメント|フォーラム|書かれ|\b(?:people|anyone|anybody"
        r"|someone|colleagues|we) (?:ever )?(?:wr[io]te|written|said|say|noted?)\b"
    ),
    "versions": (
        r"\blineage\b|\bversions?\b|\b(?:earlier|previous|old|former)\b(?=.{0,14}\bvalues?\b)|\bwas\b.{0,40}\bbefore\b"
        "|系譜|バージョン|(?:以前|前|過去)の(?:[a-z0-9]+の?)?値|以前は"
    ),
    "origin": (
        r"\bprovenance\b|\blineage graph\b|\bc[oa]mes? from\b|\bmade (?:of|from)\b|\bbased on\b|\b(?:which"
        r"|what) inputs?\b|\binputs? (?:of|to|for|behind)\b|\borigins?\b|来歴|由来|何から(?:作|でき)|どこから"
    ),
}
"""What a question may say of what it asks, by name. Several may hold: `asked` decides between them."""


_MARK = "(?:[\ue000-\ue0fe] *)?"
_OF_FITS = r"(?:(?:curve )?fits?(?:'s)? (?:values?|results?)|fit(?:ted)? (?:values?|curves?)|fits?|curves?)"
_VALUES = r"(?:values?|results?|measurements?|ones|points|data)"
_TRUSTED = "(?:reliable|trustworthy|trusted)"
_DISTRUSTED = (
    "(?:un(?:reliable|trustworthy|trusted)|not (?:reliable|trustworthy|trusted)|doubtful|dubious|suspicious"
    "|questionable)"
)
_SURE = rf"(?:the )?(?:(?:{_TRUSTED}|good) {_MARK}{_OF_FITS}|{_TRUSTED} {_MARK}{_VALUES})"
_ALL = "(?:(?:the|all|any|every|those|these|that) )*"
_UNSURE = rf"{_ALL}(?:(?:{_DISTRUSTED}|bad|poor|wrong) {_MARK}{_OF_FITS}|{_DISTRUSTED} {_MARK}{_VALUES})"
_NOT = r"(?:can ?not|can['’]?t|could ?not|couldn['’]?t|should not|shouldn['’]?t|must not|do not|don['’]?t)"
_RELY = "(?:trust(?:ed)?|rel(?:y|ied) (?:up)?on|believed?)"
_ANY_OF_THEM = rf"{_ALL}(?:{_MARK}{_OF_FITS}|{_MARK}{_VALUES}|those|anything|everything|what(?:ever)?|all)"
_WHICH = "(?:(?:that|which|whose fits?|of which the fits?) )?"
_DOUBTED = (
    rf"{_ANY_OF_THEM} {_WHICH}(?:(?:i|we|you|one) )?"
    rf"(?:{_NOT} (?:be )?{_RELY}|(?:are|is|was|were) (?:{_DISTRUSTED}|not to be {_RELY}))"
)
_BELIEVED = (
    rf"{_ANY_OF_THEM} {_WHICH}(?:(?:i|we|you|one) )?"
    rf"(?:can (?:be )?{_RELY}|(?:are|is|was|were) (?:{_TRUSTED}|to be {_RELY}))"
)
_LEAVE = (
    r"(?:leav\w+ (?:out|away|aside)|exclud\w+|ignor\w+|without|except(?: for)?|drop\w*|omit\w*|skip\w*|discard\w*"
    r"|remov\w+|not counting|but not|but no|minus|no|filter\w* (?:out|away)|throw\w* (?:out|away)"
    r"|(?:do not|don['’]?t|not|never) (?:use|count|include|consider|take))"
)
_WHOSE = (
    r"(?:(?:the |all |any )*(?:values?|those|these|measurements?|everything|anything) "
    r"(?:of|from|with|that (?:have|has|come from)) )?"
)
_BY = r"(?:\b(?:with|from|of|by|using|for|on|counting|count|use|considering|consider) )"
_AND = r"(?:\b(?:and|but|please|then) )*"
_TRUST_JA = "(?:信[頼用]|当てに|あてに)"
_SURE_JA = f"(?:{_TRUST_JA}(?:が?でき|な)る|信[頼用]性の(?:ある|高い)|信[頼用]の?(?:お|置)ける)"
_UNSURE_JA = (
    f"(?:{_TRUST_JA}(?:が?でき|なら)(?:ない|なかった)|信[頼用]性の(?:ない|低い)|信[頼用]の?(?:お|置)けない"
    "|(?:怪|疑わ)しい)"
)
_FITS_JA = (
    f"(?:{_MARK}の)?(?:フィット|近似|曲線|測定結果|結果|測定値|測定|データ|値|もの)(?:の(?:値|結果|測定値|データ))?"
)
_OF_THEM_JA = "(?:(?:フィット|近似|曲線|結果)[がの])?"
_LEFT_JA = (
    r"(?:除(?:いた|いて|外(?:した|して|し)?|去(?:した|して|し)?|き|く)?|無視(?:した|して|し)?|含め(?:ずに?|ないで)"
    r"|使わ(?:ずに?|ないで)|数え(?:ずに?|ないで)|考慮(?:せずに?|しないで)|抜(?:きで|きに|いて|いた|き)|省(?:いて|いた|き)"
    r"|外(?:して|した|し)|捨て(?:て|た)|なしで?|以外(?:で|の)?)(?:の)?"
)
RELIABLE_ONLY = (
    rf"{_AND}\b{_LEAVE} {_WHOSE}(?:{_UNSURE}|{_DOUBTED})"
    rf"|{_AND}\b{_LEAVE} {_ALL}(?:un(?:reliable|trustworthy)|bad|poor) ones"
    rf"|{_AND}(?:{_UNSURE}|{_DOUBTED}) (?:are |is |being |to be |should be )?"
    r"(?:left out|excluded|ignored|dropped|removed|omitted|discarded|skipped)"
    rf"|{_AND}\b(?:leave|take|leaving|taking|filter|throw) (?:{_UNSURE}|{_DOUBTED}) (?:out|away|aside)"
    rf"|{_AND}{_BY}*\b(?:only|just) (?:the )?(?:values? |those )?{_BY}?(?:{_SURE}|{_BELIEVED})"
    rf"|{_AND}{_BY}*(?:{_SURE}|{_BELIEVED}),? (?:only|alone)\b"
    rf"|\b(?:with|from|using|by|considering|counting) (?:the )?{_TRUSTED} {_MARK}{_OF_FITS}"
    rf"|\b(?:with|from|using|by|considering|counting|where|when) {_BELIEVED}"
    rf"|\b(?:unless|except (?:where|when)) {_DOUBTED}"
    rf"|{_OF_THEM_JA}{_SURE_JA}{_FITS_JA}"
    r"(?:だけ|のみ|に限(?:って|り|定して)?)(?:で|を(?:使って|使い|用いて|使った)|に(?:限って|限定して|絞って)|の)?"
    rf"|{_OF_THEM_JA}{_UNSURE_JA}{_FITS_JA}(?:は|を)?{_LEFT_JA}"
)
"""That values of unreliable fits are to be left out."""

NAMES = (
    ("entity_id", r"(?i)(?<![\w:])[a-z]\w*:\d+(?:-\d+)?:[^\s:]+:[\w-]+"),
    ("execution_id", r"(?i)(?:\b(?:run|execution)(?:\s+id)?\s+[\"'`]?)?(?<![\w-])(\d{8}-\d{3,})(?![\w-])"),
    (
        "task_name",
        (
            r"(?i)(?<![\w-])(?:(?:check|create)_?[a-z0-9]\w+|readout_?classification"
            r"|(?:z?x\d+_?interleaved_?)?randomized_?benchmarking)(?!\w)"
        ),
    ),
    ("execution_id", r"(?i)\b(?:run|execution)(?:\s+id)?\s+[\"'`]?(?!\d{4}-\d\d?-\d)((?=[\w-]*\d)[a-z0-9][\w-]{3,})"),
    ("kind", r"(?i)(?<!\w)[a-z]\w*_params(?!\w)"),
    (
        "tags",
        (
            r"(?i)\btag(?:ged)?(?:\s+(?:with|as))?\s+[\"'`]?([\w-]+)[\"'`]?|([\w-]+)タグ"
            r"|タグ[「『]?\s*([\w-]+)[」』]?(?:の|が付いた)?"
        ),
    ),
    ("text", r"[\"“「]([^\"”」]{2,60})[\"”」]"),
)
"""By argument the names, which are taken out of the question as they are written, before anything else."""

WORDED: dict[tuple[str, str | bool | None], str] = {
    ("status", "failed"): r"\bfail\w*|失敗",
    ("status", "running"): r"\brunning\b|実行中",
    ("status", "completed"): r"\bcompleted\b|\bsuccess\w*|\bsucceeded\b|成功|完了",
    ("status", "cancelled"): r"\bcancel\w*|キャンセル|中止",
    ("status", "skipped"): r"\bskipped\b|スキップ",
    ("status", "pending"): r"\bpending\b|待機中",
    ("status", "scheduled"): r"\bscheduled\b|予定",
    ("include_excluded", True): r"(?:also |including )?\bexcluded\b(?: ones)?|除外",
    ("cooldown_id", "current"): (
        r"\b(?:(?:in|on|at|during|since|after) )?(?:the )?(?:this|current|last|latest) cool[\s-]?down\b"
        r"|\bsince (?:the )?cool[\s-]?down\b|(?:今回|現在|最後|前回|直近|今)の(?:クールダウン|冷却)(?:以降|から"
        "|後)?(?:で|の|に)?"
    ),
    ("kind", "issue"): r"\bopen issues?\b|\bissues? (?=about|mention)|課題",
    ("is_open", True): r"\bopen issues?\b|未解決",
    ("kind", "forum"): r"\bforum\b(?: posts?)?|フォーラム",
    ("kind", "cooldown"): r"\bcool[\s-]?down notes?\b|クールダウンの(?:メモ|ノート)",
    ("kind", "chip"): r"\bchip notes?\b|\bnotes? (?:of|on|about) the chip\b|チップの(?:メモ|ノート)",
    ("text", None): (
        r"\b(?:mention\w*|contain\w*|about|notes? for)\s+(?:the\s+)?(?!q\d|(?:qubits?|couplings?|chip|it|this|that"
        r"|them|the|calibrations?)\b)([a-z][\w-]+(?:\s+(?!(?:this|last|past|in|on|of|since|from|by|for|and|or|during"
        r"|before|until|between|today|please)\b)[a-z][\w-]+)?)|([\u3041-\u30fc\u4e00-\u9fffa-z0-9]+?)(?:に関する"
        "|についての|に触れた|を含む)(?:メモ|ノート)"
    ),
    ("last_n", None): (
        r"\b(?:last|latest|newest|recent|previous)\s+(\d{1,4})\b(?!\s*(?:%|(?:hour|day|night|week|month|year|min)))"
        r"|(?<![\w.])(\d{1,4})\s+(?=(?:most recent|latest|newest)\b|(?:[\w\ue000-\ue0fe]+\s+){0,3}?(?:results?"
        r"|measurements?|runs?|versions?|notes?|executions?)\b)|(?:直近|最新|最近)?の?(?<![\d.])(\d{1,4})\s*(?:件"
        "|回)(?:の)?"
    ),
}
"""Arguments, their values (None: the words themselves) and the words that give them. The first that fits an argument
wins; they may tell what is asked, too.
"""

_FUNCTION_WORDS = (
    "a about all also am among an and any anybody anyone anything are as at be been being between both by can could "
    "d did display do does doing done during each ever every find for from get gets getting give given got had has "
    "have having he her here hi him his how i if in into is it it's its itself just know let let's list ll look "
    "looking looks m me might my need needs now of ok on one ones only or our out over per please pls plz print re "
    "really s see she should show shown so some still such tell that that's the their them then think there there's "
    "these they thing things this those to too up us ve very w want was we well were what what's when where which who "
    "whose will with within would you your yet whats value values number level levels data measured measurement "
    "measurements currently recently lately ago quick"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that say nothing by themselves. All others have to be taken by a slot, or are named in the answer."""

NEGATIONS = r"\b(?:not|no|none|never|without|except|nor|neither|than|unless)\b|n't\b|ない|なかった|ません|以外|除"
"""What is left over and holds one of these changes the question."""

FUNCTION_WORDS_JA = (
    "ありませんか|願い(?:し)?|描い(?:て|た)|ませんか|測定(?:した|された|値|結果)?|直近|全|教えて|見せて|示して|見たい"
    "|知りたい|ください|下さい|お願いします?|お願い|表示|出して|欲しい|ほしい|挙げて|列挙|どの|どれ|どんな|どう|どこ"
    "|だれ|いつ|なに|なん|何|です|でした|ます|ました|でしょう|ある|あり|あった|いる|いた|いて|する|した|して|され"
    "|ている|ていない|てい|なった|なって|なり|なる|という|こと|もの|とき|時の|それぞれ|全て|すべて|最近|今|の|は|が"
    "|を|に|で|と|も|へ|や|か|よ|ね|な|い|た|て|れ|る|り|ら|だけ|から|まで|より|さん|くらい|ぐらい|ほど|間|中|内|点"
    "|値|番|数|量|ついて|関して|対して|として|また|及び|および|ごと|別|一覧|リスト|順|見て|確認|さ|け|し|せ|ば|ず|お"
    "|ご"
)
"""Japanese words and particles that say nothing by themselves."""

_TO_DO = (
    r"(?:^|\b(?:please|can you|could you|would you|will you|want (?:you )?to|like (?:you )?to|let'?s|need (?:you )?to"
    r"|and|then|must|should (?:i|we))\s+)(?:please\s+)?(?:delete|remove|erase|drop|update|set|write|insert|overwrite"
    "|modify|edit|exclude|run(?! (?:history|list|log))|re-?run|start|stop|launch|execute|trigger|schedule"
    "|re-?calibrate|calibrate|re-?measure|measure|tune|repair|reset|reboot|restart|upload|fix|download|export|save"
    "|send|e?-?mail|install|create|make me|build|implement|simulate|translate|optimi[sz]e|sing|draw me|book|order|buy"
    "|turn|cool|warm|change(?! (?:in|of))|increase(?! (?:in|of))|raise|improve|rename|mark|annotate|convert|refactor"
    r"|debug|remind|forget|ignore|pretend|act|train|predict|forecast|commit|push)\b|\b(?:delete|insert into|update"
    r"|drop)\s+(?:all|the|every|from|table|collection|database)\b|\bdatabase\b|\bmongo\w*|\bsql\b|\bhow\s+(?:do|can"
    r"|could|should|would|must|to|many times)\s*(?:i|we|you|one|people|they)?\b(?!\s+q\d)(?!.{0,40}\b(?:compare|look"
    r"|behave)\b)|\bwhat (?:should|shall|can|must) (?:i|we)\b|\bwhat happens (?:if|when)\b|\bwhat if\b|\bwhen (?:will"
    r"|should)\b|\bwill\b.{0,30}\b(?:tomorrow|next)\b|\btomorrow\b|\bnext (?:week|month|year|day)\b|\bwho\b(?! (?:has"
    r"|have)\b)|\bwhere (?:can|do (?:i|we|you|people)|is the (?:lab|code|file|notebook))\b"
)
_THEORY = (
    r"\bexplain|\bdefin(?:e|ition)|\bmean(?:s|ing)\b|what do(?:es)? .{1,40} mean\b|formula|equation|theor(?:y|etical)"
    r"|deriv|\bhow does\b.{0,60}\bworks?\b|\bwhat causes\b|\bwhat limits\b|\bcauses of\b|state of the art|literature"
    r"|\bpapers?\b|textbook|\busually\b|\bin general\b|\bphysics\b|\bwhat is (?:an? )?(?:qubits?|couplings?|readout"
    r"|ramsey|rabi)[\s?.!]*$|\bwhat is (?:the )?(?:difference|relation\w*) between t|hamiltonian|schr|\btransmons?\b"
    r"|quantum computing|quantum computer|\bother (?:labs|companies|groups)\b|\bgoogle\b|\bibm\b|\bwhat(?:'s| is"
    r"| are) (?:a |an |the )?(?:t1|t2|t2 echo|t2\*|readout fidelity|anharmonicity|gate fidelity"
    r"|coherence times?)[\s?.!]*$"
)
_CODE = (
    r"\bpython\b|\bpandas\b|\bnumpy\b|\bmatplotlib\b|\bplotly\b|\bcode\b|\bscripts?\b|\bfunctions?\b|traceback"
    r"|\bexception\b|\bimport\b|\bregex\b|\bnotebooks?\b|\bjupyter\b|\bgit\b|\bapi\b|\bpip\b|\bpassword|\bapi key"
)
_ELSEWHERE = (
    r"\b(?:are|can|do) you\b(?! (?:see|show|find|tell|list|plot|give|draw|believe|trust|rely|think"
    r"|refit|fit|judge|check))|^\W*(?:ok|okay|fine|good|nice|cool"
    r"|great)\W*$|\bpoem|\bhaiku|\bjokes?\b|\bsongs?\b|\bstory\b|\bweather\b|\bstocks?\b|\bprices?\b|\blunch\b"
    r"|\brecipe|\bmovies?\b|\bnews\b|\belection|\bfootball\b|\bdollars?\b|\beuros?\b|\byen\b|\btemperature\b"
    r"|\bhelium\b"
)
_ELSEWHERE_JA = (
    "削除|消して|書き込|書いて|更新して(?!い)|変更して|実行して|測定して(?!い|な)|測って(?!い|な)|校正して(?!い)"
    "|キャリブレーションして|再起動|送って|保存して|除外して|設定して|起動|(?<!し)直して|修正|(?<!こ)とは(?:何|なん"
    r"|どう)?(?:です|ですか|でしょう)?\s*[??。]?\s*$|どういう意味|意味は|原理|理論|定義|方法|やり方|仕方|するには|べき"
    "|説明して|公式|数式|論文|一般に|物理|コード|パイソン|スクリプト|データベース|俳句|詩を|冗談|歌って|天気|株価"
    "|ニュース|昼食|ランチ|レシピ|映画|明日|来週|来月|翻訳|温度|ヘリウム|誰"
)
FOREIGN = f"{_TO_DO}|{_THEORY}|{_CODE}|{_ELSEWHERE}|{_ELSEWHERE_JA}"
"""Questions that hold such words get no plan, whatever else they hold: a wrong answer is worse than none."""
