# The goals by which everything is built, listed, formatted, packed and removed.
all: sasskit $(if $(GPU),build/gpurun) $(if $(wildcard library),build/order_fit) build/ladder $(STEPS:%=build/%) cubins

help:
	@echo 'make                      build/ladder, one program a step (build/01_naive ...), the kernels'
	@echo 'make build/07_z_order     one program and its kernels; make quick: what run_all.sh --quick shows'
	@echo 'make sasskit              build/sass and build/simrun, which need only a C compiler'
	@echo 'make install-sasskit PREFIX=/usr/local   installs both; make test-sasskit: their tests'
	@echo 'make BUILD=DIR            the same, or any of these, in a copy of the sources in DIR'
	@echo 'make V=1                  shows the commands; PORTABLE=1: programs for all processors of this kind'
	@echo 'make ARCH="sm_80 sm_90"   the kernels for these architectures; default: sm_90 and the GPU here'
	@echo 'make install-deps         prints the commands that install what is used, for five systems'
	@echo 'make test                 the tests, in minutes; a part of large sets, drawn by SEED=20261126'
	@echo 'make test-all             whole sets, browsers, all architectures, fresh machines'
	@echo 'make test TESTS=tests/usage_test.sh   only these; build/asan/test_check is a unit test'
	@echo 'make mutants              all wrong kernels, each of which the check must catch'
	@echo 'make fuzz [RUNS=100000]   fuzzes the simulator and what reads cubins, text, options and CSV'
	@echo 'make test-arch            every kernel for sm_75 to sm_120: text, lint, assembler, simulator'
	@echo 'make doctor [BACKEND=sim] checks what machine code by hand relies on, in two minutes'
	@echo 'make profile STEP=05 [SIZE=512]   counters of a step: Nsight Compute, or without a GPU the simulator'
	@echo 'make results [PART=burst] measure on this GPU what is missing or stale, or only that part'
	@echo 'make results-status       which parts were measured, and with which code'
	@echo 'make fit                  fits the costs by which kernels are chosen for a shape, on this GPU'
	@echo 'make plots [RESULTS=DIR]  draw the charts of DIR/results.csv'
	@echo 'make release              an archive that runs without nvcc: sources and the kernels for sm_90'
	@echo 'make bench-sim            how fast the simulator is'
	@echo 'make pictures             draw the memory requests that the lessons show, by the simulator'
	@echo 'make exercises            the exercises, and how far you are'
	@echo 'make exercise EX=04a [SHOW=hint|answer|solution|again]   one exercise'
	@echo 'make docs                 write the measured tables into the lessons'
	@echo 'make site [OWN=results]   the course as pages for a browser, in build/site; OWN: with your results'
	@echo 'make format, format-check, sanitize, clean'

install-deps:
	@tools/setup.sh lines

# A release has the sources and the kernels for sm_90, for machines without nvcc.
release: all
	@tools/release.sh

# The layout is that of clang-format 14; other versions differ in details.
LAYOUT = $(or $(shell command -v clang-format-14),clang-format)
format format-check: only-14
only-14:
	@$(LAYOUT) --version | grep -q 'version 14\.' || { echo 'the layout is that of clang-format 14, not of' "$$($(LAYOUT) --version)" >&2; exit 1; }

format:
	$(LAYOUT) -i $(SOURCES)

format-check:
	@$(LAYOUT) --dry-run --Werror $(SOURCES)

# Keeps what was downloaded: build/toolkit, build/cublas.
clean:
	@! test -d build || find build -mindepth 1 -maxdepth 1 ! -name toolkit ! -name cublas -exec rm -rf {} +

SOURCES = $(shell find common sasskit exercises library tests steps web/engine -name '*.[ch]' -o -name '*.cu')
FORCE:
.PHONY: all exercise exercises help install-deps cubins bench-sim sanitize test test-all run-tests test-arch doctor fuzz release profile results results-status fit plots pictures docs site \
        format format-check only-14 clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
