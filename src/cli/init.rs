//! `annals init`: makes a folder a project.

use super::{Context, Exit, Result, shown};
use crate::config::Contract;
use crate::journal::project::worktree;
use crate::journal::{InitOptions, Project, withheld};

/// Make this folder a project: a journal in `.annals/`, stores beside it
///
/// Run twice it changes nothing. Where there is a git folder, the stores are added to its
/// `info/exclude`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which tool names are accepted: `open` grows by declaration, `locked` keeps spec 000's eleven
    #[arg(long, value_name = "CONTRACT", default_value = "open", value_parser = ["open", "locked"])]
    contract: String,
    /// This machine's name in the journal [default: the host's]
    #[arg(long, value_name = "LABEL")]
    machine: Option<String>,
}

#[derive(serde::Serialize)]
struct Told {
    root: String,
    created: bool,
    contract: &'static str,
    excluded_in: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let contract = if args.contract == "locked" { Contract::Locked } else { Contract::Open };
    let options = InitOptions { contract, machine: args.machine, as_of_ms: None };
    context.must_write()?;
    let shared = worktree::main_root(&context.start);
    let (project, report) = Project::init(&context.start, &options)?;
    if let Some(main) = shared.filter(|_| report.created) {
        let (here, main) = (shown(project.root()), shown(&main));
        context.output.note(format_args!(
            "{here} is a linked working tree of {main}, whose project it shared so far: from now on it has a \
             journal of its own, and knows nothing of what is recorded there. To share it again: delete \
             {here}/.annals"
        ));
    }
    if let Some(lost) = &report.lost {
        let (root, found) = (shown(&lost.root), shown(&lost.found));
        context.output.note(format_args!(
            "the journal of {root} is lost: {found} was made from it. A new one begins, and what was made \
             from the old one stays as it is. Next: annals salvage --from-store . NEW-FILE; annals repair"
        ));
    }
    super::catch_up::catch_up(&project, context);
    // One that cannot be read is told by `status`.
    if report.created && withheld::is_in(&project.root().to_string_lossy()).unwrap_or_default() {
        context.output.note(
            "this folder's path holds a secret, or what was redacted before: it stands in the journal's first \
             event for good, and in what annals remembers of folders. To begin without it: delete .annals, give \
             the folder another name, annals init",
        );
    }
    if let Some(reason) = &report.exclude_failed {
        let reason = crate::output::escape::line(reason).into_owned();
        context.output.note(format_args!("git will show the stores as untracked: {reason}"));
    }
    super::trust::note_unusable(project.settings(), context);
    if report.config_found {
        let path = shown(&project.config_path());
        context.output.note(format_args!(
            "{path} lay here before: what needs consent in it, and what steers the gate, is ignored \
             until you allow it. See: annals trust --show"
        ));
    }
    let checks = super::checks::record_found(&project).unwrap_or_default(); // told by `annals checks`
    let root = shown(project.root());
    if context.output.is_json() {
        let excluded_in = report.excluded_in.as_deref().map(|path| path.to_string_lossy().into());
        let contract = project.config().contract.as_str();
        context.output.json(&Told { root, created: report.created, contract, excluded_in })?;
    } else if report.created {
        context.output.line(format_args!("{root} is a project now: its journal is in .annals/"))?;
        if !checks.is_empty() {
            let told = super::counted(checks.len() as u64, "check");
            context.output.line(format_args!("Its files name {told}: annals checks"))?;
        }
        context
            .output
            .line("Next: annals run -- COMMAND, or annals import auto for past sessions")?;
    } else {
        context.output.line(format_args!("{root} was a project already. Nothing changed."))?;
        context.output.line("Next: annals status")?;
    }
    Ok(Exit::Fine)
}
