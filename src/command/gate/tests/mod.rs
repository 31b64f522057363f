//! The gate.

mod claimed;
mod files;
mod judged;
pub(in crate::command) mod made;
mod planned;
mod stepped;
