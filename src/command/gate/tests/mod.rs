//! The gate.

mod judged;
mod made;
