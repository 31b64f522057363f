//! `annals salvage --from-store`: what stores have beyond their journal, as JSON lines.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Args, NewFile};
use crate::cli::{CliError, Context, Exit, Result, counted, with_causes, written};
use crate::event::wire::hex_text;
use crate::journal::{Source, SourceError};
use crate::output::cells::{Cell, JsonRow};
use crate::output::escape;
use crate::store::quarantine::EVIDENCE;
use crate::store::remains::{Otherwise, Remnant, RemnantCount};
use crate::store::salvage::{StoreRemains, StoreSalvageError, salvage_stores};

#[derive(Serialize)]
struct Line<'a> {
    /// Not the journal: nothing proves what a store says.
    recovered_from: &'static str,
    proven_by_journal: bool,
    path: &'a str,
    store: &'a str,
    cursor: Option<Cursor>,
    table: &'a str,
    journal_has: &'static str,
    key: JsonRow<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differs_in: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    too_large: &'a [String],
    row: JsonRow<'a>,
}

#[derive(Serialize)]
struct Cursor {
    journal: String,
    sequence: u64,
    chain: String,
}

#[derive(Serialize)]
struct Salvaged {
    from: String,
    /// None where there was nothing to write.
    to: Option<String>,
    journal: Option<String>,
    lost: u64,
    differing: u64,
    stores: Vec<SalvagedStore>,
    /// Stores of which nothing could be told, and why.
    unread: Vec<String>,
}

#[derive(Serialize)]
struct SalvagedStore {
    store: String,
    path: String,
    cursor: Option<Cursor>,
    standing: String,
    /// Rows that the journal has nothing for, and those that it has otherwise.
    lost: u64,
    differing: u64,
    unread: Vec<String>,
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit> {
    let source = journal(args, context)?;
    let mut file = NewFile::begin(&args.destination)?;
    let reading = |source: &Source| source.reading(context.evidence);
    let held_against = source.as_ref().map(|source| (source, reading(source)));
    let mut take = |store: &StoreRemains, row: &Remnant<'_>| file.line(&line(store, row)?);
    let (found, untold) = salvage_stores(
        &crate::stores::STORES,
        &args.source,
        held_against,
        &context.cache,
        &mut take,
    )?;
    let stores: Vec<SalvagedStore> = found.into_iter().map(salvaged_store).collect();
    let sum = |count: fn(&SalvagedStore) -> u64| stores.iter().map(count).sum();
    let (lost, differing) = (sum(|store| store.lost), sum(|store| store.differing));
    let has_rows = lost + differing > 0;
    if has_rows {
        file.arrive()?;
        let of = source.as_ref().into_iter().cloned().collect::<Vec<_>>();
        written::remember(&of, "rows of stores", &args.destination, context);
    }
    let why = |(path, error): &(PathBuf, StoreSalvageError)| {
        format!("{}: {}", path.display(), with_causes(error))
    };
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let salvaged = Salvaged {
        from: text(&args.source),
        to: has_rows.then(|| text(&args.destination)),
        journal: source.map(|source| text(&source.journal)),
        lost,
        differing,
        unread: untold.iter().map(why).collect(),
        stores,
    };
    if !context.output.as_json(&salvaged)? {
        print(&salvaged, context)?;
    }
    let is_whole = salvaged.stores.iter().all(|store| store.unread.is_empty());
    Ok(match !has_rows && is_whole && salvaged.unread.is_empty() {
        true => Exit::Fine,
        false => Exit::Findings,
    })
}

/// The journal to hold stores against: the one that was named, else the one that they lie beside, else the
/// one that one is in.
fn journal(args: &Args, context: &Context) -> Result<Option<Source>> {
    if context.given {
        let sources = match context.sources() {
            Err(error) if matches!(error.below(), Some(SourceError::Lost(_))) => return Ok(None),
            sources => sources?,
        };
        let [one] = <[Source; 1]>::try_from(sources).map_err(|_| {
            let what = "a store has one journal: give one --dir";
            CliError::Refused { what }
        })?;
        return Ok(Some(one));
    }
    let real = args.source.canonicalize();
    let real = real.map_err(|source| CliError::io("read", &args.source, source))?;
    for start in [real.as_path(), &context.start] {
        let folder = if start.is_dir() { start } else { start.parent().unwrap_or(start) };
        match Source::find(folder) {
            Ok(Some(found)) => return Ok(Some(found)),
            // What is left of a project has no journal.
            Ok(None) | Err(SourceError::Nothing { .. } | SourceError::Lost(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

fn line(store: &StoreRemains, found: &Remnant<'_>) -> io::Result<String> {
    let cells: Vec<Cell<'_>> = found.values.iter().copied().map(Cell::from).collect();
    let at = |name: &String| found.names.iter().position(|known| known == name);
    let key: Vec<Cell<'_>> = found.key.iter().filter_map(at).map(|at| cells[at].clone()).collect();
    let line = Line {
        recovered_from: "store",
        proven_by_journal: false,
        path: &store.path.to_string_lossy(),
        store: store.store.as_str(),
        cursor: cursor(store),
        table: found.table,
        journal_has: match found.journal_has {
            Otherwise::Nothing => "nothing",
            Otherwise::Another => "another",
        },
        key: JsonRow { names: found.key, cells: &key },
        differs_in: found.differs_in,
        too_large: found.left_out,
        row: JsonRow { names: found.names, cells: &cells },
    };
    let text = serde_json::to_string(&line).map_err(io::Error::from)?;
    Ok(escape::json(&text).into_owned())
}

fn cursor(store: &StoreRemains) -> Option<Cursor> {
    let position = store.cursor?.position;
    let (journal, chain) = (hex_text(&position.journal), hex_text(&position.chain));
    Some(Cursor { journal, sequence: position.sequence, chain })
}

fn salvaged_store((store, found): (StoreRemains, RemnantCount)) -> SalvagedStore {
    SalvagedStore {
        store: store.store.to_string(),
        path: store.path.to_string_lossy().into_owned(),
        cursor: cursor(&store),
        standing: store.standing,
        lost: found.lost,
        differing: found.differing,
        unread: found.unread,
    }
}

fn print(salvaged: &Salvaged, context: &mut Context) -> Result<()> {
    let output = &mut context.output;
    for store in &salvaged.stores {
        let upto = store.cursor.as_ref();
        let upto = upto.map_or(String::new(), |it| format!(", up to event @{}", it.sequence));
        let (path, standing) = (escape::line(&store.path), escape::line(&store.standing));
        output.line(format_args!("{path}{upto}: {standing}"))?;
        if store.lost > 0 {
            let lost = counted(store.lost, "row");
            output.line(format_args!("  {lost} that the journal does not have"))?;
        }
        if store.differing > 0 {
            let differing = counted(store.differing, "row");
            output.line(format_args!("  {differing} that the journal has otherwise"))?;
        }
        for why in &store.unread {
            output.line(format_args!("  could not be read: {}", escape::line(why)))?;
        }
    }
    for why in &salvaged.unread {
        output.line(format_args!("could not be read: {}", escape::line(why)))?;
    }
    let rows = counted(salvaged.lost + salvaged.differing, "row");
    match &salvaged.to {
        Some(to) => {
            let to = escape::line(to);
            output
                .line(format_args!("{rows} saved in {to}; no record of a journal proves them"))?;
            let is_in_place = |store: &SalvagedStore| {
                store.lost + store.differing > 0 && !store.path.ends_with(EVIDENCE)
            };
            if salvaged.stores.iter().any(is_in_place) {
                output.line("Next: annals repair sets such stores aside, and keeps them, or says what must come first")?;
            }
        }
        None => output.line("Nothing that the journal does not have; no file was made")?,
    }
    Ok(())
}
