//! What annals knows and how it reads: events, secrets in text, and what other programs print. Text in, values out: no
//! file, no clock; of a database only how an id stands in a column of one.
//!
//! A crate of its own for what it costs: a recorder and a rebuild spend their time here, so it is compiled to be fast,
//! and everything around it to be small.

mod columns;
pub mod event;
pub mod parse;
pub mod redact;
