//! Verifying small journals, whole and wounded.
