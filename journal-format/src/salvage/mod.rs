//! Everything that is still whole in a damaged journal, written into a fresh one.

mod blobs;
mod report;
mod run;
#[expect(clippy::module_inception, reason = "the folder is named for its main function")]
mod salvage;
mod salvage_error;
mod segment_writer;
mod void;

pub use report::{SalvageReport, Voided};
pub use salvage::{SalvageOptions, salvage};
pub use salvage_error::SalvageError;

#[cfg(test)]
mod tests;
