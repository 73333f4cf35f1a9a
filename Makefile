# SPDX-License-Identifier: Apache-2.0
#
# tracetui: the only build file a user calls. `make help` lists the targets.
#
# Every variant of the build has its own directory under build/, so that switching between
# them rebuilds nothing:  build/release  build/asan  build/tsan  build/portable

VERSION   := 0.1.0
CC        ?= cc
PREFIX    ?= /usr/local
DESTDIR   ?=
JOBS      ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
VARIANT   ?= release
B         := build/$(VARIANT)

WARN      := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
CSTD      := -std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
CPPFLAGS  += -Iinclude -Isrc -DTT_VERSION='"$(VERSION)"'
BASE_FLAGS = $(CSTD) $(WARN) -pthread

FLAGS_release := -O2 -g1
# -g1: functions and lines of a backtrace, in three quarters of the time to compile. -no-pie: a process
# begins in two thirds of the time, as it relocates no descriptors of globals.
FLAGS_asan    := -O1 -g1 -fno-pie -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
LINK_asan      = -no-pie $(LLD)
FLAGS_tsan    := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
# Only POSIX, without a 128-bit integer, as on other systems.
FLAGS_portable := -O1 -g1 -DTT_PORTABLE -U__SIZEOF_INT128__

# Clang 14 looks for uses after return only on request; the code for it takes 5 % of the tests' time.
NO_FAKE_STACK := -fsanitize-address-use-after-return=never
# build/asan is built by clang, if it is installed with its libraries, and otherwise by $(CC).
CLANG         ?= clang
CLANG_RUNS    := $(if $(filter asan,$(VARIANT)),$(shell echo 'int main(void) { return 0; }' | \
                   $(CLANG) -x c - -fsanitize=address,undefined $(NO_FAKE_STACK) -fprofile-instr-generate \
                   -o /dev/null 2>/dev/null && echo yes))
ifneq ($(and $(CLANG_RUNS),$(filter default,$(origin CC))),)
CC            := $(CLANG)
# LLVM's linker takes a quarter of the time.
LLD           := $(shell echo 'int main(void) { return 0; }' | \
                   $(CLANG) -x c - -fuse-ld=lld -o /dev/null 2>/dev/null && echo -fuse-ld=lld)
endif
# gcc's -Wconversion does not include signs.
ifneq ($(findstring clang,$(CC)),)
WARN          += -Wno-sign-conversion
# The lines of the program that run, for tests/coverage.sh. Without LLVM_PROFILE_FILE nothing is kept.
FLAGS_asan    += $(if $(CLANG_RUNS),$(NO_FAKE_STACK))
COUNT_asan    := -fprofile-instr-generate=/dev/null -fcoverage-mapping -fcoverage-compilation-dir=.
endif

# Compiled files are kept for the next time, if ccache is installed.
CCACHE        ?= $(if $(findstring ccache,$(CC)),,$(shell command -v ccache))

# Hardening: the flags that the compiler accepts, in the variants without sanitizers. HARDEN=no
# disables it. Tested when the first file is compiled: $(call takes,FLAGS,LINK FLAGS).
HARDEN         ?= yes
HARDEN_COMPILE := -fstack-protector-strong -fstack-clash-protection -fcf-protection
HARDEN_FORTIFY := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
HARDEN_RELRO   := -Wl,-z,relro -Wl,-z,now
HARDENED       := $(and $(filter yes,$(HARDEN)),$(filter release,$(VARIANT)))
takes     = $(shell echo 'int main(void) { return 0; }' | $(CC) -Werror -O2 $(1) -include string.h \
              -x c - $(2) -o /dev/null >/dev/null 2>&1 && echo yes)
taken     = $(if $(call takes,$(1)),$(1),$(foreach flag,$(1),$(if $(call takes,$(flag)),$(flag))))
harden_cc = $(if $(call takes,$(HARDEN_FORTIFY)),$(HARDEN_FORTIFY)) \
            $(call taken,$(HARDEN_COMPILE)) $(if $(call takes,-fPIE,-pie),-fPIE)
harden_ld = $(if $(filter -fPIE,$(HARDEN_CC)),-pie) $(call taken,$(HARDEN_RELRO))
HARDEN_CC = $(if $(HARDENED),$(eval HARDEN_CC := $(harden_cc)))$(if $(HARDENED),$(HARDEN_CC))
HARDEN_LD = $(if $(HARDENED),$(eval HARDEN_LD := $(harden_ld)))$(if $(HARDENED),$(HARDEN_LD))
STATIC    = $(if $(call takes,-fPIE,-static-pie),-static-pie,-static)

FLAGS     = $(FLAGS_$(VARIANT)) $(HARDEN_CC)
LINK      = $(CC) $(BASE_FLAGS) $(FLAGS) $(LINK_$(VARIANT)) $(COUNT_$(VARIANT)) $(HARDEN_LD) $(LDFLAGS)
COMPILE   = $(CCACHE) $(CC) $(CPPFLAGS) $(BASE_FLAGS) $(FLAGS) $(CFLAGS) -MMD -MP

# One short line per file; V=1 prints the commands.
V    ?= 0
Q    := $(if $(filter 1,$(V)),,@)
say   = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-4s %s\n' $(1) $(2))

# SQL=0 builds without SQLite: the command sql and :sql then print that. Without its header that is the
# default.
HAS_SQLITE := $(shell $(CC) $(CPPFLAGS) -E -include sqlite3.h -x c /dev/null >/dev/null 2>&1 && echo 1)
SQL       ?= $(if $(HAS_SQLITE),1,$(info no sqlite3.h (libsqlite3-dev): building without SQL)0)
SQL       := $(SQL)
SQL_DIR   := $(if $(filter 0,$(SQL)),absent,sqlite)

LIBS_CORE := -lpcre2-8 -lxxhash -lz -lzstd -linih -ljansson $(if $(filter 0,$(SQL)),,-lsqlite3)
# The unit tests are tests of Criterion. tests/lib/plain runs many of them in one process;
# FRAMEWORK=criterion gives each one a process of Criterion.
FRAMEWORK ?= plain
ifeq ($(FRAMEWORK),criterion)
CRITERION ?= -lcriterion
else
UNIT_INCLUDE := -Itests/lib/plain
CRITERION ?= $(B)/tests/lib/plain/plain.o
endif
VTERM     ?= -lvterm
LIBS_TUI  := -lncursesw -ltinfo
LDLIBS    := $(LIBS_TUI) $(LIBS_CORE) -pthread -lm

# The library is everything except the program; it does not use ncurses.
LIB_SRC   := $(wildcard src/base/*.c src/input/*.c src/format/*.c src/format/*/*.c src/trace/*.c src/trace/*/*.c \
                        src/analysis/*.c src/analysis/*/*.c src/table/*.c src/table/*/*.c src/print/*.c src/print/*/*.c src/style/*.c src/filter/*.c src/lane/*.c src/check/*.c src/check/*/*.c \
                        src/excerpt/*.c src/merge/*.c src/export/*.c src/compare/*.c \
                        src/sql/*.c src/sql/$(SQL_DIR)/*.c)
APP_SRC   := $(wildcard src/edit/*.c src/cli/*.c src/cli/*/*.c src/tui/*.c src/tui/*/*.c src/tui/*/*/*.c)
SIM_SRC   := $(wildcard samples/sim/*.c)
UNIT_SRC  := $(wildcard tests/unit/*/*.c)
FUZZ_SRC  := $(wildcard tests/fuzz/fuzz_*.c)
FAULT_SRC := tests/faults/walk.c tests/faults/mutate.c tests/faults/space.c
BENCH_SRC := $(wildcard tests/bench/*.c)
TSAN_SRC  := $(wildcard tests/tsan/*.c)
TRUTH_SRC := $(wildcard tests/truth/*.c)
LIVE_SRC  := $(wildcard tests/live/*.c)
SCREEN_SRC := $(wildcard tests/screens/*.c)

LIB_OBJ   := $(LIB_SRC:%.c=$(B)/%.o)
APP_OBJ   := $(APP_SRC:%.c=$(B)/%.o) $(B)/themes/builtin.o $(B)/terminals.o
SIM_OBJ   := $(SIM_SRC:%.c=$(B)/%.o)
UNIT_OBJ  := $(UNIT_SRC:%.c=$(B)/%.o)
$(UNIT_OBJ): CPPFLAGS += $(UNIT_INCLUDE) -Itests/unit/kit -Itests
$(B)/tests/lib/plain/plain.o: CPPFLAGS += -Itests/lib/plain

LIB       := $(B)/libtracetui.a
APP       := $(B)/tracetui
SIM       := $(B)/ttsim
UNIT      := $(B)/unit-tests

SAMPLES   := $(wildcard samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace samples/*.dat)
DEMO      ?= samples/demo.kev

.PHONY: all build help deps demo test check bench fuzz asan tsan coverage format format-check \
        install uninstall static deb clean unit variant-all

all: build/tracetui build/ttsim

help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

## all        build build/tracetui and the simulator build/ttsim (the default)
build/tracetui: variant-all
	@mkdir -p build && cp -f $(APP) $@.new && mv -f $@.new $@
build/ttsim: variant-all
	@mkdir -p build && cp -f $(SIM) $@.new && mv -f $@.new $@
variant-all: $(APP) $(SIM)

# A change of SQL makes the library again.
$(B)/sql-$(SQL):
	@mkdir -p $(@D)
	@rm -f $(B)/sql-*
	@touch $@
$(LIB): $(B)/sql-$(SQL)

$(LIB): $(LIB_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(APP): $(B)/src/main.o $(APP_OBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# The simulator shares no code with the library: two independent implementations of the documents.
$(SIM): $(SIM_OBJ)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -lz -lzstd -lm

# Calls of the library, the commands and the screens that fail on request: they go through
# tests/faults/faults.c.
FAULT_CALLS := malloc calloc realloc free strdup realpath open64 read pread64 write mmap64 fstat64 \
               lseek64 statvfs64 dup mkstemp64 link readlink fsync stat64 rename pthread_create
WRAPPED     := $(FAULT_CALLS:%=-Wl,--wrap=%)

# tests/unit/kit/no_certificates.c, for the libraries of Criterion
NO_CERTIFICATES := -Wl,--export-dynamic-symbol=mbedtls_x509_crt_parse_file

# The unit tests link everything: the library, the commands, the screens, and main as tt_main.
# Some run the simulator.
$(UNIT): $(UNIT_OBJ) $(filter %.o,$(CRITERION)) $(B)/tests/faults/faults.o $(B)/src/main-in.o $(APP_OBJ) $(LIB) | $(SIM)
	$(call say,LD,$@)
	$(Q)$(LINK) $(WRAPPED) $(NO_CERTIFICATES) -o $@ $(UNIT_OBJ) $(B)/tests/faults/faults.o $(B)/src/main-in.o $(APP_OBJ) $(LIB) $(CRITERION) \
	    $(VTERM) $(LDLIBS)

$(B)/samples/sim/%.o: samples/sim/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(WARN) $(FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The shipped themes, as part of the program.
$(B)/themes/builtin.c: themes/embed.sh $(sort $(wildcard themes/*.theme))
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sh $^ >$@
$(B)/themes/builtin.o: $(B)/themes/builtin.c
	$(call say,CC,$<)
	$(Q)$(COMPILE) -c -o $@ $<

# Terminals that work without a terminfo database.
TERMINALS := xterm xterm-256color screen screen-256color tmux tmux-256color linux vt100
$(B)/terminals.c: src/tui/term/terminals.sh Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sh $< $(TERMINALS) >$@
$(B)/terminals.o: $(B)/terminals.c
	$(call say,CC,$<)
	$(Q)$(COMPILE) -c -o $@ $<

# Unit tests are not optimized, since they compile in two thirds of the time then. Hardening needs it.
$(B)/tests/unit/%.o: FLAGS += $(if $(HARDENED),,-O0)

$(B)/src/%.o: FLAGS += $(COUNT_$(VARIANT))

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -c -o $@ $<

# Programs that measure the screen link its code.
$(B)/tests/bench/bench_frames $(B)/tests/screens/bytes_of_keys: $(B)/tests/%: tests/%.c $(APP_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MT $@ $(LINK_$(VARIANT)) $(COUNT_$(VARIANT)) $(HARDEN_LD) -o $@ $< $(APP_OBJ) $(LIB) $(LDLIBS)

# The fuzz targets without a fuzzer, in one program: `make test` replays the saved inputs.
REPLAY := $(B)/tests/fuzz/replay
$(FUZZ_SRC:%.c=$(B)/%.o): CPPFLAGS += -DLLVMFuzzerTestOneInput=$(basename $(@F))
$(REPLAY): $(FUZZ_SRC:%.c=$(B)/%.o) $(B)/tests/fuzz/replay.o $(APP_OBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# Programs that walk through all failures of memory and files.
$(FAULT_SRC:%.c=$(B)/%): $(B)/%: $(B)/%.o $(B)/tests/faults/faults.o $(B)/src/main-in.o \
                         $(APP_OBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(LINK) $(WRAPPED) -o $@ $^ $(LDLIBS)
$(B)/src/main-in.o: src/main.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Dmain=tt_main -c -o $@ $<

$(B)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MT $@ $(LINK_$(VARIANT)) $(COUNT_$(VARIANT)) $(HARDEN_LD) -o $@ $< $(LIB) $(LIBS_CORE) -lm

-include $(shell find $(B) -type f -name '*.d' 2>/dev/null)

## deps       install the Debian packages that building and testing need
deps:
	@sh tests/deps.sh test
	@sh tests/deps.sh ci || true
	@sh tests/deps.sh fleet || true

## demo       build and open the main view on a sample (prints it without a terminal)
demo:
	@sh tests/deps.sh build
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@if [ -t 1 ]; then ./build/tracetui --script samples/hint.script $(DEMO); \
	 else ./build/tracetui render threads --size 80x24 --script samples/hint.script $(DEMO); fi

## test       the tests, without rare ones whose files have not changed; ends with "N passed, N failed"
test:
	@sh tests/deps.sh test
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(MAKE) --no-print-directory tests
	@bash tests/run.sh

## test-all   all tests
.PHONY: test-all tests tests-compiler
test-all:
	@RARE=all $(MAKE) --no-print-directory test

# The programs of the tests, and the kind of compiler that builds them.
tests:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=asan unit-build
tests-compiler:
ifeq ($(VARIANT),asan)
	@echo $(if $(findstring clang,$(CC)),clang,gcc)
else
	@$(MAKE) -s --no-print-directory VARIANT=asan $@
endif

.PHONY: unit-build
unit-build: $(APP) $(SIM) $(UNIT) $(TRUTH_SRC:%.c=$(B)/%) $(LIVE_SRC:%.c=$(B)/%) \
            $(SCREEN_SRC:%.c=$(B)/%) $(REPLAY) $(FAULT_SRC:%.c=$(B)/%) \
            $(B)/tests/example/tracetui $(B)/tests/faults/slow_clock/tracetui

# The program with the clock of a slow machine, beside the simulator.
$(B)/tests/faults/slow_clock/tracetui: $(B)/tests/faults/slow_clock.o $(B)/src/main.o $(APP_OBJ) $(LIB) | $(SIM)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(LINK) -Wl,--wrap=clock_gettime -o $@ $^ $(LDLIBS)
	@ln -sf ../../../ttsim $(@D)/ttsim

# The program with a fifth format, added as in docs/first-day.md: a directory and a line.
$(B)/tests/example/formats.c: src/format/formats.c Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sed 's/^    X(kev) .*/&\n    X(pulse) \\/' $< >$@
$(B)/tests/example/formats.o: $(B)/tests/example/formats.c
	$(call say,CC,$<)
	$(Q)$(COMPILE) -c -o $@ $<
$(B)/tests/example/tracetui: $(B)/tests/example/formats.o $(B)/tests/example/pulse/pulse.o \
                             $(B)/src/main.o $(APP_OBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

## check      the unit tests alone, sanitizers on (quick)
check: tests
	@bash tests/run.sh unit

## bench      measure, print ratios taken in one run, write build/bench.json
bench: all $(patsubst %.c,$(B)/%,$(BENCH_SRC)) $(B)/tests/screens/bytes_of_keys
	@bash tests/bench/run.sh

## fuzz       run every fuzz target for FUZZ_SECONDS (30) seconds each (needs clang)
FUZZ_SECONDS ?= 30
fuzz:
	@FUZZ_SECONDS=$(FUZZ_SECONDS) TERMINALS="$(TERMINALS)" LIBS="$(LIBS_TUI) $(LIBS_CORE)" bash tests/fuzz/run.sh

## asan tsan  build those variants (tsan also runs its tests)
asan:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=asan variant-all
tsan:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=tsan variant-all \
	    $(patsubst %.c,build/tsan/%,$(TSAN_SRC) $(LIVE_SRC))
	@bash tests/run.sh tsan

## coverage   lines of the program that the tests reach, by file; fails if they are too few (needs clang)
coverage: tests
	@COUNTS=build/counts bash tests/run.sh
	@bash tests/coverage.sh build/counts

## portable   the unit tests of a build that uses only POSIX.1-2008, by Criterion
.PHONY: portable lint
portable:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=portable FRAMEWORK=criterion build/portable/unit-tests
	@BUILD_DIR=build/portable bash tests/run.sh unit

## cross      build for and run on a 32-bit, a big-endian and an ARM machine (qemu-user)
.PHONY: cross
cross:
	@bash tests/cross.sh

## lint       clang-tidy and cppcheck: no findings; exceptions are explained in the code
lint:
	@bash tests/lint.sh

## format     clang-format every C file in place (format-check: report only)
C_FILES = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format:
	clang-format -i $(C_FILES)
format-check:
	@printf '%s\n' $(C_FILES) | xargs -P $(JOBS) -n 50 clang-format --dry-run -Werror

## docs       draw the screens and pictures of the documents again
.PHONY: docs
docs: all
	@REMAKE=1 bash tests/house/documents.sh $(B)

## install    program, library, headers, pkg-config file, themes, manual, completions, documents
##            and samples into DESTDIR/PREFIX (/usr/local)
install: all
	@LIBRARY=$(LIB) VERSION=$(VERSION) DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" \
	    sh docs/packaging/install.sh install

## uninstall  remove the installed files
uninstall:
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" sh docs/packaging/install.sh uninstall

## static     one static binary, build/tracetui-static, without run-time dependencies
static: build/tracetui-static
build/tracetui-static: $(B)/src/main.o $(APP_OBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(filter-out -pie,$(LINK)) $(STATIC) -o $@.new $^ $(LDLIBS)
	@mv -f $@.new $@

## deb        the Debian packages, build/deb/*.deb
deb:
	@sh docs/packaging/deb.sh build/deb

## spdx       what the program and the static binary contain, as SPDX lists: build/*.spdx
.PHONY: spdx
spdx: all static
	@sh docs/packaging/spdx.sh build/tracetui $(VERSION) $(LDLIBS) >build/tracetui.spdx
	@sh docs/packaging/spdx.sh build/tracetui-static $(VERSION) $(LDLIBS) >build/tracetui-static.spdx

## hardening  print the hardening flags that the compiler accepts (HARDEN=no builds without them)
.PHONY: hardening
hardening:
	@printf '%s\n' $(HARDEN_CC) $(HARDEN_LD)

## clean      remove build/
clean:
	rm -rf build
