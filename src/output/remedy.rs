//! What to do next, as the commands of the command line.

use std::borrow::Cow;
use std::error::Error;

use super::escape;
use crate::fault::{Fault, Listing, Problem, Remedy};

const DISCARD: &str = "annals rebuild repo_memory --discard";

/// A remedy as a person types it, escaped.
pub fn told(remedy: &Remedy) -> Cow<'static, str> {
    let of = |command: &str, name: &str| format!("annals {command} {}", escape::line(name)).into();
    Cow::Borrowed(match remedy {
        Remedy::Init => "annals init in the project's folder, or --dir DIR",
        Remedy::Find => {
            "annals init in the project's folder; --dir also takes a journal's folder, a .seg, a bundle"
        }
        Remedy::Trust => "annals trust",
        Remedy::ShowTrust => "annals trust --show",
        Remedy::Status => "annals status",
        Remedy::Verify => "annals verify",
        Remedy::Accept => "annals verify; if this journal is the one you mean: annals seen forget",
        Remedy::Salvage => "annals verify, then annals salvage",
        Remedy::Unpack => "tar xf takes out what is whole: then annals verify journal",
        Remedy::BeginAnew => return begin_anew(".", "").into(),
        Remedy::Repair => "annals repair",
        Remedy::ReachArchive => {
            "make the archive reachable where it was, or where it is now: annals fetch --from DIR"
        }
        Remedy::FetchFromCopy => {
            "nothing of it was believed: bring back the archive as it was, or from another copy: annals fetch --from DIR"
        }
        Remedy::KeptAsEvidence => {
            "annals salvage --from-store . NEW-FILE, which saves what only it has, then annals repair, \
             which sets it aside and builds it anew, or says what must come first"
        }
        Remedy::ShipAnew => "on the machine whose it is, annals ship --anew writes it again",
        Remedy::Rebuild(None) => "annals rebuild",
        Remedy::Rebuild(Some(store)) => return of("rebuild", store),
        Remedy::List(Listing::Executions) => "annals log",
        Remedy::List(Listing::Sessions) => "annals sessions",
        Remedy::List(Listing::Repositories) => "annals repo list",
        Remedy::List(Listing::Entries(kind)) => return of("repo", kind) + " list",
        Remedy::List(Listing::DebugSessions) => "annals debug list",
        Remedy::List(Listing::Templates) => "annals debug templates",
        Remedy::List(Listing::Branches) => "annals memory branches",
        Remedy::List(Listing::Nodes) => "annals phases list",
        Remedy::ListFailures => "annals log --failed",
        Remedy::AskJournal => "annals replay or annals export jsonl, which need no stores",
        Remedy::DeclareTool(tool) => return of("tool declare", tool),
        Remedy::NameTranscripts => "annals import auto FILE…",
        Remedy::OpenDebug(path) => return of("debug open", path),
        Remedy::ShowDebug(session) => return of("debug show", session),
        Remedy::CloseDebug(session) => return of("debug close", session),
        Remedy::AddAttempt => "annals debug attempt",
        Remedy::AddFix => "annals debug fix",
        Remedy::EditEntry(kind) => return of("repo", kind) + " edit",
        Remedy::BeginStep => "annals step begin TITLE",
        Remedy::ExportPrompts => "annals phases prompts --export",
        Remedy::ShowRunOptions => "annals phases run --help",
        Remedy::MoveHooks => "annals disable --user, then annals enable --enforce",
        Remedy::SettleEdits(named) => {
            return format!(
                "`annals repo diff{named}` shows how, `annals repo adopt{named}` takes it over, \
                 `{DISCARD}` overwrites it"
            )
            .into();
        }
        Remedy::TakeFolder(named) => {
            return format!(
                "`annals repo diff{named}` shows what is in it, `annals repo adopt{named}` takes it \
                 over, `{DISCARD}` makes it this one's"
            )
            .into();
        }
        Remedy::MoveOrReplace => {
            return format!("move it away, or let `{DISCARD}` replace it").into();
        }
        Remedy::Do(what) => what,
    })
}

/// What to do about a store that lags.
pub fn of_lag(error: &dyn Fault) -> Cow<'static, str> {
    match error.sorted().1 {
        Some(way @ (Remedy::ReachArchive | Remedy::FetchFromCopy)) => told(&way),
        _ => told(&Remedy::Repair),
    }
}

/// The commands that save what stores have, begin a new journal, and set the stores of the old one
/// aside. `of` are options of theirs, with a space before each.
pub fn begin_anew(from: &str, of: &str) -> String {
    format!("annals salvage --from-store {from} NEW-FILE; annals{of} init; annals{of} repair")
}

/// What is wrong, and what to do about it.
pub fn problem(problem: &Problem) -> String {
    match &problem.way {
        Some(way) => format!("{}: {}", problem.what, told(way)),
        None => problem.what.clone(),
    }
}

/// An error with its causes, and what to do about it where that is not said with it: where a journal is lost it
/// is, since all that follows is for that folder.
pub fn apart(error: &dyn Error, remedy: Option<&Remedy>) -> (String, Option<Cow<'static, str>>) {
    let said = escape::with_causes(error);
    match remedy {
        Some(Remedy::BeginAnew) => (format!("{said}: {}", begin_anew(".", "")), None),
        remedy => (said, remedy.map(told)),
    }
}

/// An error, its causes and what to do about it, in one line.
pub fn line(error: &dyn Fault) -> String {
    match apart(error, error.sorted().1.as_ref()) {
        (said, Some(hint)) => format!("{said}; try: {hint}"),
        (said, None) => said,
    }
}
