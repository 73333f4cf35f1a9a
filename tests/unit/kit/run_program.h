/* SPDX-License-Identifier: Apache-2.0 */
/* run_program: the whole program, from its command line to its exit status, in this process. */
#ifndef TESTS_UNIT_KIT_RUN_PROGRAM_H
#define TESTS_UNIT_KIT_RUN_PROGRAM_H

/* The output of a run: C strings, freed by run_free. */
struct run {
    int status; /* exit status */
    char *out;
    char *err;
};

/* Runs `words`, of which the first is the name of the program and the last NULL. No standard input. */
struct run run_program(const char *const *words);
void run_free(struct run *run);

#endif
