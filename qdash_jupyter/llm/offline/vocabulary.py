"""The words by which questions are recognised: parameters, what is asked about them, and what no plan answers.

Patterns are for lower-case NFKC text, with `re.ASCII`: Japanese letters are no word characters, so that "t1が" holds
the word t1.
"""

from __future__ import annotations

COUPLING_GATE = "zx90_gate_fidelity"

PARAMETERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        (
            r"zx\s*90(?:[\s_]*gate)?(?:[\s_]*(?:fidelit\w*|忠実度))?|(?:two"
            r"|2)[\s-]*q(?:ubit)?s?[\s-]*(?:gates?|fidelit\w*|errors?)(?:[\s_]*(?:fidelit\w*|errors?))?"
            r"|\bcr\s+gates?|cross[\s-]*resonance|2量子ビット(?:の)?ゲート(?:忠実度)?"
        ),
        (COUPLING_GATE,),
    ),
    (r"\bbell(?:[\s_-]*states?)?(?:[\s_-]*fidelit\w*)?|ベル状態(?:の)?(?:忠実度)?", ("bell_state_fidelity",)),
    (r"\bx90[\s_]*(?:gates?)?[\s_]*(?:fidelit\w*|errors?|忠実度)?", ("x90_gate_fidelity",)),
    (r"\bx180[\s_]*(?:gates?)?[\s_]*(?:fidelit\w*|errors?|忠実度)?", ("x180_gate_fidelity",)),
    (r"(?:read[\s-]*out|resonator|cavity)[\s_]*freq\w*|(?:読み出し|共振器)(?:の)?周波数", ("readout_frequency",)),
    (
        (
            r"(?:average\s+)?read[\s-]*outs?(?!_)(?:\s+(?:fidelit\w*|errors?|assignment))?"
            r"|assignment (?:fidelit\w*|errors?)|(?:平均)?(?:読み?出し|読出し"
            r"|リードアウト)(?:の)?(?:忠実度|フィデリティ|エラー)?"
        ),
        ("average_readout_fidelity",),
    ),
    (r"ramsey[\s_]*freq\w*", ("ramsey_frequency",)),
    (
        (
            r"(?:(?:single|one|1)[\s-]*q(?:ubit)?[\s-]*)?(?:gates?|ゲート)(?:の)?[\s_]*(?:fidelit\w*"
            r"|errors?|忠実度?|フィデリティ|エラー)|(?:single|one|1)[\s-]*q(?:ubit)?[\s-]*gates?"
            r"|\bclifford\b|(?<!\w)rb(?!\w)|randomi[sz]ed benchmarking"
        ),
        ("average_gate_fidelity",),
    ),
    (r"(?<!\w)t_?1[\s_]*average|平均t1", ("t1_average",)),
    (r"(?<!\w)t_?1(?!\w)|energy relaxation|relaxation times?|lifetimes?|緩和時間|寿命", ("t1",)),
    (r"(?<!\w)t_?2[\s_]*echo[\s_]*average", ("t2_echo_average",)),
    (r"(?<!\w)t_?2[\s_]*(?:star\b|\*|スター)|(?<!\w)ramsey|ラムゼー|ラムゼイ", ("t2_star",)),
    (r"(?<!\w)t_?2(?:[\s_]*(?:echo\b|e\b|エコー))?(?!\w)|(?<!\w)echo\b|エコー|dephasing|位相緩和", ("t2_echo",)),
    (r"(?<![\w-])coherence(?:\s+times?)?|コヒーレンス(?:時間)?", ("t1", "t2_echo")),
    (r"anharmonicit\w*|非調和性?", ("anharmonicity",)),
    (
        (
            r"(?:qubit\s+|drive\s+)?frequenc\w*|(?:量子ビット|駆動)?周波数|(?<!\w)f_?01(?!\w)"
            r"|(?<!\w)freqs?(?!\w)"
        ),
        ("qubit_frequency",),
    ),
    (r"(?<!\w)hpi[\s_]*amp\w*|hpi振幅", ("hpi_amplitude",)),
    (r"(?<!\w)hpi[\s_]*len\w*|hpi長", ("hpi_length",)),
)
"""Words for parameters; the first that fits a place wins there, so the longer names stand first."""

FIDELITY = r"fidelit|忠実度|フィデリティ"

UNCLEAR: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        FIDELITY,
        ("average_gate_fidelity", "average_readout_fidelity", "x90_gate_fidelity", "x180_gate_fidelity"),
    ),
    (r"(?<!\w)t_?2(?![\w*]|[\s_]*(?:echo|e\b|star|スター|エコー))", ("t2_echo", "t2_star")),
)
"""Words that fit several parameters of qubits. The first of these is what `PARAMETERS` makes of them."""

TASK_OF = {
    "t1": "CheckT1",
    "t2_echo": "CheckT2Echo",
    "t2_star": "CheckRamsey",
    "average_readout_fidelity": "ReadoutClassification",
    "average_gate_fidelity": "RandomizedBenchmarking",
    "x90_gate_fidelity": "X90InterleavedRandomizedBenchmarking",
    "zx90_gate_fidelity": "ZX90InterleavedRandomizedBenchmarking",
}
"""The tasks of QDash that measure a parameter: who asks which T1 measurements failed means these."""

DOWN = (
    r"\blos[tes]|\bloss|losing|drop(?!\w*\s+(?:the\s+)?(?:table|collection))|\bfell\b|\bfall|decreas"
    r"|degrad|worse(?! than)|worsen|declin|went down|gone down|go(?:es|ing)? down|deteriorat|collapse"
    r"|\bdip|低下|下が|落ち|悪化|悪くな|減少|減っ|失|劣化|短くな|低くな"
)
UP = (
    r"\brose\b|\brise|\brising|improv|\bgain(?:ed|s|ing)?\b|increas|went up|gone up|go(?:es|ing)? up"
    r"|recover|(?:got|get|getting) better|became better|上が|上昇|改善|向上|増加|増え|回復|長くな|良くな"
    r"|よくな|高くな"
)
EITHER = (
    r"\bchang(?:e|es|ed|ing)\b|\bjump|\bshift|\bdrift|\bmov(?:ed|ing)\b|\bmove\b|unstable|instabil"
    r"|fluctuat|what(?:'s| has| is)? happen\w*|what(?:'s| is) new|変化|変わ|飛|跳|ジャンプ|ずれ|シフト"
    r"|ドリフト|変動|不安定|動い"
)
CAUSE = (
    r"\bwhy\b|\bhow come\b|\breasons?\b|\bcaused?\b|\bwhat (?:made|is causing|explains)\b|root cause|なぜ"
    r"|何故|どうして|原因|理由"
)
HEATMAP = (
    r"heat\s*-?map|chip map|\bmaps?\b|on the (?:chip )?grid|across the (?:chip|grid)|spatial|ヒートマップ"
    r"|マップ|分布"
)
COMPARE = (
    r"compar|\bvs\b|\bversus\b|\bagainst\b|differ(?:ence|ent)?\b|side by side|better than|worse than|比較"
    r"|比べ|違い|差は"
)
TREND = (
    r"\btrend|over time|histor|evolution|evolv|time\s*series|timeline|\bplot\b|\bgraph\b"
    r"|(?<!un)\bstab(?:le|ility)\b|behav|over the (?:last|past)|(?:during|for) the (?:last|past)|推移"
    r"|トレンド|履歴|時系列|経時|グラフ|プロット|安定|(?<=時間)変化"
)
SUPERLATIVE_LOW = (
    r"\bworst|\blowest|\bpoorest|\bweakest|\bshortest|\bbottom\b|\bsmallest|\bminimum\b|最悪|ワースト|最低"
    r"|最も(?:低|悪|短|小さ)|一番(?:低|悪|短|小さ)|(?:低|悪|短)い(?:順|方から|ほうから)|下位"
)
LOW = (
    r"\bbad(?:ly)?\b|\bpoor(?:ly)?\b|\blow\b|\bweak\b|\bshort\b|\bbroken\b|out of spec|not good"
    r"|unacceptable|below (?:the )?(?:limit|spec|threshold)|(?:低|悪|短)い|基準(?:値)?(?:を下回|以下|未満"
    r"|より)|不良|ダメ|だめ"
)
BEST = (
    r"\bbest\b|\bhighest|\btop\b|\blongest|\blargest|\bmaximum\b|\bstrongest|最高|ベスト|最良|最も(?:高|良"
    r"|長|大き)|一番(?:高|良|長|大き|いい|よい)|(?:高|良|よ|長|い)い(?:順|方から)|上位"
)
ERROR_RANKED = r"\b(?:highest|largest|lowest|smallest)\b.*\berrors?\b|エラー.*(?:高|大き|低|小さ)"
"""Here high is bad: what is ranked is an error, but what is stored is a fidelity."""
GOOD = r"\bgood\b|\bhigh\b|\blong\b|良い|よい|いい量子ビット|高い|長い"
DEAD = (
    r"\bdead\b|never (?:been )?(?:measured|calibrated|worked)|\bno (?:results?|data|values?)\b"
    r"|without (?:any )?(?:results?|data|values?)|not work\w*|non[\s-]*working|死んで|死んだ|動(?:か"
    r"|いてい)ない|使えない|測定(?:結果|値|データ)(?:の|が)ない|データ(?:の|が)ない|一度も"
)
STALE = (
    r"\bstale\b|\boutdated\b|out of date|(?:\bnot|n't)(?: been| being)? (?:re-?)?(?:measured|calibrated"
    r"|updated|characteri[sz]ed)|\b(?:un-?measured|uncalibrated)\b|longest (?:ago|since)|\bskipped\b"
    r"|\bold(?:est)?\b.{0,12}\b(?:data|values?|measurements?|calibrations?|results?)\b|(?:data|values?"
    r"|measurements?|calibrations?|results?)\b.{0,10}\b(?:are|is) old|測定されて(?:い)?ない"
    r"|測って(?:い)?ない|(?:最近|しばらく)測定(?:の)?(?:して)?(?:い)?ない|測定が(?:古|途絶)"
    r"|更新されて(?:い)?ない|校正されて(?:い)?ない|古い(?:データ|値|測定)|データが古"
)
HEALTH = (
    r"\bhealth|\bstatus\b|overview|summar|how(?:'s| is| are| does)|\bstate of\b|anything (?:wrong|odd"
    r"|strange|unusual|broken|suspicious|new)|\bproblem|\bissues?\b|\breport\b|\bok(?:ay)?\b|\bfine\b"
    r"|needs? attention|attention|look wrong|what(?:'s| is) wrong|anomal|健康|状態|概要|調子|サマリ|要約"
    r"|全体|問題|異常|大丈夫|おかし|注意が必要|具合|不調"
)
STATISTIC = r"\bmedian\b|\bmean\b|\baverage\b|\btypical\b|\bdistribution\b|\brange of\b|中央値|平均"
PARAMETER_LIST = (
    r"(?:which|what|list|available|show).{0,25}(?:parameters?|metrics?|quantities)\b(?! of q)|what (?:is"
    r"|was|gets|do we|are) .{0,6}measured?\b|パラメータ.{0,8}(?:一覧|ある|あり|リスト|種類|何)|(?:利用可能"
    r"|測定済み|使える)な?の?パラメータ|何が測定|測定項目"
)
NEIGHBOUR = (
    r"neighbou?r|adjacent|coupled to|connected to|next to|topology|\blayout\b|隣接|隣|となり|トポロジ"
    r"|結合して|つなが|繋が"
)
TOPOLOGY = ("topology", "トポロジ", "トポロジー", "トポロジーは")
"""Questions of one word, which need not say what they are about."""

SHOW = (
    r"\bshow\b|\blist\b|\bgive\b|\btell\b|\bprint\b|parameters?|\bvalues?\b|\bcurrent\b|\bdetails?\b"
    r"|\bwhat(?:'s| is| are)\b|パラメータ|値|教えて|見せて|表示|いくつ|どう|詳細"
)

VALUES = r"\bcurrent(?:ly)?\b|\bvalues?\b|\bparameters?\b|現在|今の|パラメータ|校正値"
MEASUREMENTS = r"\bmeasurements?\b|\bdata\s?points?\b|\bmeasured values?\b|測定値|測定点|データ点"
MEASURED_WHEN = r"\bwhen (?:was|were)\b.*\bmeasured\b|いつ測定"
ITS_VALUES = r"\d'?s\s+(?:\w+\s+)?(?:parameters?|values?)\b"
A_QUBIT = r"\b(?:a|the|one|this|that|my|single) (?:qubit|coupling)(?:'s)?\b|\b(?:qubit|coupling) parameters?\b"
FAILED = r"\bfail\w*|失敗"
RESULTS = r"\btasks?\b|\bresults?\b|\blast (?:calibrated|measured)\b|タスク|結果|最後に(?:測定|校正)"
SEVERAL = r"\bresults\b|histor|previous|earlier|past|\bold(?:er)?\b|履歴|過去|以前"
RUNS = (
    r"\bruns\b|\b(?:last|latest|newest|recent) run\b|\brun (?:history|list|log)|\bexecutions?\b|\bcalibration runs?\b"
    r"|\b(?:last|latest|newest|recent|previous|which|failed|list|show|\d+)\s+(?:the\s+|all\s+|me\s+){0,2}(?:\w+\s+)?"
    r"calibrations\b|\b(?:last|latest|newest) calibration\b(?! (?:of|notes?))|\b(?:what|anything|which \w+) ran\b"
    r"|実行(?!し|中)|キャリブレーションの?(?:履歴|一覧)|(?:最後|最新|直近|前回)のキャリブレーション(?!の?ノート)"
    r"|(?<![ァ-ー])ラン(?![ァ-ー])"
)
MACHINE_STATE = (
    r"\bcalibration notes?\b|\bmachine (?:states?|notes?)\b|(?:キャリブレーション|校正)の?ノート|装置の?状態"
)
NOTES = (
    r"\bnotes?\b|\bcomments?\b|\bforum\b|\bopen issues?\b|\bissues? (?:about|mention)|未解決の?課題"
    r"|\bknown (?:trouble|issues?|problems?)|メモ|ノート|コメント|フォーラム|書かれ"
    r"|\b(?:people|anyone|anybody|someone|colleagues|we) (?:ever )?(?:wr[io]te|written|said|say|noted?)\b"
)
VERSIONS = (
    r"\blineage\b|\bversions?\b|\b(?:earlier|previous|old|former) (?:\w+\s+)?values?\b|\bwas\b.{0,40}\bbefore\b"
    r"|系譜|バージョン|(?:以前|前|過去)の(?:[a-z0-9]+の?)?値|以前は"
)
ORIGIN = (
    r"\bprovenance\b|\blineage graph\b|\bc[oa]mes? from\b|\bmade (?:of|from)\b|\bbased on\b|\b(?:which|what) inputs?\b"
    r"|\binputs? (?:of|to|for|behind)\b|\borigins?\b|来歴|由来|何から(?:作|でき)|どこから"
)

ELEMENT = r"qubits?\b|\bcouplings?\b|\bcouplers?\b|\bpairs?\b|量子ビット|キュービット|カップリング|カプラ|結合"
CHIP = (
    r"\bchips?\b|\bdevices?\b|\bqpu\b|\bprocessor\b|\bfridge\b|\bcalibrations?\b|チップ|デバイス|素子|全体"
    r"|キャリブレーション"
)
COUPLINGS = (
    r"\bcouplings?\b|\bcouplers?\b|\bpairs\b|\b2q\b|\btwo[\s-]qubit\b|カップリング|カプラ|結合(?!して)"
    r"|2量子ビット"
)

_BARE = (
    "a about all and anomalies anomaly any anybody anyone anything are at attention be been best better bottom "
    "broken by can change changed changes compare comparison could d data day days dead did do does doing drift "
    "drifted ever everything far find fine for from get give going got h happened happening has have health highest "
    "hour hours how i in is issue issues it its jumped last lately least list look looking lost lowest me month "
    "months more morning moved my n need needs new night now odd of off ok okay old on one ones or our out "
    "overall overnight overview past percent please problem problems quick recently report s should show since "
    "so stale state status strange summary suspicious system tell than that the there these things this to "
    "today tonight top unusual up us values w was way we week weeks were what which with worry worse worst "
    "wrong year yesterday you"
)
BARE_WORDS = frozenset(_BARE.split())
"""A question without a parameter, qubit or chip in it is about the chip only when it has no other words than these."""

_TO_DO = (
    r"(?:^|\b(?:please|can you|could you|would you|will you|want (?:you )?to|like (?:you )?to|let'?s"
    r"|need (?:you )?to|and|then|must|should (?:i|we))\s+)(?:please\s+)?(?:delete|remove|erase|drop|update"
    r"|set|write|insert|overwrite|modify|edit|exclude|run(?! (?:history|list|log))|re-?run|start|stop|launch"
    r"|execute|trigger|schedule|re-?calibrate|calibrate|re-?measure|measure|tune|fix|repair|reset|reboot|restart|upload"
    r"|download|export|save|send|e?-?mail|install|create|make me|build|implement|simulate|translate"
    r"|optimi[sz]e|sing|draw me|book|order|buy|turn|cool|warm|change(?! (?:in|of))|increase(?! (?:in|of))"
    r"|raise|improve|rename|mark|annotate|convert|refactor|debug|remind|forget|ignore|pretend|act|train"
    r"|predict|forecast|commit|push)\b|\b(?:delete|insert into|update|drop)\s+(?:all|the|every|from|table"
    r"|collection|database)\b|\bdatabase\b|\bmongo\w*|\bsql\b|\bhow\s+(?:do|can|could|should|would|must|to"
    r"|many times)\s*(?:i|we|you|one|people|they)?\b(?!\s+q\d)(?!.{0,40}\b(?:compare|look|behave)\b)"
    r"|\bwhat (?:should|shall|can|must) (?:i|we)\b|\bwhat happens (?:if|when)\b|\bwhat if\b|\bwhen (?:will"
    r"|should)\b|\bwill\b.{0,30}\b(?:tomorrow|next)\b|\btomorrow\b|\bnext (?:week|month|year|day)\b"
    r"|\bwho\b|\bwhere (?:can|do (?:i|we|you|people)|is the (?:lab|code|file|notebook))\b"
)
_THEORY = (
    r"\bexplain|\bdefin(?:e|ition)|\bmean(?:s|ing)\b|what do(?:es)? .{1,40} mean\b|formula|equation"
    r"|theor(?:y|etical)|deriv|\bhow does\b.{0,60}\bworks?\b|\bwhat causes\b|\bwhat limits\b|\bcauses of\b"
    r"|state of the art|literature|\bpapers?\b|textbook|\busually\b|\bin general\b|\bphysics\b"
    r"|\bwhat is (?:an? )?(?:qubits?|couplings?|readout|ramsey|rabi)[\s?.!]*$"
    r"|\bwhat is (?:the )?(?:difference|relation\w*) between t|hamiltonian|schr|\btransmons?\b"
    r"|quantum computing|quantum computer|\bother (?:labs|companies|groups)\b|\bgoogle\b|\bibm\b"
    r"|\bwhat(?:'s| is| are) (?:a |an |the )?(?:t1|t2|t2 echo|t2\*|readout fidelity|anharmonicity"
    r"|gate fidelity|coherence times?)[\s?.!]*$"
)
_CODE = (
    r"\bpython\b|\bpandas\b|\bnumpy\b|\bmatplotlib\b|\bplotly\b|\bcode\b|\bscripts?\b|\bfunctions?\b"
    r"|traceback|\bexception\b|\bimport\b|\bregex\b|\bnotebooks?\b|\bjupyter\b|\bgit\b|\bfit(?:ting)?\b"
    r"|\bapi\b|\bpip\b|\bpassword|\bapi key"
)
_ELSEWHERE = (
    r"\b(?:are|can|do) you\b(?! (?:see|show|find|tell|list|plot))|^\W*(?:ok|okay|fine|good|nice|cool"
    r"|great)\W*$|\bpoem|\bhaiku|\bjokes?\b|\bsongs?\b|\bstory\b|\bweather\b|\bstocks?\b|\bprices?\b"
    r"|\blunch\b|\brecipe|\bmovies?\b|\bnews\b|\belection|\bfootball\b|\bdollars?\b|\beuros?\b|\byen\b"
    r"|\btemperature\b|\bhelium\b"
)
_ELSEWHERE_JA = (
    r"削除|消して|書き込|書いて|更新して|変更して|実行して|測定して(?!い)|測って(?!い)|校正して(?!い)"
    r"|キャリブレーションして|再起動|送って|保存して|除外して|設定して|起動|直して|修正|とは(?:何|なん"
    r"|どう)?(?:です|ですか|でしょう)?\s*[??。]?\s*$|どういう意味|意味は|原理|理論|定義|方法|やり方|仕方"
    r"|するには|べき|説明して|公式|数式|論文|一般に|物理|コード|パイソン|スクリプト|データベース|俳句|詩を"
    r"|冗談|歌って|天気|株価|ニュース|昼食|ランチ|レシピ|映画|明日|来週|来月|翻訳|温度|ヘリウム|誰"
)
FOREIGN = f"{_TO_DO}|{_THEORY}|{_CODE}|{_ELSEWHERE}|{_ELSEWHERE_JA}"
"""Questions that hold such words get no plan, whatever else they hold: a wrong answer is worse than none."""
