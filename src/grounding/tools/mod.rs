//! The tools themselves: reading, searching, editing, checking, asking. They work on files without
//! any log; [`ToolLayer`] runs them behind the gate and records them.

mod bench;
mod claim;
mod error;
mod gate_notice;
mod given;
mod invocation;
mod layer;
pub mod limits;
mod list;
mod parameter;
mod parameter_kind;
pub(crate) mod program;
mod step;
mod tool_spec;
pub(crate) mod workspace;

pub use bench::Bench;
pub use error::ToolError;
pub use gate_notice::GateNotice;
pub use given::Given;
pub use invocation::Invocation;
pub use layer::ToolLayer;
pub use list::TOOLS;
pub(crate) use list::memory_query;
pub use parameter::Parameter;
pub use parameter_kind::ParameterKind;
pub use step::Step;
pub use tool_spec::ToolSpec;
pub use workspace::{Onto, Place, PlaceError, Snapshot, Workspace};
