// SPDX-License-Identifier: Apache-2.0
//
// The scenario "mixed": a small vehicle computer with every kind of event that a kernel trace can
// have. The story (docs/simulator.md):
//
//   sensor/sample (priority 30) asks fusion every 5 ms. fusion needs the mutex "map", which has
//   no priority inheritance. logger (8) holds it for most of a millisecond every 10 ms, on the
//   same CPU as netmgr's worker (15), which polls the network at that time, uses no mutex
//   and still delays fusion and sensor. Around that: a display with a frame every 16.7 ms, a
//   terminal, a file system with page faults, a shell that starts short programs, threads that come
//   and go.

#include "scenario.h"

enum { IO_BLK = 1, DEVC_PTY, FUSION, NETMGR, HMI }; // channels
enum { MAP, TTY, SCENE };                           // mutexes
enum { DISK, UART, ADC, NET };                      // interrupt objects
enum { OWN_IO_BLK = 2, OWN_PTY, OWN_SENSOR, OWN_FUSION, OWN_LOGGER, OWN_NETMGR, OWN_HMI };

const uint8_t sim_mixed_channels[] = {0, OWN_IO_BLK, OWN_PTY, OWN_FUSION, OWN_NETMGR, OWN_HMI};
const uint8_t sim_mixed_mutexes[] = {0, 1, 1}; // map has no priority inheritance, on purpose

const struct sim_device sim_mixed_devices[] = {SIM_TICK,
                                               {14, 6, 5000, -1, DISK, -1, 1, OWN_IO_BLK, false},
                                               {4, 5, 6000, 0, UART, -1, 1, OWN_PTY, false},
                                               {35, 12, 1200, -1, ADC, -1, 1, OWN_SENSOR, true},
                                               {11, 7, 4000, -1, NET, -1, 2, OWN_NETMGR, false},
                                               SIM_NO_DEVICE};

static const struct sim_step disk_irq[] = {{SIM_OP_INTR, DISK, 0, 0, NULL},
                                           {SIM_OP_RUN, 5000, 12000, 0, NULL}};
static const struct sim_step disk_server[] = {
    {SIM_OP_RECEIVE, IO_BLK, 0, 0, NULL},       {SIM_OP_READ, 512, 0, 0, NULL},
    {SIM_OP_RUN, 10000, 30000, 0, NULL},        {SIM_OP_CHANCE, 30, 1, 0, NULL},
    {SIM_OP_PAGE, 300, 900, 0, "/dev/hd0t179"}, {SIM_OP_REPLY, 0, 0, 0, NULL}};

static const struct sim_step uart_irq[] = {
    {SIM_OP_INTR, UART, 0, 0, NULL},  {SIM_OP_RUN, 4000, 9000, 0, NULL},
    {SIM_OP_LOCK, TTY, 0, 0, NULL},   {SIM_OP_RUN, 2000, 4000, 0, NULL},
    {SIM_OP_UNLOCK, TTY, 0, 0, NULL}, {SIM_OP_COND_SIGNAL, 0, 0, 0, NULL}};
static const struct sim_step tty_echo[] = {{SIM_OP_LOCK, TTY, 0, 0, NULL},
                                           {SIM_OP_COND_WAIT, 0, TTY, 0, NULL},
                                           {SIM_OP_RUN, 4000, 9000, 0, NULL},
                                           {SIM_OP_UNLOCK, TTY, 0, 0, NULL}};
static const struct sim_step tty_server[] = {{SIM_OP_RECEIVE, DEVC_PTY, 0, 0, NULL},
                                             {SIM_OP_LOCK, TTY, 0, 0, NULL},
                                             {SIM_OP_RUN, 10000, 40000, 0, NULL},
                                             {SIM_OP_UNLOCK, TTY, 0, 0, NULL},
                                             {SIM_OP_REPLY, 0, 0, 0, NULL}};

static const struct sim_step sample[] = {
    {SIM_OP_PERIOD, 5000, 0, 0, NULL},      {SIM_OP_CLOCK, 0, 0, 0, NULL},
    {SIM_OP_RUN, 30000, 60000, 0, NULL},    {SIM_OP_USER, 101, 0x5e50, 0, NULL},
    {SIM_OP_SEND, FUSION, 0x201, 64, NULL}, {SIM_OP_COUNT, 0, 0, 0, NULL}};
static const struct sim_step adc[] = {{SIM_OP_INTR, ADC, 0, 0, NULL},
                                      {SIM_OP_RUN, 3000, 8000, 0, NULL},
                                      {SIM_OP_SEM_POST, 0, 0, 0, NULL}};
static const struct sim_step filter[] = {{SIM_OP_SEM_WAIT, 0, 0, 0, NULL},
                                         {SIM_OP_RUN, 20000, 50000, 0, NULL},
                                         {SIM_OP_REPEAT, 8, 2, 0, NULL},
                                         {SIM_OP_PULSE, FUSION, 5, 0, NULL}};

static const struct sim_step fuse[] = {
    {SIM_OP_RECEIVE, FUSION, 0, 0, NULL}, {SIM_OP_LOCK, MAP, 0, 0, NULL},
    {SIM_OP_RUN, 40000, 90000, 0, NULL},  {SIM_OP_UNLOCK, MAP, 0, 0, NULL},
    {SIM_OP_QUEUE_SEND, 0, 0, 0, NULL},   {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step publish[] = {{SIM_OP_QUEUE_RECEIVE, 0, 0, 0, NULL},
                                          {SIM_OP_RUN, 15000, 40000, 0, NULL},
                                          {SIM_OP_REPEAT, 4, 2, 0, NULL},
                                          {SIM_OP_PULSE, HMI, 9, 0, NULL}};

static const struct sim_step logger[] = {{SIM_OP_PERIOD, 10000, 0, 0, NULL},
                                         {SIM_OP_LOCK, MAP, 0, 0, NULL},
                                         {SIM_OP_RUN, 600000, 900000, 0, NULL},
                                         {SIM_OP_UNLOCK, MAP, 0, 0, NULL},
                                         {SIM_OP_SEND, IO_BLK, 0x102, 2048, NULL},
                                         {SIM_OP_COUNT, 0, 0, 0, NULL},
                                         {SIM_OP_LOG, 5, 0, 0, "map snapshot %u written"}};
static const struct sim_step rotate[] = {{SIM_OP_SIGWAIT, 0, 0, 0, NULL},
                                         {SIM_OP_LOG, 4, 0, 0, "log rotated"},
                                         {SIM_OP_RUN, 20000, 60000, 0, NULL}};

static const struct sim_step receive_packet[] = {{SIM_OP_INTR, NET, 0, 0, NULL},
                                                 {SIM_OP_RUN, 10000, 25000, 0, NULL},
                                                 {SIM_OP_PULSE, NETMGR, 1, 0, NULL}};
static const struct sim_step net_worker[] = {{SIM_OP_RECEIVE, NETMGR, 0, 0, NULL},
                                             {SIM_OP_RUN, 200000, 900000, 0, NULL},
                                             {SIM_OP_CHANCE, 25, 1, 0, NULL},
                                             {SIM_OP_SEND, IO_BLK, 0x101, 256, NULL},
                                             {SIM_OP_REPLY, 0, 0, 0, NULL}};
static const struct sim_step poll[] = {{SIM_OP_PERIOD, 10000, 0, 0, NULL},
                                       {SIM_OP_RUN, 150000, 250000, 0, NULL},
                                       {SIM_OP_PULSE, NETMGR, 2, 0, NULL}};
static const struct sim_step resolver[] = {{SIM_OP_SLEEP, 12000, 25000, 0, NULL},
                                           {SIM_OP_THREAD, 1, 0, 0, NULL},
                                           {SIM_OP_RUN, 20000, 60000, 0, NULL},
                                           {SIM_OP_JOIN, 0, 0, 0, NULL}};

static const struct sim_step render[] = {{SIM_OP_PERIOD, 16667, 0, 0, NULL},
                                         {SIM_OP_COUNT, 0, 0, 0, NULL},
                                         {SIM_OP_USER_TEXT, 1, 0, 0, "frame %u"},
                                         {SIM_OP_LOCK, SCENE, 0, 0, NULL},
                                         {SIM_OP_RUN, 800000, 1800000, 0, NULL},
                                         {SIM_OP_UNLOCK, SCENE, 0, 0, NULL},
                                         {SIM_OP_BARRIER, 0, 2, 0, NULL},
                                         {SIM_OP_SEND, DEVC_PTY, 0x102, 80, NULL},
                                         {SIM_OP_USER_TEXT, 2, 0, 0, "frame %u shown"}};
static const struct sim_step tiles[] = {{SIM_OP_BARRIER, 0, 2, 0, NULL},
                                        {SIM_OP_RUN, 400000, 900000, 0, NULL}};
static const struct sim_step layout[] = {{SIM_OP_SLEEP, 3000, 8000, 0, NULL},
                                         {SIM_OP_LOCK, SCENE, 0, 0, NULL},
                                         {SIM_OP_RUN, 100000, 400000, 0, NULL},
                                         {SIM_OP_UNLOCK, SCENE, 0, 0, NULL}};
static const struct sim_step input[] = {{SIM_OP_RECEIVE, HMI, 0, 0, NULL},
                                        {SIM_OP_RUN, 20000, 70000, 0, NULL},
                                        {SIM_OP_REPLY, 0, 0, 0, NULL}};

static const struct sim_step shell[] = {
    {SIM_OP_SLEEP, 15000, 25000, 0, NULL},   {SIM_OP_PATH, 0, 0, 0, "/proc/boot/pidin"},
    {SIM_OP_SEND, IO_BLK, 0x100, 128, NULL}, {SIM_OP_SPAWN, 0, 0, 0, NULL},
    {SIM_OP_CHANCE, 40, 1, 0, NULL},         {SIM_OP_KILL, 0, 17, 0, NULL}};
static const struct sim_step tuner[] = {
    {SIM_OP_SLEEP, 10000, 20000, 0, NULL}, {SIM_OP_PRIORITY, 14, 0, 0, NULL},
    {SIM_OP_RUN, 40000, 90000, 0, NULL},   {SIM_OP_PRIORITY, 11, 0, 0, NULL},
    {SIM_OP_YIELD, 0, 0, 0, NULL},         {SIM_OP_SUSPEND, 900, 2500, 0, NULL},
    {SIM_OP_RUN, 5000, 9000, 0, NULL},     {SIM_OP_STOP, 900, 2500, 0, NULL}};
static const struct sim_step crunch[] = {{SIM_OP_RUN, 2000000, 9000000, 0, NULL},
                                         {SIM_OP_SLEEP, 4000, 12000, 0, NULL}};

static const struct sim_step pidin[] = {{SIM_OP_MMAP, 0x5000, 0, 0, "libc.so.5"},
                                        {SIM_OP_PAGE, 200, 1200, 0, "libc.so.5"},
                                        {SIM_OP_SEND, 0, 0x31, 32, NULL},
                                        {SIM_OP_RUN, 100000, 300000, 0, NULL},
                                        {SIM_OP_SEND, DEVC_PTY, 0x102, 200, NULL},
                                        {SIM_OP_MUNMAP, 0x5000, 0, 0, NULL},
                                        {SIM_OP_EXIT, 0, 0, 0, NULL}};
static const struct sim_step lookup[] = {{SIM_OP_CONNECT, IO_BLK, 0, 0, NULL},
                                         {SIM_OP_SEND, IO_BLK, 0x101, 64, NULL},
                                         {SIM_OP_RUN, 50000, 150000, 0, NULL},
                                         {SIM_OP_EXIT, 0, 0, 0, NULL}};

const struct sim_process_template sim_mixed_extra[] = {
    {"pidin", true, {{"main", SIM_STEPS(pidin), 10, SIM_RR, -1, 1}}},
    {"", false, {{"lookup", SIM_STEPS(lookup), 14, SIM_RR, -1, 1}}},
    {NULL, false, {{0}}}};

const struct sim_process_template sim_mixed_processes[] = {
    SIM_PROCNTO,
    SIM_TRACELOGGER,
    {"io-blk",
     false,
     {{"disk_irq", SIM_STEPS(disk_irq), 24, SIM_FIFO, -1, 1},
      {"serve", SIM_STEPS(disk_server), 21, SIM_RR, -1, 1}}},
    {"devc-pty",
     true,
     {{"uart_irq", SIM_STEPS(uart_irq), 24, SIM_FIFO, -1, 1},
      {"serve", SIM_STEPS(tty_server), 10, SIM_RR, -1, 1},
      {"echo", SIM_STEPS(tty_echo), 11, SIM_RR, -1, 1}}},
    {"sensor",
     false,
     {{"sample", SIM_STEPS(sample), 30, SIM_FIFO, -1, 1},
      {"adc", SIM_STEPS(adc), 40, SIM_FIFO, -1, 1},
      {"filter", SIM_STEPS(filter), 18, SIM_FIFO, -1, 1}}},
    {"fusion",
     false,
     {{"fuse", SIM_STEPS(fuse), 20, SIM_FIFO, 1, 1},
      {"publish", SIM_STEPS(publish), 17, SIM_RR, -1, 1}}},
    {"logger",
     false,
     {{"writer", SIM_STEPS(logger), 8, SIM_FIFO, 1, 1},
      {"rotate", SIM_STEPS(rotate), 9, SIM_RR, -1, 1}}},
    {"netmgr",
     false,
     {{"rx", SIM_STEPS(receive_packet), 22, SIM_FIFO, -1, 1},
      {"worker", SIM_STEPS(net_worker), 15, SIM_FIFO, 1, 1},
      {"poll", SIM_STEPS(poll), 16, SIM_FIFO, -1, 1},
      {"resolver", SIM_STEPS(resolver), 14, SIM_RR, -1, 1}}},
    {"hmi",
     false,
     {{"render", SIM_STEPS(render), 12, SIM_RR, -1, 1},
      {"tiles", SIM_STEPS(tiles), 12, SIM_RR, -1, 1},
      {"layout", SIM_STEPS(layout), 12, SIM_RR, -1, 1},
      {"input", SIM_STEPS(input), 13, SIM_RR, -1, 1}}},
    {"sh",
     true,
     {{"", SIM_STEPS(shell), 10, SIM_RR, -1, 1},
      {"tuner", SIM_STEPS(tuner), 11, SIM_RR, -1, 1},
      {"crunch", SIM_STEPS(crunch), 7, SIM_RR, -1, 3}}},
    {NULL, false, {{0}}}};
