//! Running contenders in turns, and saying how they stand to the first of them.

mod contest;
mod machine;
mod memory;
mod spread;

pub use contest::{Contest, timed};
pub use machine::describe_machine;
pub use memory::{peak_bytes, settle};
pub use spread::Spread;
