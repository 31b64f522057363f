//! A distinct diagnostic, as the index keeps it.

/// A distinct diagnostic, as the index keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnosticRow<'a> {
    /// Of all the rest.
    pub digest: [u8; 16],
    /// The code; where there is none, the level.
    pub label: &'a str,
    pub code: Option<&'a str>,
    pub level: &'a str,
    pub file_name: Option<&'a str>,
    /// From 1.
    pub line: Option<u32>,
    pub message: &'a str,
}
