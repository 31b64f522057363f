//! Every layer's errors, sorted: an exit code and what to do, in one place.

mod debug;
mod from_store;
mod trouble;

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::Exit;
use super::contradiction::Contradiction;
use crate::agents::import::ImportError;
use crate::agents::import::salvage::SalvageError;
use crate::agents::settings::SettingsError;
use crate::execution::query::QueryError;
use crate::execution::replay::WalkError;
use crate::journal::bundling::BundleFailure;
use crate::journal::{JournalError, ProjectError, RecordError, Trouble, enclosure};
use crate::memory::MemoryError;
use crate::phases::PhasesError;
use crate::phases::prompt::PromptError;
use crate::repo::RepoError;
use crate::repo::context::ContextError;
use crate::repo::files::PublishError;
use crate::repo::tree::TreeMapError;
use crate::store::StoreError;
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;
use crate::stores::repair::RepairError;
pub use debug::debug;
pub use from_store::from_store;
use trouble::trouble;

/// An exit code, and what to do where something can be said.
pub type Sorted = (Exit, Option<&'static str>);

/// What to do about another user's project.
pub const FOREIGN: &str =
    "--dir DIR reads it and writes nothing; to work in it, make it yours: chown -R";
const CLOSE: &str = "close the program that has the store open";

pub fn io(error: &io::Error) -> Sorted {
    if enclosure::is_in_the_way(error) {
        return (Exit::Usage, None);
    }
    let hint = match error.kind() {
        ErrorKind::PermissionDenied => {
            "check who owns the file and its folder, and whether you may write there"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room, then run the command again"
        }
        ErrorKind::ReadOnlyFilesystem => "copy the folder to where you may write",
        ErrorKind::WouldBlock => {
            return (Exit::Locked, Some("another process holds it: wait, or end that process"));
        }
        _ => return (Exit::Io, None),
    };
    (Exit::Io, Some(hint))
}

pub fn project(error: &ProjectError) -> Sorted {
    match error {
        ProjectError::NotFound { .. } => {
            (Exit::Usage, Some("annals init in the project's folder, or --dir DIR"))
        }
        // It says itself what to do.
        ProjectError::Lost(_) => (Exit::Damaged, None),
        ProjectError::InTheWay { .. } => (Exit::Usage, None),
        ProjectError::Unbelieved { .. } => (Exit::Usage, Some("annals trust")),
        ProjectError::Foreign { .. } => (Exit::Usage, Some(FOREIGN)),
        ProjectError::Folder { source, .. } | ProjectError::State { source } => io(source),
        ProjectError::Config(_) => (Exit::Usage, Some("annals trust --show")),
        ProjectError::Journal(error) => journal(error),
    }
}

pub fn record(error: &RecordError) -> Sorted {
    match error {
        RecordError::Project(error) => project(error),
        RecordError::Journal(error) => journal(error),
        _ => (Exit::Usage, None),
    }
}

pub fn query(error: &QueryError) -> Sorted {
    match error {
        QueryError::Store(error) => store(error),
        QueryError::NoRepository { .. } => (Exit::Usage, Some("annals repo list")),
        QueryError::NoDebugSession { .. } => (Exit::Usage, Some("annals debug list")),
        QueryError::DebugDocument { .. } => (Exit::Findings, Some("annals rebuild")),
        _ => (Exit::Usage, Some("annals log")),
    }
}

pub fn store(error: &StoreError) -> Sorted {
    match error {
        error if error.is_locked() => (Exit::Locked, Some(CLOSE)),
        error if error.wants_rebuild() => (Exit::Findings, Some("annals repair")),
        error => journal(error),
    }
}

pub fn walk(error: &WalkError) -> Sorted {
    match error {
        WalkError::Journal(error) => journal(error),
        WalkError::NoSession { .. } => (Exit::Usage, Some("annals sessions")),
        _ => (Exit::Usage, Some("annals log")),
    }
}

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

pub fn catch_up(error: &CatchUpError) -> Sorted {
    match error {
        CatchUpError::Store(error) => store(error),
        CatchUpError::Changed { .. } | CatchUpError::IndexBehind { .. } => {
            (Exit::Locked, Some("run the command again"))
        }
        CatchUpError::Contradicts { reason, .. } => {
            (Contradiction::exit_of(*reason), Some("annals repair"))
        }
        error => journal(error),
    }
}

pub fn evidence(error: &EvidenceError) -> Sorted {
    match error {
        EvidenceError::Feed(error) => journal(error),
        EvidenceError::Build { source, .. } => catch_up(source),
        EvidenceError::Store(error) => store(error),
        EvidenceError::Query(error) => query(error),
        EvidenceError::TooLarge { .. } => {
            (Exit::Usage, Some("annals replay or annals export jsonl, which need no stores"))
        }
        EvidenceError::Io { source, .. } => io(source),
    }
}

pub fn bundle(error: &BundleFailure) -> Sorted {
    match error {
        BundleFailure::Project(error) => project(error),
        BundleFailure::Journal(error) => journal(error),
    }
}

pub fn repair(error: &RepairError) -> Sorted {
    match error {
        RepairError::Record(error) => record(error),
        RepairError::Store(error) => catch_up(error),
        RepairError::Query(error) => query(error),
        RepairError::Evidence(error) => evidence(error),
        error => journal(error),
    }
}

pub fn publish(error: &PublishError) -> Sorted {
    match error {
        PublishError::NoHome => (Exit::Usage, None),
        PublishError::Store { source } => store(source),
        PublishError::Query(error) => query(error),
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

/// The journal's own errors, wherever they stand in the chain of causes.
pub fn journal(error: &(dyn std::error::Error + 'static)) -> Sorted {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<JournalError>()
            && error.trouble() != Trouble::Io
        {
            return trouble(error.trouble());
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return io(error);
        }
        if let Some(error) = error.downcast_ref::<Arc<io::Error>>() {
            return io(error);
        }
        cause = error.source();
    }
    (Exit::Io, None)
}
