//! Settings that count only where this user allowed them (ruling 19): those that run commands, those
//! that name folders outside the project, and in a stranger's project those that the gate judges by.

use std::path::{Component, Path};

use serde::Serialize;

use super::{Config, DebugHooksConfig, PolicyConfig, RepoConfig};
use crate::event::words;

/// A setting that counts only with the user's consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its table and key: `repo.summary_model`.
    pub name: &'static str,
    pub effect: Effect,
    /// The command line or the folder, as the file has it.
    pub value: String,
}

words! {
    /// What a setting does that needs consent.
    pub enum Effect {
        /// The value is run by a shell.
        Runs = "runs",
        /// Files are written into this folder.
        WritesTo = "writes to",
        /// The gate judges by it.
        Steers = "steers the gate by",
        /// Texts of this folder tell a model what to do, and what it answers is run.
        Instructs = "gives models texts of",
    }
}

impl Config {
    /// Takes out what needs consent, so that the defaults stand there, and gives it.
    pub fn withhold(&mut self, root: &Path) -> Vec<Setting> {
        let mut found = Vec::new();
        let mut take = |name, effect, value: Option<String>| {
            found.extend(value.map(|value| Setting { name, effect, value }));
        };
        let DebugHooksConfig {
            timeout_s: _,
            check_similar_past_issues,
            apply_known_fix_template,
            update_fix_effectiveness,
            extract_learnings,
            notify_human,
            preserve_full_context,
        } = &mut self.debug.hooks;
        for (name, command) in [
            ("memory.importance_model", &mut self.memory.importance_model),
            ("memory.embed", &mut self.memory.embed),
            ("repo.summary_model", &mut self.repo.summary_model),
            ("debug.hooks.check_similar_past_issues", check_similar_past_issues),
            ("debug.hooks.apply_known_fix_template", apply_known_fix_template),
            ("debug.hooks.update_fix_effectiveness", update_fix_effectiveness),
            ("debug.hooks.extract_learnings", extract_learnings),
            ("debug.hooks.notify_human", notify_human),
            ("debug.hooks.preserve_full_context", preserve_full_context),
        ] {
            take(name, Effect::Runs, command.take());
        }
        let prompts = self.phases.prompts.take();
        let prompts = prompts.map(|folder| folder.to_string_lossy().into_owned());
        take("phases.prompts", Effect::Instructs, prompts);
        let own = RepoConfig::default().home;
        if self.repo.home != own && !is_inside(root, &self.repo.home) {
            let home = std::mem::replace(&mut self.repo.home, own);
            take("repo.home", Effect::WritesTo, Some(home));
        }
        let outside = |folder: &mut String| !is_inside(root, folder);
        take("debug.archive", Effect::WritesTo, self.debug.archive.take_if(outside));
        found
    }

    /// Takes out what the gate judges by, so that the defaults stand there, and gives it: a stranger's
    /// settings neither weaken the gate nor steer it.
    pub fn withhold_gate(&mut self) -> Vec<Setting> {
        let own = PolicyConfig::default();
        let PolicyConfig {
            window_ms,
            refuse_repeated_within_s,
            read_failure_loops,
            shell_mutations,
            checks,
            matchers,
        } = std::mem::take(&mut self.policy);
        let number = |set: u64, own: u64| (set != own).then(|| set.to_string());
        let flag = |set: bool, own: bool| (set != own).then(|| set.to_string());
        let repeated = number(refuse_repeated_within_s, own.refuse_repeated_within_s);
        let found = [
            ("gate", self.gate.take().map(|mode| mode.as_str().to_owned())),
            ("policy.window_ms", number(window_ms, own.window_ms)),
            ("policy.refuse_repeated_within_s", repeated),
            ("policy.read_failure_loops", flag(read_failure_loops, own.read_failure_loops)),
            ("policy.shell_mutations", flag(shell_mutations, own.shell_mutations)),
            ("policy.checks", (checks != own.checks).then(|| joined(&checks, |it| &it.command))),
            ("policy.matchers", (!matchers.is_empty()).then(|| joined(&matchers, |it| &it.0.name))),
        ];
        let setting = |(name, value): (_, Option<_>)| {
            Some(Setting { name, effect: Effect::Steers, value: value? })
        };
        found.into_iter().filter_map(setting).collect()
    }
}

fn joined<T>(list: &[T], text: fn(&T) -> &str) -> String {
    list.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Whether a folder that the settings name lies in the project, and no link leads out of it.
pub(super) fn is_inside(root: &Path, folder: &str) -> bool {
    if folder.starts_with('~') {
        return false;
    }
    let whole = root.join(folder);
    let Ok(below) = whole.strip_prefix(root) else { return false };
    let mut at = root.to_owned();
    below.components().all(|part| {
        at.push(part);
        let is_link = || at.symlink_metadata().is_ok_and(|about| about.is_symlink());
        matches!(part, Component::Normal(_) | Component::CurDir) && !is_link()
    })
}
