-- SPDX-License-Identifier: Apache-2.0
-- Ten questions about the fleet, in SQL that ClickHouse, DuckDB, Spark and SQLite run unchanged.

-- 1. Which build made sensor/1's p99 delay worse?
SELECT build, avg(delay_p99_ns) AS p99_mean_ns, max(delay_p99_ns) AS p99_worst_ns
FROM threads INNER JOIN labels USING (capture)
WHERE thread = 'sensor/1 sample'
GROUP BY build
ORDER BY p99_mean_ns DESC;

-- 2. In which captures, and when, was sensor/1 delayed longest?
SELECT capture, delay_max_ns, delay_max_at_ns
FROM threads
WHERE thread = 'sensor/1 sample'
ORDER BY delay_max_ns DESC, capture
LIMIT 5;

-- 3. Which threads of build 2.3 run longer than in build 2.2, in run time of all captures?
SELECT thread,
       sum(CASE WHEN build = '2.3' THEN run_ns ELSE 0 END) - sum(CASE WHEN build = '2.2' THEN run_ns ELSE 0 END) AS more_ns
FROM threads INNER JOIN labels USING (capture)
WHERE idle = 0
GROUP BY thread
ORDER BY more_ns DESC, thread
LIMIT 3;

-- 4. How busy are the CPUs with each build?
SELECT build, 100.0 * sum(busy_ns) / sum(busy_ns + idle_ns + irq_ns + kernel_ns + unknown_ns) AS busy_pct_of_build
FROM cpus INNER JOIN labels USING (capture)
GROUP BY build
ORDER BY build;

-- 5. Which rules fail, and in how many captures of each build?
SELECT build, name, count(*) AS captures
FROM checks INNER JOIN labels USING (capture)
WHERE verdict = 'failed'
GROUP BY build, name
ORDER BY build, name;

-- 6. Which captures lost records?
SELECT capture, value
FROM checks
WHERE name = 'complete' AND value > 0
ORDER BY capture;

-- 7. Which servers take longest to answer?
SELECT server, sum(count) AS messages_all, max(round_max_ns) AS round_worst_ns
FROM messages
WHERE kind = 'message'
GROUP BY server
ORDER BY round_worst_ns DESC, server
LIMIT 3;

-- 8. How many jobs of sensor/1 missed their deadline on each board?
SELECT board, sum(count) AS jobs_all, sum(misses) AS misses_all, max(response_max_ns) AS response_worst_ns
FROM jobs INNER JOIN labels USING (capture)
WHERE thread = 'sensor/1 sample'
GROUP BY board
ORDER BY board;

-- 9. How many interrupts and context switches per second does each build have?
SELECT build, 1000000000.0 * sum(interrupts) / sum(window_ns) AS interrupts_hz,
       1000000000.0 * sum(context_switches) / sum(window_ns) AS switches_hz
FROM totals INNER JOIN labels USING (capture)
GROUP BY build
ORDER BY build;

-- 10. Which events occur in less than half of the captures?
SELECT class, event, count(*) AS captures, sum(count) AS events_all
FROM events
GROUP BY class, event
HAVING count(*) < 50
ORDER BY captures, class, event;
