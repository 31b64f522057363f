//! The transcript reader on whole files.
use super::*;
