#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Creates the tables and loads the rows: sh load_clickhouse.sh FOLDER [OPTION...]. The options are those of
# clickhouse-client, such as --host and --port.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
shift
clickhouse-client "$@" --multiquery <"$here/clickhouse.sql"
for table in labels totals threads cpus events jobs messages checks; do
    clickhouse-client "$@" --input_format_skip_unknown_fields 1 \
        --query "INSERT INTO $table FORMAT JSONEachRow" <$table.jsonl
done
