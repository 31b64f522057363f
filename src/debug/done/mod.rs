//! What an operation on debug memory came to.

mod attempt_done;
mod close_done;
mod debug_done;
mod debug_export;
mod expired_session;
mod hook_told;
mod import_done;
mod imported_session;

pub use attempt_done::AttemptDone;
pub use close_done::CloseDone;
pub use debug_done::DebugDone;
pub use debug_export::DebugExport;
pub use expired_session::ExpiredSession;
pub use hook_told::HookTold;
pub use import_done::ImportDone;
pub use imported_session::ImportedSession;
