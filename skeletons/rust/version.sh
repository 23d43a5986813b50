# Prints in one line what runs, for results: the versions of the compiler and of the libraries.
cd "$(dirname "$0")"
echo "$(rustc --version), $(sed -nE '/^name = "(axum|sqlx|tokio)"$/{N;s/name = "(.*)"\nversion = "(.*)"/\1 \2/p}' Cargo.lock | paste -sd ,)"
