//! The command that takes checkpoints off the machine. It is the user's own setting alone (ruling 19), has so long, and
//! no hook ever waits for it.

use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{settings, witnesses};
use crate::cli::{Context, Result};
use crate::config::user_config_path;
use crate::event::wire::hex_text;
use crate::grounding::tools::program::{self, Ended};
use crate::journal::tlog::{self, Note, take_cosignatures};
use crate::journal::trust::outside::{self, Kind};
use crate::journal::{Project, enclosure};
use crate::output::escape;

const WITHIN_S_MAX: u64 = 300;
const SAID_CHARS_MAX: usize = 300;
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// There is no sink, no checkpoint, or it has the last one.
    Nothing,
    Done,
    Failed,
}

/// Whether settings that cannot be used name a sink all the same.
fn is_named() -> bool {
    // Those that cannot be read name none.
    let path = user_config_path().and_then(|path| path.canonicalize().ok());
    let bytes = path.and_then(|path| enclosure::read(&path, SETTINGS_BYTES_MAX).ok());
    let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
    let said = text.lines().filter_map(|line| line.split('#').next());
    said.map(|line| line.replace("sink_within_s", "")).any(|line| line.contains("sink"))
}

/// Gives the last checkpoint to the sink, once: `again`, also where it was tried before. What the sink prints may be
/// that checkpoint with the signatures of witnesses: those are kept.
pub fn send(project: &Project, again: bool, context: &mut Context) -> Result<Sent> {
    let config = match settings() {
        // What recording, which goes by none of them, has no word for.
        Err(_) if !again && !is_named() => return Ok(Sent::Nothing),
        config => config?,
    };
    let Some(sink) = config.sink.filter(|it| !it.trim().is_empty()) else {
        return Ok(Sent::Nothing);
    };
    let (dir, id) = (project.journal_dir(), project.reader()?.id());
    let Some((_, note)) = tlog::last(&dir, &id) else { return Ok(Sent::Nothing) };
    let text = note.to_string();
    let told = blake3::hash(note.text.as_bytes());
    if !again && outside::read(Kind::Sent, &dir, &id) == Some(*told.as_bytes()) {
        return Ok(Sent::Nothing);
    }
    // Where that cannot be kept it is given once more.
    drop(outside::keep(Kind::Sent, &dir, &id, told.as_bytes()));
    let seconds = config.sink_within_s.clamp(1, WITHIN_S_MAX);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&sink).current_dir(project.root());
    shell.env("ANNALS_JOURNAL", hex_text(&id));
    let stop = AtomicBool::new(false);
    let ran = program::run_with(shell, Some(text.as_bytes()), Duration::from_secs(seconds), &stop);
    let why = match ran {
        Err(error) => format!("it could not be run: {error}"),
        Ok(ran) => match ran.ended {
            Ended::TooLong | Ended::Unwanted => format!("it took more than {seconds} s"),
            Ended::ByItself if ran.status.success() => {
                // Most print nothing, or what is no note.
                if let Ok(note) = Note::parse(&String::from_utf8_lossy(ran.stdout.head())) {
                    take_cosignatures(project, &note, &witnesses(&[])?)?;
                }
                return Ok(Sent::Done);
            }
            Ended::ByItself => {
                let said = String::from_utf8_lossy(ran.stderr.head()).trim().to_owned();
                let said: String = said.chars().take(SAID_CHARS_MAX).collect();
                format!("{}: {said}", ran.status)
            }
        },
    };
    let why = escape::line(&why).into_owned();
    context.output.note(format_args!(
        "the checkpoint did not leave the machine, its sink failed ({why}): annals checkpoint --send"
    ));
    Ok(Sent::Failed)
}
