//! Agents' hooks, played through the real program: the gate, the record, and every bad surrounding.

mod after;
mod background;
mod checks;
mod damaged;
mod day;
mod doors;
mod hostile;
mod languages;
mod lost;
mod met;
pub mod play;
mod repeats;
mod script;
pub mod session;
mod shells;
mod stops;
mod stores;
mod summed;
mod twice;
mod unmet;
