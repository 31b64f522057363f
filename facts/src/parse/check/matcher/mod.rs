//! Problem matchers of a project's own: what they may be, and how editors write them.

mod fault;
mod javascript;
mod jsonc;
#[cfg(test)]
mod tests;
mod vscode;

pub use fault::{PROGRAM_BYTES_MAX, pattern_fault};
pub use vscode::import;
