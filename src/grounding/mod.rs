//! Spec 001: the timeline, the gate, claims, plans and the tools an agent works through.

pub mod agents;
pub mod contract;
pub mod exported;
pub mod fold;
pub mod gate;
pub mod index_fold;
pub mod own_checks;
pub mod recent;
mod steps;
pub mod timeline;
pub mod tools;
