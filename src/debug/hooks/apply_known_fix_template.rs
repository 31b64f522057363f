//! `on_failure.apply_known_fix_template`: the best that is known against this is proposed, as a fix that
//! is pending; a command of the user's may carry it out.

use serde_json::json;

use super::patterns::name_of;
use super::{HookCommand, SCORE_MIN, Step};
use crate::debug::cut::cut;
use crate::debug::limits::TEXT_BYTES_MAX;
use crate::debug::query::{DebugRecord, DebugView, FixTemplate, Similar, TEMPLATE_EFFECTIVENESS};
use crate::debug::{DebugError, DebugWriter};
use crate::event::{Analysis, Body, DebugAuthor, Fix, FixApplied, TemplateRef, Verification};
use crate::repo::step_summary::line;

pub(super) const NAME: &str = "on_failure.apply_known_fix_template";
const TOLD_CHARS_MAX: usize = 120;

pub(super) fn step(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
    attempt: u32,
    similar: &[Similar],
    analysis: Option<&Analysis>,
) -> Result<(Step, Option<(Fix, TemplateRef)>), DebugError> {
    let Some(template) = best(view, record, similar, analysis)? else {
        return Ok((Step::new(NAME, "no template is known for it".to_owned()), None));
    };
    let mut description = template.fix_template.clone().unwrap_or_default();
    // What was imported may be longer than what is told here.
    cut(writer.recorder.redactor(), &mut description, TEXT_BYTES_MAX);
    let fix = Fix {
        description,
        diff_summary: None,
        files_changed: None,
        diff: None,
        verification: Some(Verification::Pending),
    };
    let from = template.template_ref();
    let session = record.session.id;
    let proposed = FixApplied {
        session,
        attempt,
        by: DebugAuthor::Annals,
        fix: fix.clone(),
        template: Some(from.clone()),
    };
    let outcome = format!(
        "proposed {:?} of the debug session {}: {}",
        from.pattern,
        from.session,
        line(&fix.description, TOLD_CHARS_MAX)
    );
    let command = &writer.project.config().debug.hooks.apply_known_fix_template;
    let command = HookCommand::of(command.as_ref(), || {
        let mut input = writer.input(NAME, record);
        input["attempt"] = json!(attempt);
        input["fix"] = json!(fix);
        input["template"] = json!({
            "session_id": from.session.to_string(),
            "pattern": from.pattern,
            "file_path": template.file_path,
            "category": template.category,
            "effectiveness": template.effectiveness,
        });
        input
    });
    let step = Step::new(NAME, outcome).recording([Body::FixApplied(proposed)]).running(command);
    Ok((step, Some((fix, from))))
}

/// The template of the likest issue that is of the same category and helps in more than seven of ten
/// trials: the one that was learnt of that very failure; where none was, the most effective of its
/// session. Not one that has failed in this session.
fn best(
    view: DebugView<'_>,
    record: &DebugRecord,
    similar: &[Similar],
    analysis: Option<&Analysis>,
) -> Result<Option<FixTemplate>, DebugError> {
    for like in similar.iter().filter(|it| it.score() >= SCORE_MIN) {
        let thought = analysis.and_then(|it| it.root_cause_category);
        let categories = [
            thought.map(|category| category.as_str()),
            like.likeness.error_type.then(|| like.failure.error_type.as_str()),
        ];
        let is_of_it = |template: &FixTemplate| {
            let category = template.category.as_deref();
            category.is_some() && categories.contains(&category)
        };
        let mut known = view.patterns(like.session.id)?;
        let document = view.document(like.session.id)?;
        let name = document.and_then(|document| name_of(&document, &like.failure));
        // What helped against something else there is no help here.
        if known.iter().any(|it| Some(&it.pattern) == name.as_ref()) {
            known.retain(|it| Some(&it.pattern) == name.as_ref());
        }
        known.retain(|it| {
            it.fix_template.as_ref().is_some_and(|text| !text.trim().is_empty())
                && it.effectiveness.is_some_and(|of_one| of_one > TEMPLATE_EFFECTIVENESS)
                && is_of_it(it)
                && !has_failed(record, it)
        });
        let share = |it: &FixTemplate| it.effectiveness.unwrap_or_default();
        let trials = |it: &FixTemplate| it.tally.map_or(0, |(_, trials)| trials);
        known.sort_by(|one, other| {
            share(other).total_cmp(&share(one)).then(trials(other).cmp(&trials(one)))
        });
        if let Some(found) = known.into_iter().next() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Whether a fix that was made from it, or reads as it, has not helped.
fn has_failed(record: &DebugRecord, template: &FixTemplate) -> bool {
    let (from, text) = (template.template_ref(), template.fix_template.as_ref());
    record.document.executions.iter().any(|execution| {
        let Some(fix) = &execution.fix_applied else { return false };
        let origin = record.beside.fixes.get(&execution.attempt);
        let is_of_it = origin.is_some_and(|origin| origin.template.as_ref() == Some(&from))
            || Some(&fix.description) == text;
        is_of_it && fix.verification == Some(Verification::Failed)
    })
}
