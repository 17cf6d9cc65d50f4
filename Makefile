# SPDX-License-Identifier: Apache-2.0
#
#   make            build/raddle and build/libraddle.a: needs a C compiler and make, nothing else
#   make demo       installs what is missing, builds, runs a verified BFS on the best device
#   make check      installs what is missing, runs every test
#   make quick      a part of the tests, in a minute and a half; make recheck: what failed last time
#   make asan tsan  the tests of the CPU back end under AddressSanitizer + UBSan, ThreadSanitizer
#   make install    PREFIX=/usr/local DESTDIR=
#   make help       all targets
#
# Optional libraries (zlib, zstd, bzip2, xz, png, MPI) are used when they are found; WITHOUT="zstd png" leaves them out.
# BUILD=dir puts everything elsewhere, so that sanitizer builds do not disturb the ordinary one.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CFLAGS  ?= -O3 -g
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
WERROR  ?=
# What the library hides from programs; its tests may be linked with a shared one that hides nothing (tests/tests.mk).
VISIBILITY ?= hidden

# make splits lists at spaces, so a folder with one in its name would become two; better said than half built.
BLANK :=
BLANK := $(BLANK) $(BLANK)
$(foreach name,BUILD PREFIX DESTDIR LIBDIR INCLUDEDIR MANDIR EXAMPLEDIR,$(if $(findstring $(BLANK),$($(name))),\
    $(error $(name)='$($(name))' has a space in it; name a folder without spaces)))
$(if $(BUILD),,$(error BUILD is empty; name a folder, or leave it out for 'build'))
OPTIONAL := zlib zstd bzip2 xz png embree mpi
$(foreach name,$(filter-out $(OPTIONAL),$(WITHOUT)),\
    $(error WITHOUT='$(WITHOUT)': there is no optional library '$(name)'; there are: $(OPTIONAL)))

VERSION := $(shell sed -n 's/^.define RD_VERSION_STRING "\(.*\)"/\1/p' include/raddle.h)
COMMIT  := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

# ---- Optional libraries -------------------------------------------------------------------------
PKG_CONFIG ?= pkg-config
have = $(if $(filter $(1),$(WITHOUT)),,$(shell $(PKG_CONFIG) --exists $(2) 2>/dev/null && echo $(1)))
FEATURES := $(strip $(call have,zlib,zlib) $(call have,zstd,libzstd) $(call have,xz,liblzma) $(call have,png,libpng))
pkg_zlib  := zlib
pkg_zstd  := libzstd
pkg_xz    := liblzma
pkg_png   := libpng
# libbz2 has no file for pkg-config on most systems.
ifeq ($(filter bzip2,$(WITHOUT)),)
FEATURES += $(shell probe=$$(mktemp) && printf '\043include <bzlib.h>\nint main(void) { return !BZ2_bzlibVersion(); }\n' | \
    $(CC) $(CFLAGS) $(LDFLAGS) -o $$probe -x c - -lbz2 > /dev/null 2>&1 && echo bzip2; rm -f $$probe)
endif
# Embree is a peer of `raddle bench ray`: only its header is needed here, the library is opened when the peer is asked for.
ifeq ($(filter embree,$(WITHOUT)),)
FEATURES += $(shell printf '\043include <embree3/rtcore.h>\n' | $(CC) $(CFLAGS) -fsyntax-only -x c - 2>/dev/null && echo embree)
endif
# MPI is known to a shared object of its own, one for each MPI whose compiler is found; it is opened when a process was
# started by mpirun or srun. MPI_COMPILERS names others.
ifeq ($(filter mpi,$(WITHOUT)),)
MPI_COMPILERS ?= mpicc mpicc.openmpi mpicc.mpich
mpi_flavour = $(shell printf '\043include <mpi.h>\n\043ifdef OPEN_MPI\nopenmpi\n\043else\nmpich\n\043endif\n' | $(1) -E -P -x c - 2>/dev/null | tail -n 1)
$(foreach compiler,$(MPI_COMPILERS),$(eval found := $(call mpi_flavour,$(compiler)))\
    $(if $(found),$(if $(MPICC_$(found)),,$(eval MPICC_$(found) := $(compiler))$(eval MPIS += $(found)))))
endif
FEATURES += $(MPIS)
FEATURE_PKGS  := $(foreach f,$(FEATURES),$(pkg_$(f)))
FEATURE_FLAGS := $(foreach f,$(filter-out $(MPIS),$(FEATURES)),-DRD_WITH_$(f)=1)
ifneq ($(FEATURE_PKGS),)
FEATURE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(FEATURE_PKGS))
FEATURE_LIBS   := $(shell $(PKG_CONFIG) --libs $(FEATURE_PKGS))
endif
FEATURE_LIBS += $(if $(filter bzip2,$(FEATURES)),-lbz2)

# x86 from Skylake to Cascade Lake decodes a jump across a multiple of 32 bytes anew each time (Intel's "JCC erratum"):
# by where its jumps happened to lie a loop took up to a third longer. Assemblers of x86 move them; others say no here.
BRANCHES := $(shell for form in -Wa,-mbranches-within-32B-boundaries -mbranches-within-32B-boundaries; do \
    $(CC) -Werror $$form -c -x c /dev/null -o /dev/null 2>/dev/null && echo $$form && break; done)
ALL_CFLAGS := -std=c11 $(CFLAGS) $(BRANCHES) $(WARN) $(WERROR) -fPIC -fvisibility=$(VISIBILITY) -pthread -Iinclude -Isrc -I$(BUILD)
LIBS := -pthread -ldl -lm $(FEATURE_LIBS)

# ---- Sources ------------------------------------------------------------------------------------
# A room is a folder of src/. Files ending in .k.c and .k.h are kernel source, embedded as text and compiled for each device.
HOST_SRC := $(filter-out %.k.c %.mpi.c src/cli/%,$(wildcard src/*/*.c src/*/*/*.c))
CLI_SRC  := $(wildcard src/cli/*.c src/cli/*/*.c)
# .cu is CUDA C++, for peers to compare with: text likewise, compiled for CUDA only.
KERNEL_TEXT := $(sort $(wildcard src/*/*.k.c src/*/*.k.h src/*/*/*.k.c src/*/*/*.k.h src/*/*.cu src/*/*/*.cu src/dialect/*.h include/raddle/kernel.h))
FAIRNESS_MODELS := $(sort $(wildcard src/fairness/models/*.fair))

# One program = one kernel root and the kernels of one engine: tools/programs.sh finds them, and writes gen/*.def for C.
PROGRAMS := $(shell sh tools/programs.sh $(BUILD)/gen | sed 's/ /+/g')
# What goes before apps that are own files (docs/own-tasks.md): text too.
OWN_BEFORE := $(sort $(wildcard $(BUILD)/gen/own/*/*/*.k.h))
program_name = $(word 1,$(subst |, ,$(1)))
program_part = $(subst +, ,$(word $(2),$(subst |, ,$(subst ||,|-|,$(subst ||,|-|,$(1)|)))))
# The CPU runs each program in two widths: groups of one lane, and for tests groups of W lanes.
CPU_KERNEL_OBJ := $(foreach p,$(PROGRAMS),$(BUILD)/kernel/$(call program_name,$(p)).one.o $(BUILD)/kernel/$(call program_name,$(p)).wide.o)

# On x86-64, programs that use vectors once more for processors with AVX2; the CPU back end asks the processor.
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),)
VECTOR_PROGRAMS := $(shell sed -n 's/^VECTOR(\([a-z0-9_]*\)).*/\1/p' $(BUILD)/gen/vectors.def)
CPU_KERNEL_OBJ += $(VECTOR_PROGRAMS:%=$(BUILD)/kernel/%.avx2.o)
endif

SKELETONS := $(sort $(wildcard tools/skeleton/own/*.txt))
LIB_OBJ := $(HOST_SRC:src/%.c=$(BUILD)/obj/%.o) $(BUILD)/gen/embedded.o $(BUILD)/gen/models.o $(CPU_KERNEL_OBJ)
CLI_OBJ := $(CLI_SRC:src/%.c=$(BUILD)/obj/%.o) $(BUILD)/gen/skeletons.o

.PHONY: all
all: $(BUILD)/raddle $(MPIS:%=$(BUILD)/libraddle-%.so)

$(BUILD)/raddle: $(CLI_OBJ) $(BUILD)/libraddle.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(COMMAND_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libraddle.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libraddle.so.$(VERSION): $(LIB_OBJ)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libraddle.so.0 -o $@ $^ $(LIBS)

$(BUILD)/libraddle-%.so: src/ranks/shim.mpi.c src/ranks/transport.h $(BUILD)/stamp/flags
	$(MPICC_$*) -std=c11 $(CFLAGS) $(WARN) $(WERROR) -fPIC -shared -fvisibility=hidden -Isrc $(LDFLAGS) -o $@ $<

# HOST_CFLAGS: for what is no kernel; checks have it compiled with -O2. Not in the stamp: who leaves it out then compiles
# nothing again.
$(BUILD)/obj/%.o: src/%.c $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/core/build_info.o: ALL_CFLAGS += -DRD_COMMIT='"$(COMMIT)"' -DRD_FEATURES='"$(or $(FEATURES),nothing)"'
$(BUILD)/obj/core/build_info.o: $(BUILD)/stamp/commit

# Only what names an optional library is made again when it comes or goes.
FEATURE_OBJ := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(shell grep -l RD_WITH_ $(HOST_SRC) $(CLI_SRC) /dev/null))
$(FEATURE_OBJ): ALL_CFLAGS += $(FEATURE_FLAGS) $(FEATURE_CFLAGS)
$(FEATURE_OBJ): $(BUILD)/stamp/features

# CPU kernels. Strict aliasing stays on: the dialect only ever sees fixed types through their own pointers.
# Nobody asks for floating-point exceptions or errno, and nothing outside takes vectors as arguments.
KERNEL_CFLAGS := -Wno-unused-function -Wno-unused-parameter -Wno-psabi -fno-math-errno -fno-trapping-math
# Groups of several lanes are for tests, where lanes wait for each other most of the time: a third of the compilation will do.
WIDE_CFLAGS := $(if $(filter -O2 -O3,$(CFLAGS)),-Og,$(if $(filter -O1,$(CFLAGS)),-O0))
# The app's text comes before that of the engine, as on other devices; of own files behind what they declare.
before = $(patsubst %,-include %,$(filter $(BUILD)/gen/own/$(1:.k.c=.k.h),$(OWN_BEFORE)))
# What counts a model's promises is run by the self-test alone: likewise. Warnings are for wide groups, from the same text: gcc
# does not see there what is set.
counts = $(if $(filter selftest_models_% selftest_seeds_%,$(1)),$(WIDE_CFLAGS) -w)
define cpu_kernel
$(BUILD)/kernel/$(1).$(2).o: src/$(4) $(if $(5),src/$(5)) $(BUILD)/stamp/flags
	@mkdir -p $$(@D)
	$$(CC) $$(ALL_CFLAGS) $$(KERNEL_CFLAGS) -DRD_TARGET_CPU=1 -DRD_CPU_WIDE=$(3) -DRD_PROGRAM=$(1) $(6) $(7) $(call before,$(4)) -MMD -MP -c -o $$@ $(if $(5),-include src/$(4) -x c src/$(5),src/$(4))
endef
part = $(patsubst -,,$(call program_part,$(1),$(2)))
make_kernel = $(eval $(call cpu_kernel,$(call program_name,$(1)),$(2),$(3),$(call part,$(1),2),$(call part,$(1),3),$(call part,$(1),4),$(4)))
$(foreach p,$(PROGRAMS),$(call make_kernel,$(p),one,0,$(call counts,$(call program_name,$(p))))$(call make_kernel,$(p),wide,1,$(WIDE_CFLAGS)))
$(foreach p,$(PROGRAMS),$(if $(filter $(call program_name,$(p)),$(VECTOR_PROGRAMS)),$(call make_kernel,$(p),avx2,0,-mavx2 -mfma -DRD_CPU_AVX2=1)))

# Kernel text inside the binary.
$(BUILD)/embed: tools/embed.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 $(WARN) -o $@ $<

$(BUILD)/gen/embedded.c: $(BUILD)/embed $(KERNEL_TEXT) $(OWN_BEFORE)
	@mkdir -p $(@D)
	$(BUILD)/embed device/source.h rd__source_file rd__source_files $(KERNEL_TEXT) $(OWN_BEFORE) > $@.tmp && mv $@.tmp $@

# Models of `raddle fairness`, likewise.
$(BUILD)/gen/models.c: $(BUILD)/embed $(FAIRNESS_MODELS)
	@mkdir -p $(@D)
	$(BUILD)/embed fairness/texts.h rd__fairness_text rd__fairness_texts $(FAIRNESS_MODELS) > $@.tmp && mv $@.tmp $@

# What `raddle new` writes, likewise.
$(BUILD)/gen/skeletons.c: $(BUILD)/embed $(SKELETONS)
	@mkdir -p $(@D)
	$(BUILD)/embed cli/skeletons.h cli_skeleton cli_skeletons $(SKELETONS) > $@.tmp && mv $@.tmp $@

$(BUILD)/gen/embedded.o $(BUILD)/gen/models.o $(BUILD)/gen/skeletons.o: %.o: %.c $(BUILD)/stamp/flags
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Stamps change only when their content does, so a change of flags or of the commit rebuilds what depends on it.
.PHONY: force
force:
$(BUILD)/stamp/flags: force
	@mkdir -p $(@D); echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' > $@
$(BUILD)/stamp/features: force
	@mkdir -p $(@D); echo '$(FEATURE_FLAGS) $(FEATURE_CFLAGS)' | cmp -s - $@ || echo '$(FEATURE_FLAGS) $(FEATURE_CFLAGS)' > $@
$(BUILD)/stamp/commit: force
	@mkdir -p $(@D); echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@

# What earlier builds noted of files that were moved or deleted since: who depended on one is made again. (Notes are not
# made from anything, and without make's own rules nobody looks for a way to.)
MAKEFLAGS += --no-builtin-rules
$(BUILD)/%.d: ;
src/%.c: ;
-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)

include tests/tests.mk

# ---- Demo, installation, housekeeping --------------------------------------------------------------
.PHONY: demo
demo:
	@sh tools/setup.sh demo
	@echo 'building...'
	@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@echo; echo '$$ raddle devices'; $(BUILD)/raddle devices
	@echo; echo '$$ raddle bfs kron:18 -v'; $(BUILD)/raddle bfs kron:18 -v

LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
EXAMPLEDIR ?= $(PREFIX)/share/raddle/examples
INSTALL    ?= install
SONAME     := libraddle.so.0
MAN_PAGES  := $(wildcard man/*.[1-8])
HEADERS    := $(wildcard include/raddle/*.h)
# What raddle/kernel.h and the models include, below raddle/: a program of a kernel is compiled with -I of both folders.
KERNEL_HEADERS := $(filter src/dialect/%.h src/model/%.k.h src/heap/%.k.h src/sched/%.k.h src/apps/own/%.k.h,$(KERNEL_TEXT))
KERNEL_ROOMS   := dialect model heap sched apps

# Apps of the library that are own files: `raddle run` takes them as it takes a user's.
OWN_APPS := $(foreach name,$(OWN_BEFORE:$(BUILD)/gen/own/%.k.h=%),$(if $(filter $(notdir $(name)),$(subst /, ,$(dir $(name)))),src/$(name).k.c))

CMAKE_FILES := RaddleConfig.cmake RaddleConfigVersion.cmake
empty :=
space := $(empty) $(empty)
$(BUILD)/raddle.pc $(addprefix $(BUILD)/,$(CMAKE_FILES)): $(BUILD)/%: tools/%.in force
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	     -e 's|@VERSION@|$(VERSION)|g' -e 's|@LIBS@|$(FEATURE_LIBS)|' -e 's|@SONAME@|$(SONAME)|' \
	     -e 's|@CMAKE_LIBS@|$(subst $(space),;,$(strip $(FEATURE_LIBS)))|' $< > $@

.PHONY: install uninstall
install: all $(BUILD)/libraddle.so.$(VERSION) $(BUILD)/raddle.pc $(addprefix $(BUILD)/,$(CMAKE_FILES))
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/cmake/Raddle $(DESTDIR)$(INCLUDEDIR)/raddle
	$(INSTALL) -m 755 $(BUILD)/raddle $(DESTDIR)$(PREFIX)/bin/
	$(INSTALL) -m 644 $(BUILD)/libraddle.a $(DESTDIR)$(LIBDIR)/
	$(INSTALL) -m 755 $(BUILD)/libraddle.so.$(VERSION) $(DESTDIR)$(LIBDIR)/
	for mpi in $(MPIS); do $(INSTALL) -m 755 $(BUILD)/libraddle-$$mpi.so $(DESTDIR)$(LIBDIR)/ || exit 1; done
	ln -sf libraddle.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libraddle.so
	$(INSTALL) -m 644 $(BUILD)/raddle.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	$(INSTALL) -m 644 $(addprefix $(BUILD)/,$(CMAKE_FILES)) $(DESTDIR)$(LIBDIR)/cmake/Raddle/
	$(INSTALL) -m 644 include/raddle.h $(DESTDIR)$(INCLUDEDIR)/
	$(INSTALL) -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)/raddle/
	for file in $(KERNEL_HEADERS:src/%=%); do folder=$(DESTDIR)$(INCLUDEDIR)/raddle/$${file%/*}; \
	    $(INSTALL) -d $$folder && $(INSTALL) -m 644 src/$$file $$folder/ || exit 1; done
	$(INSTALL) -d $(DESTDIR)$(EXAMPLEDIR)/own $(DESTDIR)$(EXAMPLEDIR)/apps $(DESTDIR)$(EXAMPLEDIR)/ahead
	$(INSTALL) -m 644 $(wildcard examples/*.c) $(DESTDIR)$(EXAMPLEDIR)/
	$(INSTALL) -m 644 $(wildcard examples/own/*.k.c) $(DESTDIR)$(EXAMPLEDIR)/own/
	$(INSTALL) -m 644 $(wildcard examples/ahead/*.c) $(DESTDIR)$(EXAMPLEDIR)/ahead/
	$(INSTALL) -m 644 $(OWN_APPS) $(DESTDIR)$(EXAMPLEDIR)/apps/
	for page in $(MAN_PAGES); do section=$${page##*.}; \
	    $(INSTALL) -d $(DESTDIR)$(MANDIR)/man$$section && \
	    $(INSTALL) -m 644 $$page $(DESTDIR)$(MANDIR)/man$$section/ || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/raddle $(DESTDIR)$(LIBDIR)/libraddle.a $(DESTDIR)$(LIBDIR)/libraddle.so \
	      $(DESTDIR)$(LIBDIR)/$(SONAME) $(DESTDIR)$(LIBDIR)/libraddle.so.$(VERSION) \
	      $(DESTDIR)$(LIBDIR)/libraddle-openmpi.so $(DESTDIR)$(LIBDIR)/libraddle-mpich.so \
	      $(DESTDIR)$(LIBDIR)/pkgconfig/raddle.pc $(CMAKE_FILES:%=$(DESTDIR)$(LIBDIR)/cmake/Raddle/%) $(DESTDIR)$(INCLUDEDIR)/raddle.h \
	      $(HEADERS:include/%=$(DESTDIR)$(INCLUDEDIR)/%)
	for page in $(MAN_PAGES); do rm -f $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}; done
	rm -rf $(DESTDIR)$(EXAMPLEDIR)
	for room in $(KERNEL_ROOMS); do rm -rf $(DESTDIR)$(INCLUDEDIR)/raddle/$$room; done
	-rmdir $(DESTDIR)$(INCLUDEDIR)/raddle $(DESTDIR)$(LIBDIR)/cmake/Raddle $(DESTDIR)$(PREFIX)/share/raddle 2>/dev/null || true

.PHONY: format
format:
	clang-format -i $$(git ls-files '*.c' '*.h')

.PHONY: help
help:
	@echo 'make               build/raddle and build/libraddle.a; needs a C compiler and make, nothing else'
	@echo 'make demo          installs what is missing, builds, runs a verified BFS on the best device'
	@echo 'make check         installs what is missing, runs every test (STAGES="unit cli": only those, with what they need)'
	@echo 'make quick         a part of them in 90 s on two cores: lint, one build, unit tests, self-test on the CPU'
	@echo 'make recheck       only the stages that failed last time (build/failed-stages), and the builds they need'
	@echo 'make asan tsan     unit tests, self-test and command under AddressSanitizer + UBSan, ThreadSanitizer'
	@echo 'make check-unit check-selftest check-cli check-install check-lint      single stages'
	@echo 'make oracle soak   random inputs against serial answers: the program, and for SOAK_SECONDS=3600 on each device'
	@echo 'make check-fuzz    fuzz targets, FUZZ_RUNS=3000 inputs each; make soak-fuzz: ten million each'
	@echo '                   FUZZ_DRIVER=libfuzzer (clang) or own (any compiler with sanitizers) JOBS=cores SEED=n FILTER=scene'
	@echo 'make install uninstall     PREFIX=/usr/local DESTDIR= LIBDIR= INCLUDEDIR= MANDIR= EXAMPLEDIR='
	@echo 'make format        clang-format on every C file'
	@echo 'make clean         removes build folders'
	@echo 'Variables: CC CFLAGS LDFLAGS BUILD=dir WERROR=-Werror WITHOUT="zlib zstd bzip2 xz png embree mpi"'

.PHONY: clean
clean:
	rm -rf $(BUILD) build-*
