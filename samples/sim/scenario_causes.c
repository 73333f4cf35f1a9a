// SPDX-License-Identifier: Apache-2.0
//
// The scenarios "chain", "convoy" and "deadlock": waits whose cause is known (docs/simulator.md).

#include "scenario.h"

// chain ------------------------------------------------------------------------------------------

// Every 20 ms, on CPU 1: journal locks the mutex for 2 ms of work; 1 ms later decode preempts it
// for 3 ms. At that instant, on CPU 0, panel sends a message to front, front one to store, and
// store needs the mutex, which has no priority inheritance.
enum { FRONT = 1, STORE };

static const struct sim_step panel[] = {{SIM_OP_PERIOD, 20000, 1000, 0, NULL},
                                        {SIM_OP_USER_TEXT, 30, 0, 0, "panel asks, round %u"},
                                        {SIM_OP_SEND, FRONT, 0x401, 32, NULL},
                                        {SIM_OP_USER_TEXT, 31, 0, 0, "panel has it, round %u"},
                                        {SIM_OP_COUNT, 0, 0, 0, NULL}};
static const struct sim_step front[] = {{SIM_OP_RECEIVE, FRONT, 0, 0, NULL},
                                        {SIM_OP_RUN, 200000, 200000, 0, NULL},
                                        {SIM_OP_SEND, STORE, 0x402, 64, NULL},
                                        {SIM_OP_RUN, 100000, 100000, 0, NULL},
                                        {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step store[] = {
    {SIM_OP_RECEIVE, STORE, 0, 0, NULL}, {SIM_OP_RUN, 150000, 150000, 0, NULL},
    {SIM_OP_LOCK, 0, 0, 0, NULL},        {SIM_OP_RUN, 100000, 100000, 0, NULL},
    {SIM_OP_UNLOCK, 0, 0, 0, NULL},      {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step journal[] = {{SIM_OP_PERIOD, 20000, 0, 0, NULL},
                                          {SIM_OP_LOCK, 0, 0, 0, NULL},
                                          {SIM_OP_RUN, 2000000, 2000000, 0, NULL},
                                          {SIM_OP_UNLOCK, 0, 0, 0, NULL}};
static const struct sim_step decode[] = {{SIM_OP_PERIOD, 20000, 1000, 0, NULL},
                                         {SIM_OP_RUN, 3000000, 3000000, 0, NULL}};

const struct sim_process_template sim_chain_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"panel", false, {{"ask", SIM_STEPS(panel), 30, SIM_FIFO, 0, 1}}},
    {"front", false, {{"serve", SIM_STEPS(front), 20, SIM_FIFO, 0, 1}}},
    {"store",
     false,
     {{"serve", SIM_STEPS(store), 18, SIM_FIFO, 0, 1},
      {"journal", SIM_STEPS(journal), 8, SIM_FIFO, 1, 1}}},
    {"video", false, {{"decode", SIM_STEPS(decode), 15, SIM_FIFO, 1, 1}}},
    {NULL, false, {{0}}}};
const uint8_t sim_chain_channels[] = {0, 3, 4};
const uint8_t sim_plain_mutexes[] = {0, 0};

// convoy -----------------------------------------------------------------------------------------

// Every 10 ms five threads of equal priority need the same mutex for 500 us each.
static const struct sim_step walker[] = {{SIM_OP_PERIOD, 10000, 0, 0, NULL},
                                         {SIM_OP_LOCK, 0, 0, 0, NULL},
                                         {SIM_OP_RUN, 500000, 500000, 0, NULL},
                                         {SIM_OP_UNLOCK, 0, 0, 0, NULL},
                                         {SIM_OP_RUN, 50000, 50000, 0, NULL}};

const struct sim_process_template sim_convoy_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"convoy", false, {{"walk", SIM_STEPS(walker), 20, SIM_FIFO, -1, 5}}},
    {NULL, false, {{0}}}};

// deadlock ---------------------------------------------------------------------------------------

// At the first round debit and credit lock the same two mutexes in opposite order. Two milliseconds
// later a client sends a message to ping, ping one to pong, and pong one to ping. The metronome
// continues.
enum { PING = 1, PONG };

static const struct sim_step debit[] = {
    {SIM_OP_PERIOD, 10000, 0, 0, NULL},    {SIM_OP_LOCK, 0, 0, 0, NULL},
    {SIM_OP_RUN, 300000, 300000, 0, NULL}, {SIM_OP_LOCK, 1, 0, 0, NULL},
    {SIM_OP_RUN, 10000, 10000, 0, NULL},   {SIM_OP_UNLOCK, 1, 0, 0, NULL},
    {SIM_OP_UNLOCK, 0, 0, 0, NULL}};
static const struct sim_step credit[] = {
    {SIM_OP_PERIOD, 10000, 0, 0, NULL},    {SIM_OP_LOCK, 1, 0, 0, NULL},
    {SIM_OP_RUN, 300000, 300000, 0, NULL}, {SIM_OP_LOCK, 0, 0, 0, NULL},
    {SIM_OP_RUN, 10000, 10000, 0, NULL},   {SIM_OP_UNLOCK, 0, 0, 0, NULL},
    {SIM_OP_UNLOCK, 1, 0, 0, NULL}};
static const struct sim_step first_client[] = {{SIM_OP_PERIOD, 10000, 2000, 0, NULL},
                                               {SIM_OP_SEND, PING, 0x501, 16, NULL}};
static const struct sim_step ping[] = {{SIM_OP_RECEIVE, PING, 0, 0, NULL},
                                       {SIM_OP_RUN, 50000, 50000, 0, NULL},
                                       {SIM_OP_SEND, PONG, 0x502, 16, NULL},
                                       {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step pong[] = {{SIM_OP_RECEIVE, PONG, 0, 0, NULL},
                                       {SIM_OP_RUN, 50000, 50000, 0, NULL},
                                       {SIM_OP_SEND, PING, 0x503, 16, NULL},
                                       {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step metronome[] = {{SIM_OP_PERIOD, 1000, 0, 0, NULL},
                                            {SIM_OP_RUN, 20000, 40000, 0, NULL},
                                            {SIM_OP_USER, 40, 1, 0, NULL},
                                            {SIM_OP_COUNT, 0, 0, 0, NULL}};

const struct sim_process_template sim_deadlock_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"bank",
     false,
     {{"debit", SIM_STEPS(debit), 20, SIM_FIFO, 0, 1},
      {"credit", SIM_STEPS(credit), 20, SIM_FIFO, 1, 1}}},
    {"ping", false, {{"serve", SIM_STEPS(ping), 15, SIM_RR, -1, 1}}},
    {"pong", false, {{"serve", SIM_STEPS(pong), 15, SIM_RR, -1, 1}}},
    {"asker", false, {{"ask", SIM_STEPS(first_client), 12, SIM_RR, -1, 1}}},
    {"metronome", false, {{"beat", SIM_STEPS(metronome), 10, SIM_RR, -1, 1}}},
    {NULL, false, {{0}}}};
const uint8_t sim_deadlock_channels[] = {0, 3, 4};

// answers ----------------------------------------------------------------------------------------

// Five clients send messages to a pool of two threads. The pool leaves some of them unanswered for
// a while, and answers the newest of these first, from either thread; for a third of the others it
// sends a message to a second server, and some get an error. Pulses are sent in between.
enum { POOL = 1, BACK };

static const struct sim_step pool_client[] = {{SIM_OP_SLEEP, 300, 2000, 0, NULL},
                                              {SIM_OP_RUN, 5000, 30000, 0, NULL},
                                              {SIM_OP_SEND, POOL, 0x601, 16, NULL}};
static const struct sim_step pool_worker[] = {
    {SIM_OP_RECEIVE, POOL, 0, 0, NULL}, {SIM_OP_RUN, 20000, 200000, 0, NULL},
    {SIM_OP_CHANCE, 30, 1, 0, NULL},    {SIM_OP_DEFER, POOL, 0, 0, NULL},
    {SIM_OP_CHANCE, 20, 1, 0, NULL},    {SIM_OP_ERROR, 22, 0, 0, NULL},
    {SIM_OP_CHANCE, 30, 1, 0, NULL},    {SIM_OP_SEND, BACK, 0x602, 16, NULL},
    {SIM_OP_REPLY, 0, 0, 0, NULL},      {SIM_OP_RUN, 5000, 20000, 0, NULL},
    {SIM_OP_CHANCE, 60, 1, 0, NULL},    {SIM_OP_REPLY_LATE, POOL, 0, 0, NULL}};
static const struct sim_step back_worker[] = {{SIM_OP_RECEIVE, BACK, 0, 0, NULL},
                                              {SIM_OP_RUN, 20000, 90000, 0, NULL},
                                              {SIM_OP_CHANCE, 15, 1, 0, NULL},
                                              {SIM_OP_ERROR, 11, 0, 0, NULL},
                                              {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step ticker[] = {{SIM_OP_PERIOD, 3000, 0, 0, NULL},
                                         {SIM_OP_PULSE, POOL, 7, 0, NULL}};

const struct sim_process_template sim_answers_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"pool", false, {{"worker", SIM_STEPS(pool_worker), 15, SIM_RR, -1, 2}}},
    {"back", false, {{"worker", SIM_STEPS(back_worker), 16, SIM_RR, -1, 1}}},
    {"client", false, {{"ask", SIM_STEPS(pool_client), 10, SIM_RR, -1, 5}}},
    {"ticker", false, {{"tick", SIM_STEPS(ticker), 20, SIM_FIFO, -1, 1}}},
    {NULL, false, {{0}}}};
const uint8_t sim_answers_channels[] = {0, 2, 3};

// periodic ---------------------------------------------------------------------------------------

// Three threads on CPU 1. Every 10 ms beat runs for 0.5 ms; in every third period drum, of higher
// priority, is ready at the same instant and runs for 1 ms first. control is never delayed.
static const struct sim_step drum[] = {{SIM_OP_PERIOD, 30000, 500, 0, NULL},
                                       {SIM_OP_RUN, 1000000, 1000000, 0, NULL}};
static const struct sim_step beat[] = {{SIM_OP_PERIOD, 10000, 500, 0, NULL},
                                       {SIM_OP_RUN, 500000, 500000, 0, NULL}};
static const struct sim_step control[] = {{SIM_OP_PERIOD, 5000, 2500, 0, NULL},
                                          {SIM_OP_RUN, 200000, 200000, 0, NULL}};

const struct sim_process_template sim_periodic_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"rt",
     false,
     {{"beat", SIM_STEPS(beat), 30, SIM_FIFO, 1, 1},
      {"drum", SIM_STEPS(drum), 40, SIM_FIFO, 1, 1},
      {"control", SIM_STEPS(control), 50, SIM_FIFO, 1, 1}}},
    {NULL, false, {{0}}}};
