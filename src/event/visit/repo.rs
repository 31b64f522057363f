//! The texts of a repository's memory. Hashes, ids and the names of runs and steps are not shown: they
//! are what things are found by.

use super::{TextVisitor, content, texts};
use crate::event::{
    ConventionUpserted, DecisionRecorded, IndexStored, RepoIdentified, SummaryAppended,
};

pub fn identified(v: &mut dyn TextVisitor, b: &mut RepoIdentified) {
    v.text(&mut b.path);
    texts(v, [&mut b.remote, &mut b.branch].into_iter().flatten());
}

pub fn convention(v: &mut dyn TextVisitor, b: &mut ConventionUpserted) {
    v.named(&b.title, &mut b.content);
    v.text(&mut b.title);
    texts(v, &mut b.tags);
}

pub fn decision(v: &mut dyn TextVisitor, b: &mut DecisionRecorded) {
    texts(v, [&mut b.summary, &mut b.rationale]);
    texts(v, &mut b.impacted_paths);
}

pub fn summary(v: &mut dyn TextVisitor, b: &mut SummaryAppended) {
    v.text(&mut b.summary);
}

pub fn index(v: &mut dyn TextVisitor, b: &mut IndexStored) {
    content(v, &mut b.content);
}
