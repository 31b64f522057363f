//! `annals check-proof`: whether a proof holds, without the journal.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CliError, Context, Exit, Result, counted};
use crate::event::Kind;
use crate::event::wire::{hex_text, utc_text};
use crate::journal::enclosure;
use crate::journal::tlog::{
    CheckedProof, Checkpoint, Growth, Keys, NOTE_BYTES_MAX, Note, Proof, PublicKey, check,
};
use crate::output::escape;

/// Check a proof, without the journal
///
/// Says what it proves and who signed that. The exit code is 6 where it does not hold, 1 where nobody that is believed
/// signed what it rests on, 2 where it is no proof.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What `annals prove` wrote; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A public key that is believed, as `annals key show` prints it; repeats [default: your own]
    #[arg(long, value_name = "LINE")]
    key: Vec<String>,
}

#[derive(Serialize)]
struct Checked {
    holds: bool,
    /// Whose key signed the checkpoint; `null`: nobody's that is believed.
    signed_by: Option<String>,
    journal: String,
    size: u64,
    root: String,
    /// Of a record: its event.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Record>,
    /// Of a growth: how many records the beginning has.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
    /// Where nobody that is believed signed it, why.
    #[serde(skip)]
    unsigned: &'static str,
}

#[derive(Serialize)]
struct Record {
    sequence: u64,
    kind: String,
    recorded: String,
    /// `blake3(salt ‖ stored payload)`.
    content: String,
}

/// The keys that are believed: those given, or the user's own.
pub fn believed(given: &[String]) -> Result<Vec<PublicKey>> {
    if given.is_empty() {
        return Ok(Keys::of_user().map(|keys| keys.publics()).unwrap_or_default());
    }
    parsed(given)
}

pub fn parsed<'k>(lines: impl IntoIterator<Item = &'k String>) -> Result<Vec<PublicKey>> {
    let what = "this is no public key, as annals key show, a witness or ssh writes it";
    let key = |it: &String| PublicKey::parse(it).ok_or(CliError::Refused { what });
    lines.into_iter().map(key).collect()
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let keys = believed(&args.key)?;
    let bytes = read(&args.file)?;
    let text = String::from_utf8_lossy(&bytes);
    let is_checkpoint = |text: &str| {
        let note = Note::parse(text);
        note.is_ok_and(|note| Checkpoint::parse(&note.text).is_ok())
    };
    if is_checkpoint(&text) {
        let what = "this is a checkpoint, and no proof: annals verify --checkpoint FILE holds a journal against it";
        return Err(CliError::Refused { what });
    }
    // A proof ends with its checkpoint, from the second blank line on.
    let is_signed = text.split_once("\n\n").is_some_and(|(_, note)| Note::parse(note).is_ok());
    let unsigned = match (is_signed, args.key.is_empty()) {
        (false, _) => "it rests on no checkpoint: annals checkpoint, then annals prove again",
        (true, true) => "signed by nobody that is believed: give --key",
        (true, false) => "signed by none of the keys that were given",
    };
    let mut checked = match Growth::parse(&text) {
        Ok(growth) => {
            let (holds, checkpoint, signed_by) = growth.check(&keys)?;
            let first = Some(growth.first.0);
            Checked { first, ..Checked::of(holds, &checkpoint, signed_by) }
        }
        Err(_) => {
            let found = check(&Proof::parse(&text)?, &keys)?;
            let record = Some(Record::of(&found));
            Checked { record, ..Checked::of(found.holds, &found.checkpoint, found.signed_by) }
        }
    };
    checked.unsigned = unsigned;
    if !context.output.as_json(&checked)? {
        checked.print(context)?;
    }
    Ok(match (checked.holds, &checked.signed_by) {
        (false, _) => Exit::Contradicted,
        (true, None) => Exit::Findings,
        (true, Some(_)) => Exit::Fine,
    })
}

fn read(file: &Path) -> Result<Vec<u8>> {
    // By its other name it is a link, and no file of anybody's.
    if ["-", "/dev/stdin"].iter().any(|it| file.as_os_str() == *it) {
        let mut bytes = Vec::new();
        let mut input = io::stdin().lock().take(NOTE_BYTES_MAX + 1);
        input.read_to_end(&mut bytes).map_err(CliError::Input)?;
        return Ok(bytes);
    }
    enclosure::read(file, NOTE_BYTES_MAX).map_err(|source| CliError::io("read", file, source))
}

impl Record {
    fn of(found: &CheckedProof) -> Self {
        let kind = Kind(found.kind);
        Self {
            sequence: found.sequence,
            kind: kind.name().map_or_else(|| format!("kind {:#06x}", kind.0), str::to_owned),
            recorded: utc_text(found.time_ms).unwrap_or_default(),
            content: hex_text(&found.inner),
        }
    }
}

impl Checked {
    fn of(holds: bool, checkpoint: &Checkpoint, signed_by: Option<String>) -> Self {
        let (journal, root) = (hex_text(&checkpoint.journal), hex_text(&checkpoint.root));
        let (size, unsigned) = (checkpoint.size, "");
        Self { holds, signed_by, journal, size, root, record: None, first: None, unsigned }
    }

    fn print(&self, context: &mut Context) -> Result<()> {
        let Self { journal, size, root, .. } = self;
        let what = match (&self.record, self.first) {
            (Some(it), _) => {
                format!("event @{}, {}, recorded {}:", it.sequence, it.kind, it.recorded)
            }
            (None, first) => {
                let first = counted(first.unwrap_or_default(), "record");
                format!("a journal of {first}")
            }
        };
        let holds = match (self.holds, &self.record) {
            (true, Some(_)) => "is in",
            (true, None) => "is the beginning of",
            (false, Some(_)) => "is NOT proven to be in",
            (false, None) => "is NOT proven to be the beginning of",
        };
        context.output.line(format_args!("{what} {holds} journal {journal}, of {size} records"))?;
        context.output.line(format_args!("  root {root}"))?;
        Ok(context.output.line(match &self.signed_by {
            Some(name) => format!("  signed by {}", escape::line(name)),
            None => format!("  {}", self.unsigned),
        })?)
    }
}
