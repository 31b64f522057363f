//! What is ordered is what is destroyed, and what vouches for the rest is recorded before.

use std::collections::BTreeSet;

use super::*;
use crate::event::{Body, Content, Envelope, Event, PromptSubmitted, Sequence, Source};
use crate::journal::{InitOptions, Project, Reading, Testimony, audit, clock, salvage};

const SECRET: &str = "zebra-crossing-77";

fn prompt(text: Content) -> Event {
    let prompt = PromptSubmitted { text, native_id: None, actor: None, attachments: Vec::new() };
    let envelope = Envelope::new(None, Source::Live, clock::now_ms());
    Event { envelope, body: Body::PromptSubmitted(prompt) }
}

fn inline(text: &str) -> Content {
    Content::Inline(text.as_bytes().to_vec())
}

struct Scene {
    folder: tempfile::TempDir,
    project: Project,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
        Self { folder, project }
    }

    /// One commit; answers its first event.
    fn append(&self, texts: Vec<Content>) -> Sequence {
        let events: Vec<_> = texts.into_iter().map(prompt).collect();
        self.project.journal().unwrap().append(&events, clock::now_ms()).unwrap().first
    }

    fn plan(&self, chosen: &[Sequence]) -> Result<Plan, RedactionError> {
        let chosen = chosen.iter().copied().collect::<BTreeSet<_>>();
        plan(&self.project.reader().unwrap(), &chosen, &chosen)
    }

    fn begin(&self, plan: Plan) {
        let order = plan.order(OrderId([7; 16]), 5, "me".into(), "leaked".into(), None);
        begin(&self.project, &order).unwrap();
    }

    /// What verifying the journal finds.
    fn found(&self) -> Vec<String> {
        found(&self.project.journal_dir())
    }

    fn holds(&self) -> bool {
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else if std::fs::read(&entry)
                    .unwrap()
                    .windows(SECRET.len())
                    .any(|it| it == SECRET.as_bytes())
                {
                    return true;
                }
            }
        }
        false
    }
}

fn found(journal: &std::path::Path) -> Vec<String> {
    let audit = audit(journal, Reading::Evidence, Testimony::default()).unwrap();
    audit.report.findings.iter().map(|it| it.verdict.to_string()).collect()
}

#[test]
fn what_only_repeats_goes_along_and_what_stays_is_vouched_for() {
    let scene = Scene::new();
    let long = format!("{SECRET} {}", "x".repeat(5_000));
    let hash = *blake3::hash(long.as_bytes()).as_bytes();
    let first = scene.append(vec![inline("before"), inline(&long), inline("behind")]);
    let secret = Sequence(first.0 + 1);
    let len = long.len() as u64;
    let again = scene.append(vec![Content::Repeated { sequence: secret.0, hash, len }]);
    let plan = scene.plan(&[secret]).unwrap();
    assert_eq!(plan.referrers, [again]);
    let sequences = |them: &[RedactedRecord]| them.iter().map(|it| it.sequence).collect::<Vec<_>>();
    assert_eq!(sequences(&plan.records), [secret.0, again.0]);
    assert_eq!(sequences(&plan.beside), [first.0, first.0 + 2]);
    assert_eq!(plan.links.iter().map(|it| it.sequence).collect::<Vec<_>>(), [first.0, again.0]);

    assert!(!is_unfinished(&scene.project));
    scene.begin(plan);
    assert!(is_unfinished(&scene.project) && scene.holds(), "the event is first");
    assert_eq!(scene.found(), ["not redacted", "not redacted"]);
    let done = carry_out(&scene.project).unwrap();
    assert_eq!((done.records, done.others), (vec![secret, again], Vec::new()));
    assert!(!scene.holds() && scene.found().is_empty(), "{:?}", scene.found());
    assert_eq!(carry_out(&scene.project).unwrap().records, [], "twice is once");
    end(&scene.project, &done.orders).unwrap();
    assert!(!is_unfinished(&scene.project));

    let orders = Orders::of(&scene.project.reader().unwrap()).unwrap();
    let by = orders.by(secret).unwrap();
    assert_eq!((by.reason.as_str(), by.records, by.at_ms), ("leaked", 2, 5));
    let plan = scene.plan(&[secret]).unwrap();
    assert!(plan.is_empty() && plan.gone == [secret], "{plan:?}");
}

#[test]
fn what_stays_keeps_the_content_that_it_only_refers_to() {
    let scene = Scene::new();
    let long = "the same each time ".repeat(300);
    let (hash, len) = (*blake3::hash(long.as_bytes()).as_bytes(), long.len() as u64);
    let first = scene.append(vec![inline(&long)]);
    let repeated = Content::Repeated { sequence: first.0, hash, len };
    let again = scene.append(vec![repeated.clone()]);
    let reader = scene.project.reader().unwrap();
    let planned = plan(&reader, &BTreeSet::from([first]), &BTreeSet::new()).unwrap();
    assert_eq!((&planned.referrers, &planned.lifted), (&vec![], &vec![(again, repeated.clone())]));
    lift(&scene.project, &reader, &planned).unwrap();
    scene.begin(planned);
    assert_eq!(carry_out(&scene.project).unwrap().records, [first]);
    let read = || scene.project.reader().unwrap().bytes(&repeated);
    assert_eq!(read().unwrap(), long.as_bytes());
    scene.begin(scene.plan(&[again]).unwrap());
    assert_eq!(carry_out(&scene.project).unwrap().blobs, 1);
    assert!(read().is_err());
}

#[test]
fn what_tells_of_the_journal_stays_and_what_is_not_there_is_refused() {
    let scene = Scene::new();
    let first = scene.append(vec![inline(SECRET)]);
    scene.begin(scene.plan(&[first]).unwrap());
    let event = scene.project.reader().unwrap().mark().sequence;
    for at in [Sequence(1), event] {
        assert!(
            matches!(scene.plan(&[at]), Err(RedactionError::Kept { sequence }) if sequence == at)
        );
    }
    let beyond = Sequence(event.0 + 1);
    assert!(matches!(scene.plan(&[beyond]), Err(RedactionError::Missing { .. })));
}

#[test]
fn a_blob_goes_with_the_last_record_that_names_it() {
    let scene = Scene::new();
    let blobs = scene.project.journal().unwrap().blobs();
    let own = blobs.put(format!("own {SECRET}").as_bytes()).unwrap();
    let shared = blobs.put(b"shared").unwrap();
    let secret = scene.append(vec![own]);
    scene.append(vec![shared.clone()]);
    let other = scene.append(vec![shared]);
    scene.begin(scene.plan(&[secret, other]).unwrap());
    // Who died in the making of one, and who lives.
    std::fs::write(blobs.folder().join("4294967295-0.tmp"), SECRET).unwrap();
    let alive = blobs.folder().join(format!("{}-9.tmp", std::process::id()));
    std::fs::write(&alive, "on its way").unwrap();
    let fragments = scene.project.journal_dir().join("quarantine");
    std::fs::create_dir_all(&fragments).unwrap();
    let fragment = fragments.join(format!("{:010}-{:020}-{:020}-0.bin", 0, 4096, 99));
    std::fs::write(&fragment, SECRET).unwrap();
    let done = carry_out(&scene.project).unwrap();
    assert_eq!((done.blobs, done.fragments), (1, 1));
    assert!(!scene.holds() && alive.exists());
    assert_eq!(std::fs::read(fragment).unwrap(), b"", "its name still says what was seen");
}

#[test]
fn what_was_salvaged_still_says_what_was_redacted() {
    let scene = Scene::new();
    let first = scene.append(vec![inline("one"), inline(SECRET), inline("two")]);
    scene.begin(scene.plan(&[Sequence(first.0 + 1)]).unwrap());
    carry_out(&scene.project).unwrap();
    // Of the commit only the middle is left whole: it becomes a commit of its own.
    let reader = scene.project.reader().unwrap();
    for at in [first.0, first.0 + 2] {
        let (path, offset) = reader.place(Sequence(at)).unwrap().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[offset as usize + 50] ^= 1;
        std::fs::write(path, bytes).unwrap();
    }
    let to = scene.folder.path().join("saved");
    salvage(&scene.project.journal_dir(), &to, [3; 32], Reading::Evidence).unwrap();
    let told = found(&to);
    assert!(!told.iter().any(|it| it.starts_with("redacted") || it == "leaf changed"), "{told:?}");
    assert!(!told.contains(&"chain broken".to_owned()), "{told:?}");
}
