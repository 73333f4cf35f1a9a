# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The threads of dump under ThreadSanitizer.
. tests/golden/threads.sh
