//! Debug memory at size: the contract's questions, and what a failed attempt waits for.

use std::io::Write;

use annals::internal::debug::query::{DebugFilter, RetentionRules, SimilarAsked, cause_of};
use annals::internal::event::{ErrorType, RootCause};
use annals::internal::execution::query::Stores;
use annals::internal::journal::{Durability, InitOptions, Journal, JournalOptions, Project};
use annals::internal::store::JournalFeed;
use annals::internal::store::StoreName;
use annals::internal::store::rebuild::{RebuildMode, rebuild};

use crate::BenchError;
use crate::harness::{Asking, Family, Question};
use crate::request::Request;
use crate::workload::{self, Debugged};

/// What every question must be answered in, milliseconds.
const TARGET_MS: f64 = 10.0;
const DAY_MS: u64 = 86_400_000;

/// The stores that are asked, and how many sessions they hold.
struct Opened {
    stores: Stores,
    count: u64,
}

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(100_000);
    let folder = request.folder()?;
    let project = folder.path().join("project");
    fill(&project, count)?;
    let places = annals::internal::stores::places(&project);
    let open = || {
        let stores = Stores::open(&places).map_err(BenchError::program("opening the stores"))?;
        Ok(Opened { stores, count })
    };
    let mut family = Family {
        what: &format!("questions at {count} debug sessions"),
        limit_ms: Some(TARGET_MS),
        files: vec![places.index().to_owned(), places.execution_log().to_owned()],
        cold: 3,
        warm: 200,
    };
    family.run(&open, questions, out)?;
    // Its answer grows with what is due.
    (family.what, family.limit_ms) = ("what of them is due", None);
    family.run(&open, due, out)?;
    let bytes = places.index().metadata().map_or(0, |about| about.len());
    writeln!(out, "  index.db {} MiB", bytes >> 20).map_err(BenchError::io("printing"))
}

fn due(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    let debug = opened.stores.debug();
    let due_ms = Debugged(opened.count / 200).at_ms() + 90 * DAY_MS;
    let rules = RetentionRules { days: 30, escalated_days: 90, learned_days: 60 };
    Ok(vec![Asking::new("due", Box::new(move || Ok(debug.due(due_ms, &rules)?.len())))])
}

fn questions(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    let Opened { stores, count } = opened;
    let (debug, count) = (stores.debug(), *count);
    let ends_ms = Debugged(count).at_ms();
    let middle = Debugged(count / 2);
    let common = SimilarAsked {
        error_message: Some("Cannot read property 'length' of null".to_owned()),
        ..SimilarAsked::from(&middle.failure())
    };
    let several: Vec<SimilarAsked> =
        (0..16).map(|number| SimilarAsked::from(&Debugged(number * 7).failure())).collect();
    let own = SimilarAsked::from(&middle.failure());
    let similar = |kind: ErrorType, pattern: &'static str| -> Question<'_> {
        Box::new(move || Ok(debug.find_similar_failures(kind, pattern)?.len()))
    };
    let list =
        |filter: DebugFilter| -> Question<'_> { Box::new(move || Ok(debug.list(&filter)?.len())) };
    let all = DebugFilter::default;
    let category = Some(RootCause::ApiMisuse);
    let error_type = Some(ErrorType::TypeError);
    let asked: Vec<(&str, Question<'_>)> = vec![
        ("find_similar_failures, every file", similar(ErrorType::Other, "%")),
        ("find_similar_failures, one folder", similar(ErrorType::TypeError, "src/part7/%")),
        ("find_similar_failures, one file", similar(ErrorType::TypeError, "%part7/file7.ts")),
        ("find_similar_failures, none", similar(ErrorType::TypeError, "lib/%")),
        (
            "get_fix_templates",
            Box::new(move || Ok(debug.get_fix_templates("api_misuse", 10)?.len())),
        ),
        (
            "recent_escalations, a week",
            Box::new(move || {
                Ok(debug.recent_escalations(ends_ms.saturating_sub(7 * DAY_MS), 100)?.len())
            }),
        ),
        (
            "similar, a failure",
            Box::new(move || Ok(debug.similar(std::slice::from_ref(&own), None, 10)?.len())),
        ),
        (
            "similar, a common message",
            Box::new(move || Ok(debug.similar(std::slice::from_ref(&common), None, 10)?.len())),
        ),
        (
            "similar, sixteen failures",
            Box::new(move || Ok(debug.similar(&several, None, 10)?.len())),
        ),
        ("list", list(all())),
        ("list of a category", list(DebugFilter { category, ..all() })),
        ("list of an error type", list(DebugFilter { error_type, ..all() })),
        ("list of both", list(DebugFilter { category, error_type, ..all() })),
        (
            "list of a pattern",
            list(DebugFilter { pattern: Some("pattern 77".to_owned()), ..all() }),
        ),
        ("record", Box::new(move || Ok(usize::from(debug.record(middle.id())?.is_some())))),
        (
            "sessions_with, a common cause",
            Box::new(move || {
                let cause = cause_of(&middle.failure()).key();
                Ok(usize::try_from(debug.sessions_with(&cause)?).unwrap_or_default())
            }),
        ),
    ];
    Ok(asked.into_iter().map(|(name, ask)| Asking::new(name, ask)).collect())
}

fn fill(root: &std::path::Path, count: u64) -> Result<(), BenchError> {
    std::fs::create_dir_all(root).map_err(BenchError::io("making a project"))?;
    let options = InitOptions::default();
    drop(Project::init(root, &options).map_err(BenchError::program("making a project"))?);
    let options = JournalOptions { durability: Durability::Buffered, ..JournalOptions::default() };
    let opened = Journal::open(&root.join(".annals/journal"), &workload::entropy(3), options);
    let (journal, _) = opened.map_err(BenchError::program("opening the journal"))?;
    for number in 0..count {
        let events = Debugged(number).events();
        journal
            .stage(&events, Debugged(number).at_ms())
            .map_err(BenchError::program("filling a journal"))?;
    }
    journal.sync().map_err(BenchError::program("filling a journal"))?;
    drop(journal);
    let project = Project::open(root).map_err(BenchError::program("opening a project"))?;
    let feed = JournalFeed::of(&project).map_err(BenchError::program("opening the journal"))?;
    // The documents' files are asked nothing.
    let stores = &[StoreName::INDEX, StoreName::EXECUTION_LOG];
    rebuild(&annals::internal::stores::places(root), &feed, stores, RebuildMode::Replace)
        .map(drop)
        .map_err(BenchError::program("rebuilding"))
}
