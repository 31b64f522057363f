//! `annals prove`: that a record is in the journal, or that an earlier journal is its beginning.

use std::path::{Path, PathBuf};

use super::checkpoint::write_new;
use super::command::verbs;
use super::{CliError, Context, Exit, Result, catch_up, counted, damage, journals, shown};
use crate::event::Sequence;
use crate::execution::query::{ExecutionDetail, Reference};
use crate::journal::tlog::{
    Checkpoint, Growth, NOTE_BYTES_MAX, Note, Proof, TlogError, Tree, check,
};
use crate::journal::{JournalReader, Reading, ReplayItem, Source, enclosure};

/// Prove that a record is in the journal, or that the journal grew from an earlier one
///
/// A proof is a small file that `annals check-proof` checks without the journal, and with nothing but FORMAT.md anybody.
/// It names the last checkpoint, where that covers it; else nobody signed what it rests on. It is printed as it is,
/// with --json too.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    enum Verb {
        /// That a record is in the journal
        Inclusion(Inclusion) => inclusion,
        /// That a journal of fewer records is the beginning of this one
        Consistency(Consistency) => consistency,
    }
}

#[derive(clap::Args, Debug)]
struct Inclusion {
    /// 142 (its number in `annals log`), @4711 (an event), a UUID or the beginning of one, or `last`
    #[arg(value_name = "REF")]
    reference: String,
    /// Write it to a file [default: print it]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct Consistency {
    /// How many records it had, where a commit ends (an error names the nearest), or the file of a checkpoint
    #[arg(value_name = "A")]
    first: String,
    /// As A, of the later one [default: the last checkpoint, or all there is]
    #[arg(value_name = "B")]
    second: Option<String>,
    /// Write it to a file [default: print it]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    args.verb.run(context)
}

/// The tree of the one journal that is asked, and the checkpoint beside it.
struct Asked {
    source: Source,
    reading: Reading,
    tree: Tree,
    note: Option<(Checkpoint, String)>,
}

impl Asked {
    fn of(context: &mut Context) -> Result<Self> {
        let mut sources = context.sources()?;
        let what = "a proof is of one journal: give one --dir";
        let source =
            sources.pop().filter(|_| sources.is_empty()).ok_or(CliError::Refused { what })?;
        // A proof of a journal that is not the one that was seen says so.
        damage::ask(&source, context);
        let reading = source.reading(context.evidence);
        let folder = source.root.as_deref().map(|root| root.join(".annals/tlog"));
        let kept = folder.clone().filter(|_| reading == Reading::Live);
        let tree = Tree::of(&source.journal, reading, kept, None)?;
        let note = folder.and_then(|it| note(&it.join("checkpoint")).ok()); // then nobody signed it
        let note = note.filter(|(it, _)| {
            let root = tree.root(it.size); // of another history: it vouches for nothing here
            it.journal == tree.journal() && root.is_ok_and(|root| root == it.root)
        });
        Ok(Self { source, reading, tree, note })
    }

    /// What stands at the end of a proof about so many records: the checkpoint that covers them, or its text unsigned.
    fn vouching(&self, records: u64) -> Result<(u64, String)> {
        match &self.note {
            Some((checkpoint, note)) if checkpoint.size >= records => {
                Ok((checkpoint.size, note.clone()))
            }
            _ => self.unsigned(self.tree.size()),
        }
    }

    fn unsigned(&self, size: u64) -> Result<(u64, String)> {
        let reader = JournalReader::reading(&self.source.journal, self.reading)?;
        let last = size.checked_sub(1).filter(|_| size <= self.tree.size());
        let mark = last.map(|last| reader.mark_at(self.tree.sequence(last))).transpose()?.flatten();
        let Some(mark) = mark else { return Err(self.no_end(size, &reader)?.into()) };
        let (journal, root) = (self.tree.journal(), self.tree.root(size)?);
        Ok((size, Checkpoint { journal, size, root, mark }.text()))
    }

    /// That no commit ends after so many records, and the numbers beside it after which one does.
    fn no_end(&self, size: u64, reader: &JournalReader) -> Result<TlogError> {
        let (mut before, mut behind) = (None, None);
        for item in reader.replay(Sequence(1), Some(self.tree.mark().sequence)) {
            let ReplayItem::CommitEnd(mark) = item? else { continue };
            let ends = self.tree.index(mark.sequence)? + 1;
            if ends > size {
                behind = Some(ends);
                break;
            }
            before = Some(ends);
        }
        let beside: Vec<_> = before.iter().chain(&behind).map(u64::to_string).collect();
        let (beside, all) = (beside.join(" and after "), counted(self.tree.size(), "record"));
        let what = format!("no commit ends after {size} of {all}; one does after {beside}");
        Ok(TlogError::Refused { what })
    }
}

/// A checkpoint in a file, and its text.
fn note(path: &Path) -> Result<(Checkpoint, String)> {
    let bytes = enclosure::read(path, NOTE_BYTES_MAX);
    let bytes = bytes.map_err(|source| CliError::io("read", path, source))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let checkpoint = match Note::parse(&text) {
        Ok(note) => Checkpoint::parse(&note.text)?,
        Err(_) => Checkpoint::parse(&text)?,
    };
    Ok((checkpoint, text))
}

fn inclusion(args: Inclusion, context: &mut Context) -> Result<Exit> {
    let at = sequence(&Reference::parse(&args.reference)?, context)?;
    let asked = Asked::of(context)?;
    let index = asked.tree.index(at)?;
    let (size, note) = asked.vouching(index + 1)?;
    let frame = asked.tree.record(&asked.source.journal, asked.reading, at)?;
    let path = asked.tree.inclusion(index, size)?;
    let mut proof = Proof { leaf: Proof::leaf_of(&frame), index, path, note };
    if !check(&proof, &[])?.holds {
        // A tile is not what it was: by the journal alone, then.
        proof.path = Tree::afresh(&asked.source.journal, asked.reading)?.inclusion(index, size)?;
    }
    if !check(&proof, &[])?.holds {
        return Err(CliError::Refused { what: NOT_THERE });
    }
    give(&proof.to_string(), args.out.as_deref(), context)
}

const NOT_THERE: &str = "the journal does not hold what the checkpoint vouches for: annals verify --checkpoint says what it does";

/// The event that something is told by: of a call its result's.
fn sequence(reference: &Reference, context: &mut Context) -> Result<Sequence> {
    if let Reference::Sequence(at) = reference {
        return Ok(*at);
    }
    let opened = catch_up::open_all(context)?;
    let at = |found: &ExecutionDetail| (found.summary.at_ms, found.summary.sequence);
    let (_, found) = journals::only(&opened, reference, |it| it.show(reference), at)?;
    Ok(Sequence(found.summary.sequence))
}

fn consistency(args: Consistency, context: &mut Context) -> Result<Exit> {
    let asked = Asked::of(context)?;
    let (first, _) = named(&args.first, &asked)?;
    let (size, note) = match &args.second {
        Some(second) => named(second, &asked)?,
        None => asked.vouching(first)?,
    };
    if first > size {
        return Err(CliError::Refused { what: "A has more records than B" });
    }
    let growth = |tree: &Tree| {
        let (path, root) = (tree.consistency(first, size)?, tree.root(first)?);
        Ok::<_, CliError>(Growth { first: (first, root), path, note: note.clone() })
    };
    let growth = match growth(&asked.tree)? {
        held if held.check(&[])?.0 => held,
        // As above.
        _ => growth(&Tree::afresh(&asked.source.journal, asked.reading)?)?,
    };
    if !growth.check(&[])?.0 {
        return Err(CliError::Refused { what: NOT_THERE });
    }
    give(&growth.to_string(), args.out.as_deref(), context)
}

/// A number of records, or a checkpoint's file, with what stands at the end of a proof about it.
fn named(text: &str, asked: &Asked) -> Result<(u64, String)> {
    match text.parse() {
        Ok(size) => asked.unsigned(size),
        Err(_) => {
            let (checkpoint, note) = note(Path::new(text))?;
            let (size, root) = (checkpoint.size, checkpoint.root);
            let is_ours = checkpoint.journal == asked.tree.journal();
            match is_ours && asked.tree.root(size).is_ok_and(|found| found == root) {
                true => Ok((size, note)),
                false => Err(CliError::Refused { what: NOT_THERE }),
            }
        }
    }
}

fn give(text: &str, out: Option<&Path>, context: &mut Context) -> Result<Exit> {
    match out {
        Some(out) => {
            write_new(out, text)?;
            let out = shown(out);
            context.output.line(format_args!("{out}: to check it: annals check-proof {out}"))?;
        }
        None => context.output.line(text.trim_end())?,
    }
    Ok(Exit::Fine)
}
