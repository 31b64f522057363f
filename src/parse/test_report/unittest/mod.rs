//! What Python's own unittest prints.

mod report;

pub use report::Unittest;
