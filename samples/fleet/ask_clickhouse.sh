#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Asks the questions: sh ask_clickhouse.sh [OPTION...], with the options of clickhouse-client.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
clickhouse-client "$@" --multiquery --join_default_strictness ALL <"$here/questions.sql"
