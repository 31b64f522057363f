//! The journals that are asked about: for what needs nothing but them, with their stores open, and what
//! only they tell of an execution.

use std::path::{Path, PathBuf};

use super::{CliError, Context, Result};
use crate::event::{Ordered, Sequence};
use crate::execution::query::{After, ExecutionDetail, Page, QueryError, Reference, Stores};
use crate::execution::replay::{Asked, Bound, Walk, Window};
use crate::journal::merge::Origin;
use crate::journal::{JournalReader, Project, Reading, Source, clock};
use crate::output::time;
use crate::redact::{UNFINISHED, WHOLE_TEXT};
use crate::store::evidence::{BuiltStores, sequence_before};
use crate::store::{Feed, JournalFeed, StorePlaces};

pub struct Named {
    /// What its rows are told from others' by; `None` where it is the only one.
    pub name: Option<String>,
    /// Its folder, one segment of it, or a bundle.
    pub journal: PathBuf,
    pub reading: Reading,
    pub source: Source,
}

pub fn named(context: &Context) -> Result<Vec<Named>> {
    let sources = context.sources()?;
    let several = sources.len() > 1;
    let names = names(&sources);
    let named = |(source, name): (Source, String)| Named {
        name: several.then_some(name),
        journal: source.journal.clone(),
        reading: source.reading(context.evidence),
        source,
    };
    Ok(sources.into_iter().zip(names).map(named).collect())
}

/// The part of a journal that is asked for, `--at` included.
pub fn window(
    asked: &Asked,
    journal: &Path,
    reading: Reading,
    context: &Context,
) -> Result<Window> {
    let mut window = asked.window(journal, reading)?;
    if let Some(at) = at(journal, reading, context)? {
        window.through = Some(window.through.map_or(at, |through| through.min(at)));
    }
    Ok(window)
}

fn at(journal: &Path, reading: Reading, context: &Context) -> Result<Option<Sequence>> {
    let Some(text) = context.at.as_deref() else { return Ok(None) };
    if let Some(at) = at_time(text, journal, reading, context)? {
        return Ok(Some(at));
    }
    let to = Some(Bound::Reference(Reference::parse(text)?));
    Ok(Asked { to, ..Asked::default() }.window(journal, reading)?.through)
}

/// The last event that was there at a time; `None` where the text is none.
fn at_time(
    text: &str,
    journal: &Path,
    reading: Reading,
    context: &Context,
) -> Result<Option<Sequence>> {
    let Ok(time_ms) = time::parse(text, clock::now_ms(), &context.zone) else { return Ok(None) };
    // What was recorded in that millisecond was there then.
    Ok(Some(sequence_before(journal, reading, time_ms.saturating_add(1))?))
}

/// The event that `--at` names in this journal, whose stores are open as it stands; `None` where it
/// was not given.
pub fn resolve(
    source: &Source,
    now: &Opened,
    several: bool,
    context: &Context,
) -> Result<Option<Sequence>> {
    let Some(text) = context.at.as_deref() else { return Ok(None) };
    if let Some(at) = at_time(text, &source.journal, now.reading(), context)? {
        return Ok(Some(at));
    }
    let refused = |why: String| CliError::At { text: text.to_owned(), why };
    let reference = Reference::parse(text)
        .map_err(|error| refused(format!("{error}, or a time: 2h, 3d, 2026-01-31")))?;
    if several {
        return Err(refused("of several journals only a time can be asked".to_owned()));
    }
    let at = match reference {
        Reference::Sequence(at) => at,
        reference => Sequence(now.stores.resolve(&reference)?.sequence),
    };
    let last = sequence_before(&source.journal, now.reading(), u64::MAX)?;
    match at > last {
        true => Err(refused(format!("the journal ends with {last}"))),
        false => Ok(Some(at)),
    }
}

pub struct Opened {
    /// What the rows of this journal are told from others' by; `None` where it is the only one.
    pub name: Option<String>,
    /// The folder, the segment or the bundle that the stores were built from.
    pub journal: PathBuf,
    pub places: StorePlaces,
    pub stores: Stores,
    /// Nothing of the source was or will be written: the stores are a copy's, in a cache.
    pub evidence: bool,
    /// The last event that the stores know, where they were asked for as of then (`--at`).
    pub at: Option<Sequence>,
    /// Keeps them from being cleared away; after the stores, which are closed first.
    pub built: Option<BuiltStores>,
}

impl Opened {
    pub fn reading(&self) -> Reading {
        if self.evidence { Reading::Evidence } else { Reading::Live }
    }
}

/// The one journal, by its place in the list, in which a question about an execution has an answer; of
/// several `last`s the newest.
pub fn only<T>(
    opened: &[Opened],
    reference: &Reference,
    ask: impl Fn(&Stores) -> Result<T, QueryError>,
    at: impl Fn(&T) -> (u64, u64),
) -> Result<(usize, T), CliError> {
    let mut found = Vec::new();
    for (place, one) in opened.iter().enumerate() {
        match ask(&one.stores) {
            Ok(answer) => found.push((place, answer)),
            Err(QueryError::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if *reference == Reference::Last {
        found.order_by_key(|(_, answer)| at(answer));
        found.drain(..found.len().saturating_sub(1));
    }
    let reference = reference.to_string();
    let last = found.pop().ok_or_else(|| QueryError::NotFound { reference: reference.clone() })?;
    if found.is_empty() {
        return Ok(last);
    }
    let journals = found.iter().chain([&last]).filter_map(|(place, _)| opened[*place].name.clone());
    Err(CliError::InSeveral { reference, journals: journals.collect() })
}

pub struct Gathered<T> {
    /// The newest last.
    pub items: Vec<T>,
    /// Where the earlier ones begin, where there are any.
    pub before: Option<After>,
}

pub fn newest<'s, T>(
    opened: &'s [Opened],
    limit: usize,
    before: Option<After>,
    at: impl Fn(&T) -> After,
    ask: impl Fn(&'s Stores, usize, Option<After>) -> Result<Page<T>, QueryError>,
) -> Result<Gathered<T>, CliError> {
    let (mut items, mut more) = (Vec::new(), false);
    for one in opened {
        let (mut found, mut after) = (0, before);
        while found < limit {
            let page = ask(&one.stores, limit - found, after)?;
            found += page.items.len();
            items.extend(page.items);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        more |= after.is_some() && found >= limit;
    }
    items.order_by_key(&at);
    let surplus = items.len().saturating_sub(limit);
    items.drain(..surplus);
    more |= surplus > 0;
    let before = items.first().filter(|_| more).map(at);
    Ok(Gathered { items, before })
}

/// What the clock read where an execution began and ended, where that was not believed.
#[derive(Default)]
pub struct Readings {
    pub began_ms: Option<u64>,
    pub ended_ms: Option<u64>,
    /// How its texts were searched for secrets, where that did not end as it should.
    pub searched: Vec<&'static str>,
    /// In a merged journal, where its event comes from.
    pub origin: Option<Origin>,
}

const SEARCHED: [(&str, &str); 2] = [
    (
        WHOLE_TEXT,
        "a text would have cost your own patterns too much to search, and was taken out whole",
    ),
    (
        UNFINISHED,
        "a text was not searched to its end by patterns that came with the project, since that would have \
         cost too much; annals trust makes them yours",
    ),
];

impl Readings {
    pub fn of(journal: &Path, reading: Reading, found: &ExecutionDetail) -> Self {
        // Without the journal the rows still tell when it was recorded.
        let walk = Walk::events(journal, reading, Window::default()).ok();
        let read = |at: u64| {
            let recorded = walk.as_ref()?.get(Sequence(at)).ok()??; // as above
            Some(recorded.event.envelope)
        };
        // Of one that is open its start is the newest event.
        let ended = found.summary.outcome.map(|_| found.summary.sequence);
        let (began, ended) = (found.started_sequence.and_then(read), ended.and_then(read));
        let redactions = [&began, &ended].into_iter().flatten().flat_map(|it| &it.redactions);
        let rules: Vec<_> = redactions.map(|it| it.rule.as_str()).collect();
        let searched = SEARCHED.iter().filter(|(rule, _)| rules.contains(rule));
        // As above.
        let reader = JournalReader::reading(journal, reading).ok();
        let origin = reader.and_then(|it| it.origin(Sequence(found.summary.sequence)).ok()?);
        Self {
            origin,
            searched: searched.map(|(_, said)| *said).collect(),
            began_ms: began.and_then(|it| it.told_ms()),
            ended_ms: ended.and_then(|it| it.told_ms()),
        }
    }
}

/// What each is called: its project's folder, or its whole path where two would be called alike.
pub fn names(sources: &[Source]) -> Vec<String> {
    let labels: Vec<String> = sources.iter().map(Source::label).collect();
    let alike = |label: &String| labels.iter().filter(|other| *other == label).count() > 1;
    let name = |(source, label): (&Source, &String)| match alike(label) {
        true => source.given.to_string_lossy().into_owned(),
        false => label.clone(),
    };
    sources.iter().zip(&labels).map(name).collect()
}

/// Holds, where an answer is empty, that what was asked about is on record in one of the journals.
pub fn must_know(opened: &[Opened], session: Option<&str>, tool: Option<&str>) -> Result<()> {
    let mut unknown = None;
    for one in opened {
        match one.stores.must_know(session, tool) {
            Ok(()) => return Ok(()),
            Err(error) => unknown = Some(error),
        }
    }
    unknown.map_or(Ok(()), |error| Err(error.into()))
}

/// Holds that the name of a session is not the beginning of several.
pub fn must_mean_one(opened: &[Opened], session: Option<&str>) -> Result<()> {
    opened.iter().try_for_each(|one| Ok(one.stores.must_mean_one(session)?))
}

/// The last event of a project's journal that no loss of power can take back; `None` where nobody
/// can write to it, and what can be read is all there is.
pub fn durable(source: &Source, reading: Reading) -> Option<Sequence> {
    let root = source.root.as_ref().filter(|_| reading == Reading::Live)?;
    // A journal that cannot be opened for writing is read as it stands.
    let project = Project::open(root).ok()?;
    let feed = JournalFeed::asked(&project).ok()?;
    Some(feed.through().sequence)
}
