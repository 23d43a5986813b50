# Newcomers need `make compare` and `make test`. Both install missing packages (as root) and build.

TIERBENCH := target/release/tierbench

.PHONY: compare test test-all test-machine test-faults prove check lints clippy build dist deb release gallery deps deps-test bench fuzz clean

# A demonstration in about ten minutes: the auction in PHP, inside Apache and beside it (PHP-FPM), on five starts, at 360 clients.
# Which has more throughput, and which costs less CPU time? Without --clients it would search for the peaks,
# which takes half an hour. TRIAL adds arguments.
compare: build
	$(TIERBENCH) compare auction WsPhp-DB WsPhpFpm-DB \
		--scale 0.25 --time-scale 0.05 --ramp 4s --window 12s --repetitions 5 --clients 360 $(TRIAL)

# All tests, in twenty minutes. The last lines say what was left out, and how long each stage took.
test:
	scripts/stages ci/budget.tsv

# Leaves nothing out, and takes hours. PART=2/4 is one of four parts, each of less than an hour.
test-all:
	ALL=1 scripts/stages ci/all.tsv $(if $(PART),--part $(PART))

# What only a quiet machine can show: the cost of sampling, link speeds, CPU quotas, halved limits, thousands of clients. And what
# a new user sees who has the executable alone, in a bare Debian (debootstrap).
test-machine: deps-test
	@scripts/deps --slurm
	cargo test --release --workspace --locked --no-fail-fast --test sampling --test driver --test testbed \
		-- --ignored --test-threads 1
	cargo test --release --workspace --locked --test it -- --ignored --nocapture --test-threads 1 machine::
	scripts/installed-test

# Fault injection: more than a thousand faults are planted into real sites, one at a time, and verify must detect them.
test-faults: deps-test
	cargo test --release --workspace --locked --test faults -- --all

# Verifies variants without a proof of their present content, and writes the proofs into proofs/, for a commit.
prove: build
	$(TIERBENCH) prove

# Needs no server: formatting, lints as errors, static analysis and unit tests of the stacks' code.
check: lints
	scripts/php-check
	scripts/java-check
	scripts/perl-check
	scripts/cpp-check
	scripts/c-check
	scripts/go-check
	scripts/python-check
	scripts/quarkus-check
	scripts/ktor-check
	scripts/spring-check
	scripts/node-check
	scripts/axum-check

lints: clippy
	cargo fmt --all --check
	scripts/names-check

clippy:
	cargo clippy --release --workspace --all-targets --locked -- -D warnings

build: deps
	cargo build --release --locked -p tierbench

# One executable that carries the workspace and needs no library: target/dist/tierbench. It takes some minutes.
dist:
	scripts/dist

# The same as a Debian package.
deb: dist
	scripts/deb

# What a tagged commit is released as: the executable, built twice with equal bytes, the Debian package, and the sums of both.
release:
	scripts/release

# The site of the results in gallery/, which are published as they were measured.
gallery: build
	$(TIERBENCH) gallery gallery/results/* --out gallery/site

# Installs packages and starts no service. Without root it names what is missing.
deps:
	@scripts/deps

deps-test: deps
	@scripts/deps --test

# The load generator beside others, and loading beside the server alone, as ratios of one run; then restoring. Scale 1 needs
# 5 GB of temporary files.
bench: build
	@scripts/deps --bench
	cargo run --release --locked -p bench -- engine
	cargo run --release --locked -p bench -- http2
	cargo run --release --locked -p bench -- users
	cargo run --release --locked -p bench -- pages
	cargo run --release --locked -p bench -- load
	cargo run --release --locked -p bench -- restore

# The parsers against other parsers on generated and damaged input, for minutes instead of a second.
fuzz:
	PROPTEST_CASES=1000000 cargo test --release --locked -p workload --test page
	PROPTEST_CASES=1000000 cargo test --release --locked -p workload -p application --lib
	PROPTEST_CASES=1000000 cargo test --release --locked -p engine --lib http::

clean:
	cargo clean
	rm -rf stacks/cpp/build stacks/java/target stacks/java/*/target stacks/java/*/*/target stacks/java/*/*/*/target stacks/axum/build
