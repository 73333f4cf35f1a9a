# SPDX-License-Identifier: Apache-2.0
#
# Completes TAP (https://testanything.org): passes cases and comments through, makes a comment of any
# other line, and ends with the plan. With TAP_COUNTS=FILE in the environment, FILE gets the numbers
# of passed, failed and skipped cases.
/^1\.\.[0-9]+/ { next }
/^ok/ && /# SKIP/ { skipped++; print; fflush(); next }
/^ok/ { passed++; print; fflush(); next }
/^not ok/ { failed++; print; fflush(); next }
/^#/ { print; fflush(); next }
{ print "# " $0; fflush() }
END {
    print "1.." passed + failed + skipped
    if (ENVIRON["TAP_COUNTS"] != "")
        print passed + 0, failed + 0, skipped + 0 >ENVIRON["TAP_COUNTS"]
}
