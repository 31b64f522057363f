//! What Node's own test runner prints.

mod found;
mod report;

pub use report::NodeTest;
