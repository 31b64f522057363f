//! Journals with wounds.
