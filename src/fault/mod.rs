//! What an error is to whoever meets it: its class, and what to do next. Each error says it beside itself; the
//! surfaces make an exit code, a kind and a command of it.

use std::error::Error;

use crate::parse::reply::ReplyError;

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A value that was given cannot be taken.
    Argument,
    /// What was named is not there.
    Missing,
    /// What was asked for cannot be done as it was asked.
    Refused,
    /// Something was found that somebody should act on.
    Findings,
    /// The journal is not what was written.
    Damaged,
    /// The journal does not contain what was seen of it, or what a signed checkpoint says.
    Contradicted,
    /// Somebody else holds what is needed.
    Locked,
    Io,
    /// A person ended it.
    Interrupted,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Make a project, or name one.
    Init,
    /// Make a project, or name what else can be asked about.
    Find,
    /// Allow what came from elsewhere.
    Trust,
    /// Look at what is not believed, and why.
    ShowTrust,
    Status,
    Verify,
    /// Look at what is contradicted; accept it, where it is meant.
    Accept,
    /// See what is damaged, then save what is whole.
    Salvage,
    /// Take out of a bundle what is whole.
    Unpack,
    /// Save what stores have, begin a new journal, and set the stores of the old one aside.
    BeginAnew,
    Repair,
    /// Make an archive reachable, or say where it is now.
    ReachArchive,
    /// Bring back what an archive has that is another by now.
    FetchFromCopy,
    /// Save what only a store has that is kept as evidence, then set it aside.
    KeptAsEvidence,
    /// To send the journal anew, from the machine whose it is.
    ShipAnew,
    /// Make a store anew, or all of them.
    Rebuild(Option<&'static str>),
    /// See what there is.
    List(Listing),
    /// See what failed.
    ListFailures,
    /// Ask what needs no stores.
    AskJournal,
    DeclareTool(String),
    NameTranscripts,
    OpenDebug(String),
    ShowDebug(String),
    CloseDebug(String),
    AddAttempt,
    AddFix,
    EditEntry(&'static str),
    BeginStep,
    ExportPrompts,
    ShowRunOptions,
    /// Take the hooks out of the user's settings, and put them into the project's.
    MoveHooks,
    /// Look at a person's edits of a repository's files, behind what names it, and settle them.
    SettleEdits(String),
    /// As that, of files that another journal keeps.
    TakeFolder(String),
    /// Give what lies in a file's place another one, or have it replaced.
    MoveOrReplace,
    /// Something to do without annals.
    Do(&'static str),
}

/// What can be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    Executions,
    Sessions,
    Repositories,
    /// Entries of a repository's memory of one kind.
    Entries(&'static str),
    DebugSessions,
    Templates,
    Branches,
    Nodes,
}

pub const CLOSE: Remedy = Remedy::Do("close the program that has the store open");
pub const AGAIN: Remedy = Remedy::Do("run the command again");

/// What is wrong with something, in words, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub what: String,
    pub way: Option<Remedy>,
}

pub type Sorted = (Class, Option<Remedy>);

pub trait Fault: Error + Send + Sync {
    fn sorted(&self) -> Sorted;
}

impl Class {
    /// The class alone: the error itself says what to do, or nothing can be done.
    pub fn alone(self) -> Sorted {
        (self, None)
    }

    pub fn with(self, remedy: Remedy) -> Sorted {
        (self, Some(remedy))
    }
}

impl Fault for ReplyError {
    fn sorted(&self) -> Sorted {
        Class::Refused.alone()
    }
}
