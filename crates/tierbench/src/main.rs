//! The command `tierbench`.

use tierbench::WorkspaceSource;

/// An executable to be given away carries a compressed archive (`scripts/dist`).
#[cfg(carries_workspace)]
const WORKSPACE: WorkspaceSource = WorkspaceSource::Archive(include_bytes!(env!("TIERBENCH_WORKSPACE")));
#[cfg(not(carries_workspace))]
const WORKSPACE: WorkspaceSource = WorkspaceSource::Clone(env!("CARGO_MANIFEST_DIR"));

fn main() -> std::process::ExitCode {
    tierbench::main(WORKSPACE)
}
