//! What was asked about, opened for a screen.

use super::{Feed, Filter, Following, Journal, SessionRow, Shown, State, Theme};
use crate::cli::journals::Opened;
use crate::cli::tui::Args;
use crate::cli::{CliError, Context, Exit, Result, catch_up, counted};
use crate::config::PolicyConfig;
use crate::journal::{Project, clock};

/// Shows the timeline until somebody leaves.
pub fn show(args: Args, context: &mut Context) -> Result<Exit> {
    let sources = context.sources()?;
    let opened = catch_up::open_all(context)?;
    let title = match sources.as_slice() {
        [one] => one.label(),
        several => counted(several.len() as u64, "journal"),
    };
    let session = args.session.map(|name| chosen(&opened, &name)).transpose()?;
    let following = following(&opened, context);
    let mut window_ms = PolicyConfig::default().window_ms;
    let mut journals = Vec::with_capacity(opened.len());
    for (source, one) in sources.iter().zip(opened) {
        let root = source.root.as_ref().filter(|_| one.built.is_none());
        journals.push(match root {
            Some(root) => {
                let name = one.name.clone();
                drop(one);
                let project = Project::open(root)?;
                window_ms = project.config().policy.window_ms;
                Journal::live(name, project)?
            }
            None => Journal::standing(one),
        });
    }
    let theme = Theme { colour: context.output.colour };
    let shown = Shown { title, zone: context.zone.clone(), theme, window_ms };
    let mut state = State::new(shown, following, clock::now_ms());
    state.session = session;
    state.filter = Filter { tool: args.tool, failed: args.failed, text: args.grep };
    context.output.flush()?;
    super::run(Feed::new(journals), state)?;
    Ok(Exit::Fine)
}

fn following(opened: &[Opened], context: &Context) -> Following {
    match &context.at {
        Some(at) => Following::Standing { why: format!("as of {at}") },
        None if opened.iter().all(|one| one.built.is_some()) => {
            Following::Standing { why: "evidence".to_owned() }
        }
        None => Following::Live,
    }
}

/// The one session of this name.
fn chosen(opened: &[Opened], name: &str) -> Result<SessionRow> {
    let mut found = Vec::new();
    for (journal, one) in opened.iter().enumerate() {
        for session in one.stores.sessions(&crate::execution::query::SessionFilter::default())? {
            let id = session.id.to_string();
            if id.starts_with(name) || session.native_id == name {
                found.push(SessionRow { journal, name: one.name.clone(), session });
            }
        }
    }
    match found.pop() {
        Some(row) if found.is_empty() => Ok(row),
        Some(_) => {
            Err(CliError::Refused { what: "several sessions are called so: annals sessions" })
        }
        None => Err(CliError::Refused { what: "no session is called so: annals sessions" }),
    }
}
