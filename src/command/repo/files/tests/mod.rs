//! Publishing against generated histories and damage.
