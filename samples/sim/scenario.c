// SPDX-License-Identifier: Apache-2.0
//
// scenario: tables of processes, threads and their scripts, devices and objects. docs/simulator.md
// describes each scenario. script.c runs the scripts; a script repeats when it ends.

#include "scenario.h"

#include <string.h>

// Parts that all scenarios have ------------------------------------------------------------------

const struct sim_step sim_worker_script[5] = {{SIM_OP_RECEIVE, 0, 0, 0, NULL},
                                              {SIM_OP_SERVE_PROC, 0, 0, 0, NULL},
                                              {SIM_OP_THREAD_IN, 0, 0, 0, NULL},
                                              {SIM_OP_RUN, 3000, 12000, 0, NULL},
                                              {SIM_OP_REPLY, 0, 0, 0, NULL}};

// Lets the system warm up untraced, starts the trace, and then writes buffers from time to time.
const struct sim_step sim_logger_script[6] = {
    {SIM_OP_SLEEP, 4000, 4000, 0, NULL}, {SIM_OP_TRACE, 0, 0, 0, NULL},
    {SIM_OP_RUN, 20000, 20000, 0, NULL}, {SIM_OP_SLEEP, 40000, 60000, 0, NULL},
    {SIM_OP_RUN, 30000, 80000, 0, NULL}, {SIM_OP_REPEAT, 1000000, 2, 0, NULL}};

static const struct sim_process_template no_extra[] = {{NULL, false, {{0}}}};

// inversion --------------------------------------------------------------------------------------

// Every 10 ms: the low thread locks the mutex for 2.4 ms of work; the high one requests it 1 ms later;
// 1 ms after that the middle one, which uses no mutex, preempts the low one. Half a period later the
// second trio does the same with a mutex that has priority inheritance.
static const struct sim_step low_script[] = {{SIM_OP_PERIOD, 10000, 0, 0, NULL},
                                             {SIM_OP_LOCK, 0, 0, 0, NULL},
                                             {SIM_OP_RUN, 2300000, 2500000, 0, NULL},
                                             {SIM_OP_UNLOCK, 0, 0, 0, NULL}};
static const struct sim_step middle_script[] = {{SIM_OP_PERIOD, 10000, 2000, 0, NULL},
                                                {SIM_OP_RUN, 2000000, 2400000, 0, NULL}};
static const struct sim_step high_script[] = {
    {SIM_OP_PERIOD, 10000, 1000, 0, NULL}, {SIM_OP_USER_TEXT, 1, 0, 0, "high wants it, round %u"},
    {SIM_OP_LOCK, 0, 0, 0, NULL},          {SIM_OP_RUN, 80000, 120000, 0, NULL},
    {SIM_OP_UNLOCK, 0, 0, 0, NULL},        {SIM_OP_USER_TEXT, 2, 0, 0, "high is done, round %u"},
    {SIM_OP_COUNT, 0, 0, 0, NULL}};
static const struct sim_step lent_low_script[] = {{SIM_OP_PERIOD, 10000, 5000, 0, NULL},
                                                  {SIM_OP_LOCK, 1, 0, 0, NULL},
                                                  {SIM_OP_RUN, 2300000, 2500000, 0, NULL},
                                                  {SIM_OP_UNLOCK, 1, 0, 0, NULL}};
static const struct sim_step lent_middle_script[] = {{SIM_OP_PERIOD, 10000, 7000, 0, NULL},
                                                     {SIM_OP_RUN, 1000000, 1400000, 0, NULL}};
static const struct sim_step lent_high_script[] = {
    {SIM_OP_PERIOD, 10000, 6000, 0, NULL},
    {SIM_OP_USER_TEXT, 3, 0, 0, "high wants the lending one, round %u"},
    {SIM_OP_LOCK, 1, 0, 0, NULL},
    {SIM_OP_RUN, 80000, 120000, 0, NULL},
    {SIM_OP_UNLOCK, 1, 0, 0, NULL},
    {SIM_OP_USER_TEXT, 4, 0, 0, "high is done with it, round %u"},
    {SIM_OP_COUNT, 0, 0, 0, NULL}};

static const struct sim_process_template inversion_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"plain",
     false,
     {{"low", SIM_STEPS(low_script), 10, SIM_FIFO, 0, 1},
      {"middle", SIM_STEPS(middle_script), 20, SIM_FIFO, 0, 1},
      {"high", SIM_STEPS(high_script), 30, SIM_FIFO, 0, 1}}},
    {"lending",
     false,
     {{"low", SIM_STEPS(lent_low_script), 11, SIM_FIFO, 0, 1},
      {"middle", SIM_STEPS(lent_middle_script), 21, SIM_FIFO, 0, 1},
      {"high", SIM_STEPS(lent_high_script), 31, SIM_FIFO, 0, 1}}},
    {NULL, false, {{0}}}};
static const struct sim_device quiet_devices[] = {SIM_TICK, SIM_NO_DEVICE};
static const uint8_t only_procnto[] = {0};
static const uint8_t inversion_mutexes[] = {0, 1};

// chatty -----------------------------------------------------------------------------------------

static const struct sim_step short_server_1[] = {{SIM_OP_RECEIVE, 1, 0, 0, NULL},
                                                 {SIM_OP_RUN, 1500, 6000, 0, NULL},
                                                 {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step short_server_2[] = {{SIM_OP_RECEIVE, 2, 0, 0, NULL},
                                                 {SIM_OP_RUN, 1500, 6000, 0, NULL},
                                                 {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step asking_server[] = {{SIM_OP_RECEIVE, 3, 0, 0, NULL},
                                                {SIM_OP_RUN, 1500, 6000, 0, NULL},
                                                {SIM_OP_CHANCE, 30, 1, 0, NULL},
                                                {SIM_OP_SEND, 1, 0x301, 16, NULL},
                                                {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step chatty_client[] = {
    {SIM_OP_RUN, 2000, 9000, 0, NULL},  {SIM_OP_SEND, SIM_ANY, 0x100, 128, NULL},
    {SIM_OP_REPEAT, 50, 2, 0, NULL},    {SIM_OP_PULSE, SIM_ANY, 7, 0, NULL},
    {SIM_OP_SLEEP, 500, 2000, 0, NULL}, {SIM_OP_COUNT, 0, 0, 0, NULL}};
static const struct sim_process_template chatty_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"fs-ram", false, {{"pool", SIM_STEPS(short_server_1), 10, SIM_RR, -1, 3}}},
    {"random", false, {{"pool", SIM_STEPS(short_server_2), 10, SIM_RR, -1, 2}}},
    {"registry", true, {{"pool", SIM_STEPS(asking_server), 10, SIM_RR, -1, 2}}},
    {"client_a", false, {{"ask", SIM_STEPS(chatty_client), 12, SIM_RR, -1, 6}}},
    {"client_b", true, {{"ask", SIM_STEPS(chatty_client), 9, SIM_RR, -1, 6}}},
    {NULL, false, {{0}}}};
static const uint8_t chatty_channels[] = {0, 2, 3, 4};

// irqstorm ---------------------------------------------------------------------------------------

#define IRQ_THREAD(n)                                                                              \
    {                                                                                              \
        {SIM_OP_INTR, n, 0, 0, NULL}, {SIM_OP_RUN, 3000, 15000, 0, NULL},                          \
        {                                                                                          \
            SIM_OP_SEM_POST, 0, 0, 0, NULL                                                         \
        }                                                                                          \
    }
static const struct sim_step storm_0[] = IRQ_THREAD(0);
static const struct sim_step storm_1[] = IRQ_THREAD(1);
static const struct sim_step storm_2[] = IRQ_THREAD(2);
static const struct sim_step storm_sink[] = {{SIM_OP_SEM_WAIT, 0, 0, 0, NULL},
                                             {SIM_OP_RUN, 2000, 5000, 0, NULL},
                                             {SIM_OP_REPEAT, 100, 2, 0, NULL},
                                             {SIM_OP_USER, 10, 100, 0, NULL},
                                             {SIM_OP_COUNT, 0, 0, 0, NULL}};
static const struct sim_step crunch[] = {{SIM_OP_RUN, 1000000, 3000000, 0, NULL},
                                         {SIM_OP_SLEEP, 500, 1500, 0, NULL}};
static const struct sim_process_template storm_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"io-net",
     false,
     {{"rx", SIM_STEPS(storm_0), 24, SIM_FIFO, -1, 1},
      {"tx", SIM_STEPS(storm_1), 23, SIM_FIFO, -1, 1}}},
    {"motor", false, {{"phase", SIM_STEPS(storm_2), 40, SIM_FIFO, -1, 1}}},
    {"control",
     false,
     {{"collect", SIM_STEPS(storm_sink), 15, SIM_FIFO, -1, 1},
      {"crunch", SIM_STEPS(crunch), 9, SIM_RR, -1, 3}}},
    {NULL, false, {{0}}}};
static const struct sim_device storm_devices[] = {SIM_TICK,
                                                  {11, 5, 90, -1, 0, -1, 2, 2, false},
                                                  {12, 6, 120, -1, 1, -1, 1, 2, false},
                                                  {35, 12, 100, 0, 2, -1, 1, 3, true},
                                                  {60, 3, 70, -1, -1, -1, 1, 0, false},
                                                  SIM_NO_DEVICE};

// overload ---------------------------------------------------------------------------------------

static const struct sim_step hog[] = {{SIM_OP_RUN, 3000000, 20000000, 0, NULL},
                                      {SIM_OP_USER, 20, 1, 0, NULL},
                                      {SIM_OP_COUNT, 0, 0, 0, NULL},
                                      {SIM_OP_CHANCE, 20, 1, 0, NULL},
                                      {SIM_OP_YIELD, 0, 0, 0, NULL}};
static const struct sim_step deadline[] = {
    {SIM_OP_PERIOD, 5000, 0, 0, NULL}, {SIM_OP_RUN, 1000000, 2000000, 0, NULL},
    {SIM_OP_LOCK, 0, 0, 0, NULL},      {SIM_OP_RUN, 100000, 300000, 0, NULL},
    {SIM_OP_UNLOCK, 0, 0, 0, NULL},    {SIM_OP_USER_TEXT, 21, 0, 0, "deadline %u met"},
    {SIM_OP_COUNT, 0, 0, 0, NULL}};
static const struct sim_step starving[] = {{SIM_OP_SLEEP, 1000, 4000, 0, NULL},
                                           {SIM_OP_LOCK, 0, 0, 0, NULL},
                                           {SIM_OP_RUN, 20000, 60000, 0, NULL},
                                           {SIM_OP_UNLOCK, 0, 0, 0, NULL}};
static const struct sim_process_template overload_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"render", false, {{"tile", SIM_STEPS(hog), 10, SIM_RR, -1, 8}}},
    {"encode", false, {{"slice", SIM_STEPS(hog), 10, SIM_RR, -1, 6}}},
    {"control",
     false,
     {{"loop", SIM_STEPS(deadline), 30, SIM_FIFO, -1, 1},
      {"report", SIM_STEPS(starving), 8, SIM_FIFO, -1, 2}}},
    {NULL, false, {{0}}}};
static const uint8_t one_lending_mutex[] = {1};

// churn ------------------------------------------------------------------------------------------

static const struct sim_step short_life[] = {
    {SIM_OP_MMAP, 0x8000, 0, 0, "libc.so.4"}, {SIM_OP_PAGE, 100, 800, 0, "libc.so.4"},
    {SIM_OP_SEND, 0, 0x31, 32, NULL},         {SIM_OP_RUN, 20000, 200000, 0, NULL},
    {SIM_OP_MUNMAP, 0x8000, 0, 0, NULL},      {SIM_OP_EXIT, 0, 0, 0, NULL}};
static const struct sim_step short_thread[] = {{SIM_OP_RUN, 10000, 90000, 0, NULL},
                                               {SIM_OP_CLOCK, 0, 0, 0, NULL},
                                               {SIM_OP_EXIT, 0, 0, 0, NULL}};
static const struct sim_step spawner[] = {{SIM_OP_PATH, 0, 0, 0, "/usr/bin/job"},
                                          {SIM_OP_SPAWN, 0, 0, 0, NULL},
                                          {SIM_OP_RUN, 20000, 60000, 0, NULL},
                                          {SIM_OP_SLEEP, 1000, 5000, 0, NULL}};
static const struct sim_step forker[] = {{SIM_OP_THREAD, 1, 0, 0, NULL},
                                         {SIM_OP_RUN, 5000, 40000, 0, NULL},
                                         {SIM_OP_JOIN, 0, 0, 0, NULL},
                                         {SIM_OP_SLEEP, 500, 3000, 0, NULL}};
static const struct sim_process_template churn_extra[] = {
    {"job", false, {{"main", SIM_STEPS(short_life), 10, SIM_RR, -1, 1}}},
    {"", false, {{"brief", SIM_STEPS(short_thread), 11, SIM_RR, -1, 1}}},
    {NULL, false, {{0}}}};
static const struct sim_process_template churn_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"make", false, {{"spawn", SIM_STEPS(spawner), 10, SIM_RR, -1, 3}}},
    {"pool", true, {{"fork", SIM_STEPS(forker), 12, SIM_RR, -1, 3}}},
    {NULL, false, {{0}}}};

// queues -----------------------------------------------------------------------------------------

// Bursts of entries for two consumers; a second queue, with a slow consumer, is often full.
static const struct sim_step burst[] = {{SIM_OP_SLEEP, 500, 4000, 0, NULL},
                                        {SIM_OP_RUN, 5000, 30000, 0, NULL},
                                        {SIM_OP_QUEUE_SEND, 0, 0, 0, NULL},
                                        {SIM_OP_REPEAT, 3, 2, 0, NULL}};
static const struct sim_step consumer[] = {{SIM_OP_QUEUE_RECEIVE, 0, 0, 0, NULL},
                                           {SIM_OP_RUN, 20000, 300000, 0, NULL}};
static const struct sim_step flood[] = {{SIM_OP_QUEUE_SEND, 1, 0, 0, NULL},
                                        {SIM_OP_RUN, 20000, 60000, 0, NULL},
                                        {SIM_OP_REPEAT, 7, 2, 0, NULL},
                                        {SIM_OP_SLEEP, 2000, 6000, 0, NULL}};
static const struct sim_step slow_consumer[] = {{SIM_OP_QUEUE_RECEIVE, 1, 0, 0, NULL},
                                                {SIM_OP_RUN, 100000, 500000, 0, NULL}};
static const struct sim_process_template queues_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"capture", false, {{"burst", SIM_STEPS(burst), 12, SIM_RR, -1, 3}}},
    {"encode", false, {{"work", SIM_STEPS(consumer), 11, SIM_RR, -1, 2}}},
    {"flood", false, {{"send", SIM_STEPS(flood), 10, SIM_RR, -1, 1}}},
    {"store", false, {{"write", SIM_STEPS(slow_consumer), 13, SIM_RR, -1, 1}}},
    {NULL, false, {{0}}}};

// Background population --------------------------------------------------------------------------

static const struct sim_step own_server[] = {{SIM_OP_RECEIVE, SIM_OWN, 0, 0, NULL},
                                             {SIM_OP_RUN, 5000, 30000, 0, NULL},
                                             {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step own_client[] = {{SIM_OP_SLEEP, 500, 5000, 0, NULL},
                                             {SIM_OP_SEND, SIM_OWN, 0x105, 48, NULL},
                                             {SIM_OP_RUN, 20000, 100000, 0, NULL}};
static const struct sim_step own_locker[] = {{SIM_OP_SLEEP, 500, 4000, 0, NULL},
                                             {SIM_OP_LOCK, SIM_OWN, 0, 0, NULL},
                                             {SIM_OP_RUN, 20000, 80000, 0, NULL},
                                             {SIM_OP_UNLOCK, SIM_OWN, 0, 0, NULL}};
static const struct sim_step own_compute[] = {{SIM_OP_RUN, 300000, 1500000, 0, NULL},
                                              {SIM_OP_SLEEP, 4000, 20000, 0, NULL}};
static const struct sim_step own_poster[] = {{SIM_OP_SLEEP, 800, 6000, 0, NULL},
                                             {SIM_OP_SEM_POST, SIM_OWN, 0, 0, NULL}};
static const struct sim_step own_waiter[] = {{SIM_OP_SEM_WAIT, SIM_OWN, 0, 0, NULL},
                                             {SIM_OP_RUN, 10000, 60000, 0, NULL}};

const struct sim_thread_template *sim_background_thread(uint32_t n)
{
    static const struct sim_thread_template kinds[] = {
        {"serve", SIM_STEPS(own_server), 10, SIM_RR, -1, 1},
        {"ask", SIM_STEPS(own_client), 10, SIM_RR, -1, 1},
        {"lock", SIM_STEPS(own_locker), 11, SIM_RR, -1, 1},
        {"wait", SIM_STEPS(own_waiter), 13, SIM_FIFO, -1, 1},
        {"post", SIM_STEPS(own_poster), 9, SIM_RR, -1, 1},
        {"compute", SIM_STEPS(own_compute), 8, SIM_RR, -1, 1},
        {"lock", SIM_STEPS(own_locker), 12, SIM_FIFO, -1, 1}};
    return &kinds[n % (sizeof kinds / sizeof kinds[0])];
}

// The list ---------------------------------------------------------------------------------------

static const struct sim_scenario scenarios[] = {
    {"mixed", "a vehicle's computer: sensors, fusion, file system, network, display, a shell",
     sim_mixed_processes, sim_mixed_extra, sim_mixed_devices, sim_mixed_channels, sim_mixed_mutexes,
     6, 3, 1, 1, 1, 1, 4, 1, 4, 0, 0},
    {"inversion", "priority inversion on purpose, with and without priority inheritance",
     inversion_processes, no_extra, quiet_devices, only_procnto, inversion_mutexes, 1, 2, 0, 0, 0,
     0, 0, 0, 1, 0, 0},
    {"chatty", "many clients, three servers, short messages: switches all the time",
     chatty_processes, no_extra, quiet_devices, chatty_channels, one_lending_mutex, 4, 0, 0, 0, 0,
     0, 0, 0, 4, 0, 0},
    {"irqstorm", "interrupts without end, nested, and the threads that serve them", storm_processes,
     no_extra, storm_devices, only_procnto, one_lending_mutex, 1, 0, 1, 0, 0, 0, 3, 0, 2, 0, 0},
    {"overload", "more to do than CPUs: used-up time slices, long waits while ready",
     overload_processes, no_extra, quiet_devices, only_procnto, one_lending_mutex, 1, 1, 0, 0, 0, 0,
     0, 0, 2, 0, 0},
    {"churn", "processes and threads come and go, pids and tids are reused", churn_processes,
     churn_extra, quiet_devices, only_procnto, one_lending_mutex, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0},
    {"chain", "a client waits for a server, that for a server, that for a preempted mutex holder",
     sim_chain_processes, no_extra, quiet_devices, sim_chain_channels, sim_plain_mutexes, 3, 1, 0,
     0, 0, 0, 0, 0, 2, 0, 0},
    {"convoy", "five threads want one mutex at the same instant", sim_convoy_processes, no_extra,
     quiet_devices, only_procnto, one_lending_mutex, 1, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0},
    {"deadlock", "a cycle of two mutexes, and one of two servers that send to each other",
     sim_deadlock_processes, no_extra, quiet_devices, sim_deadlock_channels, sim_plain_mutexes, 3,
     2, 0, 0, 0, 0, 0, 0, 2, 0, 0},
    {"periodic", "three periodic threads with known periods, jitter and response times",
     sim_periodic_processes, no_extra, quiet_devices, only_procnto, one_lending_mutex, 1, 0, 0, 0,
     0, 0, 0, 0, 2, 0, 0},
    {"answers", "a pool of servers: late and crossed answers, errors, nested servers, pulses",
     sim_answers_processes, no_extra, quiet_devices, sim_answers_channels, one_lending_mutex, 3, 1,
     0, 0, 0, 0, 0, 0, 2, 0, 0},
    {"crash", "a server ends while clients wait for it, and is started again", sim_crash_processes,
     sim_crash_extra, quiet_devices, sim_crash_channels, one_lending_mutex, 2, 0, 0, 0, 0, 0, 0, 0,
     2, 0, 0},
    {"queues", "message queues: bursts, several consumers, a full queue", queues_processes,
     no_extra, quiet_devices, only_procnto, one_lending_mutex, 1, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0},
    {"timeouts", "messages without an answer: timeouts, ended clients; pulses of a device",
     sim_timeouts_processes, sim_timeouts_extra, sim_timeouts_devices, sim_timeouts_channels,
     one_lending_mutex, 4, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0},
    {"hypervisor", "a virtual CPU, a virtual device, and work that is more urgent (--guest)",
     sim_hypervisor_processes, no_extra, quiet_devices, only_procnto, one_lending_mutex, 1, 0, 0, 0,
     0, 0, 0, 0, 1, 0, 0},
};

enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

const struct sim_scenario *sim_scenario_find(const char *name)
{
    for (size_t i = 0; i < SCENARIOS; i++)
        if (strcmp(scenarios[i].name, name) == 0)
            return &scenarios[i];
    return NULL;
}

const char *sim_scenario_name(size_t n)
{
    return n < SCENARIOS ? scenarios[n].name : NULL;
}

const char *sim_scenario_about(size_t n)
{
    return n < SCENARIOS ? scenarios[n].about : NULL;
}
