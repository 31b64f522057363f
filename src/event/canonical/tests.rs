//! Canonical JSON.
