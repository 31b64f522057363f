//! The annals journal: segments, frames, commits, chain, recovery. Bytes only; FORMAT.md is normative.
