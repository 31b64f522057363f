//! A node driven by the contract's own names.

use crate::phases::model::ScriptedReply;
use std::sync::atomic::AtomicBool;

use super::{
    _generate_ablation_prompt, _generate_debug_prompt, _generate_draft_prompt,
    _generate_hyperparam_prompt, _generate_improve_prompt, _has_memory_read_results,
    _inject_memory, _inject_split_phase_context, _run_memory_update_phase, DRAFT_INTRO,
    DRAFT_INTRO_WITH_MEMORY, PHASE1_ITERATIVE_INSTALLER_PROMPT,
    PHASE1_ITERATIVE_INSTALLER_PROMPT_WITH_MEMORY, RESPONSE_FORMAT_SPLIT_PHASE_WITH_MEMORY,
    generate_phase_artifacts, phase1_iterative_driver,
};
use crate::event::Experiment;
use crate::grounding::tools::Workspace;
use crate::journal::{InitOptions, Project};
use crate::parse::reply::{
    MissingMemoryUpdateError, ReadResults, ReplyError, extract_memory_updates,
    parse_phase1_iterative_response,
};
use crate::phases::artifacts::extract_phase_artifacts;
use crate::phases::prompt::{Prompt, PromptContext, Prompts, Task};
use crate::phases::{
    Executor, NodeGiven, NodeRun, ScriptModel, apply_workspace_plan, run_commands_with_logging,
};

const PLAN: &str = r#"{"phase_artifacts":{"coding":{"workspace":{"files":[{"path":"a","content":"x"}]}},
    "run":{"commands":["cat a"]}},"constraints":{}}"#;

fn given(node: &str) -> NodeGiven {
    NodeGiven {
        experiment: Experiment { run: "r".into(), index: 0, name: "e".into() },
        node: node.into(),
        task: Task::Draft,
        stage: None,
        parent: None,
        idea: "IDEA".into(),
        variation: String::new(),
        phase0_plan: None,
        workspace: None,
        home: None,
        mount: "/workspace".into(),
        executor: Vec::new(),
        proposal: None,
        review: false,
        summarize: false,
        plots: Vec::new(),
        session: None,
    }
}

#[test]
fn the_contracts_names_do_what_the_document_says() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let replies = [
        // Asked for what it remembers, it reads, then is done.
        r#"<memory_update>{"core":{"k":"v"},"core_get":["k"]}</memory_update>"#.to_owned(),
        "<memory_update>{}</memory_update>noted".to_owned(),
        format!("<memory_update>{{}}</memory_update>{PLAN}"),
        r#"<memory_update>{}</memory_update>{"command":"echo x > made","done":false}"#.to_owned(),
        r#"<memory_update>{}</memory_update>{"done":true}"#.to_owned(),
    ];
    let reply = |reply| ScriptedReply { reply, ..ScriptedReply::default() };
    let model = ScriptModel::new(replies.map(reply).to_vec());
    let stop = AtomicBool::new(false);
    let mut run = NodeRun::open(&project, given("n"), Some(Box::new(model)), &stop).unwrap();
    run.begin().unwrap();

    let mut prompt =
        _generate_draft_prompt(&Prompts::default(), &PromptContext::default()).unwrap();
    _inject_memory(&mut run, &mut prompt, "draft").unwrap();
    let text = prompt.markdown();
    assert!(
        text.contains("\n# Memory\n") && text.contains("MUST include a <memory_update>"),
        "{text}"
    );
    assert_eq!(_run_memory_update_phase(&mut run, prompt, "draft", "draft").unwrap(), "noted");
    let artifacts = generate_phase_artifacts(&mut run).unwrap();
    assert_eq!(artifacts.coding.files[0].path, "a");
    assert_eq!(phase1_iterative_driver(&mut run, &artifacts).unwrap(), None);
    let work = folder.path().join(".annals/workspaces/r/node_n");
    assert!(work.join("made").exists());
    drop(run);

    let workspace = Workspace::open(&work).unwrap();
    let written = apply_workspace_plan(&workspace, &artifacts.coding, "/workspace").unwrap();
    assert_eq!(written.files, ["a"]);
    let executor = Executor {
        prefix: Vec::new(),
        workspace: work,
        mount: "/workspace".into(),
        within: std::time::Duration::from_secs(60),
    };
    let commands = &artifacts.run.commands;
    let ran = run_commands_with_logging(Some(&project), None, &executor, commands, &[], &stop);
    let ran = ran.unwrap();
    assert_eq!((ran.printed.as_str(), ran.executions.len()), ("x\n", 1));
    let mut memory = crate::memory::contract::BranchMemory::initialize(folder.path()).unwrap();
    assert_eq!(memory.get_core("n", "k").unwrap().as_deref(), Some("v"));
}

#[test]
fn prompts_and_replies_are_there_under_their_names() {
    let (texts, context) = (Prompts::default(), PromptContext::default());
    for generate in [
        _generate_draft_prompt,
        _generate_debug_prompt,
        _generate_improve_prompt,
        _generate_hyperparam_prompt,
        _generate_ablation_prompt,
    ] {
        assert_eq!(generate(&texts, &context).unwrap().names()[0], "Introduction");
    }
    let mut prompt = Prompt::default();
    _inject_split_phase_context(&mut prompt, &texts, &context).unwrap();
    assert_eq!(prompt.names(), ["System", "Domain", "Environment", "Resources"]);
    for (without, with) in [
        (DRAFT_INTRO, DRAFT_INTRO_WITH_MEMORY),
        (PHASE1_ITERATIVE_INSTALLER_PROMPT, PHASE1_ITERATIVE_INSTALLER_PROMPT_WITH_MEMORY),
        ("", RESPONSE_FORMAT_SPLIT_PHASE_WITH_MEMORY),
    ] {
        assert!(!without.contains("<memory_update>") && with.contains("<memory_update>"));
    }
    assert_eq!(
        extract_phase_artifacts(PLAN, true).unwrap_err(),
        ReplyError::MissingMemoryUpdate(MissingMemoryUpdateError)
    );
    let read = extract_memory_updates("<memory_update>{}</memory_update>{\"done\":true}", true);
    assert!(parse_phase1_iterative_response(&read.unwrap().rest).unwrap().done);
    assert!(!_has_memory_read_results(&ReadResults::default()));
    let read = ReadResults { core_get: Some(Vec::new()), ..ReadResults::default() };
    assert!(_has_memory_read_results(&read));
}
