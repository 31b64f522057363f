//! What becomes of an agent's session.
