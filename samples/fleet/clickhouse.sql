-- SPDX-License-Identifier: Apache-2.0
-- The tables for ClickHouse; a column has the name of the key in JSON lines. Keys without a column are skipped.

CREATE TABLE labels
(
    capture String,
    build String,
    board String,
    run Int64
)
ENGINE = MergeTree ORDER BY capture;

CREATE TABLE totals
(
    capture String,
    window_ns Int64,
    events Nullable(Int64),
    processes Nullable(Int64),
    threads Nullable(Int64),
    cpus Nullable(Int64),
    busy_ns Nullable(Int64),
    idle_ns Nullable(Int64),
    irq_ns Nullable(Int64),
    kernel_ns Nullable(Int64),
    unknown_ns Nullable(Int64),
    context_switches Nullable(Int64),
    preemptions Nullable(Int64),
    time_slices Nullable(Int64),
    suspensions Nullable(Int64),
    resumptions Nullable(Int64),
    interrupts Nullable(Int64),
    nested_interrupts Nullable(Int64),
    inversions_deterministic Nullable(Int64),
    inversions_nondeterministic Nullable(Int64),
    migrations Nullable(Int64),
    delay_count Nullable(Int64),
    delay_mean_ns Nullable(Int64),
    delay_max_ns Nullable(Int64),
    delay_max_at_ns Nullable(Int64),
    preempted_wait_count Nullable(Int64),
    preempted_wait_max_ns Nullable(Int64)
)
ENGINE = MergeTree ORDER BY capture;

CREATE TABLE threads
(
    capture String,
    pid Nullable(Int64),
    tid Nullable(Int64),
    process Nullable(String),
    thread String,
    priority Nullable(Int64),
    priority_min Nullable(Int64),
    priority_max Nullable(Int64),
    run_ns Nullable(Int64),
    run_pct Nullable(Float64),
    irq_ns Nullable(Int64),
    switches_in Nullable(Int64),
    switches_out Nullable(Int64),
    voluntary Nullable(Int64),
    preempted Nullable(Int64),
    unknown_out Nullable(Int64),
    migrations Nullable(Int64),
    slices Nullable(Int64),
    slice_mean_ns Nullable(Int64),
    slice_max_ns Nullable(Int64),
    slice_max_at_ns Nullable(Int64),
    ready_ns Nullable(Int64),
    ready_higher_ns Nullable(Int64),
    ready_equal_ns Nullable(Int64),
    ready_lower_ns Nullable(Int64),
    ready_occupied_ns Nullable(Int64),
    ready_interrupt_ns Nullable(Int64),
    ready_kernel_ns Nullable(Int64),
    ready_idle_ns Nullable(Int64),
    ready_unknown_ns Nullable(Int64),
    delay_count Nullable(Int64),
    delay_mean_ns Nullable(Int64),
    delay_p50_ns Nullable(Int64),
    delay_p95_ns Nullable(Int64),
    delay_p99_ns Nullable(Int64),
    delay_max_ns Nullable(Int64),
    delay_max_at_ns Nullable(Int64),
    preempted_wait_count Nullable(Int64),
    preempted_wait_mean_ns Nullable(Int64),
    preempted_wait_p50_ns Nullable(Int64),
    preempted_wait_p95_ns Nullable(Int64),
    preempted_wait_p99_ns Nullable(Int64),
    preempted_wait_max_ns Nullable(Int64),
    preempted_wait_max_at_ns Nullable(Int64),
    wait_count Nullable(Int64),
    wait_mean_ns Nullable(Int64),
    wait_p50_ns Nullable(Int64),
    wait_p95_ns Nullable(Int64),
    wait_p99_ns Nullable(Int64),
    wait_max_ns Nullable(Int64),
    wait_max_at_ns Nullable(Int64),
    unknown_ns Nullable(Int64),
    running_ns Nullable(Int64),
    ipc_ns Nullable(Int64),
    lock_ns Nullable(Int64),
    sleep_ns Nullable(Int64),
    wait_ns Nullable(Int64),
    stopped_ns Nullable(Int64),
    dead_ns Nullable(Int64),
    idle Nullable(Int64),
    self_ns Nullable(Int64),
    imposed_ns Nullable(Int64),
    imposed_gross_ns Nullable(Int64),
    charged_ns Nullable(Int64)
)
ENGINE = MergeTree ORDER BY (thread, capture);

CREATE TABLE cpus
(
    capture String,
    cpu Int64,
    busy_ns Nullable(Int64),
    idle_ns Nullable(Int64),
    irq_ns Nullable(Int64),
    kernel_ns Nullable(Int64),
    unknown_ns Nullable(Int64),
    irq_count Nullable(Int64),
    switches Nullable(Int64),
    busy_pct Nullable(Float64)
)
ENGINE = MergeTree ORDER BY capture;

CREATE TABLE events
(
    capture String,
    class String,
    event String,
    count Int64,
    rate_hz Nullable(Float64),
    period_mean_ns Nullable(Int64),
    period_p99_ns Nullable(Int64),
    period_max_ns Nullable(Int64),
    duration_count Nullable(Int64),
    duration_mean_ns Nullable(Int64),
    duration_p50_ns Nullable(Int64),
    duration_p99_ns Nullable(Int64),
    duration_max_ns Nullable(Int64),
    duration_max_at_ns Nullable(Int64)
)
ENGINE = MergeTree ORDER BY (event, capture);

CREATE TABLE jobs
(
    capture String,
    pid Nullable(Int64),
    tid Nullable(Int64),
    thread String,
    count Int64,
    response_mean_ns Nullable(Int64),
    response_p50_ns Nullable(Int64),
    response_p99_ns Nullable(Int64),
    response_max_ns Nullable(Int64),
    response_max_at_ns Nullable(Int64),
    run_p99_ns Nullable(Int64),
    run_max_ns Nullable(Int64),
    period_mean_ns Nullable(Int64),
    period_min_ns Nullable(Int64),
    period_max_ns Nullable(Int64),
    jitter_ns Nullable(Int64),
    misses Nullable(Int64),
    response_p95_ns Nullable(Int64),
    run_mean_ns Nullable(Int64),
    run_max_at_ns Nullable(Int64),
    jitter_at_ns Nullable(Int64)
)
ENGINE = MergeTree ORDER BY (thread, capture);

CREATE TABLE messages
(
    capture String,
    client_pid Nullable(Int64),
    client String,
    server_pid Nullable(Int64),
    server String,
    kind String,
    count Int64,
    rate_hz Nullable(Float64),
    round_mean_ns Nullable(Int64),
    round_p50_ns Nullable(Int64),
    round_p99_ns Nullable(Int64),
    round_max_ns Nullable(Int64),
    round_max_at_ns Nullable(Int64),
    queue_mean_ns Nullable(Int64),
    queue_p50_ns Nullable(Int64),
    queue_p99_ns Nullable(Int64),
    queue_max_ns Nullable(Int64),
    queue_max_at_ns Nullable(Int64),
    queue_busy_ns Nullable(Int64),
    queue_sched_ns Nullable(Int64),
    service_mean_ns Nullable(Int64),
    service_p50_ns Nullable(Int64),
    service_p99_ns Nullable(Int64),
    service_max_ns Nullable(Int64),
    service_max_at_ns Nullable(Int64),
    errors Nullable(Int64),
    errno Nullable(Int64),
    error Nullable(String)
)
ENGINE = MergeTree ORDER BY (server, capture);

CREATE TABLE checks
(
    capture String,
    name String,
    verdict String,
    value Nullable(Float64),
    unit Nullable(String),
    at_ns Nullable(Int64),
    reason Nullable(String)
)
ENGINE = MergeTree ORDER BY (name, capture);
