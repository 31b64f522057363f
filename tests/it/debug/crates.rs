//! crates
