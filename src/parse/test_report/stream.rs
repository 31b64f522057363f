//! Which of a program's two outputs.

/// Which of a program's two outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    Stdout,
    Stderr,
}
