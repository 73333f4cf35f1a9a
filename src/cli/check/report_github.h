/* SPDX-License-Identifier: Apache-2.0 */
/* report_github: verdicts as annotations of GitHub Actions. */
#ifndef TT_CLI_CHECK_REPORT_GITHUB_H
#define TT_CLI_CHECK_REPORT_GITHUB_H

#include "check/check_report.h"

tt_check_reporter tt_report_github;

#endif
