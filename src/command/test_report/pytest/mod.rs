//! What pytest prints.

mod block;
mod report;
mod totals;

pub use report::Pytest;
