# Prints the versions of the compiler and of the libraries in one line, for results. With another compiler it is built anew.
cd "$(dirname "$0")" || exit
printf 'Rust %s' "$(rustc --version | cut -d ' ' -f 2)"
for library in axum sea-orm sqlx tokio; do
    printf ', %s %s' "$library" "$(sed -n "/^name = \"$library\"/{n;s/version = //p}" Cargo.lock | tr -d '"')"
done
echo
