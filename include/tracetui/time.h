/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time: conversion between ticks and nanoseconds.
 *
 * Conversions use a 128-bit product: they are exact to the nanosecond (floor), even for tick counts
 * near 2^64 of a 24 MHz clock. Pure functions; any thread.
 */
#ifndef TRACETUI_TIME_H
#define TRACETUI_TIME_H

#include <stdbool.h>
#include <stdint.h>

#define TT_NS_PER_S 1000000000u

/* Computes floor(value * mul / div). Returns false if div is 0 or the result exceeds 64 bits. */
bool tt_mul_div(uint64_t value, uint64_t mul, uint64_t div, uint64_t *result);

/*
 * Converts ticks of a clock of `hz` to nanoseconds, rounding down; false if hz is 0 or the result
 * exceeds 63 bits.
 */
bool tt_ticks_to_ns(uint64_t ticks, uint64_t hz, int64_t *ns);

/* Converts nanoseconds to ticks, rounding down; false if the result does not fit. */
bool tt_ns_to_ticks(uint64_t ns, uint64_t hz, uint64_t *ticks);

#endif
