//! `annals trust`: what of a project counts only with the user's consent, and giving it.

use serde::Serialize;

use super::{CliError, Command, Context, Exit, Result, ask, counted, shown, with_causes};
use crate::config::{ConfigError, Setting};
use crate::journal::Project;
use crate::journal::trust::{Allowed, Origin, Settings, origin};
use crate::output::escape;
use crate::output::stream::Output;

/// Show which settings need your consent, and give it
///
/// Settings that run commands, or name folders outside the project, count only once you allowed this
/// very text of `.annals/config.toml`, here: an edit needs consent again. So do `gate` and `[policy]` where
/// the journal was begun by somebody else. What a journal remembers that
/// somebody else began – conventions, notes, decisions, summaries, memory – is given to no agent before.
/// What of the file cannot be used is shown as well; while there is any, the text cannot be allowed.
/// What you allow is kept outside the project, in `$XDG_STATE_HOME/annals` (`~/.local/state/annals`).
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show it, and change nothing; the exit code is 1 where something waits for consent
    #[arg(long, conflicts_with_all = ["withdraw", "yes"])]
    show: bool,
    /// Take back what was allowed here
    #[arg(long, conflicts_with = "yes")]
    withdraw: bool,
    /// Allow what is shown without asking
    #[arg(long, short = 'y')]
    yes: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let path = project.config_path();
    let root = project.root().canonicalize();
    let root = root.map_err(|source| CliError::io("find", project.root(), source))?;
    if args.withdraw {
        let had = Allowed::withdraw(&root);
        let had =
            had.map_err(|source| CliError::io("withdraw what was allowed of", &root, source))?;
        return withdrawn(had, &project, context);
    }
    let asked = Asked::of(&project);
    if !context.output.is_json() {
        asked.print(&path, &mut context.output)?;
    }
    let asks = ask::is_possible(context);
    let mut exit = Exit::Fine;
    let mut allowed = asked.is_allowed();
    if args.show {
        let whole = asked.settings.faults.is_empty();
        exit = if allowed && whole { Exit::Fine } else { Exit::Findings };
    } else if !asked.settings.faults.is_empty() {
        // What cannot be read was not shown either.
        exit = Exit::Usage;
        say("Nothing was allowed: correct the file first, or take it away", context)?;
    } else if !allowed {
        allowed = args.yes || asks && ask::surely("Allow this?", context)?;
        if allowed {
            asked.allow(&project)?;
            say("Allowed. To take it back: annals trust --withdraw", context)?;
        } else {
            exit = if asks { Exit::Findings } else { Exit::Usage };
            let next = if asks {
                ""
            } else {
                ": there is no terminal to ask on. Next: annals trust --yes"
            };
            say(format_args!("Nothing was allowed{next}"), context)?;
        }
    }
    if context.output.is_json() {
        context.output.json(&asked.told(&root.to_string_lossy(), allowed))?;
    }
    Ok(exit)
}

fn withdrawn(had: bool, project: &Project, context: &mut Context) -> Result<Exit> {
    if context.output.is_json() {
        let project = Project::open(project.root())?;
        let asked = Asked::of(&project);
        let told = asked.told(&project.root().to_string_lossy(), asked.is_allowed());
        context.output.json(&told)?;
    } else {
        let said =
            if had { "Nothing is allowed here any more." } else { "Nothing was allowed here." };
        context.output.line(said)?;
    }
    Ok(Exit::Fine)
}

fn say(text: impl std::fmt::Display, context: &mut Context) -> Result<()> {
    if !context.output.is_json() {
        context.output.line(text)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Trust<'p> {
    root: String,
    /// Those that count only with consent, whether they have it or not.
    settings: &'p [Setting],
    /// What of the file cannot be used and is left out: where, and why.
    unusable: Vec<String>,
    settings_allowed: bool,
    /// The journal was not begun by this user.
    journal_foreign: bool,
    /// Whether what it remembers is given to agents.
    journal_allowed: bool,
}

pub struct Asked<'p> {
    pub settings: &'p Settings,
    pub origin: Origin,
}

impl<'p> Asked<'p> {
    pub fn of(project: &'p Project) -> Self {
        Self { settings: project.settings(), origin: origin(project.root()) }
    }

    /// Whether nothing needs it, or all of it has it.
    pub fn is_allowed(&self) -> bool {
        let Settings { is_allowed, .. } = self.settings;
        *is_allowed && self.settings.foreign_patterns() == 0 && self.origin.is_believed()
    }

    pub fn allow(&self, project: &Project) -> Result<()> {
        let journal = match self.origin {
            Origin::Own => None,
            Origin::Allowed | Origin::Foreign { .. } => Some(project.reader()?.id()),
        };
        let failed = |source| CliError::io("remember what is allowed of", project.root(), source);
        self.settings.allow(journal).map_err(failed)
    }

    /// For people: each setting with what it would run, or where it would write.
    pub fn print(&self, path: &std::path::Path, output: &mut Output) -> std::io::Result<()> {
        let Settings { asking, is_allowed, .. } = self.settings;
        let path = shown(path);
        let state = if *is_allowed { "allowed" } else { "not allowed" };
        match asking.is_empty() {
            true => output.line(format_args!("{path}: no setting needs consent"))?,
            false => {
                let count = counted(asking.len() as u64, "setting");
                output.line(format_args!("{path}: {count}, {state}:"))?;
            }
        }
        if let Some(owner) = self.settings.owner {
            output.line(format_args!("  it belongs to another user (uid {owner})"))?;
        }
        for fault in &self.settings.faults {
            output.line(format_args!("  left out: {}", told_briefly(fault)))?;
        }
        for setting in asking {
            let (effect, value) = (setting.effect.as_str(), escape::line(&setting.value));
            output.line(format_args!("  {} {effect}: {value}", setting.name))?;
        }
        let foreign = self.settings.foreign_patterns();
        if foreign > 0 {
            let count = counted(foreign as u64, "redaction pattern");
            output.line(format_args!(
                "  {count} not yours: applied, within a share of what searching may cost"
            ))?;
        }
        match &self.origin {
            Origin::Own => output.line("The journal is yours"),
            Origin::Allowed => {
                output.line("The journal was begun by somebody else; what it remembers: allowed")
            }
            Origin::Foreign { machine, root } => {
                let (machine, root) = (escape::line(machine), escape::line(root));
                output.line(format_args!(
                    "The journal was begun elsewhere ({machine}, {root}): what it remembers is given \
                     to no agent, not allowed"
                ))
            }
        }
    }

    fn told(&self, root: &str, allowed: bool) -> Trust<'p> {
        Trust {
            root: root.to_owned(),
            settings: &self.settings.asking,
            unusable: self.settings.faults.iter().map(|fault| with_causes(fault)).collect(),
            settings_allowed: allowed || self.settings.is_allowed,
            journal_foreign: !matches!(self.origin, Origin::Own),
            journal_allowed: allowed || self.origin.is_believed(),
        }
    }
}

/// Says what a command ignores, or tells, because somebody else's hand is in the project: a line each, on
/// standard error.
pub fn note(command: &Command, context: &mut Context) {
    // Some are about no project, or tell themselves what of its settings is left out, or which it ignores.
    let has_settings = !matches!(
        command,
        Command::Init(_)
            | Command::Trust(_)
            | Command::Tour(_)
            | Command::Inspect(_)
            | Command::Completions(_)
            | Command::Man(_)
    );
    if has_settings && !context.evidence {
        let is_followed = !matches!(command, Command::Enable(_) | Command::Disable(_));
        note_settings(is_followed && context.at.is_none(), context);
    }
    // What `context` tells of a journal's memory it marks in its text.
    if matches!(command, Command::Memory(_) | Command::Repo(_) | Command::Debug(_)) {
        note_origin(context);
    }
}

/// Where settings cannot be used, or are ignored for want of consent.
fn note_settings(is_followed: bool, context: &mut Context) {
    // Whatever is wrong with it, the command itself says so.
    let Ok(sources) = context.sources() else { return };
    for root in sources.iter().filter(|it| it.is_live(false)).filter_map(|it| it.root.as_deref()) {
        let settings = Settings::of(root);
        note_unusable(&settings, context);
        if !is_followed {
            continue;
        }
        let names: Vec<_> = settings.withheld().iter().map(|setting| setting.name).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            context.output.note(format_args!(
                "ignored until you allow it: {names}. See what it does: annals trust --show; \
                 allow it: annals trust"
            ));
        }
    }
}

/// Where something of them is left out: what, where, and what to do.
pub fn note_unusable(settings: &Settings, context: &mut Context) {
    let Some(first) = settings.faults.first() else { return };
    let more = match settings.faults.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    context.output.note(format_args!(
        "left out of the settings: {}{more}; its default stands. Next: annals trust --show",
        told_briefly(first)
    ));
}

/// What is wrong, in a line of bounded length: it may quote a stranger's file.
fn told_briefly(fault: &ConfigError) -> String {
    let told = with_causes(fault);
    match told.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &told[..end]),
        None => told,
    }
}

/// Where what is told was remembered by somebody else.
fn note_origin(context: &mut Context) {
    // As above.
    let Ok(sources) = context.sources() else { return };
    for source in &sources {
        let Some(root) = source.root.as_deref() else { continue };
        let Origin::Foreign { machine, root } = origin(root) else { continue };
        let from = match machine.is_empty() {
            true => String::new(),
            false => format!(" ({}, {})", escape::line(&machine), escape::line(&root)),
        };
        context.output.note(format_args!(
            "foreign: this journal was begun elsewhere{from}; what it remembers is somebody else's word, \
             no instruction. See: annals trust --show"
        ));
    }
}
