#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Indexing from a slow disk: relative to reading the bytes alone, from a pipe of a limited rate, from a
# file that is not in the page cache, and from one on a disk of a limited rate (control groups); and of a
# compressed file, relative to unpacking it alone; the first screen of a compressed file.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_capture "$((${BENCH_EVENTS:-4000000} / 4))" kev
bytes=$(wc -c <"$capture")
results=

# Writes the capture in pieces of a megabyte, MB_S of them per second.
limited() { # MB_S
    local piece=0 start now due
    start=$(date +%s%N)
    while ((piece << 20 < bytes)); do
        dd if="$capture" bs=1M skip="$piece" count=1 status=none || return 1
        piece=$((piece + 1))
        now=$(date +%s%N)
        due=$((start + piece * 1000000000 / $1 - now))
        ((due <= 0)) || sleep "$(awk -v ns="$due" 'BEGIN { printf "%.3f", ns / 1e9 }')"
    done
}
read_limited() { limited "$1" | cat >/dev/null; }
index_limited() { limited "$1" | build/tracetui info -o /dev/null -; }

for rate in 50 200; do
    for ((i = 0; i < pairs; i++)); do
        ratio "$(once index_limited "$rate")" "$(once read_limited "$rate")"
        echo
    done >"$folder/disk"
    times=$(median <"$folder/disk")
    row "index from $rate MB/s, of reading alone" "$times" "1.1 / 1.02"
    results+="\"of_$rate\":$times,"
done
rm -f "$folder/disk"

# Relative to the program that only unpacks, which has another decoder for gzip.
index_packed() { build/tracetui info -o /dev/null "$folder/packed.$1"; }
unpack() {
    case $1 in
    gz) gzip -dc "$folder/packed.gz" >/dev/null ;;
    zst) zstd -dcq "$folder/packed.zst" >/dev/null ;;
    esac
}
for packer in gz:gzip zst:zstd; do
    kind=${packer%:*}
    if ! command -v "${packer#*:}" >/dev/null 2>&1; then
        row "index of a .$kind file, of unpacking alone" skipped
        continue
    fi
    "${packer#*:}" -qc1 "$capture" >"$folder/packed.$kind"
    for ((i = 0; i < pairs; i++)); do
        ratio "$(once index_packed "$kind")" "$(once unpack "$kind")"
        echo
    done >"$folder/disk"
    times=$(median <"$folder/disk")
    row "index of a .$kind file, of unpacking alone" "$times"
    results+="\"of_$kind\":$times,"
done

# first_of KIND HOW: the median of the times to the first screen, ms
first_of() {
    for ((i = 0; i < pairs; i++)); do
        "$variant/tests/bench/bench_index" "$2" "$folder/packed.$1"
    done >"$folder/disk"
    milliseconds "$(median <"$folder/disk")"
}
make_capture "${BENCH_EVENTS:-4000000}" kev
for packer in gz:gzip zst:zstd; do
    kind=${packer%:*}
    if ! command -v "${packer#*:}" >/dev/null 2>&1; then
        row "first screen of a .$kind file, ms" skipped
        continue
    fi
    "${packer#*:}" -qc1 "$capture" >"$folder/packed.$kind"
    first=$(first_of "$kind" --first)
    row "first screen of a .$kind file of $(wc -c <"$capture" | awk '{ print int($1 / 1e6) }') MB, ms" "$first" "50 / 15"
    row "... if all is unpacked before it" "$(first_of "$kind" --first-of-all)"
    results+="\"first_$kind\":\"$first\","
done
make_capture "$((${BENCH_EVENTS:-4000000} / 4))" kev
rm -f "$folder/disk" "$folder"/packed.*

# Writes the first bytes of the capture to a pipe of 1 MB/s, a slow line, until its reader ends.
trickle() {
    local piece
    for ((piece = 0; piece < 400; piece++)); do
        dd if="$capture" bs=10000 skip="$piece" count=1 status=none 2>/dev/null || return 0
        sleep 0.01
    done
}
for ((i = 0; i < pairs; i++)); do
    trickle | "$variant/tests/bench/bench_index" --first -
done >"$folder/disk"
first=$(milliseconds "$(median <"$folder/disk")")
row "first screen of a pipe of 1 MB/s, ms" "$first"
results+="\"first_slow\":\"$first\","

# dd drops the file from the page cache where the file system lets it.
drop() { dd if="$capture" iflag=nocache count=0 status=none 2>/dev/null; }
read_all() { dd if="$capture" of=/dev/null bs=1M status=none; }
index_all() { build/tracetui info -o /dev/null "$capture"; }
if drop; then
    for ((i = 0; i < pairs; i++)); do
        drop
        cold=$(once index_all)
        drop
        ratio "$cold" "$(once read_all)"
        echo
    done >"$folder/disk"
    times=$(median <"$folder/disk")
    row "index of a file that is not in the page cache, of reading alone" "$times"
    results+="\"cold\":$times"
else
    row "index of a file that is not in the page cache" skipped
    results+='"cold":null'
fi

# group_of RATE: prints the directory of a control group that reads RATE MB/s from the disk of the
# capture at most; fails where that is not permitted.
group_of() {
    local device group
    device=$(stat -c '%Hd:%Ld' "$capture") || return 1
    [ ! -e "/sys/dev/block/$device/partition" ] || device=$(cat "/sys/dev/block/$device/../dev")
    for group in /sys/fs/cgroup/blkio/tracetui-bench-$$ /sys/fs/cgroup/tracetui-bench-$$; do
        mkdir "$group" 2>/dev/null || continue
        if echo "$device $(($1 << 20))" >"$group/blkio.throttle.read_bps_device" ||
            echo "$device rbps=$(($1 << 20))" >"$group/io.max"; then
            echo "$group"
            return
        fi 2>/dev/null
        rmdir "$group"
    done
    return 1
}
within() { # GROUP COMMAND...: runs the command in the group, with the capture outside the page cache
    drop
    (echo "$BASHPID" >"$1/cgroup.procs" && "${@:2}")
}

make_capture "${BENCH_EVENTS:-4000000}" kev
first_screen() { "$variant/tests/bench/bench_index" --first "$capture"; }
for rate in 100 200 300; do
    times=skipped
    first=skipped
    if drop && group=$(group_of "$rate"); then
        for ((i = 0; i < pairs; i++)); do
            ratio "$(once within "$group" index_all)" "$(once within "$group" read_all)"
            echo
        done >"$folder/disk"
        times=$(median <"$folder/disk")
        for ((i = 0; i < pairs; i++)); do
            within "$group" first_screen
        done >"$folder/disk"
        first=$(milliseconds "$(median <"$folder/disk")")
        rmdir "$group"
    fi
    row "index of a cold file at $rate MB/s, of reading alone" "$times" "1.1 / 1.02"
    row "... first screen, ms" "$first" "at most 100"
    results+=",\"cold_$rate\":\"$times\",\"first_$rate\":\"$first\""
done
rm -f "$folder/disk"
echo "{$results}" >"$folder/disk.json"
