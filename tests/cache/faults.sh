#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Allocations and file operations that fail while the index cache is written and restored: the output is
# the same.
. tests/lib/case.sh
. tests/lib/cache.sh

WALK=$BUILD/tests/faults/walk
export WALK_MOST=${WALK_MOST:-40}

# A large file with few events: the test opens it several hundred times.
python3 - tests/filter/small.fxt "$WORK/a.fxt" <<'END'
import struct
import sys
blob = struct.pack("<Q", 5 | 4002 << 4 | 0x8001 << 16 | 32000 << 32 | 1 << 48)
blob += b"x".ljust(8, b"\0") + bytes(32000)
with open(sys.argv[1], "rb") as small, open(sys.argv[2], "wb") as large:
    large.write(small.read(16000) + blob * 264)
END
settle
"$TRACETUI" info "$WORK/a.fxt" >/dev/null 2>&1
kept=$(kept_files)
same_text "its index is kept" 1 "$(kept_count)"

"$WALK" "info, the index being kept" --gone "$kept" -- info "$WORK/a.fxt" </dev/null
"$WALK" "info, the index being taken" -- info "$WORK/a.fxt" </dev/null
"$WALK" "stats, the index being taken" -- stats "$WORK/a.fxt" </dev/null
same_text "nothing half is left" "" "$(unfinished_files)"
