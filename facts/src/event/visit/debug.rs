//! The texts of debug memory. Ids of sessions and hashes of code are not shown.

use super::{TextVisitor, contents, texts};
use crate::event::{
    Analysis, AttemptRecorded, DebugSessionOpened, Fix, LearningExtracted, TestFailure,
};

pub fn opened(v: &mut dyn TextVisitor, b: &mut DebugSessionOpened) {
    v.text(&mut b.file_path);
    texts(v, [&mut b.agent, &mut b.task_id].into_iter().flatten());
}

pub fn attempt(v: &mut dyn TextVisitor, b: &mut AttemptRecorded) {
    contents(v, &mut b.code_snapshot);
    if let Some(it) = &mut b.environment {
        let of_tests = [&mut it.test_framework, &mut it.os];
        let of_runtime = [&mut it.runtime, &mut it.runtime_version];
        texts(v, of_runtime.into_iter().chain(of_tests).flatten());
        if let Some(additional) = &mut it.additional {
            v.json(&mut additional.0);
        }
    }
    b.failures.iter_mut().for_each(|it| failure(v, it));
}

fn failure(v: &mut dyn TextVisitor, it: &mut TestFailure) {
    texts(v, [&mut it.test_name, &mut it.error_message]);
    let told = [&mut it.test_file, &mut it.stack_trace, &mut it.expected, &mut it.actual];
    texts(v, told.into_iter().flatten());
    if let Some(at) = &mut it.source_location {
        texts(v, [&mut at.file, &mut at.function].into_iter().flatten());
    }
}

pub fn analysis(v: &mut dyn TextVisitor, it: &mut Analysis) {
    texts(v, [&mut it.root_cause, &mut it.fix_strategy]);
    texts(v, it.related_failures.iter_mut().flatten());
    for issue in it.similar_past_issues.iter_mut().flatten() {
        let told = [&mut issue.session_id, &mut issue.file, &mut issue.resolution];
        texts(v, told.into_iter().flatten());
    }
}

pub fn fix(v: &mut dyn TextVisitor, it: &mut Fix) {
    v.text(&mut it.description);
    texts(v, [&mut it.diff_summary, &mut it.diff].into_iter().flatten());
    texts(v, it.files_changed.iter_mut().flatten());
}

pub fn learning(v: &mut dyn TextVisitor, b: &mut LearningExtracted) {
    let all = &mut b.learnings;
    for it in all.patterns_identified.iter_mut().flatten() {
        v.text(&mut it.pattern);
        texts(v, [&mut it.category, &mut it.fix_template].into_iter().flatten());
    }
    for it in all.recurring_failures.iter_mut().flatten() {
        texts(v, [&mut it.test, &mut it.notes].into_iter().flatten());
    }
    for it in all.code_quality_issues.iter_mut().flatten() {
        texts(v, [&mut it.issue, &mut it.location].into_iter().flatten());
    }
    texts(v, all.recommendations.iter_mut().flatten());
    texts(v, b.tallies.iter_mut().map(|tally| &mut tally.pattern));
}
