//! The steps of building a site and its data.

use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum BuildStep {
    Deploying,
    MakingFiles { count: u64, scale: f64 },
    LinkingFiles,
    Preparing(String),
    TakingData(f64),
    StartingDatabase,
    LoadingData(f64),
    LoadingRecords { service: String, scale: f64 },
    AuditingData,
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
