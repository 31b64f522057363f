//! The fold of debug sessions.
