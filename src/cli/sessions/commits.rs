//! The commits of sessions.

use crate::cli::journals::Opened;
use crate::cli::{Context, Exit, Result, rows};
use crate::event::Ordered;
use crate::execution::query::{Commit, SessionFilter, SessionSummary};
use crate::output::table::Table;
use crate::output::time;
use crate::repo::logged_commits;

pub fn print(
    opened: &[Opened],
    sessions: &[SessionSummary],
    context: &mut Context,
) -> Result<Exit> {
    let mut found = Vec::new();
    for one in opened {
        found.extend(of(one, sessions)?);
    }
    found.order_by_key(|commit| commit.at_ms);
    if context.output.as_json_list(&found)? {
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("No commit of these sessions is recorded. Next: annals sessions")?;
        return Ok(Exit::Fine);
    }
    let mut table = Table::new(&["commit", "session", "time", ">no", "branch", "subject"]);
    for it in found {
        let session = it.session.map(|id| id.to_string().chars().take(8).collect());
        let cells = [
            it.commit.chars().take(9).collect(),
            session.unwrap_or_default(),
            time::local(it.at_ms, &context.zone),
            it.call.unwrap_or_default(),
            it.branch.unwrap_or_default(),
            rows::short(&it.subject),
        ];
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}

/// A commit that no call printed, as `git commit -q` does: git's own log has it, made while a session went on.
pub fn logged(one: &Opened, id: &str) -> Result<Option<Commit>> {
    let id = id.to_ascii_lowercase();
    let is_id = (4..=64).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_hexdigit());
    if !is_id {
        return Ok(None);
    }
    let sessions = one.stores.sessions(&SessionFilter::default())?;
    Ok(of(one, &sessions)?.into_iter().find(|it| it.commit.starts_with(&id)))
}

fn of(one: &Opened, sessions: &[SessionSummary]) -> Result<Vec<Commit>> {
    let mut found = one.stores.commits(None)?;
    found.retain(|it| sessions.iter().any(|session| it.session == Some(session.id)));
    if one.evidence {
        return Ok(found);
    }
    // What git has of the folder as it is now; a folder that is gone has none.
    let Ok(root) = one.places.root.canonicalize() else { return Ok(found) };
    for logged in logged_commits(&root)? {
        if let Some(known) = found.iter_mut().find(|it| logged.id.starts_with(&it.commit)) {
            known.commit = logged.id;
            continue;
        }
        // Git's log has whole seconds.
        let within = |it: &&SessionSummary| {
            (it.first_ms / 1_000 * 1_000..=it.last_ms).contains(&logged.at_ms)
        };
        // Of several at once, the one that began last.
        let session = sessions.iter().filter(within).max_by_key(|it| it.first_ms);
        if let Some(session) = session {
            found.push(Commit {
                commit: logged.id,
                branch: None,
                subject: logged.subject,
                session: Some(session.id),
                call: None,
                at_ms: logged.at_ms,
                execution: None,
            });
        }
    }
    Ok(found)
}
