//! Problem matchers of a project's own: what they may be.

mod fault;

pub use fault::pattern_fault;
