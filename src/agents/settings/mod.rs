//! The settings files of coding agents: our hooks in them, put in and taken out as text, so that
//! nothing else in the file changes.

mod agent;
mod document;
mod edit;
mod error;
mod file;
mod install;
mod line;
mod mode;
mod place;
mod remove;
mod standing;
#[cfg(test)]
mod tests;

pub use agent::Agent;
pub use error::{SettingsError, SettingsFault};
pub use file::SettingsFile;
pub use install::{Installation, install};
pub use line::HookLine;
pub use mode::Mode;
pub use place::{Home, Place, Scope};
pub use remove::{made_from, remove};
pub use standing::{Standing, standing};
