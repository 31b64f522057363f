//! What pytest prints.

mod block;
mod lines;
mod message;
mod report;
mod summary;
mod totals;

pub use block::Block;
pub use report::Pytest;
