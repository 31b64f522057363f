//! Commands: what a surface asks for. Nothing here prints or reads the environment.

mod around;
pub mod clock;
pub mod diagnostics;
pub mod id;
pub mod infer;
mod owner;
mod project;
mod recorder;
mod redact;
pub mod time_guard;

pub use around::{Around, ToolCall, closing_of, record_around};
pub use owner::Owner;
pub use project::{FOLDER, InitOptions, InitReport, Project, ProjectError};
pub use recorder::{RecordError, RecordMode, RecordReport, Recorder};
pub use redact::{RedactError, Redactor};
