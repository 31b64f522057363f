//! The gate.

mod answered;
mod claimed;
mod corpus;
mod files;
mod held;
mod judged;
mod looked;
pub(crate) mod made;
mod planned;
mod stepped;
