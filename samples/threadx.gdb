# SPDX-License-Identifier: Apache-2.0
#
# Saves the trace buffer of a ThreadX target that GDB is connected to, or of a core file:
#
#     (gdb) source /usr/local/share/tracetui/threadx.gdb
#     (gdb) tracetui-save capture.trx                          by the symbol _tx_trace_header_ptr
#     (gdb) tracetui-save capture.trx 0x20000000 0x20020000    by searching this memory
#
# Needs neither Python nor debug information. Stop the target first.

# tracetui-check ADDRESS: sets $tt_size to the size of the buffer whose header is at ADDRESS, 0 if none is
define tracetui-check
  set $tt_p = (unsigned long)($arg0)
  set $tt_size = 0
  set $tt_events = 0
  set $tt_wide = 0
  if *(unsigned int *)($tt_p + 8) == (unsigned int)$tt_p && *(unsigned int *)($tt_p + 12) == (unsigned int)($tt_p + 48)
    set $tt_reg = *(unsigned int *)($tt_p + 20)
    set $tt_start = *(unsigned int *)($tt_p + 24)
    set $tt_end = *(unsigned int *)($tt_p + 28)
    set $tt_old = *(unsigned int *)($tt_p + 32)
    set $tt_mark = *(unsigned int *)($tt_p + 36)
    set $tt_entry = 32
    set $tt_least = (unsigned int)($tt_p + 48)
    set $tt_base = (unsigned int)$tt_p
  else
    # ULONG of 8 bytes
    set $tt_wide = 1
    set $tt_reg = *(unsigned long long *)($tt_p + 40)
    set $tt_start = *(unsigned long long *)($tt_p + 48)
    set $tt_end = *(unsigned long long *)($tt_p + 56)
    set $tt_old = *(unsigned long long *)($tt_p + 64)
    set $tt_mark = *(unsigned long long *)($tt_p + 72)
    set $tt_entry = 64
    set $tt_least = $tt_p + 96
    set $tt_base = *(unsigned long long *)($tt_p + 16)
    if $tt_base != $tt_p || *(unsigned long long *)($tt_p + 24) != $tt_p + 96
      set $tt_mark = 0
    end
  end
  if $tt_mark == 0xaaaaaaaa && $tt_reg == $tt_start && $tt_start >= $tt_least && $tt_end > $tt_start && $tt_old >= $tt_start && $tt_old < $tt_end
    if ($tt_end - $tt_start) % $tt_entry == 0 && ($tt_old - $tt_start) % $tt_entry == 0
      set $tt_size = $tt_end - $tt_base
      set $tt_events = ($tt_end - $tt_start) / $tt_entry
    end
  end
end

# tracetui-found FILE: saves the buffer that tracetui-check has found, unless one is saved already
define tracetui-found
  if $tt_saved == 0
    printf "trace buffer at %#lx: %lu bytes, room for %lu events\n", $tt_p, (unsigned long)$tt_size, (unsigned long)$tt_events
    dump binary memory $arg0 $tt_p ($tt_p + $tt_size)
    set $tt_saved = 1
  else
    printf "another trace buffer at %#lx, not saved: search from there\n", $tt_p
  end
end

define tracetui-save
  set $tt_saved = 0
  if $argc == 1
    set $tt_at = *(unsigned long *)&_tx_trace_header_ptr
    if $tt_at != 0
      tracetui-check $tt_at
    else
      set $tt_size = 0
    end
    if $tt_size > 0
      tracetui-found $arg0
    end
  end
  if $argc == 3
    set $tt_at = (unsigned long)($arg1)
    set $tt_stop = (unsigned long)($arg2) - 1
    set $tt_more = 1
    while $tt_more && $tt_at + 96 <= $tt_stop
      # The identification "TXTB", in the byte order of the target
      find /w1 $tt_at, $tt_stop, (unsigned int)0x54585442
      set $tt_more = $numfound
      if $tt_more
        set $tt_at = (unsigned long)$_
        tracetui-check $tt_at
        if $tt_size == 0
          # Big-endian words of 8 bytes begin with four zeros.
          set $tt_wide_at = $tt_at - 4
          tracetui-check $tt_wide_at
        end
        if $tt_size > 0
          tracetui-found $arg0
          set $tt_at = $tt_p + $tt_size
        else
          set $tt_at = $tt_at + 4
        end
      end
    end
  end
  if $argc != 1 && $argc != 3
    printf "usage: tracetui-save FILE [START END]\n"
  else
    if $tt_saved == 0
      printf "no trace buffer found\n"
    end
  end
end

document tracetui-save
Save the trace buffer of ThreadX for tracetui: tracetui-save FILE [START END]
Without START and END, the buffer of _tx_trace_header_ptr.
end
