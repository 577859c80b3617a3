# bayeslin                                            needs a C99 compiler, GNU make and libm; no more
#
#   make                       bayeslin.h (joined from src/) and the tool build/bayeslin
#   make demo                  Boston housing in cross-validation, and a picture of the motorcycle curve
#   make test                  all rooms, the tool, the examples; ends with `N passed, N failed`
#   make test-all              with long statistical tests too, all compilers that are found, Python and R
#   make test ROOM=math/blas   the tests of one room      (ARGS="--filter text --verbose": see tests/test.h)
#   make test PARTS="rooms"    some parts only            (see tests/run.sh)
#   make examples              build/examples/...
#   make examples-mpi          build/examples/mpi_slm, mpi_glm (need mpicc: MPICC=...)
#   make fuzz NAME=spec        a fuzzer for SECONDS=60 from its corpus     (tests/fuzz; CC=clang FUZZER=1: clang's own)
#   make bench                 tables of speed, beside the peers that are found
#   make shared                build/libbayeslin.so, for other programs and languages (bindings/, docs/python.md, docs/r.md)
#   make install               header, tool, licence, and the shared library if it was built   (PREFIX=/usr/local DESTDIR=)
#   make clean
#
# CC and CFLAGS are yours: make CC=clang CFLAGS=-O3. Whatever was built with others is built again.
ifeq ($(origin CC),default)
CC      := $(shell for c in cc gcc clang c99 tcc; do command -v $$c >/dev/null 2>&1 && echo $$c && break; done)
endif
CFLAGS  ?= -O2
LDFLAGS ?=
LDLIBS  ?= -lm
PREFIX  ?= /usr/local
DESTDIR ?=
ARGS    ?=
PARTS   ?=
# For indentation gcc looks lines of the header up again and again, six seconds each time: tests/compile/run.sh has it checked, in
# each source and once in the header.
STRICT   = -std=c99 -Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wno-misleading-indentation
COMPILE  = $(CC) $(STRICT) $(CFLAGS)

# Everything is built against the header as it is joined from src/ now. The committed one is a copy, which `make` renews and
# `make test` compares.
JOINED   = build/include/bayeslin.h
SRC     := $(sort $(wildcard src/*.h src/*/*.h src/*/*.c))
TOOL    := $(sort $(wildcard tools/bayeslin.c tools/cli/*.c))
TOOL_O  := $(patsubst tools/%.c,build/tools/%.o,$(TOOL))
SUITES  := $(sort $(wildcard tests/*/test_*.c))
EXAMPLES = $(sort $(wildcard examples/[0-9]*.c))
PROGRAMS = $(patsubst examples/%.c,build/examples/%,$(EXAMPLES))

all: bayeslin.h build/bayeslin

# Holds the compiler and its flags; changes only when they do.
build/flags: FORCE
	@mkdir -p build
	@echo '$(COMPILE) $(LDFLAGS) $(LDLIBS)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

build/amalgamate: tools/amalgamate.c tools/manual_tables.h tools/manual_verbs.h build/flags
	$(CC) $(STRICT) -O1 tools/amalgamate.c -o $@

# Neither header is touched when its contents stay the same.
$(JOINED): build/amalgamate $(SRC)
	@mkdir -p build/include
	@build/amalgamate src > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

bayeslin.h: $(JOINED)
	@cmp -s $(JOINED) $@ || { echo "bayeslin.h: joined anew from src/"; cp $(JOINED) $@; }

build/tools/%.o: tools/%.c $(JOINED) $(wildcard tools/*.h tools/cli/*.h) build/flags
	@mkdir -p $(@D)
	$(COMPILE) -Ibuild/include -c $< -o $@

build/bayeslin: $(TOOL_O)
	$(COMPILE) $(LDFLAGS) $(TOOL_O) -o $@ $(LDLIBS)

# The tool whose memory and files can be made to fail; no linker but GNU's and LLVM's can.
build/bayeslin_faults: tests/tools/faults.c $(TOOL_O)
	$(COMPILE) $(LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc $^ -o $@ $(LDLIBS) 2> /dev/null || rm -f $@

# The same in one process (tests/tools/inside.c).
WRAPPED  = malloc tmpfile tmpfile64 fseek fflush access mkstemp mkstemp64 pread pread64 fwrite write fread ferror isatty \
           clock_gettime
build/inside_main.o: tools/bayeslin.c $(JOINED) $(wildcard tools/cli/*.h) build/flags
	$(COMPILE) -Dmain=tool_main -Ibuild/include -c $< -o $@

build/inside: tests/tools/inside.c build/inside_main.o $(filter-out build/tools/bayeslin.o,$(TOOL_O))
	$(COMPILE) $(LDFLAGS) $(WRAPPED:%=-Wl,--wrap=%) $^ -o $@ $(LDLIBS) 2> /dev/null || rm -f $@

# The library for other programs: what bayeslin.h and bindings/bayeslin_flat.h declare is exported, and nothing else.
SYSTEM  := $(shell uname -s 2>/dev/null)
EXPORTED = __attribute__((visibility("default")))
NAME     = libbayeslin.so
SHARED   = -shared -Wl,-soname,$(NAME)
ifeq ($(SYSTEM),Darwin)
NAME     = libbayeslin.dylib
SHARED   = -dynamiclib -install_name @rpath/$(NAME)
endif
ifneq ($(findstring MINGW,$(SYSTEM))$(findstring MSYS,$(SYSTEM))$(findstring CYGWIN,$(SYSTEM)),)
NAME     = bayeslin.dll
SHARED   = -shared
EXPORTED = __declspec(dllexport)
endif
LIBRARY  = build/$(NAME)
PIECE    = -fPIC -fvisibility=hidden -Ibuild/include '-DBLN_API=$(EXPORTED)' '-DBAYESLIN_FLAT_API=$(EXPORTED)'

build/shared/bayeslin.o: $(JOINED) build/flags
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) $(PIECE) -DBAYESLIN_IMPLEMENTATION -x c -c $(JOINED) -o $@
build/shared/flat.o: $(wildcard bindings/*.[ch]) $(JOINED) build/flags
	@mkdir -p $(@D)
	$(COMPILE) $(PIECE) -c bindings/bayeslin_flat.c -o $@
$(LIBRARY): build/shared/bayeslin.o build/shared/flat.o
	$(COMPILE) $(LDFLAGS) $(SHARED) $^ -o $@ $(LDLIBS)

shared: bayeslin.h $(LIBRARY)

demo: bayeslin.h build/bayeslin
	@sh tools/demo.sh

# Each example is a whole program. Here they share the implementation that the tool has, whose compilation is most of the work.
build/declared/bayeslin.h: build/flags
	@mkdir -p $(@D)
	@printf '#undef BAYESLIN_IMPLEMENTATION\n#include "../include/bayeslin.h"\n' > $@
build/examples/%: examples/%.c build/declared/bayeslin.h build/tools/cli/library.o $(JOINED) $(wildcard tools/*.h) build/flags
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -Ibuild/declared $< build/tools/cli/library.o -o $@ $(LDLIBS)

examples: $(PROGRAMS)

MPICC   ?= mpicc
build/examples/mpi_%: examples/mpi_%.c $(JOINED) build/flags
	@command -v $(MPICC) > /dev/null || { echo "no $(MPICC): install MPI (Debian: libopenmpi-dev openmpi-bin), or MPICC=..."; exit 1; }
	@mkdir -p $(@D)
	$(MPICC) $(STRICT) $(CFLAGS) $(LDFLAGS) -Ibuild/include $< -o $@ $(LDLIBS)

examples-mpi: build/examples/mpi_slm build/examples/mpi_glm

# The list of all test files, so that none can be forgotten; tests/main.c includes it.
build/suites.h: $(SUITES) FORCE
	@mkdir -p build
	@{ for f in $(SUITES); do echo "#include \"../$$f\""; done; \
	   printf '#define TEST_SUITES'; sed -n 's/^SUITE_END(\(.*\)).*/ \&suite_\1,/p' $(SUITES) | tr -d '\n'; echo; } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Calls of all public functions with NULL, for tests/use/test_null.c.
build/null_calls.h: tools/null_calls.awk $(JOINED)
	awk -f tools/null_calls.awk $(JOINED) > $@

# The names of those that make, fit, ask or load something, for tests/use/test_faults.c.
build/fault_calls.h: tools/fault_calls.awk $(JOINED)
	awk -f tools/fault_calls.awk $(JOINED) > $@

TESTS = build/tests
build/tests build/tests-long: tests/main.c tests/test.h build/suites.h build/null_calls.h build/fault_calls.h \
             $(wildcard tests/*/*.[ch] tools/*.h tools/cli/* bindings/*.[ch]) \
             $(JOINED) build/flags
	$(COMPILE) $(LDFLAGS) $(if $(filter %-long,$@),-DTEST_LONG) -Ibuild -Ibuild/include tests/main.c -o $@ $(LDLIBS)

# A program that sees the flat header and the shared library alone.
build/table: tests/bindings/table.c bindings/bayeslin_flat.h $(LIBRARY)
	$(COMPILE) $(LDFLAGS) -Ibindings $< $(LIBRARY) -Wl,-rpath,$(CURDIR)/build -o $@

build/json_check: tests/tools/json_check.c build/flags
	$(CC) $(STRICT) -O1 $< -o $@ $(LDLIBS)

build/%: tools/%.c build/flags
	$(CC) $(STRICT) -O1 $< -o $@ $(LDLIBS)

ifdef ROOM
ALONE    = build/alone/$(subst /,_,$(ROOM))
test: $(JOINED) build/null_calls.h build/fault_calls.h
	@mkdir -p build/alone
	$(COMPILE) $(LDFLAGS) -DTEST_ALONE -Ibuild -Ibuild/include tests/$(dir $(ROOM))test_$(notdir $(ROOM)).c -o $(ALONE) $(LDLIBS)
	$(ALONE) $(ARGS)
else
# What the parts asked for need.
ASKED = $(if $(filter-out all,$(PARTS)),$(PARTS),rooms tool examples $(if $(PARTS),bindings))
OF_TOOL = tool faults inside json compare pictures formula reading saving tables answers auto stream glm classes groups diagnose \
          parts bindings documents additions
NEEDS = $(if $(filter rooms,$(ASKED)),$(TESTS)) $(if $(filter tool faults,$(ASKED)),build/bayeslin_faults) \
        $(if $(filter tool inside,$(ASKED)),build/inside) \
        $(if $(filter $(OF_TOOL),$(ASKED)),build/bayeslin) \
        $(if $(filter examples,$(ASKED)),$(PROGRAMS)) $(if $(filter documents,$(ASKED)),build/declared/bayeslin.h) \
        $(if $(filter bindings,$(ASKED)),build/table)
test: $(JOINED) build/compare_numbers build/json_check $(NEEDS)
	@CC='$(CC)' PARTS='$(PARTS)' EXAMPLES='$(EXAMPLES)' TESTS='$(TESTS)' sh tests/run.sh $(ARGS)
endif
test-all:
	@$(MAKE) test PARTS=all TESTS=build/tests-long

# Fuzzers that stand on the tool's files, of which the implementation is one. clang's own fuzzer writes what is new to build/corpus.
SECONDS ?= 60
MEMORY   = -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_O   = $(filter-out build/tools/bayeslin.o,$(TOOL_O))
build/fuzz/%: tests/fuzz/fuzz_%.c $(wildcard tests/fuzz/*.h) $(FUZZ_O) build/flags
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) $(if $(FUZZER),-fsanitize=fuzzer -DFUZZ_LIBFUZZER) -Ibuild/include $< $(FUZZ_O) -o $@ $(LDLIBS)
ifdef NAME
fuzz:
	$(MAKE) CFLAGS='-O1 -g $(MEMORY) $(if $(FUZZER),-fsanitize=fuzzer-no-link)' LDFLAGS='$(MEMORY)' build/fuzz/$(NAME)
	@mkdir -p build/corpus/$(NAME)
	ASAN_OPTIONS=allocator_may_return_null=1 build/fuzz/$(NAME) $(if $(FUZZER),-max_total_time=$(SECONDS) -max_len=3000 \
	    -artifact_prefix=$(CURDIR)/build/corpus/ $(CURDIR)/build/corpus/$(NAME) \
	    $(addprefix $(CURDIR)/,$(wildcard tests/fuzz/corpus/$(NAME))), \
	    --seconds $(SECONDS) $(wildcard tests/fuzz/corpus/$(NAME)/*))
endif

bench: $(JOINED) build/bayeslin
	@CC='$(CC)' CFLAGS='$(CFLAGS)' sh bench/run.sh

TO = $(DESTDIR)$(PREFIX)
install: all
	mkdir -p $(TO)/include $(TO)/bin $(TO)/share/doc/bayeslin $(TO)/share/pkgconfig
	cp bayeslin.h $(TO)/include/
	cp build/bayeslin $(TO)/bin/
	cp LICENSE README.md CONTRIBUTING.md CHANGELOG.md $(TO)/share/doc/bayeslin/
	if [ -f $(LIBRARY) ]; then \
	    mkdir -p $(TO)/lib && cp $(LIBRARY) $(TO)/lib/ && cp bindings/bayeslin_flat.h $(TO)/include/; \
	fi
	{ printf 'prefix=%s\n\nName: bayeslin\nDescription: Bayesian linear models in one C header\n' '$(PREFIX)'; \
	  sed -n 's/^#define BLN_VERSION  *"\(.*\)".*/Version: \1/p' bayeslin.h; \
	  printf 'Cflags: -I$${prefix}/include\nLibs: -lm\n'; } > $(TO)/share/pkgconfig/bayeslin.pc

clean:
	rm -rf build

FORCE:
.PHONY: all bench demo examples examples-mpi fuzz shared test test-all install clean FORCE
# A recipe that fails leaves no half-made target behind.
.DELETE_ON_ERROR:
