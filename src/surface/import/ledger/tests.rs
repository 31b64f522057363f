//! Items in, events out.
use super::*;
