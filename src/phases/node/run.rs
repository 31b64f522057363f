//! A node being run.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::ask::apply;
use super::book::{Book, Remembered, remember};
use super::start::{self, Idea, proposed};
use super::{AskFailure, NodeGiven, NodeOutcome, PhasesError, Result, ground};
use crate::event::{
    ArtifactsAccepted, Body, Content, NodeCreated, NodePlace, PhaseName, PromptPlace,
};
use crate::grounding::tools::Workspace;
use crate::journal::owner::Held;
use crate::journal::{Project, enclosure};
use crate::parse::reply::Updates;
use crate::phases::artifacts::{PhaseArtifacts, artifacts_of};
use crate::phases::model::Model;
use crate::phases::prompt::{PromptContext, Prompts, task_prompt};
use crate::phases::{Executor, PhaseEnded, Stories};

pub struct NodeRun<'p> {
    pub(super) book: Book<'p>,
    pub(super) given: NodeGiven,
    pub(super) texts: Prompts,
    pub(super) context: PromptContext,
    pub(super) model: Option<Box<dyn Model>>,
    pub(super) executor: Executor,
    pub(super) workspace: Workspace,
    pub(super) stop: &'p AtomicBool,
    /// How often the model was asked.
    pub(super) queries: u64,
    pub(super) phases: Vec<PhaseEnded>,
    /// What a person is told besides.
    pub(super) notes: Vec<String>,
    idea: Idea,
    /// The branches it is under, the root first.
    ancestors: Vec<String>,
    parent_branch: Option<String>,
    /// Until its branch is made.
    turn: Option<Held>,
    /// As long as it is run.
    _owner: Held,
}

impl<'p> NodeRun<'p> {
    /// Runs a node from its branch to its result; whatever it comes to is recorded.
    pub fn run(
        project: &'p Project,
        given: NodeGiven,
        model: Option<Box<dyn Model>>,
        stop: &'p AtomicBool,
    ) -> Result<NodeOutcome> {
        let proposed = proposed(&given, model.is_some())?;
        if model.is_none() && (given.review || given.summarize || !given.plots.is_empty()) {
            return Err(PhasesError::NobodyToAsk);
        }
        let mut run = Self::open(project, given, model, stop)?;
        run.begin()?;
        let artifacts = match proposed {
            Some((updates, artifacts)) => run.given(updates).map(|()| artifacts)?,
            None => match run.generate_phase_artifacts() {
                Ok(artifacts) => artifacts,
                Err(failure) => {
                    let why = run.finding(failure)?;
                    return run.end(None, Some(why), None);
                }
            },
        };
        run.accept(&artifacts)?;
        run.carry_out(&artifacts)
    }

    /// A node before anything of it is recorded.
    pub fn open(
        project: &'p Project,
        given: NodeGiven,
        model: Option<Box<dyn Model>>,
        stop: &'p AtomicBool,
    ) -> Result<Self> {
        // What was replied and remembered there leads to commands here.
        project.must_be_believed().and_then(|()| project.must_act_by_settings())?;
        let names = [("run", &given.experiment.run), ("experiment", &given.experiment.name)];
        for (what, name) in names.into_iter().chain([("node", &given.node)]) {
            if name.is_empty() || name.len() > 256 || name.contains(char::is_control) {
                return Err(PhasesError::Name { what, name: name.chars().take(80).collect() });
            }
        }
        if let Some(folder) = &given.workspace {
            ground::check(project, given.home.as_deref(), folder)?;
        }
        let owners = project.owners_dir();
        let owner = start::own(&owners, &given.experiment.run, &given.node)?;
        let turn = start::begin(&owners)?;
        let stories = Stories::read(project.reader()?, None)?;
        start::check_new(&stories, &given)?;
        let config = project.config();
        let run = &given.experiment.run;
        let branch = start::branch_of(&stories, &given)?;
        let named = |name: &String| start::branch_named(&stories, run, name);
        let ancestors = given.parent.as_ref().map(|parent| stories.ancestors(run, parent));
        let ancestors = ancestors.unwrap_or_default().iter().map(named).collect();
        let parent_branch = given.parent.as_ref().map(named);
        let idea = Idea::of(&stories, &given, &branch, parent_branch.as_deref())?;
        let mut context = start::context(&stories, &given, &idea)?;
        context.memory = config.memory.enabled;
        let texts = config.phases.prompts.as_ref().map(|folder| project.root().join(folder));
        let texts = Prompts::new(texts);
        let mut notes = Vec::new();
        if model.is_some() {
            // A text that cannot be read is found before anything of the node is recorded.
            task_prompt(given.task, &texts, &context)?;
            notes = texts.remarks()?;
            if context.idea.trim().is_empty() {
                notes.push("no research idea was given, and none is inherited: --idea".to_owned());
            }
        }
        let (folder, made) = match &given.workspace {
            Some(folder) => (folder.clone(), fs::create_dir_all(folder)),
            None => {
                let folder = ground::own_folder(project, &given);
                let made = enclosure::make_folders(&folder);
                (folder, made.map(drop))
            }
        };
        made.map_err(|source| PhasesError::Workspace { path: folder.clone(), source })?;
        let workspace = Workspace::open(&folder)?;
        // Once more, as it lies there now.
        ground::check(project, given.home.as_deref(), workspace.root())?;
        context.workspace = match given.executor.is_empty() {
            true => workspace.root().to_string_lossy().into_owned(),
            false => given.mount.clone(),
        };
        context.environment =
            environment(&given, &context.workspace, config.phases.command_timeout_s);
        let executor = Executor {
            prefix: given.executor.clone(),
            workspace: workspace.root().to_owned(),
            mount: given.mount.clone(),
            within: Duration::from_secs(config.phases.command_timeout_s),
        };
        let (experiment, node) = (given.experiment.clone(), given.node.clone());
        let place = NodePlace { experiment, branch, node };
        let stage = given.stage.clone().unwrap_or_else(|| given.task.stage().to_owned());
        let book = Book::of(project, place, &stage, given.session);
        Ok(Self {
            book,
            given,
            texts,
            context,
            model,
            executor,
            workspace,
            stop,
            queries: 0,
            phases: Vec::new(),
            notes,
            idea,
            ancestors,
            parent_branch,
            turn: Some(turn),
            _owner: owner,
        })
    }

    /// The node's branch, under its parent's.
    pub fn begin(&mut self) -> Result<()> {
        let (place, stage) = (self.book.place.clone(), self.book.stage.clone());
        let (parent, task) = (self.given.parent.clone(), self.given.task.hint().to_owned());
        let of = parent.as_ref().map(|parent| format!(" from {parent}")).unwrap_or_default();
        let summary = format!("Node {} created for {task}{of}", place.node);
        let created = Body::NodeCreated(NodeCreated { place, parent, task, stage });
        let remembered = Remembered::Recall { kind: "node_created".to_owned(), summary };
        let (idea, again) = (self.idea.archived(), created.clone());
        let (above, ancestors) = (self.parent_branch.as_deref(), &self.ancestors);
        let done = self.book.with_memory(|operation, place, stage| {
            operation.mem_node_fork(above, &place.branch, ancestors, Some(stage))?;
            operation.record(again)?;
            [remembered]
                .iter()
                .chain(&idea)
                .try_for_each(|it| remember(operation, place, stage, it))
        })?;
        if done.is_none() {
            self.book.tell(vec![created], Vec::new())?;
        }
        self.turn = None;
        Ok(())
    }

    /// Asks the model what to do: its plan, read and found sound.
    pub fn generate_phase_artifacts(&mut self) -> Result<PhaseArtifacts, AskFailure> {
        let task = self.given.task;
        let prompt = task_prompt(task, &self.texts, &self.context).map_err(PhasesError::from)?;
        self.ask(prompt, task.as_str(), task.hint(), artifacts_of)
    }

    /// Applies the `<memory_update>` of a reply that was given; nobody is there to tell its reads.
    fn given(&mut self, updates: Option<Updates>) -> Result<()> {
        let Some(updates) = updates else { return Ok(()) };
        if updates.consolidate {
            self.book.judge(self.given.task.hint())?;
        }
        // Nobody was asked, and it is told in the prompts' logs all the same.
        let label = format!("{}_given", self.given.task.as_str());
        let prompt = PromptPlace { label, ..self.prompt_place("", 1, 0) };
        self.book.with_memory(|operation, place, stage| {
            apply(operation, place, stage, &updates, prompt)
        })?;
        Ok(())
    }

    fn accept(&mut self, artifacts: &PhaseArtifacts) -> Result<()> {
        let accepted = ArtifactsAccepted {
            place: self.book.place.clone(),
            artifacts: Content::Inline(artifacts.json.clone().into_bytes()),
        };
        self.book.tell(vec![Body::ArtifactsAccepted(accepted)], Vec::new())
    }

    /// The four phases, until one fails, and the result.
    fn carry_out(mut self, artifacts: &PhaseArtifacts) -> Result<NodeOutcome> {
        for phase in PhaseName::ALL {
            if self.is_stopped() {
                return Err(self.interrupted());
            }
            let failed = match phase {
                PhaseName::Download => self.download(artifacts)?,
                PhaseName::Coding => self.coding(artifacts)?,
                PhaseName::Compile => self.compile(artifacts)?,
                PhaseName::Run => {
                    let ran = self.run_phase(artifacts)?;
                    return self.end(Some(artifacts), None, Some(ran));
                }
            };
            if let Some(error) = failed {
                return self.end(Some(artifacts), Some(error), None);
            }
        }
        self.end(Some(artifacts), None, None)
    }

    /// What an interrupt comes to: the node stays open.
    pub(super) fn interrupted(&self) -> PhasesError {
        let NodePlace { experiment, node, .. } = self.book.place.clone();
        PhasesError::Interrupted { node, run: experiment.run }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn environment(given: &NodeGiven, workspace: &str, seconds: u64) -> Vec<String> {
    let place = match given.executor.is_empty() {
        true => "Commands run in a shell on this machine.".to_owned(),
        false => format!("Commands run through `{}`.", given.executor.join(" ")),
    };
    vec![
        format!("The workspace is the folder {workspace}; every command begins there."),
        place,
        format!("One command may take {seconds} s."),
    ]
}
