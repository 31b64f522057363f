//! `annals debug import`: takes documents over.

use std::path::PathBuf;

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::debug::limits::IMPORT_BYTES_MAX;
use crate::output::{escape, wire};

/// Take debug sessions over from documents: JSON or YAML, one, a list, or a file with `examples`
///
/// Each is checked against the contract's schema first; of a file all are taken, or none. A document whose
/// session_id is no UUID gets one that follows from it, so that importing twice gives nothing twice.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The files; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Put a document in the place of a session that is here and reads otherwise; one that has expired
    /// comes back
    #[arg(long)]
    replace: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let mut all = Vec::with_capacity(args.files.len());
    for file in args.files {
        let bytes = crate::cli::debug::bytes(&file, IMPORT_BYTES_MAX)?;
        let name = match file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.to_string_lossy().into_owned(),
        };
        let done = work::operate(context, |writer| writer.import(&name, &bytes, args.replace))?;
        all.push(wire::DebugImported::of(name, done));
    }
    if context.output.is_json() {
        context.output.json_list(&all)?;
        return Ok(Exit::Fine);
    }
    for it in &all {
        for session in &it.sessions {
            let from = session.native_id.as_ref().map(|it| format!(", there {it}"));
            let known = if session.known { ": is here already" } else { "" };
            let from = from.unwrap_or_default();
            let text = format!("{}: {}{from}{known}", it.file, session.session_id);
            context.output.line(escape::line(&text))?;
            for member in &session.unnamed {
                let text = format!(
                    "  {member} is none of the schema's: it stays in the journal, and in no document"
                );
                context.output.line(escape::line(&text))?;
            }
            for note in &session.notes {
                context.output.line(escape::line(&format!("  {note}")))?;
            }
        }
    }
    context.output.line("Next: annals debug list")?;
    Ok(Exit::Fine)
}
