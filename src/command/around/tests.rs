//! Recording around a call.
