//! The files of a result folder.

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const POINTS: &str = "points.jsonl";
pub(crate) const EVENTS: &str = "events.jsonl";
pub(crate) const SUMS: &str = "SHA256SUMS";

/// The most bytes of a file that is read; no run writes one that comes near.
pub(crate) const LONGEST_FILE: u64 = 1 << 30;

/// The most damages of a file that are told.
pub(crate) const MOST_DAMAGES: usize = 1000;

/// Folders whose files have sums.
pub(crate) const FOLDERS: [&str; 4] = ["samples", "latency", "profiles", "logs"];

/// The file that tells where the CPU went, in the folder of a profiled point.
pub(crate) const PROFILE: &str = "profile.json";

/// The folder that holds what profilers saw of the point with this sequence.
pub(crate) fn profile_of(sequence: u32) -> String {
    format!("profiles/{sequence:04}")
}

/// The file that holds the samples of the point with this sequence.
pub(crate) fn samples_of(sequence: u32) -> String {
    format!("samples/{sequence:04}.jsonl")
}

/// The file that holds the response times of the point with this sequence.
pub(crate) fn latency_of(sequence: u32) -> String {
    format!("latency/{sequence:04}.hlog")
}
