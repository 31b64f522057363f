//! Which way a call came to the gate.

/// Which way a call came to the gate: how long a read of the timeline holds depends on it (ruling 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// An agent's hook: a read holds until the session's next failure, or the window if longer.
    Hook,
    /// The library, and the tool layer: a read holds for the window.
    Library,
}
