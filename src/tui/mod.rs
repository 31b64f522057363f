//! `annals tui`: the timeline on a terminal (spec 001, "UI Display").
//!
//! Keys change a [`State`]; what it then lacks a [`Feed`] brings from the stores; the view draws it.
//! The view is a pure function of the state, so that a screen can be drawn and held without a
//! terminal.

mod ask;
mod chain;
mod detail;
mod error;
pub mod feed;
mod filter;
mod following;
mod keys;
mod line;
mod list;
mod row;
mod run;
mod screen;
mod session_row;
mod since;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod typing;
mod view;

pub use ask::Ask;
pub use chain::{Chain, ChainLine};
pub use detail::Detail;
pub use error::TuiError;
pub use feed::{Feed, Journal};
pub use filter::Filter;
pub use following::Following;
pub use keys::press;
pub use line::{Line, Tone};
pub use list::List;
pub use row::Row;
pub use run::run;
pub use screen::Screen;
pub use session_row::SessionRow;
pub use since::{Mark, Since};
pub use state::{Shown, State};
pub use theme::Theme;
pub use typing::{Typed, Typing};
pub use view::{Seen, draw};
