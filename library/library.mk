# libsgemm: build/library/libsgemm.so, libsgemm.a, and libsgemm_cublas.so,
# which intercepts cuBLAS calls.
# Install them by `make install PREFIX=/usr/local`.
LIBRARY     := $(patsubst %,library/%.c,handle choose run kernels passing refuse) \
               common/harness/launch_gemm.c common/backend/error.c \
               common/backend/cublas.c steps/10_block_order/step.c steps/13_tensor_cores/step.c \
               library/shapes/step.c
LIBRARY_GPU := $(LIBRARY) library/gpu.c common/backend/driver.c
VERSION     := 1.0.0
PREFIX      ?= /usr/local

# Embedded cubins: the kernels that `dispatch` may choose, copy.cu, and for sm_90 the tensor-core
# kernels.
IMAGES := $(filter-out %/x_major.cubin %/y_major.cubin %/z_order.cubin, \
          $(filter $(foreach arch,$(ARCH),build/cubin/$(arch)/10_block_order/% \
          build/cubin/$(arch)/shapes/%),$(CUBINS))) \
            $(filter %/13_tensor_cores/few_rows.cubin %/13_tensor_cores/few_cols.cubin,$(CUBINS)) \
            $(ARCH:%=build/cubin/%/library/copy.cubin) \
            $(if $(filter sm_90,$(ARCH)),build/cubin/sm_90/library/tensor.cubin)

build/cubin/sm_90/library/tensor.cubin: library/tensor.cu library/tensor.h \
    $(addprefix steps/13_tensor_cores/,layout.h split.h multiply.h mend.h)
	$(call compile_cubin,sm_90a,)
define copy_rule
build/cubin/$(1)/library/copy.cubin: library/copy.cu library/copy.h
	$$(call compile_cubin,$(1),)
endef
$(foreach arch,$(ARCH),$(eval $(call copy_rule,$(arch))))

build/library/images.s: $(IMAGES) build/cubins.mk library/library.mk
	@mkdir -p $(@D)
	@{ echo '.section .note.GNU-stack,"",%progbits'; echo '.section .rodata'; i=0; \
	   for image in $(IMAGES:build/cubin/%.cubin=%); do i=$$((i + 1)); \
	     printf 'name%s: .asciz "%s"\n.balign 64\nimage%s: .incbin "build/cubin/%s.cubin"\nend%s:\n' \
	     $$i $$image $$i $$image $$i; done; \
	   echo '.section .data.rel.ro,"aw",%progbits'; echo '.balign 8'; echo '.globl sgemm_images'; \
	   echo '.hidden sgemm_images'; \
	   echo 'sgemm_images:'; i=0; for image in $(IMAGES); do i=$$((i + 1)); \
	     echo ".quad name$$i, image$$i, end$$i - image$$i"; done; \
	   echo '.quad 0, 0, 0'; } > $@
build/library/images.o: build/library/images.s
	@$(CC) -c -o $@ $<

build/pic/%.o: %.c | build/commit.h
	@mkdir -p $(@D)
	$(call task,cc $< (for libsgemm))
	$(Q)$(CC) $(WARNINGS) $(CFLAGS) -fPIC -fvisibility=hidden -DSGEMM_BUILD $(INCLUDES) -MMD -MP \
	  -c $< -o $@

LIBRARY_OBJECTS := $(LIBRARY_GPU:%.c=build/pic/%.o) build/library/images.o
build/library/libsgemm.so.$(VERSION): $(LIBRARY_OBJECTS)
	$(call task,link $@)
	$(Q)$(CC) -shared -Wl,-soname,libsgemm.so.1 -Wl,--no-undefined -o $@ $^ -ldl -lm -pthread
	@ln -sf libsgemm.so.$(VERSION) build/library/libsgemm.so.1 && \
	  ln -sf libsgemm.so.1 build/library/libsgemm.so

# One object file, whose only global symbols are those of sgemm.h.
build/library/libsgemm.a: $(LIBRARY_OBJECTS)
	$(call task,link $@)
	$(Q)$(LD) -r -o build/library/sgemm.o $^ && objcopy --localize-hidden build/library/sgemm.o
	@rm -f $@ && $(AR) rcs $@ build/library/sgemm.o

# The intercepting library includes libsgemm.
build/library/libsgemm_cublas.so: $(LIBRARY_OBJECTS) build/pic/library/interpose.o \
    build/pic/library/intercept.o
	$(call task,link $@)
	$(Q)$(CC) -shared -Wl,--no-undefined -Wl,--exclude-libs,ALL -o $@ $^ -ldl -lm -pthread

library: build/library/libsgemm.so.$(VERSION) build/library/libsgemm.a \
    build/library/libsgemm_cublas.so

install: library
	@mkdir -p $(addprefix '$(DESTDIR)$(PREFIX)'/,include lib/pkgconfig lib/cmake/sgemm)
	@cp library/sgemm.h '$(DESTDIR)$(PREFIX)/include'
	@cp -P build/library/libsgemm.a build/library/libsgemm*.so* '$(DESTDIR)$(PREFIX)/lib'
	@sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' library/sgemm.pc \
	  > '$(DESTDIR)$(PREFIX)/lib/pkgconfig/sgemm.pc'
	@cp library/sgemm-config.cmake '$(DESTDIR)$(PREFIX)/lib/cmake/sgemm'
	@echo 'installed in $(DESTDIR)$(PREFIX)'

# order_fit fits the costs that `dispatch` uses to measured times.
build/order_fit: $(call objects,library/rules/order_fit.c sasskit/base/streams.c)
	$(call link)

# The tests run the library on the simulator. They run the intercepting library with a fake cuBLAS
# that counts its calls.
LIBRARY_TESTED := $(filter-out $(OBJECTS),$(LIBRARY:%.c=build/obj/%.o)) build/library/images.o
build/fast/test_library: $(LIBRARY_TESTED)
build/fast/test_intercept: $(LIBRARY_TESTED) build/obj/library/interpose.o \
    build/obj/library/intercept.o build/fake/cublas/libcublas.so.13
build/asan/test_library build/asan/test_intercept: $(LIBRARY_TESTED:build/obj/%=build/asan/%)
build/asan/test_intercept: build/asan/library/interpose.o build/asan/library/intercept.o \
    build/fake/cublas/libcublas.so.13
build/fake/cublas/libcublas.so.13: tests/fake_cublas.c tests/fake_cublas.h
	@mkdir -p $(@D)
	@$(CC) $(WARNINGS) -g -fPIC -shared -o $@ $<
	@for name in libcublasLt.so.13 libcuda.so.1; do cp $@ $(@D)/$$name; done
.PHONY: library install
