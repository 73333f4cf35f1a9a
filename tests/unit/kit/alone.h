/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alone: marks a case, or a suite, that tests/lib/plain runs in a process of its own, because it
 * changes its process: environment, current directory, open files, signals, limits.
 *
 *      Test(suite, name, ALONE) { ... }      TestSuite(suite, .init = setup, ALONE);
 */
#ifndef TT_TESTS_ALONE_H
#define TT_TESTS_ALONE_H

#define ALONE .description = "alone"

#endif
