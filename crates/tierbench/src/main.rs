//! The command `tierbench`.

fn main() -> std::process::ExitCode {
    tierbench::main()
}
