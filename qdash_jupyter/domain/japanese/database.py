"""Of the database, and of snapshots."""

from __future__ import annotations

from collections.abc import Mapping

DATABASE: Mapping[str, str] = {
    "MONGO_PORT is {text}, which is not a port number.": "MONGO_PORT の値 {text} はポート番号ではありません。",
    "Set it to a number such as 27017.": "27017 のような数を設定してください。",
    "MONGO_HOST is not the name of a host.": "MONGO_HOST がホスト名ではありません。",
    "For a whole address set {name} instead.": "アドレス全体を指定するには、代わりに {name} を設定してください。",
    "{text} is not a MongoDB address: it starts with neither of {schemes}.": (
        "{text} は MongoDB のアドレスではありません。{schemes} のどちらでも始まっていません。"
    ),
    "An address looks like mongodb://user:password@host:27017/qdash.": (
        "アドレスは mongodb://user:password@host:27017/qdash のような形です。"
    ),
    "{text} holds a user name or password with unescaped characters.": (
        "{text} のユーザー名またはパスワードに、エスケープされていない文字があります。"
    ),
    "Write the characters : / ? # [ ] @ % of a user name or password as %3A %2F %3F %23 %5B %5D %40 %25.": (
        "ユーザー名とパスワードの文字 : / ? # [ ] @ % は %3A %2F %3F %23 %5B %5D %40 %25 と書いてください。"
    ),
    "{text} is not a MongoDB address: it names no host.": (
        "{text} は MongoDB のアドレスではありません。ホスト名がありません。"
    ),
    "The database {name} is not QDash's: {holds}.": "データベース {name} は QDash のものではありません（{holds}）。",
    "it holds {names}": "{names} が入っています",
    "it is empty or does not exist": "空であるか、存在しません",
    "Check the name of the database (older QDash installs call it qubex).": (
        "データベースの名前を確認してください（古い QDash では qubex です）。"
    ),
    "QDash's collections are in {names}: name that database, as in mongodb://HOST/{name}.": (
        "QDash のコレクションは {names} にあります。mongodb://HOST/{name} のようにそのデータベースを指定してください。"
    ),
    "The server has the databases {names}; none of them looks like QDash's.": (
        "サーバーにあるデータベースは {names} で、QDash のものは見当たりません。"
    ),
    "The server has no databases yet: is it the right one?": (
        "サーバーにはまだデータベースがありません。正しいサーバーか確認してください。"
    ),
    "No MongoDB is configured.": "MongoDB が設定されていません。",
    "Set {name}, or QDash's {name2} and the variables beside it.": (
        "{name}、または QDash の {name2} とその関連変数を設定してください。"
    ),
    "The question was given up while it was being answered.": "問い合わせは応答の途中で打ち切られました。",
    "MongoDB at {host} did not finish the query in time.": (
        "{host} の MongoDB の問い合わせが時間内に終わりませんでした。"
    ),
    "Ask for fewer qubits, a shorter time range or fewer measurements.": (
        "量子ビットの数、期間、または測定の数を減らしてください。"
    ),
    "The connection to {host} is closed.": "{host} への接続は閉じられています。",
    "Connect again.": "もう一度接続してください。",
    "MongoDB at {host} sent a document that cannot be decoded.": "{host} の MongoDB から解読できない文書が届きました。",
    "Report this, please.": "この問題を報告してください。",
    "MongoDB at {host} could not be read ({why}).": "{host} の MongoDB を読み取れませんでした（{why}）。",
    "Try again.": "もう一度試してください。",
    "The MongoDB address is not valid.": "MongoDB のアドレスが正しくありません。",
    "It looks like mongodb://user:password@host:27017/qdash; check the port number, the options after ?, the name of "
    "the database, and that special characters of user name and password are percent-encoded.": (
        "mongodb://user:password@host:27017/qdash のような形です。ポート番号、? より後のオプション、"
        "データベースの名前、"
        "ユーザー名とパスワードの特殊文字のパーセントエンコーディングを確認してください。"
    ),
    "MongoDB at {host} does not accept this user and password.": (
        "{host} の MongoDB はこのユーザー名とパスワードを受け付けません。"
    ),
    "Check user name and password.": "ユーザー名とパスワードを確認してください。",
    "Check user name and password; {more}.": "ユーザー名とパスワードを確認してください。{more}。",
    "users made for all databases need ?authSource=admin in an address that names a database": (
        "全データベース用に作られたユーザーの場合、データベース名を含むアドレスには ?authSource=admin が必要です"
    ),
    "MongoDB at {host} does not let this user read the database.": (
        "{host} の MongoDB では、このユーザーにデータベースを読む権限がありません。"
    ),
    "Ask its administrator for the role `read` on it, or choose another database.": (
        "管理者にロール `read` を付けてもらうか、別のデータベースを選んでください。"
    ),
    "MongoDB at {host} wants a user name and password.": "{host} の MongoDB はユーザー名とパスワードを要求しています。",
    "Put them into the address: mongodb://user:password@host:27017/qdash?authSource=admin.": (
        "アドレスに含めてください: mongodb://user:password@host:27017/qdash?authSource=admin。"
    ),
    "MongoDB at {host} refused the command (error {number}).": (
        "{host} の MongoDB がコマンドを拒否しました（エラー {number}）。"
    ),
    "Its version may be too old: 5.0 or newer is needed.": ("バージョンが古すぎるかもしれません。5.0 以降が必要です。"),
    "MongoDB at {host} did not answer in time.": "{host} の MongoDB が時間内に応答しませんでした。",
    "Check the host name, the VPN or tunnel, and the firewall.": (
        "ホスト名、VPN やトンネル、ファイアウォールを確認してください。"
    ),
    "The connection to MongoDB at {host} was lost.": "{host} の MongoDB との接続が切れました。",
    "The host of {host} is not known: its name could not be resolved.": (
        "{host} のホストが見つかりません。名前を解決できませんでした。"
    ),
    "Check the spelling, or connect to the lab's network. `mongo` is known only inside QDash's containers.": (
        "つづりを確認するか、研究室のネットワークに接続してください。"
        "`mongo` は QDash のコンテナ内でのみ使える名前です。"
    ),
    "A server answers at {host}, but the certificate it shows has expired.": (
        "{host} のサーバーは応答しますが、証明書の有効期限が切れています。"
    ),
    "Its administrator has to renew it.": "管理者による更新が必要です。",
    "A server answers at {host}, but the certificate it shows is for another host name.": (
        "{host} のサーバーは応答しますが、証明書が別のホスト名のものです。"
    ),
    "Use the name that stands in the certificate, as its administrator can tell.": (
        "証明書に書かれた名前を使ってください（管理者に確認できます）。"
    ),
    "A server answers at {host}, but nobody trusted has signed the certificate it shows.": (
        "{host} のサーバーは応答しますが、証明書が信頼できる認証局に署名されていません。"
    ),
    "Name the file of the lab's authority: option tlsCAFile=/path/to/ca.pem.": (
        "研究室の認証局のファイルを指定してください（オプション tlsCAFile=/path/to/ca.pem）。"
    ),
    "A server answers at {host}, but no TLS connection could be made.": (
        "{host} のサーバーは応答しますが、TLS で接続できませんでした。"
    ),
    "Check whether it uses TLS at all (option tls=true or tls=false), and whether tlsCAFile names the right file.": (
        "TLS を使うサーバーか（オプション tls=true、tls=false）、tlsCAFile のファイルが正しいかを確認してください。"
    ),
    "No server at {host} belongs to the replica set that the address names.": (
        "{host} に、アドレスで指定されたレプリカセットのサーバーがありません。"
    ),
    "Check the option replicaSet, and that the names of the set's servers are known here.": (
        "オプション replicaSet と、セットの各サーバーの名前がここで解決できるかを確認してください。"
    ),
    "The replica set of {host} has no server now that the option readPreference allows.": (
        "{host} のレプリカセットに、オプション readPreference で許されるサーバーが現在ありません。"
    ),
    "Allow any: readPreference=nearest.": "どのサーバーも許すには readPreference=nearest を指定してください。",
    "Nothing listens at {host}: the connection was refused.": "{host} で待ち受けるものがなく、接続が拒否されました。",
    "Check the port, and that MongoDB runs and accepts connections from here (Docker: a published port).": (
        "ポートと、MongoDB が起動していてここからの接続を受け付けるか（Docker では公開ポート）を確認してください。"
    ),
    "A server at {host} closes every connection.": "{host} のサーバーがすべての接続を閉じます。",
    "It may want TLS: put tls=true into the address.": (
        "TLS が必要かもしれません。アドレスに tls=true を入れてください。"
    ),
    "{text} is no kind of element.": "{text} という要素の種類はありません。",
    "{text} is neither the id of a qubit nor of a coupling.": (
        "{text} は量子ビットの ID でもカップリングの ID でもありません。"
    ),
    "Ids look like 7 and 4-1.": "ID は 7 や 4-1 のような形です。",
    "{name} is {text}, one text.": "{name} が 1 つの文字列 {text} になっています。",
    "Give a list of texts.": "文字列のリストを指定してください。",
    "Give a whole number, 0 or more.": "0 以上の整数を指定してください。",
    "The snapshot {name} is gone.": "スナップショット {name} がなくなりました。",
    "The snapshot {name} cannot be read: {why}.": "スナップショット {name} を読み取れません: {why}。",
    "The snapshot {name} {why}.": "スナップショット {name}: {why}。",
    "Put it back, or choose other data.": "元に戻すか、別のデータを選んでください。",
    "Give the folder that holds it.": "それが入っているフォルダーを指定してください。",
    "Write the snapshot again.": "スナップショットを作り直してください。",
    "The snapshot {name} lacks {name2}.": "スナップショット {name} に {name2} がありません。",
    "The snapshot {name} has format {number}; this version reads format {number2}.": (
        "スナップショット {name} の形式は {number} ですが、このバージョンが読めるのは形式 {number2} です。"
    ),
    "{name} is not a snapshot: it has no {name2}.": "{name} はスナップショットではありません。{name2} がありません。",
    "{name} cannot be read as a snapshot's manifest.": "{name} をスナップショットのマニフェストとして読み取れません。",
    "Write it again.": "作り直してください。",
    "Upgrade qdash_jupyter.": "qdash_jupyter を更新してください。",
    "Write it again, or choose another folder.": "作り直すか、別のフォルダーを選んでください。",
    "A snapshot is taken of a MongoDB, not of {name}.": (
        "スナップショットは MongoDB から作るもので、{name} からは作れません。"
    ),
    "Set QDASH_MONGO_URI or give --mongo URI. A snapshot is a folder: copy it.": (
        "QDASH_MONGO_URI を設定するか、--mongo URI を指定してください。スナップショットはフォルダーなので、"
        "コピーできます。"
    ),
}
