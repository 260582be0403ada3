# Thin: CMake does the work. `make demo` and `make check` need nothing but a Debian 12 with a network;
# what is missing is installed by .ci/install, which does nothing when all is there.
BUILD = build
# A warning is an error; WERROR=OFF for a compiler that knows other warnings.
WERROR = ON
CMAKE = cmake -G Ninja
# One configuration for all: what one target has compiled the next one does not compile again.
CONFIGURE = $(CMAKE) -S . -B $(BUILD) -DDELASSUS_WERROR=$(WERROR)
PREFIX = /usr/local
SOURCES = $(shell find core solvers plugins tests -name '*.[ch]')

.PHONY: all build demo check check-asan check-tsan check-long fuzz bench gallery format format-check tidy law-pages install clean

all: build

# The product alone: library, program, laws, solvers; no tests.
build:
	@.ci/install
	@$(CONFIGURE) > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) --parallel --target product

# The main job, shortened: a silo whose gate opens; then the solvers on two problems.
demo: build
	@echo
	@$(BUILD)/bin/delassus run input/silo.yaml --set time.end=0.8 --out out/silo || [ $$? -eq 1 ]
	@echo
	@$(BUILD)/bin/delassus demo
	@echo
	@echo "The silo: open out/silo/bodies.pvd and out/silo/chains.pvd in ParaView; a picture is out/silo/picture.svg"

# Layout of the code, and every test.
check:
	@.ci/install
	@$(MAKE) --no-print-directory format-check
	$(CONFIGURE)
	cmake --build $(BUILD) --parallel
	cd $(BUILD) && ctest -j2 --output-on-failure

check-asan:
	@.ci/install
	$(CMAKE) -S . -B $(BUILD)-asan -DDELASSUS_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build $(BUILD)-asan --parallel
	cd $(BUILD)-asan && ctest -j2 --output-on-failure

# The unit tests, runs beside each other in threads, and runs with several threads, under ThreadSanitizer; but for what
# dies on purpose, which it does not let. Threads of CHOLMOD, whose barriers it does not see, are none.
check-tsan:
	$(CMAKE) -S . -B $(BUILD)-tsan -DDELASSUS_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build $(BUILD)-tsan --parallel
	cd $(BUILD)-tsan && ctest -j2 --output-on-failure -R '^unit/' -E '^unit/base_guard$$'
	OMP_THREAD_LIMIT=1 $(BUILD)-tsan/tests/io/io_run_beside
	OMP_THREAD_LIMIT=1 $(BUILD)-tsan/tests/io/io_threads_decks

# All that takes long, part by part: tests/long.sh has the list. What has passed is not done again when it is called anew;
# PARTS="shaken_box rain" does these alone.
check-long: build
	@tests/long.sh $(BUILD) $(PARTS)

# Hostile frames, checkpoints, decks, tables and problems, each for FUZZ_SECONDS: docs/fuzzing.md.
FUZZ_SECONDS = 600
fuzz:
	@.ci/install --fuzz
	$(CMAKE) -S . -B $(BUILD)-fuzz -DCMAKE_C_COMPILER=clang -DDELASSUS_FUZZ=ON -DDELASSUS_SANITIZE=ON \
	  -DDELASSUS_PETSC=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build $(BUILD)-fuzz --parallel
	tests/fuzz/run.sh $(BUILD)-fuzz $(FUZZ_SECONDS)

# The figures of docs/gallery.md, by ParaView without a screen; runs in out/gallery are taken where they are there.
gallery: build
	@.ci/install --gallery
	@paraview/gallery.sh

# Side by side with Siconos where it is installed (.ci/install --optional), pinned to one core.
bench: build
	@.ci/install --optional || echo "bench: going on without the optional packages"
	@$(CONFIGURE) > /dev/null
	@cmake --build $(BUILD) --parallel --target bench

format:
	clang-format -i $(SOURCES)

# clang-format leaves comments as they are: that they end within 100 columns is counted.
format-check:
	@clang-format --dry-run --Werror $(SOURCES)
	@/usr/bin/python3 -B tests/columns_check.py $(SOURCES)

# Without what is compiled only by tests that build plugins themselves, or once for each target of the
# fuzzers, and the adaptor to Siconos, which hands memory over to it.
TIDY = $(filter-out tests/plugins/% tests/fuzz/main.c solvers/siconos/peer.c,$(filter %.c,$(SOURCES)))
tidy: build
	@.ci/install --optional
	@printf '%s\n' $(TIDY) | xargs -P 2 -n 4 clang-tidy --quiet -p $(BUILD) 2>/dev/null

# docs/laws, docs/bulk: a page and a picture for each law, from the plugin itself and, of contact laws, its README.
# The picture is drawn as the README's line `Picture:` says, or at the defaults.
law-pages: build
	@mkdir -p docs/laws docs/pictures/laws
	@for law in $(notdir $(wildcard plugins/*/*.c)); do name=$${law%.c}; \
	  set=$$(sed -n 's/^Picture: `delassus law draw [a-z-]* \(.*\)`\.$$/\1/p' plugins/$$name/README.md); \
	  $(BUILD)/bin/delassus law draw $$name $$set --out docs/pictures/laws/$$name.svg && \
	  $(BUILD)/bin/delassus law page $$name --readme plugins/$$name/README.md \
	    --picture ../pictures/laws/$$name.svg > docs/laws/$$name.md || exit 1; done
	@$(BUILD)/bin/delassus law page --index > docs/laws/index.md
	@mkdir -p docs/bulk docs/pictures/bulk
	@for law in $(notdir $(wildcard plugins/bulk/*/*.c)); do name=$${law%.c}; \
	  $(BUILD)/bin/delassus bulk draw $$name --out docs/pictures/bulk/$$name.svg && \
	  $(BUILD)/bin/delassus bulk page $$name --picture ../pictures/bulk/$$name.svg > docs/bulk/$$name.md || exit 1; done
	@$(BUILD)/bin/delassus bulk page --index > docs/bulk/index.md

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz
