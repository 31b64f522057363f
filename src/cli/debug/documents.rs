//! `annals debug import`, `export`, `validate`, `expire`: documents, from where they come till they go.

use std::path::PathBuf;

use super::{Result, print, work};
use crate::cli::{CliError, Context, Exit, counted, with_causes};
use crate::config::DebugConfig;
use crate::debug::limits::IMPORT_BYTES_MAX;
use crate::debug::{DebugExpired, ExpiredSession, OfFile, rules_of};
use crate::journal::clock;
use crate::output::escape;
use crate::output::table::Table;

/// Import debug sessions from JSON or YAML documents
///
/// Each is checked against the contract's schema first; of a file all are taken, or none. A document whose
/// session_id is no UUID gets one that follows from it, so that importing twice gives nothing twice.
#[derive(clap::Args, Debug)]
pub struct ImportArgs {
    /// The files; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Put a document in the place of a session that is here and reads otherwise; one that has expired
    /// comes back
    #[arg(long)]
    replace: bool,
}

pub fn import(args: ImportArgs, context: &mut Context) -> Result<Exit> {
    let mut all = Vec::with_capacity(args.files.len());
    for file in args.files {
        let bytes = super::bytes(&file, IMPORT_BYTES_MAX)?;
        let name = match file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.to_string_lossy().into_owned(),
        };
        let done = work::operate(context, |writer| writer.import(&name, &bytes, args.replace))?;
        all.push(OfFile { file: name, it: done });
    }
    if context.output.as_json_list(&all)? {
        return Ok(Exit::Fine);
    }
    for OfFile { file, it } in &all {
        for session in &it.sessions {
            let from = session.native_id.as_ref().map(|it| format!(", there {it}"));
            let known = if session.is_known { ": is here already" } else { "" };
            let from = from.unwrap_or_default();
            context
                .output
                .line(escape::line(&format!("{file}: {}{from}{known}", session.session)))?;
            for member in &session.unnamed {
                context.output.line(escape::line(&format!(
                    "  {member} is none of the schema's: it stays in the journal, and in no document"
                )))?;
            }
            for note in &session.notes {
                context.output.line(escape::line(&format!("  {note}")))?;
            }
        }
    }
    context.output.line("Next: annals debug list")?;
    Ok(Exit::Fine)
}

/// Export a debug session, complete without this journal
///
/// Its document, the recorded executions of its attempts with what they printed, and where the events are:
/// the journal's id, its chain, the session's sequences. It is of a project as it stands now: it takes no
/// --at, no --evidence, and one --dir.
#[derive(clap::Args, Debug)]
pub struct ExportArgs {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
}

pub fn export(args: ExportArgs, context: &mut Context) -> Result<Exit> {
    if context.evidence || context.at.is_some() || !context.others.is_empty() {
        let what = "an export holds the journal's own end, and is made of one project as it stands \
                    now: leave --evidence, --at and further --dir out; `annals debug show` takes them";
        return Err(CliError::Refused { what });
    }
    let export = work::on(&args.session, context, |writer, session| writer.export(session))?;
    context.output.json(&export)?;
    Ok(Exit::Fine)
}

/// Check documents against the contract's schema; exit 1 if one fails
#[derive(clap::Args, Debug)]
pub struct ValidateArgs {
    /// Hold the schema's formats too: a session_id is a UUID, a time is one
    #[arg(long)]
    strict: bool,
    /// The files, JSON or YAML; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub fn validate(args: ValidateArgs, context: &mut Context) -> Result<Exit> {
    let mut found = Vec::new();
    let mut refused = None;
    for file in &args.files {
        let name = file.to_string_lossy().into_owned();
        let checked = super::bytes(file, IMPORT_BYTES_MAX)
            .and_then(|bytes| Ok(crate::debug::validate(&name, &bytes, args.strict)?));
        match checked {
            Ok(checked) => {
                found.extend(checked.into_iter().map(|it| OfFile { file: name.clone(), it }));
            }
            Err(error) if args.files.len() == 1 => return Err(error),
            // The others are looked at all the same.
            Err(error) => {
                context.output.note(escape::line(&with_causes(&error)));
                refused = Some(error.exit());
            }
        }
    }
    let valid = if found.iter().all(|it| it.it.is_valid()) { Exit::Fine } else { Exit::Findings };
    let exit = refused.unwrap_or(valid);
    if context.output.as_json_list(&found)? {
        return Ok(exit);
    }
    for OfFile { file, it } in &found {
        let valid = if it.is_valid() { "valid" } else { "not valid" };
        let name = it.session_id.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        context
            .output
            .line(escape::line(&format!("{file}: document {}{name}: {valid}", it.document)))?;
        for fault in &it.faults {
            let at = if fault.at.is_empty() { "/" } else { &fault.at };
            context.output.line(escape::line(&format!("  {at}: {}", fault.why)))?;
        }
        for fault in &it.unkept {
            let at = if fault.at.is_empty() { "/" } else { &fault.at };
            context.output.line(escape::line(&format!(
                "  {at}: {}: the schema takes it, import refuses it",
                fault.why
            )))?;
        }
        for member in &it.unnamed {
            context.output.line(escape::line(&format!(
                "  {member} is none of the schema's, which allows it"
            )))?;
        }
    }
    let wrong = found.iter().filter(|it| !it.it.is_valid()).count() as u64;
    let text = match wrong {
        0 if found.iter().any(|it| !it.it.unkept.is_empty()) => {
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

/// Expire debug sessions past their retention; events stay
///
/// 30 days from the last change, 60 where a pattern was learnt, 90 where the session was escalated; the
/// longest that applies counts. Where `debug.archive` names a folder, each is kept there first. With
/// --dry-run a copy can be asked, and several journals (--evidence, --dir); these numbers of days count then.
#[derive(clap::Args, Debug)]
pub struct ExpireArgs {
    /// Only say which
    #[arg(long)]
    dry_run: bool,
}

pub fn expire(args: ExpireArgs, context: &mut Context) -> Result<Exit> {
    // Of what may only be read, or of several, it can be asked all the same.
    let found = match args.dry_run && context.must_write().is_err() {
        true => due(context)?,
        false => work::operate(context, |writer| writer.expire(args.dry_run))?,
    };
    let of = |it| DebugExpired { it, expired: !args.dry_run };
    let found: Vec<_> = found.into_iter().map(of).collect();
    if context.output.as_json_list(&found)? {
        return Ok(Exit::Fine);
    }
    let mut table = Table::new(&["session", "updated", ">days", "file", "archived"]);
    for DebugExpired { it, .. } in &found {
        let cells = [
            it.session.to_string(),
            print::at(it.updated_ms, context),
            it.days.to_string(),
            it.file_path.clone(),
            it.archived.clone().unwrap_or_default(),
        ];
        table.row(None, &cells);
    }
    if !table.is_empty() {
        table.print(&mut context.output)?;
    }
    for DebugExpired { it, .. } in &found {
        if let Some(left) = &it.left {
            context.output.line(escape::line(&format!(
                "{left} stays: what the escalation of {} left",
                it.session
            )))?;
        }
    }
    let count = counted(found.len() as u64, "debug session");
    let text = match (found.is_empty(), args.dry_run) {
        (true, _) => "No debug session is due.".to_owned(),
        (false, true) => format!("{count} would expire. Next: annals debug expire"),
        (false, false) => format!("{count} expired: the journal keeps their events."),
    };
    context.output.line(escape::line(&text))?;
    Ok(Exit::Fine)
}

/// What is due by the rules that hold where no settings say otherwise.
fn due(context: &mut Context) -> Result<Vec<ExpiredSession>> {
    let (now_ms, rules) = (clock::now_ms(), rules_of(&DebugConfig::default()));
    super::each(context, |one| {
        let found = one.view.due(now_ms, &rules)?.into_iter();
        let told = found.map(|it| ExpiredSession {
            session: it.session.id,
            file_path: it.session.file_path,
            updated_ms: it.session.updated_ms,
            days: it.days,
            archived: None,
            left: None,
        });
        Ok(told.collect())
    })
}
