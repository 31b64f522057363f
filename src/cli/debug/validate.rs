//! `annals debug validate`: whether documents are as the contract's schema has them.

use std::path::PathBuf;

use crate::cli::{CliError, Context, Exit, counted, with_causes};
use crate::debug::limits::IMPORT_BYTES_MAX;
use crate::debug::validate;
use crate::output::{escape, wire};

/// Say whether documents are as the contract's schema has them (JSON Schema 2020-12); 1 where one is not
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Hold the schema's formats too: a session_id is a UUID, a time is one
    #[arg(long)]
    strict: bool,
    /// The files, JSON or YAML; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit, CliError> {
    let mut found = Vec::new();
    let mut refused = None;
    for file in &args.files {
        let name = file.to_string_lossy().into_owned();
        let checked = crate::cli::debug::bytes(file, IMPORT_BYTES_MAX)
            .and_then(|bytes| Ok(validate(&name, &bytes, args.strict)?));
        match checked {
            Ok(checked) => {
                found.extend(checked.into_iter().map(|it| wire::DebugValidated::of(&name, it)));
            }
            Err(error) if args.files.len() == 1 => return Err(error),
            // The others are looked at all the same.
            Err(error) => {
                context.output.note(escape::line(&with_causes(&error)));
                refused = Some(error.exit());
            }
        }
    }
    let valid = if found.iter().all(|it| it.valid) { Exit::Fine } else { Exit::Findings };
    let exit = refused.unwrap_or(valid);
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(exit);
    }
    for it in &found {
        let valid = if it.valid { "valid" } else { "not valid" };
        let name = it.session_id.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        let text = format!("{}: document {}{name}: {valid}", it.file, it.document);
        context.output.line(escape::line(&text))?;
        for fault in &it.faults {
            let at = if fault.at.is_empty() { "/" } else { &fault.at };
            context.output.line(escape::line(&format!("  {at}: {}", fault.why)))?;
        }
        for fault in &it.unkept {
            let at = if fault.at.is_empty() { "/" } else { &fault.at };
            let text = format!("  {at}: {}: the schema takes it, import refuses it", fault.why);
            context.output.line(escape::line(&text))?;
        }
        for member in &it.unnamed {
            let text = format!("  {member} is none of the schema's, which allows it");
            context.output.line(escape::line(&text))?;
        }
    }
    let wrong = found.iter().filter(|it| !it.valid).count() as u64;
    let text = match wrong {
        0 if found.iter().any(|it| !it.unkept.is_empty()) => {
            "Next: correct what import refuses, then run this again".to_owned()
        }
        0 => "Next: annals debug import FILE".to_owned(),
        some => format!(
            "{} not valid. Next: correct it, then run this again",
            counted(some, "document")
        ),
    };
    context.output.line(text)?;
    Ok(exit)
}
