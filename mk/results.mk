# Measurements, tables and charts.
needs_python = @command -v python3 >/dev/null || \
    { echo 'make $@ needs python3, which is not on PATH: tools/setup.sh run installs it' >&2; \
    exit 2; }
$(if $(filter profile,$(MAKECMDGOALS)),$(if $(STEP),,$(error expected a step: \
    make profile STEP=05 [SIZE=512])))
$(if $(filter exercise,$(MAKECMDGOALS)),$(if $(EX),,$(error expected an exercise: \
    make exercise EX=01c [SHOW=hint|answer|solution|again])))
# If STEP gives lesson numbers, only the kernels of these lessons and of lesson 01 are built. Lesson
# 01's program is used to find out whether there is a GPU.
PROFILED := $(foreach step,$(subst $(comma), ,$(STEP)),$(or $(call lessons_like,$(step)),all))
$(foreach step,$(if $(filter profile mutants,$(MAKECMDGOALS)),$(filter-out all \
    cublas,$(subst -, ,$(subst $(comma), ,$(STEP))))),\
  $(if $(call lessons_like,$(step)),,$(error STEP=$(step): there is no such lesson; \
  `ls steps` shows them)))
profile: $(if $(filter all,$(or $(PROFILED),all)),all,build/ladder build/01_naive \
    $(PROFILED:%=build/%))
	@tools/profile.sh $(STEP) '$(SIZE)'

results: all
	tools/results.sh $(PART)

results-status:
	@tools/results.sh status

fit: all
	$(needs_python)
	tools/order.sh here
	tools/tensor_costs.py here

plots:
	$(needs_python)
	plots/draw.py $(RESULTS)

pictures: all
	$(needs_python)
	plots/pictures.py

docs:
	$(needs_python)
	tools/docs.py

# The boxes on pages that run kernels need a compiler for WebAssembly. Without it the pages have no
# such boxes (docs/site.md).
site:
	@$(MAKE) --no-print-directory build/web/engine.js build/web/sass.js \
	  build/web/kernels/exercises.js || true
	@OWN='$(OWN)' web/site/build.sh

exercises: build/exercise
	@build/exercise

exercise: build/exercise build/sass build/simrun
	@NVCC='$(NVCC)' PREDICT='$(PREDICT)' build/exercise $(EX) $(SHOW) || [ $$? = 1 ]

bench-sim: all build/bench_sim
	@build/bench_sim build/cubin/sm_90/08_double_buffer/both.cubin sgemm_double_buffer 128 128 256 512
	@build/bench_sim build/cubin/sm_90/08_double_buffer/wide.cubin sgemm_double_buffer \
	  128 256 256 512 1 49664
	@bash -c 'TIMEFORMAT="%R s: the whole ladder at N = 512"; \
	  time build/ladder --backend sim --check off --size 512 > /dev/null'
	@for step in $(BENCHED); \
	  do bash -c "TIMEFORMAT='%R s: $$step, last variant, N = 1024'; time build/$$step \
	    --backend sim --variant last --check off --size 1024 > /dev/null"; done
