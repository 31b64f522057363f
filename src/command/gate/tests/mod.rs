//! The gate.

mod claimed;
mod corpus;
mod files;
mod judged;
pub(in crate::command) mod made;
mod planned;
mod stepped;
