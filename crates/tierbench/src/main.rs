//! The command `tierbench`.

/// The workspace that an executable to be given away carries (`scripts/dist`): a compressed archive.
#[cfg(carries_workspace)]
const WORKSPACE: Option<&[u8]> = Some(include_bytes!(env!("TIERBENCH_WORKSPACE")));
#[cfg(not(carries_workspace))]
const WORKSPACE: Option<&[u8]> = None;

fn main() -> std::process::ExitCode {
    tierbench::main(WORKSPACE)
}
