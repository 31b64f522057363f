//! Generated events of repositories' memory: few repositories and ids, so that everything collides.

use proptest::prelude::*;

use crate::event::{
    Body, Content, ConventionRemoved, ConventionUpserted, DecisionRecorded, DecisionRemoved,
    IndexKind, IndexStored, NoteAdded, NoteRemoved, NoteSource, RepoHash, RepoIdentified,
    RepoLinked, SummaryAppended, SummaryMaker,
};

/// The hash of one of them.
pub fn repo(number: u8) -> RepoHash {
    RepoHash([number; 32])
}

fn any_text() -> impl Strategy<Value = String> {
    prop::sample::select(&["", "one", "two\nlines", "\u{0}\u{1b}[31m \"quoted\" ü"][..])
        .prop_map(str::to_owned)
}

fn any_ms() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![4 => Just(None), 1 => (0..3_u64).prop_map(Some), 1 => Just(Some(u64::MAX))]
}

fn any_repo() -> impl Strategy<Value = RepoHash> {
    (0..4_u8).prop_map(repo)
}

fn any_id() -> impl Strategy<Value = String> {
    (0..3_u8).prop_map(|number| format!("id-{number}"))
}

/// Any event of a repository's memory.
pub fn any_of_repo() -> impl Strategy<Value = Body> {
    prop_oneof![
        2 => (any_repo(), any_text(), 0..2_u8).prop_map(|(repo, text, number)| {
            let (path, branch) = (format!("/home/me/{number}"), Some("main".to_owned()));
            let remote = Some(text).filter(|text| !text.is_empty());
            Body::RepoIdentified(RepoIdentified { repo, path, remote, branch, common: None })
        }),
        1 => (any_repo(), any_repo())
            .prop_map(|(repo, with)| Body::RepoLinked(RepoLinked { repo, with })),
        4 => (any_repo(), any_id(), any_text(), any_ms(), any_ms()).prop_map(
            |(repo, id, text, created_ms, updated_ms)| {
                Body::ConventionUpserted(ConventionUpserted {
                    repo,
                    id,
                    title: text.clone(),
                    content: text.clone(),
                    tags: vec![text],
                    created_ms,
                    updated_ms,
                })
            }
        ),
        4 => (any_repo(), any_id(), any_text(), any_ms()).prop_map(
            |(repo, id, text, created_ms)| Body::DecisionRecorded(DecisionRecorded {
                repo,
                id,
                summary: text.clone(),
                rationale: text,
                impacted_paths: vec!["src/**".to_owned()],
                created_ms,
            })
        ),
        4 => (any_repo(), any_id(), any_text(), any_ms()).prop_map(
            |(repo, id, content, created_ms)| {
                let source = NoteSource::Tool;
                Body::NoteAdded(NoteAdded { repo, id, content, source, created_ms })
            }
        ),
        2 => (any_repo(), any_id())
            .prop_map(|(repo, id)| Body::ConventionRemoved(ConventionRemoved { repo, id })),
        2 => (any_repo(), any_id())
            .prop_map(|(repo, id)| Body::DecisionRemoved(DecisionRemoved { repo, id })),
        2 => (any_repo(), any_id())
            .prop_map(|(repo, id)| Body::NoteRemoved(NoteRemoved { repo, id })),
        8 => (any_repo(), any_id(), any_text(), any_ms()).prop_map(
            |(repo, step_id, summary, created_ms)| Body::SummaryAppended(SummaryAppended {
                repo,
                run_id: "run".to_owned(),
                step_id,
                summary,
                made_by: SummaryMaker::Events,
                step: None,
                through: None,
                created_ms,
            })
        ),
        2 => (any_repo(), any_index()).prop_map(|(repo, content)| {
            let index = IndexKind::RepoMap;
            Body::IndexStored(IndexStored { repo, index, content, files: 1, inputs: [1; 32] })
        }),
    ]
}

/// Some that no store can take.
fn any_index() -> impl Strategy<Value = Content> {
    let inline = |text: &str| Content::Inline(text.as_bytes().to_vec());
    prop::sample::select(vec![
        inline("{\"files\":[]}"),
        inline("{\"files\":[\"a\"]}"),
        inline("{\"files\":"),
        inline("[]"),
        Content::Inline(vec![b'{', 0xff, b'}']),
        Content::Blob { hash: [9; 32], len: 300_000 },
        Content::Truncated { head: vec![b'{'], tail: vec![b'}'], len: 1 << 30 },
    ])
}
