//! Redaction: how much of a labelled corpus it finds, how much it takes that is none, and what is left of
//! secrets in files and journals.

mod by_reference;
mod corpus;
mod elsewhere;
mod lost;
mod measured;
mod patterns;
mod planted;
mod returns;
mod running;
pub mod scanned;
mod undone;
mod words;
