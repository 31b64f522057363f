//! How things are shown: tables, escapes, times, and documents as JSON.

pub mod cells;
pub mod escape;
pub mod json;
pub mod remedy;
pub mod stream;
pub mod table;
pub mod terminal_screen;
pub mod time;
pub mod wire;
