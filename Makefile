# Everything a newcomer needs: `make compare` and `make test`. Both install what is missing (as root) and build.

TIERBENCH := target/release/tierbench

.PHONY: compare test test-all test-faults check build deps deps-test bench fuzz clean

# A stamped demonstration: one auction in PHP and in Java, at a load that is much for one and little for the other, and
# where their CPU goes. Without --clients it would look for the peaks, for half an hour.
compare: build
	$(TIERBENCH) compare auction WsPhpFpm-DB Servlet-DB \
		--scale 0.25 --time-scale 0.05 --window 10s --repetitions 2 --clients 800 --profile

# All has changed since the first commit.
test-all: export BASE := $(shell git rev-list --max-parents=0 HEAD)
# Tests keep the data that they load apart from the user's.
test test-all test-faults: export TIERBENCH_CACHE := $(CURDIR)/target/tmp/cache

# All that must hold, but for what its last lines say.
test: deps-test check
	cargo test --release --workspace --locked
	scripts/verify-stacks
	scripts/test-readme
	@echo "left out, and part of make test-all: most of the faults of make test-faults, the long simulations of the statistics, and whether half of each limit is half of the throughput"

# Leaves nothing out.
test-all: deps-test check
	cargo test --release --workspace --locked
	cargo test --release -p stats -p lab --lib --tests --locked -- --ignored
	cargo test --release -p tierbench --test it --locked -- --ignored --nocapture --test-threads 1
	scripts/verify-stacks --all
	scripts/test-readme
	$(MAKE) test-faults

# The tests are tested: over a thousand faults are put into real sites one by one, and verify must see them.
test-faults: deps-test
	cargo test --release -p tierbench --test faults --locked -- --all

# What needs no server: formatting, lints as errors, static analysis of the stacks' code and its unit tests.
check:
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --locked -- -D warnings
	scripts/php-check
	scripts/java-check
	scripts/perl-check
	scripts/cpp-check

build: deps
	cargo build --release --locked -p tierbench

# Packages that start no service. Without root it names what is missing.
deps:
	@scripts/deps

deps-test: deps
	@scripts/deps --test

# The engine against named peers and loading against the server alone, as ratios of one run; restoring. Scale 1 needs
# 5 GB where temporary files are.
bench: build
	@scripts/deps --bench
	cargo run --release --locked -p bench -- engine
	cargo run --release --locked -p bench -- load
	cargo run --release --locked -p bench -- restore

# The parsers against other parsers on generated and damaged input, for minutes instead of a second.
fuzz:
	PROPTEST_CASES=1000000 cargo test --release --locked -p workload --test page
	PROPTEST_CASES=1000000 cargo test --release --locked -p workload -p application --lib

clean:
	cargo clean
	rm -rf stacks/cpp/build stacks/java/target stacks/java/*/target stacks/java/*/*/target
