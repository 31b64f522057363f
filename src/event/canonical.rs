//! Canonical JSON (RFC 8785), with integers beyond 2^53 kept as they were written.
