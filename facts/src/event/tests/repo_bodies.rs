//! Any event of a repository's memory.

use proptest::prelude::*;
use proptest::sample::select;

use super::round_trip::{content, maybe, text, texts};
use crate::event::*;

fn repo() -> impl Strategy<Value = RepoHash> {
    any::<[u8; 32]>().prop_map(RepoHash)
}

fn entry() -> impl Strategy<Value = (RepoHash, String)> {
    (repo(), text())
}

fn time() -> impl Strategy<Value = Option<u64>> {
    any::<Option<u64>>()
}

fn removed() -> impl Strategy<Value = Body> {
    (entry(), 0..3_u8).prop_map(|((repo, id), of)| match of {
        0 => Body::ConventionRemoved(ConventionRemoved { repo, id }),
        1 => Body::DecisionRemoved(DecisionRemoved { repo, id }),
        _ => Body::NoteRemoved(NoteRemoved { repo, id }),
    })
}

fn appended() -> impl Strategy<Value = Body> {
    let told = (repo(), text(), text(), text(), select(SummaryMaker::ALL));
    (told, any::<[Option<u64>; 3]>()).prop_map(
        |((repo, run_id, step_id, summary, made_by), [step, through, created_ms])| {
            Body::SummaryAppended(SummaryAppended {
                repo,
                run_id,
                step_id,
                summary,
                made_by,
                step,
                through,
                created_ms,
            })
        },
    )
}

pub(super) fn repo_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        (repo(), text(), maybe(), maybe(), maybe())
            .prop_map(|(repo, path, remote, branch, common)| {
                Body::RepoIdentified(RepoIdentified { repo, path, remote, branch, common })
            })
            .boxed(),
        (repo(), repo())
            .prop_map(|(repo, with)| Body::RepoLinked(RepoLinked { repo, with }))
            .boxed(),
        (entry(), text(), text(), texts(), time(), time())
            .prop_map(|((repo, id), title, content, tags, created_ms, updated_ms)| {
                Body::ConventionUpserted(ConventionUpserted {
                    repo,
                    id,
                    title,
                    content,
                    tags,
                    created_ms,
                    updated_ms,
                })
            })
            .boxed(),
        (entry(), text(), text(), texts(), time())
            .prop_map(|((repo, id), summary, rationale, impacted_paths, created_ms)| {
                Body::DecisionRecorded(DecisionRecorded {
                    repo,
                    id,
                    summary,
                    rationale,
                    impacted_paths,
                    created_ms,
                })
            })
            .boxed(),
        (entry(), text(), select(NoteSource::ALL), time())
            .prop_map(|((repo, id), content, source, created_ms)| {
                Body::NoteAdded(NoteAdded { repo, id, content, source, created_ms })
            })
            .boxed(),
        removed().boxed(),
        appended().boxed(),
        (repo(), select(IndexKind::ALL), content(), any::<u64>(), any::<[u8; 32]>()).prop_map(
            |(repo, index, content, files, inputs)| {
                Body::IndexStored(IndexStored { repo, index, content, files, inputs })
            }
        ),
    ]
}
