//! Debug memory, on a real journal.
