//! Running contenders in turns, and saying how they stand to the first of them.

pub mod board;
mod cold;
mod contest;
mod effort;
mod family;
pub mod machine;
mod program;
mod settle;
mod spread;
mod watched;

pub use cold::drop_pages;
pub use contest::{Contest, timed};
pub use effort::count_calls;
pub use family::{Asking, Family, Question, Questions, percentile};
pub use machine::describe_machine;
pub use program::Program;
pub use settle::settle;
pub use spread::Spread;
pub use watched::{Watched, watched};
