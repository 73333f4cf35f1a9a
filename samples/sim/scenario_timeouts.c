// SPDX-License-Identifier: Apache-2.0
//
// The scenarios "timeouts" and "crash": messages that end without an answer; "hypervisor" (docs/simulator.md).

#include "scenario.h"

// Clients of the slow pool have timeouts. "hasty" leaves when its timeout is over, in SEND or in
// REPLY. At the timeout of "polite" its server gets a pulse, and the client continues to wait for
// the answer. Threads of "mortal" are ended while they wait. The pool itself has a timeout when it
// sends to a second server; it answers late, in another order, or with an error. A device and a
// ticker send pulses.
enum { SLOW = 1, SLOWER, DEVICE };

static const struct sim_step hasty[] = {{SIM_OP_SLEEP, 500, 3000, 0, NULL},
                                        {SIM_OP_RUN, 5000, 30000, 0, NULL},
                                        {SIM_OP_CHANCE, 70, 1, 0, NULL},
                                        {SIM_OP_TIMEOUT, 500, 2500, 0, NULL},
                                        {SIM_OP_SEND, SLOW, 0x701, 16, NULL}};
static const struct sim_step polite[] = {{SIM_OP_SLEEP, 500, 4000, 0, NULL},
                                         {SIM_OP_TIMEOUT, 500, 2000, 1, NULL},
                                         {SIM_OP_SEND, SLOW, 0x702, 32, NULL}};
static const struct sim_step slow[] = {
    {SIM_OP_RECEIVE, SLOW, 0, 0, NULL},   {SIM_OP_SKIP_PULSE, 10, 0, 0, NULL},
    {SIM_OP_RUN, 50000, 900000, 0, NULL}, {SIM_OP_CHANCE, 30, 1, 0, NULL},
    {SIM_OP_DEFER, SLOW, 0, 0, NULL},     {SIM_OP_CHANCE, 40, 2, 0, NULL},
    {SIM_OP_TIMEOUT, 700, 2000, 0, NULL}, {SIM_OP_SEND, SLOWER, 0x703, 16, NULL},
    {SIM_OP_CHANCE, 15, 1, 0, NULL},      {SIM_OP_ERROR, 16, 0, 0, NULL},
    {SIM_OP_REPLY, 0, 0, 0, NULL},        {SIM_OP_CHANCE, 40, 1, 0, NULL},
    {SIM_OP_REPLY_LATE, SLOW, 0, 0, NULL}};
static const struct sim_step slower[] = {{SIM_OP_RECEIVE, SLOWER, 0, 0, NULL},
                                         {SIM_OP_RUN, 100000, 1500000, 0, NULL},
                                         {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step of_device[] = {{SIM_OP_RECEIVE, DEVICE, 0, 0, NULL},
                                            {SIM_OP_RUN, 20000, 700000, 0, NULL},
                                            {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step ticker[] = {{SIM_OP_PERIOD, 2000, 0, 0, NULL},
                                         {SIM_OP_PULSE, SLOW, 7, 0, NULL},
                                         {SIM_OP_PULSE, DEVICE, 8, 0, NULL}};
static const struct sim_step mortal[] = {{SIM_OP_THREAD, 0, 0, 0, NULL},
                                         {SIM_OP_SLEEP, 500, 3000, 0, NULL},
                                         {SIM_OP_SLAY, 0, 0, 0, NULL},
                                         {SIM_OP_JOIN, 0, 0, 0, NULL}};
static const struct sim_step mortal_thread[] = {{SIM_OP_RUN, 5000, 200000, 0, NULL},
                                                {SIM_OP_SEND, SLOW, 0x704, 16, NULL},
                                                {SIM_OP_REPEAT, 3, 2, 0, NULL},
                                                {SIM_OP_EXIT, 0, 0, 0, NULL}};

const struct sim_process_template sim_timeouts_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"pool",
     false,
     {{"slow", SIM_STEPS(slow), 15, SIM_RR, -1, 2},
      {"device", SIM_STEPS(of_device), 18, SIM_RR, -1, 1}}},
    {"backend", false, {{"slower", SIM_STEPS(slower), 14, SIM_RR, -1, 1}}},
    {"hasty", false, {{"ask", SIM_STEPS(hasty), 10, SIM_RR, -1, 3}}},
    {"polite", false, {{"ask", SIM_STEPS(polite), 11, SIM_RR, -1, 2}}},
    {"mortal", false, {{"parent", SIM_STEPS(mortal), 12, SIM_RR, -1, 1}}},
    {"ticker", false, {{"tick", SIM_STEPS(ticker), 20, SIM_FIFO, -1, 1}}},
    {NULL, false, {{0}}}};
const struct sim_process_template sim_timeouts_extra[] = {
    {"mortal", false, {{"client", SIM_STEPS(mortal_thread), 10, SIM_RR, -1, 1}}},
    {NULL, false, {{0}}}};
const struct sim_device sim_timeouts_devices[] = {
    SIM_TICK, {33, 30, 1500, -1, -1, DEVICE, 1, 2, false}, SIM_NO_DEVICE};
const uint8_t sim_timeouts_channels[] = {0, 2, 3, 2};

// crash: a server ends while clients wait for it in SEND and in REPLY; a guard starts it again.
enum { FRAGILE = 1 };

static const struct sim_step fragile[] = {
    {SIM_OP_RECEIVE, FRAGILE, 0, 0, NULL},   {SIM_OP_RUN, 50000, 400000, 0, NULL},
    {SIM_OP_CHANCE, 12, 1, 0, NULL},         {SIM_OP_CRASH, FRAGILE, 0, 0, NULL},
    {SIM_OP_CHANCE, 30, 1, 0, NULL},         {SIM_OP_DEFER, FRAGILE, 0, 0, NULL},
    {SIM_OP_REPLY, 0, 0, 0, NULL},           {SIM_OP_CHANCE, 50, 1, 0, NULL},
    {SIM_OP_REPLY_LATE, FRAGILE, 0, 0, NULL}};
static const struct sim_step of_fragile[] = {{SIM_OP_SLEEP, 300, 2000, 0, NULL},
                                             {SIM_OP_RUN, 5000, 30000, 0, NULL},
                                             {SIM_OP_SEND, FRAGILE, 0x801, 16, NULL}};
static const struct sim_step guard[] = {{SIM_OP_SLEEP, 1000, 3000, 0, NULL},
                                        {SIM_OP_ALIVE, FRAGILE, 1, 0, NULL},
                                        {SIM_OP_SPAWN, 0, 0, 0, NULL},
                                        {SIM_OP_RUN, 1000, 2000, 0, NULL}};

const struct sim_process_template sim_crash_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"fragile", false, {{"serve", SIM_STEPS(fragile), 15, SIM_RR, -1, 1}}},
    {"user", false, {{"ask", SIM_STEPS(of_fragile), 10, SIM_RR, -1, 5}}},
    {"guard", false, {{"watch", SIM_STEPS(guard), 20, SIM_RR, -1, 1}}},
    {NULL, false, {{0}}}};
const struct sim_process_template sim_crash_extra[] = {
    {"fragile", false, {{"serve", SIM_STEPS(fragile), 15, SIM_RR, -1, 1}}}, {NULL, false, {{0}}}};
const uint8_t sim_crash_channels[] = {0, 2};

// hypervisor: vcpu0 computes, which is when its guest runs (guest.c), and waits now and then. control and the virtual device
// are more urgent.
static const struct sim_step vcpu[] = {{SIM_OP_RUN, 100000, 900000, 0, NULL},
                                       {SIM_OP_CLOCK, 0, 0, 0, NULL},
                                       {SIM_OP_CHANCE, 20, 1, 0, NULL},
                                       {SIM_OP_SLEEP, 50, 300, 0, NULL}};
static const struct sim_step vdev[] = {{SIM_OP_SLEEP, 500, 3000, 0, NULL},
                                       {SIM_OP_RUN, 5000, 60000, 0, NULL}};
static const struct sim_step control[] = {{SIM_OP_PERIOD, 2000, 0, 0, NULL},
                                          {SIM_OP_RUN, 100000, 500000, 0, NULL}};

const struct sim_process_template sim_hypervisor_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"qvm",
     false,
     {{"vcpu0", SIM_STEPS(vcpu), 10, SIM_RR, 0, 1}, {"vdev", SIM_STEPS(vdev), 12, SIM_RR, -1, 1}}},
    {"control", false, {{"loop", SIM_STEPS(control), 30, SIM_FIFO, 0, 1}}},
    {NULL, false, {{0}}}};
