//! Does what was planned, step by step, each one asked for unless `--yes` was given.

use super::{Enabled, EnabledHooks, Hooks, Plan, plan};
use crate::agents::import;
use crate::agents::settings::Scope;
use crate::cli::checks::record_found;
use crate::cli::trust::Asked;
use crate::cli::{Context, Exit, Result, ask, catch_up, counted, recorded, shown};
use crate::event::CheckStanding;
use crate::journal::{InitOptions, Project, clock};
use crate::output::{escape, time};

pub fn all(plan: &Plan, yes: bool, told: &mut Enabled, context: &mut Context) -> Result<Exit> {
    plan::begin(plan, context)?;
    if !plan.is_project && !agreed("Make it a project?", yes, context)? {
        say("Nothing was done.", context)?;
        return Ok(Exit::Fine);
    }
    let (project, report) = Project::init(&plan.root, &InitOptions::default())?;
    told.created = report.created;
    consent(&project, yes, told, context)?;
    checks(&project, context)?;
    if plan.files > 0 {
        plan::past(plan, context)?;
        if agreed("Import them?", yes, context)? {
            import_past(plan, &project, told, context)?;
        }
    }
    catch_up::catch_up(&project, context);
    for (hooks, told) in plan.hooks.iter().zip(&mut told.hooks) {
        if !context.output.is_json() {
            context.output.blank()?;
            plan::print_hooks(hooks, &mut context.output)?;
        }
        if hooks.is_done() || agreed("Install them?", yes, context)? {
            install(hooks, &project, told, context)?;
        }
    }
    told.done = told.hooks.iter().all(|hooks| hooks.done);
    plan::end(told, context)?;
    Ok(Exit::Fine)
}

/// Records the checks that the project's files name, and lists them.
fn checks(project: &Project, context: &mut Context) -> Result<()> {
    let found = record_found(project)?;
    if found.is_empty() || context.output.is_json() {
        return Ok(());
    }
    context.output.line("Checks that the project's files name (annals checks):")?;
    for check in found {
        let (command, file) = (escape::line(&check.command), escape::line(&check.found_in));
        let standing = match check.standing {
            CheckStanding::InForce => "",
            CheckStanding::Waiting => ", not allowed yet",
            CheckStanding::Idle => ", checks nothing",
        };
        let text = format!("  {command}  {}, {file}{standing}", check.kind.as_str());
        context.output.line(text)?;
    }
    Ok(())
}

/// Names what counts only with consent, and asks for it. `--yes` speaks of what `enable` does, and not of
/// what somebody wrote into the settings.
fn consent(project: &Project, yes: bool, told: &mut Enabled, context: &mut Context) -> Result<()> {
    let asked = Asked::of(project);
    // Patterns apply whoever wrote them: of those `annals trust` tells.
    if asked.settings.is_allowed && asked.origin.is_believed() {
        return Ok(());
    }
    if !context.output.is_json() {
        asked.print(&project.config_path(), &mut context.output)?;
    }
    if !yes && ask::surely("Allow this?", context)? {
        asked.allow(project)?;
        told.withheld.clear();
        return say("Allowed. To take it back: annals trust --withdraw", context);
    }
    context.output.note("what is listed is ignored until you allow it: annals trust");
    Ok(())
}

fn import_past(
    plan: &Plan,
    project: &Project,
    told: &mut Enabled,
    context: &mut Context,
) -> Result<()> {
    let report = import::import(project, &plan.request, &import::stderr_bar())?;
    recorded::inferred(project, context);
    let (calls, sessions) = (counted(report.calls, "call"), counted(report.sessions, "session"));
    let failed = report.failed;
    say(format!("Imported: {calls} in {sessions}, {failed} of them failed."), context)?;
    told.import = Some(report);
    Ok(())
}

fn install(
    hooks: &Hooks,
    project: &Project,
    told: &mut EnabledHooks,
    context: &mut Context,
) -> Result<()> {
    if !hooks.is_done() {
        let mut list = super::list(project.root());
        list.extend(super::folder_of(&hooks.place.path)?);
        let stamp = time::utc(clock::now_ms()).unwrap_or_default().replace(['-', ':'], "");
        let backup = hooks.file.back_up(&stamp)?;
        hooks.file.write(&hooks.installation.text)?;
        if !hooks.file.exists() {
            list.push(hooks.place.path.clone());
        }
        super::set(project.root(), &list)?;
        let path = shown(&hooks.place.path);
        let count = hooks.installation.added.len() + hooks.installation.changed.len();
        say(format!("Installed: {} in {path}.", counted(count as u64, "hook")), context)?;
        if let Some(backup) = &backup {
            say(format!("As it was: {}", shown(backup)), context)?;
        }
        told.backup = backup.map(|backup| backup.to_string_lossy().into_owned());
        told.done = true;
        if hooks.place.scope == Scope::Local {
            told.notes.extend(keep_local(hooks, project));
        }
    }
    for note in &told.notes {
        say(escape::line(note), context)?;
    }
    Ok(())
}

/// Keeps a local settings file and its backups out of commits; says where that cannot be.
fn keep_local(hooks: &Hooks, project: &Project) -> Option<String> {
    let root = project.root();
    let path = hooks.place.path.strip_prefix(root).unwrap_or(&hooks.place.path);
    let name = path.to_string_lossy();
    if let Err(error) = project.keep_out_of_git(&[&format!("{name}*")]) {
        return Some(format!("git may take {name} into commits: {error}"));
    }
    let mut git = std::process::Command::new("git");
    // A repository's own settings may name a command there.
    git.args(["-c", "core.fsmonitor=false", "-C"])
        .arg(root)
        .args(["check-ignore", "--quiet", "--"])
        .arg(path);
    git.stdin(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    // No git, or no repository: then nothing is committed.
    let code = git.status().ok().and_then(|status| status.code());
    (code == Some(1)).then(|| {
        format!(
            "git tracks {name}, or a rule of yours takes it in: leave these lines out of commits."
        )
    })
}

fn agreed(question: &str, yes: bool, context: &mut Context) -> Result<bool> {
    if yes { Ok(true) } else { ask::yes(question, context) }
}

fn say(text: impl std::fmt::Display, context: &mut Context) -> Result<()> {
    if context.output.is_json() {
        return Ok(());
    }
    Ok(context.output.line(text)?)
}
