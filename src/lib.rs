//! annals: the flight recorder of coding agents.
//!
//! Layers, each importing only what stands to its left (DESIGN in ARCHITECTURE.md):
//! `command → event → journal → projector → store → query → surface`.

pub mod command;
pub mod config;
pub mod event;
pub mod journal;
pub mod projector;
pub mod query;
pub mod store;
pub mod surface;
