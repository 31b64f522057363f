//! The contract's tool list, and how it grows (ruling 4).

use bincode::{Decode, Encode};

/// These tool names are allowed from here on, besides the ones already in force.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ToolsDeclared {
    pub tools: Vec<String>,
    pub by: String,
}
