-- SPDX-License-Identifier: Apache-2.0
-- The tables in Spark, from the folder of the rows: spark-sql -f spark.sql, then questions.sql in the same session.
CREATE OR REPLACE TEMPORARY VIEW labels USING json OPTIONS (path 'labels.jsonl');
CREATE OR REPLACE TEMPORARY VIEW totals USING json OPTIONS (path 'totals.jsonl');
CREATE OR REPLACE TEMPORARY VIEW threads USING json OPTIONS (path 'threads.jsonl');
CREATE OR REPLACE TEMPORARY VIEW cpus USING json OPTIONS (path 'cpus.jsonl');
CREATE OR REPLACE TEMPORARY VIEW events USING json OPTIONS (path 'events.jsonl');
CREATE OR REPLACE TEMPORARY VIEW jobs USING json OPTIONS (path 'jobs.jsonl');
CREATE OR REPLACE TEMPORARY VIEW messages USING json OPTIONS (path 'messages.jsonl');
CREATE OR REPLACE TEMPORARY VIEW checks USING json OPTIONS (path 'checks.jsonl');
