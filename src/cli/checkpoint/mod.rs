//! `annals checkpoint`: signs how far the journal goes, and what it holds.

pub mod by_itself;
pub mod signer;
pub mod sink;

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::check_proof::parsed;
use super::{CliError, Context, Exit, Result, counted, shown};
use crate::config::CheckpointConfig;
use crate::event::wire::hex_text;
use crate::journal::tlog::{self, Keys, NOTE_BYTES_MAX, Note, sign};
use crate::journal::trust::user_config;
use crate::journal::{ProjectError, enclosure};
use crate::output::escape;
use signer::{Unlock, signer};
use sink::Sent;

/// Sign what the journal holds now
///
/// A checkpoint (a C2SP signed note) names the journal, the number of its records and the root over all of them. Keep
/// it where nobody can change it with the journal: `annals verify --checkpoint FILE --key LINE` says later whether the
/// journal still contains it. One that does not contain the last one is not signed. It is an event, too. Where
/// `[checkpoint]` in `~/.config/annals/config.toml` has a `sink`, a command, that takes it off the machine.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write it to a file [default: print it]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Sign nothing: give the last checkpoint to the sink once more
    #[arg(long, conflicts_with_all = ["out", "cosigned"])]
    send: bool,
    /// Sign nothing: keep what witnesses signed, from the last checkpoint with their signatures
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    cosigned: Option<PathBuf>,
    /// A witness's public key, besides those in the settings; repeats
    #[arg(long, value_name = "LINE", requires = "cosigned")]
    witness: Vec<String>,
    #[command(flatten)]
    unlock: Unlock,
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
    /// Whether the sink took it; `null` where there is none.
    sent: Option<bool>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    if let Some(file) = &args.cosigned {
        return cosigned(file, &args.witness, context);
    }
    if args.send {
        return Ok(match sink::send(&project, true, context)? {
            Sent::Nothing => {
                let what =
                    "there is no sink: `sink` under [checkpoint] in ~/.config/annals/config.toml";
                return Err(CliError::Refused { what });
            }
            Sent::Done => Exit::Fine,
            Sent::Failed => Exit::Findings,
        });
    }
    let key = Keys::of_user().map(|keys| keys.key()).transpose()?.flatten();
    let key =
        key.ok_or(CliError::Refused { what: "there is no key to sign with: annals key new" })?;
    let key = signer(key, &args.unlock, context)?;
    let (checkpoint, note) = sign(&project, key.as_ref())?;
    let text = note.to_string();
    if let Some(out) = &args.out {
        write_new(out, &text)?;
    }
    let sent = sink::send(&project, true, context)?;
    let exit = if sent == Sent::Failed { Exit::Findings } else { Exit::Fine };
    let signed = Signed {
        journal: hex_text(&checkpoint.journal),
        size: checkpoint.size,
        root: hex_text(&checkpoint.root),
        sequence: checkpoint.mark.sequence.0,
        chain: hex_text(&checkpoint.mark.chain),
        key: key.public().to_string(),
        note: text.clone(),
        sent: (sent != Sent::Nothing).then_some(sent == Sent::Done),
    };
    if context.output.as_json(&signed)? {
        return Ok(exit);
    }
    match &args.out {
        None => context.output.line(text.trim_end())?,
        Some(out) => {
            let (out, size) = (shown(out), checkpoint.size);
            let sequence = checkpoint.mark.sequence.0;
            context.output.line(format_args!("{out}: {size} records, up to event @{sequence}"))?;
        }
    }
    Ok(exit)
}

/// What this user's settings say of checkpoints.
pub fn settings() -> Result<CheckpointConfig> {
    Ok(user_config().map_err(ProjectError::Config)?.checkpoint)
}

/// The witnesses that this user's settings name, and those given.
pub fn witnesses(given: &[String]) -> Result<Vec<tlog::PublicKey>> {
    parsed(settings()?.witnesses.iter().chain(given))
}

fn cosigned(file: &Path, given: &[String], context: &mut Context) -> Result<Exit> {
    let bytes = enclosure::read(file, NOTE_BYTES_MAX);
    let bytes = bytes.map_err(|source| CliError::io("read", file, source))?;
    let note = Note::parse(&String::from_utf8_lossy(&bytes))?;
    let (project, witnesses) = (context.project()?, witnesses(given)?);
    let before = tlog::last(&project.journal_dir(), &project.reader()?.id());
    let found = tlog::take_cosignatures(&project, &note, &witnesses)?;
    let text = format!("{} of witnesses kept", counted(found as u64, "new signature"));
    context.output.line(text)?;
    // Those that were there before, and those that are taken, are known by now.
    let known = |it: &&tlog::Signature| {
        let is_old = before.as_ref().is_some_and(|(_, note)| note.signatures.contains(it));
        is_old
            || witnesses.iter().any(|key| key.is_of(&it.name, &it.key_id) && note.is_signed_by(key))
    };
    for it in note.signatures.iter().filter(|it| !known(it)) {
        let is_listed = witnesses.iter().any(|key| key.is_of(&it.name, &it.key_id));
        let why = match is_listed {
            true => "it does not hold for this checkpoint",
            false => {
                "no witness of that key: `witnesses` in the settings, or --witness LINE, names one"
            }
        };
        let name = escape::line(&it.name);
        context.output.line(format_args!("  not kept, of {name}: {why}"))?;
    }
    if found == 0 && note.signatures.iter().all(|it| known(&it)) {
        context.output.line("  all of them were kept before")?;
    }
    Ok(if found > 0 { Exit::Fine } else { Exit::Findings })
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
