#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Jobs equal a second implementation (tests/sim/jobs.py) that has the simulator's truth alone: every job
# with its parts, and the rows of `stats --by job`. JOBS_SEEDS runs (8) with three scenarios each; the long
# form is JOBS_SEEDS=100.
. tests/lib/case.sh
SCRIPT=tests/sim/jobs.py
. tests/lib/truth.sh

check_seeds ${JOBS_SEEDS:-8}
