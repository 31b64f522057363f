//! `SessionStart`: a session begins, goes on after a pause, or forgot what was said.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::{Firing, HookAnswer, HookError, Known, words};
use crate::event::{Body, GateMode, HookRan, SessionId};
use crate::grounding::gate;

/// `env_file` is where the agent's shells read their variables from, where it has told.
pub fn answer(
    firing: &Firing<'_>,
    env_file: Option<PathBuf>,
    known: &mut Known<'_>,
) -> Result<HookAnswer, HookError> {
    let exported = env_file.map(|path| {
        export(&path, firing.session).map_err(|source| HookError::EnvFile { path, source })
    });
    let grounding = known.grounding();
    let mut events = vec![match grounding.last_ms() {
        0 => firing.event(firing.session_started()),
        _ => firing.event(Body::HookRan(HookRan {
            agent: firing.agent.as_str().to_owned(),
            hook: firing.input.name().to_owned(),
            outcome: firing.input.source.to_text().unwrap_or_default(),
            duration_ms: None,
        })),
    }];
    let mut answer = HookAnswer::default();
    if firing.mode != GateMode::Observe {
        events.push(firing.event(gate::checkpoint(grounding)));
        let is_exported = matches!(exported, Some(Ok(())));
        answer.context = Some(words::opening(firing, grounding, is_exported));
    }
    firing.record(events, known)?;
    exported.transpose()?;
    Ok(answer)
}

/// A longer one is not looked through.
const BYTES_MAX: u64 = 1 << 20;

/// Appends `export ANNALS_SESSION=…` to the file that the agent's shells read first; once.
pub fn export(path: &Path, session: SessionId) -> io::Result<()> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    let mut file = options.read(true).append(true).create(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut before = Vec::new();
    (&file).take(BYTES_MAX).read_to_end(&mut before)?;
    // A UUID's letters and digits mean nothing to any shell.
    let line = format!("export ANNALS_SESSION='{session}'");
    let last =
        before.split(|byte| *byte == b'\n').rfind(|it| it.starts_with(b"export ANNALS_SESSION="));
    if last == Some(line.as_bytes()) {
        return Ok(());
    }
    let newline = if before.last().is_none_or(|byte| *byte == b'\n') { "" } else { "\n" };
    file.write_all(format!("{newline}{line}\n").as_bytes())
}
