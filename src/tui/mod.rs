//! `annals tui`: the timeline on a terminal (spec 001, "UI Display").
//!
//! Keys change a [`State`]; what it then lacks a [`Feed`] brings from the stores; the view draws it.
//! The view is a pure function of the state, so that a screen can be drawn and held without a
//! terminal.

mod chain;
mod detail;
pub mod feed;
mod filter;
mod hits;
mod keys;
mod rows;
mod run;
mod screen;
mod show;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod view;

pub use chain::{Chain, ChainLine};
pub use detail::Detail;
pub use feed::{Feed, Journal};
pub use filter::{Filter, Mark, Since};
pub use hits::{Found, FoundRow, Said};
pub use keys::press;
pub use rows::{List, Row, SessionRow};
pub use run::{TuiError, run};
pub use screen::{Ask, Following, Screen, Typed, Typing};
pub use show::show;
pub use state::{Shown, State};
pub use theme::{Line, Theme, Tone};
pub use view::{Seen, draw};
