#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The truth is consistent: intervals follow one another without gap or overlap, the sums are those of
# the single records, the switches fit the intervals.
. tests/lib/case.sh

cat >"$WORK/check.awk" <<'AWK'
# Turns a line of flat JSON into v[key].
function read_line(   n, i, parts, pair) {
    split("", v)
    sub(/^{/, ""); sub(/}$/, ""); gsub(/"/, "")
    n = split($0, parts, ",")
    for (i = 1; i <= n; i++) {
        split(parts[i], pair, ":")
        v[pair[1]] = pair[2]
    }
}
function bad(what) { if (errors++ < 3) print what ": line " NR }
function lane() { return v["pid"] "/" v["tid"] "/" v["instance"] "/" v["life"] }
{ read_line() }
v["t"] == "run" { cpus = v["cpus"] }
v["t"] == "interval" {
    k = lane()
    length_ = v["end"] - v["start"]
    if (length_ < 0) bad("negative interval")
    if (k in last_end && v["start"] < last_end[k]) bad("overlap in " k)
    if (k in last_end) gap[k] += v["start"] - last_end[k]
    last_end[k] = v["end"]
    told[k, v["class"]] += length_
    if (v["state"] == "RUNNING" || v["state"] == "running") {
        irq[k] += v["irq"]
        running[v["cpu"]] += length_ - v["irq"]
        if (v["start"] < busy_until[v["cpu"]]) bad("two threads on CPU " v["cpu"])
        busy_until[v["cpu"]] = v["end"]
    }
}
v["t"] == "switch" {
    switches++
    on_cpu[v["cpu"]]++
    out[v["from_pid"] "/" v["from_tid"]]++
    in_[v["to_pid"] "/" v["to_tid"]]++
    migrations += v["migration"]
    if (v["at"] < last_switch[v["cpu"]]) bad("switches out of order")
    last_switch[v["cpu"]] = v["at"]
}
v["t"] == "delay" {
    k = lane() v["kind"]
    d = v["end"] - v["start"]
    if (d < 0) bad("negative delay")
    delay_count[k]++
    delay_ticks[k] += d
    if (d > delay_max[k]) delay_max[k] = d
}
v["t"] == "message" {
    if ("received" in v && v["received"] < v["sent"]) bad("received before sent")
    if ("replied" in v && v["replied"] < v["sent"]) bad("replied before sent")
    messages++
}
v["t"] == "interrupt" { if (v["end"] < v["start"]) bad("negative interrupt") }
v["t"] == "sum_thread" {
    k = lane()
    n = split("running ready ipc lock sleep wait stopped dead", class, " ")
    for (i = 1; i <= n; i++)
        if (v[class[i]] != told[k, class[i]] + 0) bad(k ": " class[i] " is not the sum")
    if (v["irq"] != irq[k] + 0) bad(k ": irq is not the sum")
    if (v["run"] + v["irq"] != v["running"]) bad(k ": run + irq is not running")
    if (gap[k] + 0 > v["unknown"]) bad(k ": a gap that is not unknown")
    m = split("sch preempted wait", kind, " ")
    for (i = 1; i <= m; i++) {
        if (v[kind[i] "_count"] != delay_count[k kind[i]] + 0) bad(k ": count of " kind[i])
        if (v[kind[i] "_ticks"] != delay_ticks[k kind[i]] + 0) bad(k ": ticks of " kind[i])
        if (v[kind[i] "_max"] != delay_max[k kind[i]] + 0) bad(k ": max of " kind[i])
    }
    total_in += v["in"]
    total_out += v["out"]
    total_migrations += v["migrations"]
    if (!v["idle"]) busy += v["run"]; else idle += v["run"]
}
v["t"] == "sum_cpu" {
    c = v["cpu"]
    sum[c] = v["busy"] + v["idle"] + v["irq"] + v["kernel"] + v["unknown"]
    if (v["switches"] != on_cpu[c] + 0) bad("switches of CPU " c)
    if (v["busy"] + v["idle"] != running[c] + 0) bad("busy and idle of CPU " c)
    cpu_busy += v["busy"]
    cpu_idle += v["idle"]
}
v["t"] == "life" {
    if (v["end"] < v["begin"]) bad("a life that ends before it begins")
    if (v["life"] in lived) bad("life " v["life"] " told twice")
    lived[v["life"]] = 1
    lives++
    # Lives of one lane come one after another.
    id = v["pid"] "/" v["tid"] "/" v["instance"]
    if (id in life_end && v["begin"] < life_end[id]) bad("two lives at once in " id)
    life_end[id] = v["end"]
}
v["t"] == "sum_run" {
    if (v["lives"] != lives + 0) bad("lives")
    for (c = 0; c < cpus; c++)
        if (sum[c] != v["end"] - v["start"]) bad("CPU " c " does not fill the run")
    if (v["switches"] != switches + 0) bad("switches")
    if (v["messages"] != messages + 0) bad("messages")
    if (total_in != switches || total_out != switches) bad("in and out")
    if (busy != cpu_busy || idle != cpu_idle) bad("threads and CPUs disagree")
    ran = 1
}
END { if (!ran) print "no sum_run"; if (switches < 10) print "too few switches" }
AWK

for options in "--scenario mixed" "--scenario inversion --kev-version 6.4" "--scenario chatty" \
    "--scenario irqstorm" "--scenario overload --kev-version 8.0" "--scenario churn" \
    "--scenario mixed --kev-version 8.0 --processes 6 --threads 50" "--lose 4 --kev-slots 300" \
    "--kev-buffers ring --kev-ring 4" "--format fxt --scenario chatty" \
    "--format fxt --fxt-sched legacy" "--format btrace" "--format btrace --cpus 1 --scenario churn" \
    "--format ftrace" "--format ftrace --scenario irqstorm --cpus 7" "--format ftrace --lose 4"; do
    # shellcheck disable=SC2086
    "$TTSIM" --events 12000 --seed 9 --truth full $options -o "$WORK/run"
    same_text "truth agrees with itself: $options" "" \
        "$(awk -f "$WORK/check.awk" "$WORK/run.truth.jsonl" 2>&1)"
    # The short form has the same sums.
    # shellcheck disable=SC2086
    "$TTSIM" --events 12000 --seed 9 --truth sums --truth-file "$WORK/sums" $options -o "$WORK/run"
    grep -E '^{"t":"(run|loss|sum_|file)' "$WORK/run.truth.jsonl" >"$WORK/long"
    same "sums alone are the same sums: $options" "$WORK/long" "$WORK/sums"
done
