//! `state.db`: what frameworks of agents keep in a branch, values under keys and threads of messages, and nothing of it
//! is ever evicted.
//!
//! A branch sees what its parent had when it was forked, and then its own: a thread that was forked must not change
//! under who goes on with it. Every version of a key and every message stays; what is deleted, taken back or cleared
//! is only not seen any more.

mod filter;
mod find;
mod fold;
mod json;
mod kv;
mod store;
mod thread;

#[cfg(test)]
mod tests;

pub use filter::Filter;
pub use find::KvSearch;
pub use json::compact;
pub use kv::{KvEntry, KvKey};
pub use store::{State, StateView};
pub use thread::{Message, ThreadSummary};
