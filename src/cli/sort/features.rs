//! Errors of memory, repositories, debugging, phases, imports and agents' settings, sorted.

use super::{CLOSE, Sorted, catch_up, io, journal, project, query, record, store, walk};
use crate::agents::import::ImportError;
use crate::agents::import::salvage::SalvageError;
use crate::agents::settings::SettingsError;
use crate::cli::Exit;
use crate::debug::DebugError;
use crate::execution::query::QueryError;
use crate::memory::MemoryError;
use crate::phases::PhasesError;
use crate::phases::prompt::PromptError;
use crate::repo::RepoError;
use crate::repo::context::ContextError;
use crate::repo::files::PublishError;
use crate::repo::tree::TreeMapError;

pub fn phases(error: &PhasesError) -> Sorted {
    match error {
        PhasesError::Name { .. } | PhasesError::Artifacts(_) | PhasesError::NoParent { .. } => {
            (Exit::Usage, None)
        }
        PhasesError::NoModel | PhasesError::NobodyToAsk => {
            (Exit::Usage, Some("annals phases run --help"))
        }
        PhasesError::UnknownParent { .. } => (Exit::Usage, Some("annals phases list")),
        PhasesError::NoProgram { .. }
        | PhasesError::Done { .. }
        | PhasesError::BranchTaken { .. } => (Exit::Usage, Some("annals phases list")),
        PhasesError::Unsafe { .. } | PhasesError::NoExecutor { .. } => (Exit::Usage, None),
        PhasesError::Running { .. } => (Exit::Locked, Some("annals phases list")),
        PhasesError::Beginning => (Exit::Locked, None),
        PhasesError::Interrupted { .. } => (Exit::Child(130), None),
        PhasesError::Unanswered { failure, .. } if failure.of_script => (Exit::Usage, None),
        PhasesError::Unanswered { .. } => (Exit::Io, None),
        PhasesError::Lock { source, .. } => io(source),
        PhasesError::Place(error) if error.is_refusal() => (Exit::Usage, None),
        PhasesError::Prompt(error) => prompt(error),
        PhasesError::Memory(error) => memory(error),
        PhasesError::Project(error) => project(error),
        PhasesError::Record(error) => record(error),
        error => journal(error),
    }
}

pub fn prompt(error: &PromptError) -> Sorted {
    match error {
        PromptError::Read { source, .. } | PromptError::Write { source, .. } => io(source),
        _ => (Exit::Usage, None),
    }
}

pub fn import(error: &ImportError) -> Sorted {
    match error {
        ImportError::Read { source, .. } => io(source),
        ImportError::Record { source, .. } | ImportError::Finish { source } => record(source),
        _ => (Exit::Usage, None),
    }
}

pub fn memory(error: &MemoryError) -> Sorted {
    match error {
        MemoryError::NoBranch { .. } => (Exit::Usage, Some("annals memory branches")),
        error if error.is_refusal() => (Exit::Usage, None),
        error if error.is_locked() => (Exit::Locked, Some(CLOSE)),
        MemoryError::Project(error) => project(error),
        MemoryError::Query(error) => query(error),
        MemoryError::Store(error) => store(error),
        MemoryError::CatchUp(error) => catch_up(error),
        error => journal(error),
    }
}

pub fn repo(error: &RepoError) -> Sorted {
    match error {
        error if error.is_refusal() => (Exit::Usage, None),
        RepoError::Busy => (Exit::Locked, None),
        RepoError::Unread { .. } | RepoError::Gone { .. } => (Exit::Findings, None),
        RepoError::Folder { source, .. }
        | RepoError::GitFile { source, .. }
        | RepoError::Lock { source, .. } => io(source),
        RepoError::Project(error) => project(error),
        RepoError::Record(error) => record(error),
        RepoError::Query(QueryError::NoRepository { .. } | QueryError::Ambiguous { .. }) => {
            (Exit::Usage, Some("annals repo list"))
        }
        RepoError::Query(error) => query(error),
        RepoError::Publish(error) if error.is_locked() => (Exit::Locked, Some(CLOSE)),
        RepoError::Publish(PublishError::NoHome) => (Exit::Usage, None),
        RepoError::Store(error) => store(error),
        RepoError::CatchUp(error) => catch_up(error),
        error => journal(error),
    }
}

pub fn context(error: &ContextError) -> Sorted {
    match error {
        ContextError::Repo(error) => repo(error),
        ContextError::Tree(TreeMapError::Top { source, .. }) => io(source),
        ContextError::Tree(TreeMapError::Endless { .. }) => (Exit::Usage, None),
        ContextError::Record(error) => record(error),
        ContextError::Project(error) => project(error),
        ContextError::Query(error) => query(error),
        error => journal(error),
    }
}

pub fn settings(error: &SettingsError) -> Sorted {
    let hint = match error {
        SettingsError::Io { source, .. } => return io(source),
        SettingsError::Changed { .. } => "close the agent, then run the command again",
        SettingsError::Elsewhere { .. } => "annals disable --user, then annals enable --enforce",
        SettingsError::ReadOnly { .. } => {
            "make it writable, or write the lines yourself: --dry-run"
        }
        SettingsError::Fault { .. } => "correct it, then run the command again",
        _ => return (Exit::Usage, None),
    };
    (Exit::Usage, Some(hint))
}

pub fn transcript(error: &SalvageError) -> Sorted {
    match error {
        SalvageError::Read { source, .. } | SalvageError::Write { source, .. } => io(source),
        _ => (Exit::Usage, None),
    }
}

pub fn debug(error: &DebugError) -> Sorted {
    match error {
        error if error.is_refusal() => (Exit::Usage, None),
        DebugError::Busy => (Exit::Locked, None),
        DebugError::Unread { .. } | DebugError::Gone { .. } => (Exit::Findings, None),
        DebugError::File { source, .. } | DebugError::Lock { source, .. } => io(source),
        DebugError::Project(error) => project(error),
        DebugError::Record(error) => record(error),
        DebugError::Walk(error) => walk(error),
        DebugError::Query(error) => query(error),
        DebugError::Store(error) => store(error),
        DebugError::CatchUp(error) => catch_up(error),
        error => journal(error),
    }
}
