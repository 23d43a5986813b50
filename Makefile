# Everything a newcomer needs: `make compare` and `make test`. Both install what is missing (as root) and build.

TIERBENCH := target/release/tierbench

.PHONY: compare test test-all test-machine test-faults prove check lints build deps deps-test bench fuzz clean

# A stamped demonstration, in eight minutes: the auction in PHP, inside Apache and beside it (PHP-FPM), on three starts, at a
# load that is too much for both. Which goes further, and which costs less? Without --clients it would look for the peaks,
# for half an hour. TRIAL adds words.
compare: build
	$(TIERBENCH) compare auction WsPhp-DB WsPhpFpm-DB \
		--scale 0.25 --time-scale 0.05 --ramp 10s --window 18s --repetitions 3 --clients 800 $(TRIAL)

# All that must hold, in twenty minutes; its last lines say what it left out and how long each stage took.
test:
	scripts/stages ci/budget.tsv

# Leaves nothing out, in hours; PART=2/4 is one of four parts, each of less than an hour.
test-all:
	ALL=1 scripts/stages ci/all.tsv $(if $(PART),--part $(PART))

# What only a quiet machine can show: what looking costs, speeds of links, shares of processors, halves of limits.
test-machine: deps-test
	cargo test --release --workspace --locked --no-fail-fast --test sampling --test driver --test testbed \
		-- --ignored --test-threads 1
	cargo test --release --workspace --locked --test it -- --ignored --nocapture --test-threads 1 machine::

# The tests are tested: over a thousand faults are put into real sites one by one, and verify must see them.
test-faults: deps-test
	cargo test --release --workspace --locked --test faults -- --all

# Verifies what isn't proven with its content yet, and writes it down in proofs/, for a commit.
prove: build
	$(TIERBENCH) verify --proofs --prove --seconds 0

# What needs no server: formatting, lints as errors, static analysis of the stacks' code and its unit tests.
check: lints
	scripts/php-check
	scripts/java-check
	scripts/perl-check
	scripts/cpp-check

lints:
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --locked -- -D warnings

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
	rm -rf stacks/cpp/build stacks/java/target stacks/java/*/target stacks/java/*/*/target stacks/java/*/*/*/target
