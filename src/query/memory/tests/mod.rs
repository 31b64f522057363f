//! What branches see.
