//! The fold.
