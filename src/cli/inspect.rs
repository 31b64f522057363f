//! `annals inspect`: a journal taken apart.

use std::path::PathBuf;

use super::{Context, Exit, Result, damage, with_causes};
use crate::journal::Part;
use crate::output::{escape, time};
use crate::stores::source::journal_path;

/// Take a journal apart: every segment, frame and commit where it lies
///
/// Works on a ruined journal and on one segment alone, and changes nothing. It prints as it reads:
/// memory does not grow with the journal.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A project, a journal's folder, one .seg file or a bundle
    path: PathBuf,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    damage::must_have_journal(&args.path)?;
    let mut exit = Exit::Fine;
    let reading = crate::stores::source::reading(&args.path, context.evidence);
    for part in crate::journal::inspect(&journal_path(&args.path), reading)? {
        let part = match part {
            Ok(part) => part,
            Err(error) => {
                exit = Exit::Damaged;
                context.output.note(with_causes(&error));
                continue;
            }
        };
        if part.what == "finding" {
            exit = exit.worse(Exit::Findings);
        }
        if context.output.is_json() {
            // A document a line, whatever the format.
            context.output.json_line(&part)?;
        } else {
            print(&part, context)?;
        }
    }
    Ok(exit)
}

fn print(part: &Part, context: &mut Context) -> Result<()> {
    let sequence = part.sequence.map(|sequence| format!("@{sequence}")).unwrap_or_default();
    let kind = part.kind.as_deref().unwrap_or_default();
    let recorded = part.time_ms.map(|at_ms| time::local(at_ms, &context.zone)).unwrap_or_default();
    let Part { what, segment, offset, bytes, note, .. } = part;
    let text = format!(
        "{what:<8} {segment:>4} {offset:>10} {bytes:>8}  {sequence:<9} {kind:<20} {recorded:<20} {}",
        escape::line(note)
    );
    Ok(context.output.line(text.trim_end())?)
}
