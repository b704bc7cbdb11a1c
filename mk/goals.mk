# The goals by which everything is built, listed, formatted, packed and removed.
all: sasskit $(if $(GPU),build/gpurun) $(if $(wildcard library),build/order_fit) build/ladder \
    $(STEPS:%=build/%) cubins

help:
	@echo 'First steps'
	@echo '  ./run_all.sh --quick                 sets up, builds, checks, shows lessons 01 to 09, in a minute'
	@echo '  make exercise EX=01c                 a task that checks itself; SHOW=hint|answer|solution|again'
	@echo "  make build/07_z_order                one lesson's program and its kernels"
	@echo '  make                                 build/ladder, one program per lesson, all kernels'
	@echo '  make quick                           what run_all.sh --quick shows, and build/simrun'
	@echo '  make install-deps                    commands that install what is used, for five systems'
	@echo
	@echo 'Lessons and machine code'
	@echo '  make exercises                       the exercises, and how far you are'
	@echo '  make profile STEP=05 SIZE=512        counters of a lesson: Nsight Compute, or the simulator'
	@echo '  make sasskit                         build/sass and build/simrun, which need only a C compiler'
	@echo '  make install-sasskit                 installs both; PREFIX=/usr/local'
	@echo
	@echo 'Tests'
	@echo '  make test                            the tests, in minutes; a part of large sets, by SEED=20261126'
	@echo '  make test TESTS=tests/usage_test.sh  these alone; build/asan/test_check is a unit test'
	@echo '  make test-all                        whole sets, browsers, all architectures, fresh machines'
	@echo '  make test-sasskit                    the tests of sasskit, which need no CUDA'
	@echo '  make mutants STEP=05                 wrong kernels, each of which the check must catch'
	@echo '  make fuzz RUNS=100000                fuzzes the simulator and all that reads files'
	@echo '  make test-arch                       every kernel for sm_75 to sm_120: text, lint, simulator'
	@echo '  make sanitize                        builds the unit tests with sanitizers'
	@echo '  make format, make format-check       the layout of the sources, by clang-format 14'
	@echo
	@echo 'Measuring'
	@echo '  make doctor                          checks what machine code by hand relies on; BACKEND=sim'
	@echo '  make results                         measures on this GPU what is missing or stale; PART=burst'
	@echo '  make results-status                  which parts were measured, and with which code'
	@echo '  make fit                             fits the costs by which kernels are chosen for a shape'
	@echo '  make bench-sim                       how fast the simulator is'
	@echo
	@echo 'Pages and releases'
	@echo '  make docs                            writes the measured tables into the lessons'
	@echo '  make plots                           draws the charts of RESULTS=docs/results/h200'
	@echo '  make pictures                        draws memory requests of the lessons, by the simulator'
	@echo '  make site                            pages for a browser, in build/site; OWN=results: with yours'
	@echo '  make release                         an archive that runs without nvcc'
	@echo '  make clean                           removes what was built, but not what was downloaded'
	@echo
	@echo 'With all of them: V=1 shows the commands; ARCH="sm_80 sm_90" chooses what kernels are built for;'
	@echo 'PORTABLE=1 builds programs for all processors of this kind; BUILD=DIR works in a copy in DIR.'

install-deps:
	@tools/setup.sh lines

# A release has the sources and the kernels for sm_90, for machines without nvcc.
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

# Keeps what was downloaded: build/toolkit, build/cublas.
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
