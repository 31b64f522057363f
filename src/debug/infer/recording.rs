//! Records what a chain has and debug memory has not.

use super::chain::{Chain, Link};
use super::edit::Edit;
use super::told::Told;
use super::{DIFF_BYTES_MAX, FILES_MAX, Inferred, QUOTED_CHARS_MAX};
use crate::debug::error::Result;
use crate::debug::limits::LIST_LEN_MAX;
use crate::debug::{AttemptGiven, DebugWriter, FixGiven, OpenGiven};
use crate::event::{DebugEnvironment, DebugStatus, Fix};
use crate::journal::{Project, Recorder};

/// Records what is new of a chain, as of when it was; `None` where there is nothing.
pub fn record<'p>(
    project: &'p Project,
    recorder: &mut Recorder<'p>,
    chain: &Chain,
    told: &Told,
    dry_run: bool,
) -> Result<Option<Inferred>> {
    let session = chain.session;
    if told.over.contains(&session) {
        return Ok(None);
    }
    let known = told.status.get(&session).copied();
    let file = || chain.file(project.root());
    let mut inferred = Inferred {
        session,
        of: chain.of,
        file_path: told.files.get(&session).cloned().unwrap_or_else(file),
        command: chain.command().to_owned(),
        status: known.unwrap_or(DebugStatus::InProgress),
        attempts: 0,
        fixes: 0,
        flaky: 0,
        attempts_all: u32::try_from(chain.links.len()).unwrap_or(u32::MAX),
        sequence: None,
    };
    let mut writer = DebugWriter::new(project, recorder, None).of_past();
    if known.is_none() && !dry_run {
        writer.set_at_ms(chain.links.first().map_or(0, |link| link.run.at_ms));
        let given = OpenGiven {
            session: Some(session),
            file_path: inferred.file_path.clone(),
            agent: chain.agent.clone(),
            ..OpenGiven::default()
        };
        inferred.sequence = writer.open(given)?.sequence;
    }
    let number_of = |link: &Link| told.attempts.get(&(link.run.execution, session)).copied();
    let mut last = 0;
    for (at, link) in chain.links.iter().enumerate() {
        last = match number_of(link) {
            Some(number) => number,
            None => {
                inferred.attempts += 1;
                match dry_run {
                    true => last + 1,
                    false => {
                        writer.set_at_ms(link.run.at_ms);
                        let done = writer.attempt(session, given(chain, at, link))?;
                        inferred.sequence = done.done.sequence;
                        inferred.status = done.status;
                        done.attempt
                    }
                }
            }
        };
        let Some((at_ms, fix)) = self::fix(&link.edits) else { continue };
        let is_verified = chain.links.get(at + 1).is_some_and(|next| number_of(next).is_some());
        if is_verified || told.fixes.get(&(session, last)) == Some(&at_ms) {
            continue;
        }
        inferred.fixes += 1;
        if !dry_run {
            writer.set_at_ms(at_ms);
            let given = FixGiven { fix, template: None };
            inferred.sequence = writer.fix(session, Some(last), given)?.sequence;
        }
    }
    for flip in &chain.flips {
        let is_news =
            |test: &&String| !told.flaky.contains(&(session, flip.issue(), (*test).clone()));
        let tests: Vec<String> =
            flip.tests.iter().filter(is_news).take(LIST_LEN_MAX).cloned().collect();
        if !tests.is_empty() {
            inferred.flaky += 1;
            if !dry_run {
                writer.set_at_ms(flip.at_ms);
                inferred.sequence = writer.learn_of_past(session, flip.learnings(tests))?;
            }
        }
    }
    if chain.is_over() {
        match dry_run {
            true => inferred.status = DebugStatus::Passed,
            false => end(&mut writer, chain, &mut inferred)?,
        }
    }
    let is_news = inferred.attempts > 0 || inferred.fixes > 0 || inferred.flaky > 0;
    Ok(is_news.then_some(inferred))
}

fn end(writer: &mut DebugWriter<'_, '_>, chain: &Chain, inferred: &mut Inferred) -> Result<()> {
    if inferred.status != DebugStatus::Passed {
        let reason = match chain.flips.is_empty() {
            // Others failed in the run that showed it.
            true => "the tests that had failed pass, though others fail",
            false => "the tests that had failed pass with the same code: they are flaky",
        };
        let reason = reason.to_owned();
        let done = writer.close(chain.session, DebugStatus::Passed, Some(reason))?;
        inferred.sequence = done.done.sequence.or(inferred.sequence);
        inferred.status = DebugStatus::Passed;
    }
    match chain.flips.is_empty() {
        true => writer.extract_of_past(chain.session),
        false => Ok(()),
    }
}

fn given(chain: &Chain, at: usize, link: &Link) -> AttemptGiven {
    let report = &link.run.report;
    let is_told = report.environment != DebugEnvironment::default();
    AttemptGiven {
        execution: Some(link.run.execution),
        code_hash: chain.code_hash(at),
        code_snapshot: None,
        environment: is_told.then(|| report.environment.clone()),
        results: report.results.clone(),
        failures: report.failures.clone(),
    }
}

/// What edits came to, as one fix; `None` of no edit. The time is the last one's.
pub fn fix(edits: &[Edit]) -> Option<(u64, Fix)> {
    let last = edits.last()?;
    let mut files: Vec<String> = Vec::new();
    for file in edits.iter().flat_map(|edit| &edit.files) {
        if files.len() < FILES_MAX && !files.contains(file) {
            files.push(file.clone());
        }
    }
    let added: u64 = edits.iter().map(|edit| edit.added).sum();
    let removed = edits.iter().map(|edit| edit.removed).sum::<Option<u64>>();
    let removed = removed.map_or_else(|| "?".to_owned(), |count| count.to_string());
    let mut diff = String::new();
    for edit in edits {
        if diff.len() + edit.diff.len() <= DIFF_BYTES_MAX {
            diff.push_str(&edit.diff);
        }
    }
    // How many lines a shell's command changed nobody recorded.
    let is_counted = edits.iter().any(|edit| edit.command.is_none());
    let fix = Fix {
        description: description(edits, &files),
        diff_summary: is_counted.then(|| format!("+{added}/-{removed} lines")),
        files_changed: (!files.is_empty()).then_some(files),
        diff: (!diff.is_empty()).then_some(diff),
        verification: None,
    };
    Some((last.at_ms, fix))
}

fn description(edits: &[Edit], files: &[String]) -> String {
    let mut text = match files {
        [] => "Changed files that the journal does not name".to_owned(),
        [one] => format!("Changed {one}"),
        [one, rest @ ..] => format!("Changed {one} and {} more", rest.len()),
    };
    let quoted = |line: &String| {
        let line: String = line.chars().take(QUOTED_CHARS_MAX).collect();
        line.replace(['\n', '\r'], " ")
    };
    if let Some((went, came)) = edits.iter().find_map(|edit| edit.first.as_ref()) {
        match came.is_empty() {
            true => text.push_str(&format!(": `{}` went", quoted(went))),
            false => text.push_str(&format!(": `{}` became `{}`", quoted(went), quoted(came))),
        }
    } else if let Some(command) = edits.iter().find_map(|edit| edit.command.as_ref()) {
        text.push_str(&format!(": `{}`", quoted(command)));
    }
    text
}
