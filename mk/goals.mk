# The goals by which everything is built, listed, formatted, packed and removed.
all: sasskit $(if $(GPU),build/gpurun) $(if $(wildcard library),build/order_fit) build/ladder \
    $(STEPS:%=build/%) cubins

define HELP
First steps
  ./run_all.sh --quick                 sets up, builds, checks, shows lessons 01 to 09, in a minute
  make exercise EX=01c                 a task that checks itself; SHOW=hint|answer|solution|again
  make build/07_z_order                one lesson's program and its kernels
  make                                 build/ladder, one program per lesson, all kernels
  make quick                           what run_all.sh --quick shows, and build/simrun
  make install-deps                    prints the commands that install all that is used

Lessons and machine code
  make exercises                       the exercises, and how far you are
  make profile STEP=05 SIZE=512        counters of a lesson: Nsight Compute, or the simulator
  make sasskit                         build/sass and build/simrun, which need only a C compiler
  make install-sasskit                 installs both; PREFIX=/usr/local

Tests
  make test                            the tests, with a random part of large sets; SEED=20261126
  make test TESTS=tests/usage_test.sh  only these tests; build/asan/test_check is a unit test
  make test-all                        whole sets, browsers, all architectures, fresh machines
  make test-sasskit                    the tests of sasskit, which need no CUDA
  make mutants STEP=05                 wrong kernels, each of which the check must catch
  make fuzz RUNS=100000                fuzzes the simulator and all that reads files
  make test-arch                       every kernel for sm_75 to sm_120: text, lint, simulator
  make sanitize                        builds the unit tests with sanitizers
  make format, make format-check       the layout of the sources, by clang-format 14

Measuring
  make doctor                          checks latencies that the assembler assumes; BACKEND=sim
  make results                         measures on this GPU what is missing or stale; PART=burst
  make results-status                  which parts were measured, and with which code
  make fit                             fits the costs by which kernels are chosen for a shape
  make bench-sim                       how fast the simulator is

Pages and releases
  make docs                            writes the measured tables into the lessons
  make plots                           draws the charts of RESULTS=docs/results/h200
  make pictures                        draws memory requests of the lessons, by the simulator
  make site                            pages for a browser, in build/site; OWN=results adds yours
  make release                         an archive that runs without nvcc
  make clean                           removes what was built, but not what was downloaded

With all of them: V=1 shows the commands; ARCH="sm_80 sm_90" chooses what kernels are built for;
PORTABLE=1 builds programs for all processors of this kind; BUILD=DIR works in a copy in DIR.
endef
help:
	@$(info $(HELP)):

install-deps:
	@tools/setup.sh lines

# A release is an archive of the sources and the cubins for sm_90, for machines without nvcc.
release: all
	@tools/release.sh

# The layout is that of clang-format 14; other versions differ in details.
LAYOUT = $(or $(shell command -v clang-format-14),clang-format)
format format-check: only-14
only-14:
	@$(LAYOUT) --version | grep -q 'version 14\.' || \
	  { echo 'the layout is that of clang-format 14, not of' "$$($(LAYOUT) --version)" >&2; exit 1; }

format:
	$(LAYOUT) -i $(SOURCES)

format-check:
	@$(LAYOUT) --dry-run --Werror $(SOURCES)

# `make clean` keeps what was downloaded: build/toolkit, build/cublas.
clean:
	@! test -d build || find build -mindepth 1 -maxdepth 1 ! -name toolkit \
	  ! -name cublas -exec rm -rf {} +

SOURCES = $(shell find common sasskit exercises library tests steps web/engine \
    -name '*.[ch]' -o -name '*.cu')
FORCE:
.PHONY: all exercise exercises help install-deps cubins bench-sim sanitize test test-all run-tests \
    test-arch doctor fuzz release profile results results-status fit plots pictures docs site \
    format format-check only-14 clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
