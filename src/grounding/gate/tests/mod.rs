//! The gate.

mod claimed;
mod corpus;
mod files;
mod held;
mod judged;
mod looked;
pub(crate) mod made;
mod planned;
mod stepped;
