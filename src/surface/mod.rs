//! What people and agents touch: the command line, importers.

pub mod import;
