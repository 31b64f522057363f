//! The memory of repositories (spec 004): whose it is, and what is done to it.

mod error;
pub mod files;
mod identify;
mod identity;
mod limits;

pub use error::RepoError;
pub use identify::identify;
pub use identity::RepoIdentity;
