-- SPDX-License-Identifier: Apache-2.0
-- The tables in DuckDB, from the folder of the rows: duckdb fleet.db <duckdb.sql, then questions.sql.
CREATE TABLE labels AS SELECT * FROM read_json_auto('labels.jsonl', format = 'newline_delimited');
CREATE TABLE totals AS SELECT * FROM read_json_auto('totals.jsonl', format = 'newline_delimited');
CREATE TABLE threads AS SELECT * FROM read_json_auto('threads.jsonl', format = 'newline_delimited');
CREATE TABLE cpus AS SELECT * FROM read_json_auto('cpus.jsonl', format = 'newline_delimited');
CREATE TABLE events AS SELECT * FROM read_json_auto('events.jsonl', format = 'newline_delimited');
CREATE TABLE jobs AS SELECT * FROM read_json_auto('jobs.jsonl', format = 'newline_delimited');
CREATE TABLE messages AS SELECT * FROM read_json_auto('messages.jsonl', format = 'newline_delimited');
CREATE TABLE checks AS SELECT * FROM read_json_auto('checks.jsonl', format = 'newline_delimited');
