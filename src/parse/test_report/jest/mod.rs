//! What jest prints.

mod block;
mod json;
mod report;

pub use report::Jest;
