//! The steps on the way to a site with its data.

use std::fmt;

/// A step that takes a moment.
#[derive(Debug, Clone, PartialEq)]
pub enum BuildStep {
    /// Code and static files are copied.
    Deploying,
    /// So many files of the application are made.
    MakingFiles {
        /// How many.
        count: u64,
        /// The scale of the data that they belong to.
        scale: f64,
    },
    /// Files of the application are linked from the cache.
    LinkingFiles,
    /// What the tier of this name needs is made.
    Preparing(String),
    /// Data of this scale are taken from the cache.
    TakingData(f64),
    /// The database is started to be loaded.
    StartingDatabase,
    /// Rows of this scale are loaded.
    LoadingData(f64),
    /// Records are loaded.
    LoadingRecords {
        /// The service that keeps them.
        service: String,
        /// Their scale.
        scale: f64,
    },
    /// The loaded rows are held to all invariants.
    AuditingData,
    /// The loaded data are kept.
    KeepingData,
}

impl fmt::Display for BuildStep {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deploying => text.write_str("deploying"),
            Self::MakingFiles { count, scale } => write!(text, "making {count} files at scale {scale}"),
            Self::LinkingFiles => text.write_str("linking the application's files"),
            Self::Preparing(tier) => write!(text, "preparing {tier}"),
            Self::TakingData(scale) => write!(text, "taking data at scale {scale} from the cache"),
            Self::StartingDatabase => text.write_str("starting the database"),
            Self::LoadingData(scale) => write!(text, "loading data at scale {scale}"),
            Self::LoadingRecords { service, scale } => write!(text, "loading {service} at scale {scale}"),
            Self::AuditingData => text.write_str("auditing the data"),
            Self::KeepingData => text.write_str("keeping the first state"),
        }
    }
}
