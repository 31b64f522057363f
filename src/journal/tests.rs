//! The journal of events.
