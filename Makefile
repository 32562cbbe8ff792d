# A thin front: the settings are in CMakePresets.json, the packages in scripts/setup.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# Random cases per property; the tests read BRISTLE_TEST_CASES themselves.
CASES ?= 1000
ASAN_CASES ?= 100
# Not empty: as many seeds of the random law as the reference has (minutes).
LONG ?=

sources = git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.cpp'

# Of each fuzz target.
MINUTES ?= 5

.PHONY: help setup build demo test test-long asan tsan fuzz bad-input mutations bench bench-peers bench-scipy format format-check tidy docs install clean
.NOTPARALLEL:

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install the Debian packages for building and testing
	@scripts/setup core

build: setup  ## configure and build the release preset: build/bristle
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)

demo: setup  ## a tour, with its results in demo/
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target bristle_cli bristle_docgen
	@scripts/demo

test:  ## formatting, layers, all tests; then most of them again under the sanitizers
	@scripts/setup core format
	@$(MAKE) --no-print-directory format-check build
	BRISTLE_TEST_LONG=$(LONG) BRISTLE_TEST_CASES=$(CASES) ctest --preset release -j $(JOBS) $(if $(LONG),--timeout 7200)
	@$(MAKE) --no-print-directory asan
	@scripts/left_out build build-asan

test-long:  ## the same with many more random cases, and all of it under the sanitizers
	@BRISTLE_TEST_SEED=random $(MAKE) --no-print-directory test CASES=20000 ASAN_CASES=1000 LONG=1

asan: setup  ## unit tests and command under the address and undefined-behaviour sanitizers
	@cmake --preset asan $(if $(LONG),-D BRISTLE_BUILD_DOCGEN=ON -D BRISTLE_WITH_MUJOCO=ON -D BRISTLE_LONG_COMPARISONS=ON -D BRISTLE_TEST_FILTER='*')
	@cmake --build --preset asan -j $(JOBS)
	BRISTLE_TEST_CASES=$(ASAN_CASES) ctest --preset asan -j $(JOBS)

tsan: setup  ## what works on several threads, under the thread sanitizer
	@cmake --preset tsan
	@cmake --build --preset tsan -j $(JOBS)
	ctest --preset tsan

fuzz:  ## feed every reader of input with mutated files, MINUTES=5 each
	@scripts/setup core fuzz
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@scripts/fuzz --minutes $(MINUTES) --jobs $(JOBS)

bad-input: build  ## several thousand bad inputs through every command: one line each, exit code 2
	@scripts/bad_input --jobs $(JOBS)

mutations: setup  ## breaks the laws on purpose: which published items notice (an hour)
	@scripts/mutations --jobs $(JOBS)

bench: setup  ## benchmarks
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target bristle_bench
	build/bristle_bench

bench-peers: setup  ## beside MuJoCo, Bullet and Simbody: build/peers*.md, peers.json
	@scripts/setup peers
	@cmake --preset release -D BRISTLE_BUILD_PEERS=ON
	@cmake --build --preset release -j $(JOBS) --target bristle_peers bristle_peers_mesh bristle_peers_peg
	build/bristle_peers --json build/peers.json > build/peers.md
	@cat build/peers.md
	build/bristle_peers_mesh > build/peers_mesh.md
	@cat build/peers_mesh.md
	build/bristle_peers_peg > build/peers_peg.md
	@cat build/peers_peg.md

bench-scipy: build  ## against SciPy: stick-slip at equal accuracy, and a fit from 20 starts
	@scripts/setup peers
	@/usr/bin/python3 benchmarks/scipy/compare.py
	@cmake --build --preset release -j $(JOBS) --target bristle_fit
	@/usr/bin/python3 benchmarks/scipy/fit.py build/libbristle_fit.so

format:  ## format all sources
	@scripts/setup format
	$(sources) | xargs -0 -r clang-format-16 -i

format-check:  ## fail when a source is not formatted
	@scripts/setup format
	@$(sources) | xargs -0 -r -n 50 -P $(JOBS) clang-format-16 --dry-run -Werror

tidy:  ## clang-tidy over the library and the apps
	@scripts/setup core format dev
	@cmake --preset tidy
	@cmake --build --preset tidy -j $(JOBS)

docs: build  ## generate the pages of the laws and build/docs
	@scripts/setup docs
	@scripts/build_docs

install: build  ## install to PREFIX (default /usr/local)
	cmake --install build --prefix $(PREFIX)

clean:  ## remove all build trees and the demo's results
	rm -rf build build-debug build-asan build-tsan build-fuzz build-tidy build-mutations demo
