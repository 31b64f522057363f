//! How many names are held.

/// Names of failed tests that are held of one binary: beyond, headings are believed as they come.
pub const NAMES_MAX: usize = 4096;
