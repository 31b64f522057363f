//! `annals debug expire`: lets go of what was kept as long as the rules say.

use super::{print, work};
use crate::cli::{CliError, Context, Exit, counted};
use crate::config::DebugConfig;
use crate::debug::{ExpiredSession, rules_of};
use crate::journal::clock;
use crate::output::table::Table;
use crate::output::{escape, wire};

/// Let go of debug sessions that were kept as long as the settings say: the journal keeps their events
///
/// 30 days from the last change, 60 where a pattern was learnt, 90 where the session was escalated; the
/// longest that applies counts. Where `debug.archive` names a folder, each is kept there first. With
/// --dry-run a copy can be asked, and several journals (--evidence, --dir); these numbers of days count then.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only say which
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit, CliError> {
    // Of what may only be read, or of several, it can be asked all the same.
    let found = match args.dry_run && context.must_write().is_err() {
        true => due(context)?,
        false => work::operate(context, |writer| writer.expire(args.dry_run))?,
    };
    let of = |it| wire::DebugExpired::of(it, !args.dry_run);
    let found: Vec<_> = found.into_iter().map(of).collect();
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    let mut table = Table::new(&["session", "updated", ">days", "file", "archived"]);
    for it in &found {
        let cells = [
            it.session_id.clone(),
            print::local(it.updated_at.as_deref(), context),
            it.days.to_string(),
            it.file_path.clone(),
            it.archived.clone().unwrap_or_default(),
        ];
        table.row(None, &cells);
    }
    if !table.is_empty() {
        table.print(&mut context.output)?;
    }
    for it in &found {
        if let Some(left) = &it.left {
            let text = format!("{left} stays: what the escalation of {} left", it.session_id);
            context.output.line(escape::line(&text))?;
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
fn due(context: &mut Context) -> Result<Vec<ExpiredSession>, CliError> {
    let (now_ms, rules) = (clock::now_ms(), rules_of(&DebugConfig::default()));
    crate::cli::debug::each(context, |one| {
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
