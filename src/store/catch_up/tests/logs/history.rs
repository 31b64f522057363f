//! Histories of what the logs tell: few names, some of them hostile, so that files are shared and
//! everything is tried.

use proptest::prelude::*;

use crate::event::{
    ArchivalWritten, ArtifactsAccepted, Body, BranchForked, Content, CoreSet, Experiment, Json,
    MemoryDoor, MemoryOrigin, MemoryQuery, MemoryRead, ModelQueried, NodePlace, PhaseCompleted,
    PhaseFailed, PhaseName, PromptPlace, PromptRendered, SessionEnded, UpdatesApplied,
};
use crate::store::catch_up::tests::history::{NOW_MS, event};
use crate::store::feed::memory::MemoryFeed;

const NAMES: [&str; 6] = ["n1", "n2", "../../../x", "a/b", ".undo", "größe\0"];

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just("n1".to_owned()), 3 => prop::sample::select(&NAMES[..]).prop_map(str::to_owned)]
}

fn any_experiment() -> impl Strategy<Value = Experiment> {
    (any_name(), 0..2_u64, any_name()).prop_map(|(run, index, name)| Experiment {
        run,
        index,
        name,
    })
}

fn any_place() -> impl Strategy<Value = NodePlace> {
    (any_experiment(), any_name()).prop_map(|(experiment, node)| NodePlace {
        experiment,
        branch: node.clone(),
        node,
    })
}

fn any_prompt() -> impl Strategy<Value = PromptPlace> {
    (any_experiment(), any_name(), any_name(), 0..2_u64).prop_map(
        |(experiment, session, label, round)| PromptPlace {
            experiment,
            session,
            stage: "stage".to_owned(),
            label,
            counter: 1,
            round,
        },
    )
}

fn any_content() -> impl Strategy<Value = Content> {
    prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 0..30).prop_map(Content::Inline),
        2 => Just(Content::Inline(br#"{"Introduction":"x","List":["a"]}"#.to_vec())),
        1 => Just(Content::Blob { hash: [7; 32], len: 300_000 }),
        1 => Just(Content::Truncated { head: vec![b'h'], tail: vec![0xff], len: 1 << 30 }),
    ]
}

fn any_operations() -> impl Strategy<Value = Json> {
    let texts = ["[]", "{", r#"[{"key":"k","timestamp":1.5,"type":"core_set","value":"v"}]"#];
    prop::sample::select(texts.map(|text| Json(text.to_owned())).to_vec())
}

fn any_phase() -> impl Strategy<Value = PhaseName> {
    prop::sample::select(PhaseName::ALL)
}

fn origin(by: MemoryDoor) -> MemoryOrigin {
    MemoryOrigin { run: Some("run".to_owned()), ..MemoryOrigin::by(by) }
}

fn set(branch: String, value: String) -> Body {
    Body::CoreSet(CoreSet {
        branch,
        key: "k".to_owned(),
        value,
        importance: 3,
        ttl: None,
        origin: origin(MemoryDoor::Model),
    })
}

fn applied(operations: Json, prompt: Option<PromptPlace>) -> Body {
    Body::UpdatesApplied(UpdatesApplied {
        branch: "n1".to_owned(),
        asked: vec!["core".to_owned()],
        operations,
        began_ms: NOW_MS,
        ended_ms: NOW_MS + 12,
        prompt,
        origin: origin(MemoryDoor::Model),
    })
}

fn rendered(prompt: Option<PromptPlace>, rendered: Content) -> Body {
    Body::PromptRendered(PromptRendered {
        branch: "n1".to_owned(),
        task_hint: None,
        budget_chars: 100,
        no_limit: false,
        rendered,
        rendered_chars: 3,
        core_count: 1,
        recall_count: 2,
        archival_count: 3,
        began_ms: NOW_MS,
        ended_ms: NOW_MS + 1,
        prompt,
        origin: origin(MemoryDoor::Api),
    })
}

fn completed(place: NodePlace, phase: PhaseName, log: Content) -> Body {
    let (executions, duration_ms) = (Vec::new(), 5);
    Body::PhaseCompleted(PhaseCompleted { place, phase, log, executions, duration_ms })
}

fn failed(place: NodePlace, phase: PhaseName, log: Content) -> Body {
    let (executions, duration_ms, error) = (Vec::new(), 5, "no".to_owned());
    Body::PhaseFailed(PhaseFailed { place, phase, log, executions, duration_ms, error })
}

fn queried(node: NodePlace, prompt: PromptPlace, sections: Content, reply: Content) -> Body {
    let (error, duration_ms) = (None, 7);
    Body::ModelQueried(ModelQueried { node, prompt, sections, reply, error, duration_ms })
}

fn any_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        3 => (any_name(), "[a-z]{0,9}").prop_map(|(branch, value)| set(branch, value)).boxed(),
        2 => (any_name(), prop::option::of(any_name()), any::<bool>()).prop_map(
            |(branch, parent, auto_created)| Body::BranchForked(BranchForked {
                branch, parent, node: None, auto_created, copied_from: None,
                origin: origin(MemoryDoor::Api),
            })
        ).boxed(),
        1 => any_name().prop_map(|branch| Body::MemoryRead(MemoryRead {
            branch,
            query: MemoryQuery::Node { scope: "all".to_owned() },
            results: 1,
            origin: origin(MemoryDoor::Api),
        })).boxed(),
        1 => any_name().prop_map(|branch| Body::ArchivalWritten(ArchivalWritten {
            id: 1,
            branch,
            text: "text\n".repeat(200),
            tags: Vec::new(),
            whole: None,
            origin: origin(MemoryDoor::Internal),
        })).boxed(),
        2 => (any_operations(), prop::option::of(any_prompt()))
            .prop_map(|(operations, prompt)| applied(operations, prompt)).boxed(),
        2 => (prop::option::of(any_prompt()), any_content())
            .prop_map(|(prompt, text)| rendered(prompt, text)).boxed(),
        2 => (any_place(), any_phase(), any_content())
            .prop_map(|(place, phase, log)| completed(place, phase, log)).boxed(),
        1 => (any_place(), any_phase(), any_content())
            .prop_map(|(place, phase, log)| failed(place, phase, log)).boxed(),
        2 => (any_place(), any_prompt(), any_content(), any_content())
            .prop_map(|(node, prompt, one, two)| queried(node, prompt, one, two)).boxed(),
        2 => (any_place(), any_content()).prop_map(|(place, artifacts)| {
            Body::ArtifactsAccepted(ArtifactsAccepted { place, artifacts })
        }).boxed(),
        4 => Just(Body::SessionEnded(SessionEnded { reason: "done".to_owned() })).boxed(),
    ]
}

/// A history of commits of one to five events, some of them of no concern to any log.
pub fn any_logged_history() -> impl Strategy<Value = MemoryFeed> {
    let event =
        (0..1_000_u64, any_body()).prop_map(|(step, body)| event(NOW_MS + step, None, body));
    let commit = prop::collection::vec(event, 1..6);
    prop::collection::vec(commit, 1..16).prop_map(|commits| {
        let mut feed = MemoryFeed::new(1);
        commits.into_iter().for_each(|commit| feed.commit(commit));
        feed
    })
}

/// A query of the first node's model.
pub fn asked(label: &str, sections: Content) -> Body {
    let experiment = Experiment { run: "run".to_owned(), index: 0, name: "exp".to_owned() };
    let (node, branch) = ("n1".to_owned(), "n1".to_owned());
    let prompt = PromptPlace {
        experiment: experiment.clone(),
        session: "s".to_owned(),
        stage: "stage".to_owned(),
        label: label.to_owned(),
        counter: 1,
        round: 0,
    };
    let reply = Content::Inline(b"reply".to_vec());
    queried(NodePlace { experiment, node, branch }, prompt, sections, reply)
}

/// Sixty commits of every kind of file.
pub fn logged_history() -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    for number in 0..60_u64 {
        let experiment = Experiment { run: "run".to_owned(), index: 0, name: "exp".to_owned() };
        let node = format!("n{}", number % 7);
        let place = NodePlace { experiment: experiment.clone(), branch: node.clone(), node };
        let prompt = PromptPlace {
            experiment,
            session: "s".to_owned(),
            stage: "stage".to_owned(),
            label: format!("draft_attempt{}", number % 5),
            counter: number,
            round: 0,
        };
        let text = |what: &str| Content::Inline(format!("{what} {number}\n").into_bytes());
        let operations = Json(r#"[{"type":"core_set","key":"k","value":"v"}]"#.to_owned());
        let artifacts = ArtifactsAccepted { place: place.clone(), artifacts: text("{}") };
        let bodies = [
            set("n1".to_owned(), "v".repeat(500)),
            applied(operations, Some(prompt.clone())),
            rendered(Some(prompt.clone()), text("memory")),
            queried(place.clone(), prompt, text("{}"), text("reply")),
            Body::ArtifactsAccepted(artifacts),
            completed(place.clone(), PhaseName::Download, text("pip")),
            failed(place, PhaseName::Run, text("boom")),
        ];
        let events = bodies.map(|body| event(NOW_MS + number, None, body));
        feed.commit(events.to_vec());
        if number % 4 == 0 {
            let ended = Body::SessionEnded(SessionEnded { reason: "done".to_owned() });
            feed.commit(vec![event(NOW_MS + number, Some(1), ended)]);
        }
    }
    feed
}
