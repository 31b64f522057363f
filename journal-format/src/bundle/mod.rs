//! A bundle: a journal in one file, without the zeros that it is given ahead.
//!
//! It is a POSIX ustar archive of a manifest, the segments and the blobs, so that `tar` takes it
//! apart; readers here read the segments where they lie in it, without taking it apart. `FORMAT.md`,
//! appendix A, is normative.

#[expect(clippy::module_inception, reason = "the folder is named for its main type")]
mod bundle;
mod error;
mod extent;
mod manifest;
mod omit;
#[cfg(test)]
mod tests;
mod ustar;
mod write;

pub use bundle::{Bundle, is_bundle};
pub use error::{BundleError, Fault};
pub use extent::Extent;
pub use manifest::{BundleOrder, Manifest};
#[cfg(test)]
use manifest::{MANIFEST_BYTES_MAX, ORDERS_MAX};
pub(crate) use manifest::{hex, unhex};
pub use write::{BundleReport, BundleWrite, LeaveOut, write_bundle};

/// The name of the first entry.
pub const MANIFEST_NAME: &str = "annals-bundle";
