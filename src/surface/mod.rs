//! Surfaces: what people and programs touch. Only here is anything printed or read from the
//! environment.

pub mod cells;
pub mod cli;
pub mod escape;
pub mod hook;
pub mod import;
pub mod output;
pub mod pipe;
pub mod settings;
pub mod table;
pub mod terminal_screen;
pub mod time;
#[cfg(feature = "tui")]
pub mod tui;
pub mod wire;
