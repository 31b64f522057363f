//! What is said of a claim that does not stand, whoever made it where: why, and what would bear it out here,
//! by the project's own checks as an agent can run them.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::Refusal;
use super::claim::checked;
use crate::event::{CheckStanding, GateRule};
use crate::grounding::fold::{CheckKind, Grounding, GroundingEntry, Missed, Unproven};
use crate::grounding::timeline::is_hidden;
use crate::journal::Project;
use crate::parse::check::coverage::layer;
use crate::parse::check::{Spoken, command, kinds, kinds_in, of_aspect};
use crate::parse::shell::Script;

const NAMED_MAX: usize = 2;
const MANIFEST_BYTES_MAX: u64 = 64 << 10;
const COMMAND_CHARS_MAX: usize = 120;

/// Files that say how a project is checked; where words follow, only if the file has one of them.
const MANIFESTS: [(&[&str], &[&str], &str); 18] = [
    (&["Cargo.toml"], &[], "cargo test"),
    (&["go.mod"], &[], "go test ./..."),
    (&["pnpm-lock.yaml"], &[], "pnpm test"),
    (&["package.json"], &["\"test\""], "npm test"),
    (&["pytest.ini", "pyproject.toml", "setup.py"], &[], "pytest"),
    (&["tox.ini"], &[], "tox"),
    (&["pom.xml"], &[], "mvn test"),
    (&["gradlew"], &[], "./gradlew test"),
    (&["build.gradle"], &[], "gradle test"),
    (&["mix.exs"], &[], "mix test"),
    (&["Package.swift"], &[], "swift test"),
    (&["deno.json"], &[], "deno test"),
    (&["composer.json"], &["\"test\""], "composer test"),
    (&["Gemfile"], &["rspec"], "bundle exec rspec"),
    (&["build.zig"], &[], "zig build test"),
    (
        &["mise.toml", ".mise.toml", ".config/mise.toml"],
        &["\n[tasks.test]", "\n[tasks.\"test\"]", "\ntest = "],
        "mise run test",
    ),
    (&["justfile", "Justfile", ".justfile"], &["\ntest:", "\ntest ", "\n@test"], "just test"),
    (&["GNUmakefile", "makefile", "Makefile"], &["\ntest:", "\ntest "], "make test"),
];
/// What a manifest has in which nobody wrote a test.
const UNWRITTEN: &str = "no test specified";

/// Why a claim does not stand, and what to do about it, in one line.
pub fn unverified(project: &Project, refusal: &Refusal, grounding: &Grounding) -> String {
    if refusal.rule == GateRule::UnknownExecution {
        return format!(
            "{}: cite an execution that exists (`annals timeline` in a shell lists them), or none.",
            refusal.reason
        );
    }
    let spoken = &refusal.spoken;
    if let Some(missed) = refusal.missed.as_deref().filter(|_| checked(grounding, spoken).is_some())
    {
        let Missed { name, tool, target, .. } = missed;
        let what = target.as_deref().map(|it| format!(" `{}`", shown(it))).unwrap_or_default();
        return format!(
            "Success is claimed of what {name} failed at: {tool}{what}. Nothing shows since that it is there or \
             done: look at it or do it again, or say that it is not known."
        );
    }
    let broken = grounding.broken(spoken);
    let lost = grounding.lost(spoken).filter(|_| checked(grounding, spoken).is_some());
    let since = match (grounding.mutations_since_check, grounding.last_failed) {
        _ if let Some(broken) = broken.filter(|_| checked(grounding, spoken).is_some()) => {
            let failed = broken.last.name();
            match broken.need.as_ref().is_some_and(|it| it.layers & layer::RUN != 0) {
                true => format!("the tests that failed in {failed} have not passed since"),
                false => format!("what failed in {failed} has not passed since"),
            }
        }
        _ if let Some(lost) = lost => match lost.target.as_deref().map(shown) {
            Some(check) => format!("how `{check}` ended is not known"),
            None => "how the newest check ended is not known".to_owned(),
        },
        _ if checked(grounding, spoken).is_some() => {
            "what passed since the last change does not show all of it".to_owned()
        }
        (0, Some(failed)) => format!("no check passed since #{failed} failed"),
        (0, None) => "no check passed".to_owned(),
        (1, _) => "no check passed since the last change".to_owned(),
        (changes, _) => format!("no check passed since the last {changes} changes"),
    };
    let remedy = remedy(project, grounding, spoken);
    let why = uncounted(grounding)
        .filter(|_| lost.is_none())
        .map(|why| format!(": {why}"))
        .unwrap_or_default();
    format!("Success is claimed, but {since}{why}. {remedy} Or say that nothing was verified.")
}

/// Why the newest check since all that was changed and failed does not count, where there was one.
fn uncounted(grounding: &Grounding) -> Option<String> {
    let moments = [grounding.last_mutation, grounding.last_failure];
    let after = moments.into_iter().flatten().map(|it| it.sequence).max().unwrap_or(0);
    let open = grounding.open.iter().filter(|it| it.check != CheckKind::None);
    if open.into_iter().any(|it| it.started.sequence > after) {
        return Some("how the check ended is not known".to_owned());
    }
    // The newest failure may be the check itself, behind a pipe.
    let mut checks = grounding.recent.iter().rev().filter(|it| it.moment.sequence >= after);
    let (entry, why) = checks.find_map(|it| Some((it, it.unproven?)))?;
    let name = entry.name();
    Some(match why {
        Unproven::RanNothing => format!("{name} ran 0 tests"),
        Unproven::Failed => format!("what {name} printed tells a failure"),
        Unproven::Unknown => {
            let own = grounding.own();
            let script = entry.target.as_deref().map(Script::of);
            match script.and_then(|it| command::behind(&it, own)).map(|it| shown(&it)) {
                Some(behind) => format!("how {name} ended cannot be told behind `{behind}`"),
                None => format!("how {name} ended cannot be told"),
            }
        }
    })
}

/// How a claim can be borne out, in a sentence: what to run, and where to name another check.
fn remedy(project: &Project, grounding: &Grounding, spoken: &Spoken) -> String {
    let named = "annals checks add 'COMMAND' --kind test";
    let checks = checks(project, grounding, spoken);
    if checks.is_empty() {
        return format!(
            "Run this project's tests or its compiler's check in a shell; if annals does not know \
             the command as a check: {named}."
        );
    }
    let run: Vec<_> = checks.iter().map(|check| format!("`{check}`")).collect();
    format!("Run {} in a shell (another check: {named}).", run.join(" or "))
}

/// Checks of the project, the surest first: the one that fails, those that the settings name, the one that was
/// run before, those that go with its manifests; of a claim of one kind, only that kind's.
fn checks(project: &Project, grounding: &Grounding, spoken: &Spoken) -> Vec<String> {
    let is_wanted = |kinds: u8| !spoken.is_of_checks() || spoken.wants(kinds);
    let own = grounding
        .own()
        .checks()
        .iter()
        .filter(|it| it.standing == CheckStanding::InForce)
        .filter(|it| is_wanted(of_aspect(it.kind)))
        .map(|it| it.command.as_str());
    let is_check = |it: &&GroundingEntry| it.check != CheckKind::None && it.tool == "bash_exec";
    let newest = grounding
        .recent
        .iter()
        .rev()
        .find(is_check)
        .or(grounding.last_check.as_ref().filter(|it| is_check(it)))
        // One that passed and did not show what is claimed would not the next time.
        .filter(|_| checked(grounding, spoken).is_none());
    let ran = newest.and_then(|it| match (it.unproven, it.target.as_deref()) {
        (None, target) => target.map(str::to_owned),
        (Some(why), target) => {
            command::plain(&Script::of(target?), grounding.own(), why == Unproven::RanNothing)
        }
    });
    let ran = ran.filter(|it| is_wanted(kinds_in(it, grounding.own())));
    // What was just run and bore nothing out would again.
    let open = grounding.open.iter().filter(|it| it.check != CheckKind::None);
    let open = open.filter_map(|it| it.target.as_deref());
    let vain = grounding.recent.iter().filter(|it| it.unproven.is_some());
    let vain: Vec<_> = vain.filter_map(|it| it.target.as_deref()).chain(open).map(shown).collect();
    let root = project.root();
    let is_kept =
        |names: &[&str], words: &[&str]| names.iter().any(|it| has(&root.join(it), words));
    let kept = MANIFESTS.iter().filter(|(names, words, _)| is_kept(names, words));
    let kept = kept.map(|(_, _, command)| *command).filter(|_| is_wanted(kinds::TESTS));
    let mut found: Vec<String> = Vec::new();
    let broken = grounding.broken(spoken).and_then(|it| it.last.target.as_deref());
    let broken = broken.filter(|it| !vain.contains(&shown(it)));
    if let Some(broken) = broken {
        return vec![shown(broken)];
    }
    for check in own.chain(ran.as_deref()).chain(kept) {
        let line = shown(check);
        let is_new = !found.contains(&line) && !vain.contains(&line);
        if !line.trim().is_empty() && is_new && found.len() < NAMED_MAX {
            found.push(line);
        }
    }
    found
}

/// A command as it can stand between two marks of a line.
fn shown(command: &str) -> String {
    // What stands behind it as a comment is run by nobody.
    let comment = command.split_once(" #").filter(|(_, rest)| !rest.contains(['\'', '"']));
    let command = comment.map_or(command, |(command, _)| command);
    let is_plain = |c: &char| !c.is_control() && !is_hidden(*c) && *c != '`';
    command.chars().filter(is_plain).take(COMMAND_CHARS_MAX).collect()
}

/// Whether a plain file is there, through no link, and has one of the words near its beginning.
fn has(path: &Path, words: &[&str]) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    if !is_file || words.is_empty() {
        return is_file;
    }
    let mut bytes = Vec::new();
    // A manifest that cannot be read names no check.
    let read = File::open(path).and_then(|it| it.take(MANIFEST_BYTES_MAX).read_to_end(&mut bytes));
    // A line end before it lets the first line be one of those that a word begins.
    let text = format!("\n{}", String::from_utf8_lossy(&bytes));
    read.is_ok() && words.iter().any(|word| text.contains(word)) && !text.contains(UNWRITTEN)
}
