//! The gate.

mod claimed;
mod files;
mod judged;
mod made;
mod planned;
mod stepped;
