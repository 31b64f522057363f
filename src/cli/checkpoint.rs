//! `annals checkpoint`: signs how far the journal goes, and what it holds.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CliError, Context, Exit, Result, shown};
use crate::event::wire::hex_text;
use crate::journal::tlog::{Keys, sign};

/// Sign what the journal holds now
///
/// A checkpoint (a C2SP signed note) names the journal, the number of its records and the root over all of them. Keep
/// it where nobody can change it with the journal: `annals verify --checkpoint FILE --key LINE` says later whether the
/// journal still contains it. One that does not contain the last one is not signed. It is an event, too.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write it to a file [default: print it]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Signed {
    journal: String,
    /// Records.
    size: u64,
    root: String,
    /// The last event, and the chain at its commit's end.
    sequence: u64,
    chain: String,
    key: String,
    note: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let keys = Keys::of_user().map(|keys| keys.secret()).transpose()?.flatten();
    let key =
        keys.ok_or(CliError::Refused { what: "there is no key to sign with: annals key new" })?;
    let (checkpoint, note) = sign(&project, &key)?;
    let text = note.to_string();
    if let Some(out) = &args.out {
        write_new(out, &text)?;
    }
    let signed = Signed {
        journal: hex_text(&checkpoint.journal),
        size: checkpoint.size,
        root: hex_text(&checkpoint.root),
        sequence: checkpoint.mark.sequence.0,
        chain: hex_text(&checkpoint.mark.chain),
        key: key.public().to_string(),
        note: text.clone(),
    };
    if context.output.as_json(&signed)? {
        return Ok(Exit::Fine);
    }
    match &args.out {
        None => context.output.line(text.trim_end())?,
        Some(out) => {
            let (out, size) = (shown(out), checkpoint.size);
            let sequence = checkpoint.mark.sequence.0;
            context.output.line(format_args!("{out}: {size} records, up to event @{sequence}"))?;
        }
    }
    Ok(Exit::Fine)
}

/// Writes a file that is not there yet.
pub fn write_new(out: &Path, text: &str) -> Result<()> {
    write(out, text, File::options().write(true).create_new(true))
}

/// As [`write_new`], for nobody but its owner.
pub fn write_private(out: &Path, text: &str) -> Result<()> {
    write(out, text, File::options().write(true).create_new(true).mode(0o600))
}

fn write(out: &Path, text: &str, how: &OpenOptions) -> Result<()> {
    let file = how.open(out).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => CliError::Exists { path: out.to_owned() },
        _ => CliError::io("write", out, source),
    });
    file?.write_all(text.as_bytes()).map_err(|source| CliError::io("write", out, source))
}
