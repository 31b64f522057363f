//! Who wrote what, and why a key has its value.

use crate::event::{ExecutionId, SessionId};
use crate::execution::query::Stores;
use crate::journal::{InitOptions, Project};
use crate::memory::query::MemoryLog;
use crate::memory::query::history::{Why, WhyStep, WhyValue};
use crate::memory::store::MemoryReader;
use crate::memory::{Asker, Memory, Operation};
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

struct Scene {
    _folder: tempfile::TempDir,
    project: Project,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
        Self { _folder: folder, project }
    }

    fn asked(&self, asker: &Asker, operation: impl FnOnce(&mut Operation<'_>)) {
        let mut memory = Memory::open(&self.project).unwrap();
        memory
            .operate(asker, |at| {
                operation(at);
                Ok(())
            })
            .unwrap();
    }

    fn done(&self, operation: impl FnOnce(&mut Operation<'_>)) {
        self.asked(&Asker::default(), operation);
    }

    fn stores(&self) -> Stores {
        let places = crate::stores::places(self.project.root());
        catch_up(&places, &JournalFeed::of(&self.project).unwrap());
        Stores::open(&places).unwrap()
    }

    fn why(&self, branch: &str, key: &str, now_ms: u64) -> Why {
        let stores = self.stores();
        let reader =
            MemoryReader::open(crate::stores::places(self.project.root()).memory()).unwrap();
        stores.memory_why(&reader.view(), (branch, key), now_ms, 100).unwrap()
    }
}

/// The kinds and branches of its steps, `*` behind those that decide.
fn told(why: &Why) -> Vec<String> {
    let step = |step: &WhyStep| {
        let mark = if step.decides { "*" } else { "" };
        format!("{} {}{mark}", step.op.kind, step.op.branch)
    };
    why.steps.iter().map(step).collect()
}

#[test]
fn a_key_s_value_is_told_by_the_events_that_made_it() {
    let scene = Scene::new();
    scene.done(|at| {
        at.mem_node_fork(None, "root", &[], None).unwrap();
        at.set_core("root", "goal", "one", None, None).unwrap();
        at.set_core("root", "other", "x", None, None).unwrap();
    });
    scene.done(|at| {
        at.mem_node_fork(Some("root"), "mid", &[], None).unwrap();
        at.mem_node_fork(Some("mid"), "leaf", &[], None).unwrap();
    });
    let inherited = scene.why("leaf", "goal", 0);
    assert_eq!(told(&inherited), ["CoreSet root*", "BranchForked mid*", "BranchForked leaf*"]);
    let WhyValue::Seen(value) = &inherited.value else { panic!("{inherited:?}") };
    assert_eq!((value.value.as_str(), value.branch.as_str()), ("one", "root"));

    scene.done(|at| drop(at.set_core("mid", "goal", "two", None, Some(5)).unwrap()));
    scene.done(|at| drop(at.set_core("mid", "goal", "three", Some("60"), None).unwrap()));
    let nearer = scene.why("leaf", "goal", 0);
    assert_eq!(
        told(&nearer),
        ["CoreSet root", "BranchForked mid", "BranchForked leaf*", "CoreSet mid*", "CoreSet mid*",]
    );
    let WhyValue::Seen(value) = &nearer.value else { panic!("{nearer:?}") };
    assert_eq!(value.value, "three");
    assert_eq!(
        scene.why("leaf", "goal", u64::MAX >> 1).value,
        WhyValue::Over { on: "mid".to_owned() }
    );

    scene.done(|at| assert!(at.mem_core_del("leaf", "goal").unwrap()));
    let deleted = scene.why("leaf", "goal", 0);
    assert_eq!(deleted.value, WhyValue::Deleted { on: "leaf".to_owned() });
    assert_eq!(deleted.steps.last().unwrap().op.kind, "CoreDeleted");
    assert!(matches!(scene.why("mid", "goal", 0).value, WhyValue::Seen(_)));
    let never = scene.why("leaf", "nothing", 0);
    assert_eq!((never.value, never.steps), (WhyValue::Never, vec![]));

    let long = "x".repeat(1_900);
    scene.done(|at| drop(at.set_core("root", "goal", "short", None, Some(1)).unwrap()));
    scene.done(|at| drop(at.set_core("root", "big", &long, None, None).unwrap()));
    scene.done(|at| drop(at.set_core("root", "big2", &long, None, Some(5)).unwrap()));
    let WhyValue::Evicted { on, record } = scene.why("root", "goal", 0).value else { panic!() };
    assert_eq!((on.as_str(), record), ("root", 1));
}

#[test]
fn the_log_says_who_wrote_what_when_and_in_which_execution() {
    let scene = Scene::new();
    scene.done(|at| drop(at.mem_node_fork(None, "root", &[], None).unwrap()));
    scene.done(|at| drop(at.mem_node_fork(Some("root"), "b", &[], None).unwrap()));
    let (session, execution) = (SessionId([1; 16]), ExecutionId([2; 16]));
    let mut asker = Asker::of(Some(session));
    asker.origin.run = Some("run-1".to_owned());
    asker.origin.execution = Some(execution);
    scene.asked(&asker, |at| {
        at.primitive(|at| at.set_core("b", "k", "v", None, None)).unwrap();
        at.mem_core_get("b", &["k".to_owned()]).unwrap();
        at.write_event("root", "note", "text", &[]).unwrap();
    });
    let kinds = |asked: MemoryLog| {
        let found = scene.stores().memory_log(&asked).unwrap();
        found.into_iter().map(|op| op.kind).collect::<Vec<_>>()
    };
    let all = MemoryLog { limit: 10, ..MemoryLog::default() };
    let five = ["RecallAppended", "MemoryRead", "CoreSet", "BranchForked", "BranchForked"];
    assert_eq!(kinds(all.clone()), five);
    let of = |branches: &[&str]| branches.iter().map(|name| (*name).to_owned()).collect();
    let b = MemoryLog { branches: of(&["b"]), ..all.clone() };
    assert_eq!(kinds(b.clone()), ["MemoryRead", "CoreSet", "BranchForked"]);
    assert_eq!(kinds(MemoryLog { writes_only: true, ..b.clone() }), ["CoreSet", "BranchForked"]);
    let both = MemoryLog { branches: of(&["b", "root"]), limit: 2, ..all.clone() };
    assert_eq!(kinds(both.clone()), ["RecallAppended", "MemoryRead"]);
    let before = Some(scene.stores().memory_log(&both).unwrap()[1].sequence);
    assert_eq!(kinds(MemoryLog { before, ..both }), ["CoreSet", "BranchForked"]);
    let told = &scene.stores().memory_log(&b).unwrap()[1];
    assert_eq!(told.key.as_deref(), Some("k"));
    assert_eq!(told.run.as_deref(), Some("run-1"));
    assert_eq!(told.session, Some(session.to_string()));
    assert_eq!(told.execution, Some(execution.to_string()));
    assert_eq!(told.door, "primitive");
}
