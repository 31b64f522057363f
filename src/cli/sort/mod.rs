//! Every layer's errors, sorted: an exit code and what to do, in one place.

mod features;

use std::io;
use std::io::ErrorKind;
use std::sync::Arc;

use super::Exit;
use super::exit::Contradiction;
use crate::execution::query::QueryError;
use crate::execution::replay::WalkError;
use crate::journal::bundle::BundleFailure;
use crate::journal::{JournalError, ProjectError, RecordError, Trouble, enclosure};
use crate::repo::files::PublishError;
use crate::store::StoreError;
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;
use crate::store::remains::RemainsError;
use crate::store::salvage::StoreSalvageError;
use crate::stores::repair::RepairError;

pub use features::{context, debug, import, memory, phases, prompt, repo, settings, transcript};

/// An exit code, and what to do where something can be said.
pub type Sorted = (Exit, Option<&'static str>);

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

pub fn from_store(error: &StoreSalvageError) -> Sorted {
    match error {
        StoreSalvageError::Evidence(error) => evidence(error),
        StoreSalvageError::Look { source, .. } => io(source),
        StoreSalvageError::Remains(error) => match error {
            // What was refused is no store that a repair could mend.
            RemainsError::Store(error) if error.wants_rebuild() => (Exit::Usage, None),
            RemainsError::Store(error) => store(error),
            RemainsError::Restless { .. } => (Exit::Locked, Some(CLOSE)),
            RemainsError::Taken(error) => io(error),
            RemainsError::NoStore { .. } | RemainsError::TooLarge { .. } => (Exit::Usage, None),
        },
        StoreSalvageError::Nothing { .. } => {
            (Exit::Usage, Some("name a store's file or folder, or its project"))
        }
    }
}

fn trouble(trouble: Trouble) -> Sorted {
    match trouble {
        Trouble::Missing => {
            (Exit::Usage, Some("annals init in the project's folder, or --dir DIR"))
        }
        Trouble::Locked => {
            (Exit::Locked, Some("another process is writing: wait, or end it, then try again"))
        }
        Trouble::Damaged => (Exit::Damaged, Some("annals verify, then annals salvage")),
        Trouble::Bundle => {
            (Exit::Damaged, Some("tar xf takes out what is whole: then annals verify journal"))
        }
        Trouble::Refused => (Exit::Usage, None),
        Trouble::Io => (Exit::Io, None),
    }
}
