//! Debug memory, asked.
