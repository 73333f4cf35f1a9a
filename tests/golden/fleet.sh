# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A fleet of 100 captures in samples/fleet: ten questions in SQL have the answers that `stats` gives file by file, in
# SQLite and in a ClickHouse server on loopback (sh tests/deps.sh fleet installs it; without it those are skipped).
. tests/lib/case.sh
needs_release
program=$PWD/build/tracetui
questions=samples/fleet/questions.sql
fleet() { python3 tests/golden/fleet.py "$@"; }

server=
stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null
        builtin wait "$server" 2>/dev/null
        server=
    fi
}
trap 'stop; rm -rf "$WORK"' EXIT

# ---- the captures and their rows
exits "the captures are made" 0 env TTSIM="$PWD/build/ttsim" sh samples/fleet/make_captures.sh "$WORK/fleet"
same_text "100 captures" 100 "$(find "$WORK/fleet" -name '*.kev' | wc -l)"
exits "their rows are written" 0 env TRACETUI="$program" sh samples/fleet/make_rows.sh "$WORK/fleet"
find "$WORK/fleet" -name '*.kev' | sed "s|^$WORK/fleet/||" | LC_ALL=C sort >"$WORK/names"
for table in labels totals threads cpus events jobs messages checks; do
    sed 's/^{"capture":"\([^"]*\)".*/\1/' "$WORK/fleet/$table.jsonl" | uniq >"$WORK/$table.names"
    same "$table has rows of all captures, in order" "$WORK/names" "$WORK/$table.names"
done
same_text "every column of the schema is a key" "" "$(fleet schema "$WORK/fleet" samples/fleet/clickhouse.sql)"

# ---- the answers
fleet by_file "$WORK/fleet" "$program" >"$WORK/by_file"
same_text "ten answers of stats" 10 "$(wc -l <"$WORK/by_file")"
fleet sqlite "$WORK/fleet" $questions >"$WORK/sqlite"
fleet same $questions "$WORK/by_file" "$WORK/sqlite" | sed 's/ok - /ok - SQLite: /'
same_text "build 2.3 made the delay worse" 2.3 "$(head -n 1 "$WORK/by_file" | cut -d'"' -f2)"

if ! command -v clickhouse-server >/dev/null 2>&1 || ! command -v clickhouse-client >/dev/null 2>&1; then
    skip "ClickHouse" "not installed: sh tests/deps.sh fleet"
    exit 0
fi

# start_server: on two free ports, with its data in $WORK; another process may take a port in between
start_server() {
    local http
    read -r http port < <(fleet ports)
    rm -rf "$WORK/server"
    mkdir -p "$WORK/server/data" "$WORK/server/tmp"
    cat >"$WORK/server/config.xml" <<XML
<yandex>
    <logger><level>warning</level><log>$WORK/server/log</log><errorlog>$WORK/server/errors</errorlog></logger>
    <listen_host>127.0.0.1</listen_host>
    <http_port>$http</http_port>
    <tcp_port>$port</tcp_port>
    <path>$WORK/server/data/</path>
    <tmp_path>$WORK/server/tmp/</tmp_path>
    <users_config>$WORK/server/users.xml</users_config>
    <default_profile>default</default_profile>
    <default_database>default</default_database>
    <mark_cache_size>5368709</mark_cache_size>
</yandex>
XML
    cat >"$WORK/server/users.xml" <<XML
<yandex>
    <profiles><default><max_memory_usage>1000000000</max_memory_usage></default></profiles>
    <users><default>
        <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
    </default></users>
    <quotas><default></default></quotas>
</yandex>
XML
    clickhouse-server --config-file="$WORK/server/config.xml" >"$WORK/server/out" 2>&1 &
    server=$!
    for ((i = 0; i < 300; i++)); do
        clickhouse-client --port "$port" --query 'SELECT 1' >/dev/null 2>&1 && return 0
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
start_server || { stop && start_server; } || {
    not_ok "ClickHouse starts" "$(tail -n 3 "$WORK/server/out" "$WORK/server/errors" 2>&1)"
    exit 0
}
exits "ClickHouse loads the rows" 0 sh samples/fleet/load_clickhouse.sh "$WORK/fleet" --port "$port"
exits "ClickHouse answers" 0 sh samples/fleet/ask_clickhouse.sh --port "$port" --format JSONCompact
fleet of_server "$WORK/out" >"$WORK/clickhouse"
fleet same $questions "$WORK/by_file" "$WORK/clickhouse" | sed 's/ok - /ok - ClickHouse: /'
same_text "ten answers of ClickHouse" 10 "$(wc -l <"$WORK/clickhouse")"
own=$server
stop
same_text "ClickHouse is stopped" no "$(kill -0 "$own" 2>/dev/null && echo yes || echo no)"
