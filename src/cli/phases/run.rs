//! `annals phases run`: one node, from its branch to its result.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::cli::{CliError, Context, Exit, Result, catch_up, run as runs};
use crate::event::Experiment;
use crate::journal::Project;
use crate::parse::reply::limits::REPLY_BYTES_MAX;
use crate::phases::limits::SCRIPT_BYTES_MAX;
use crate::phases::prompt::Task;
use crate::phases::{
    CommandModel, Model, NodeGiven, NodeRun, PhasesError, ScriptModel, Stories, words,
};

/// Run a node: its phases download, coding, compile and run, until one fails
///
/// The plan is a model's: any command that takes a prompt on its standard input and prints its reply
/// (--model), replies written down before (--script), what a model answered in an earlier run
/// (--replay-from), or one reply in a file (--artifacts). The exit code is 0 where the node ran to its
/// end, 1 where it is buggy, 2 where what was given cannot be used, 4 where another process runs it.
///
/// A node stays open, and can be run again by the same command, where it was interrupted (130, 143),
/// where its model gave no answer (5; a script, 2) or its --executor is missing or leads nowhere (2): none of
/// that says anything about the experiment. What a command or a model leaves in the background is
/// ended with it, but for what makes a session of its own (setsid) or runs elsewhere (docker exec).
/// The branch of memory has the node's name, or RUN/NODE where another run's node has that one;
/// an attempt that was cut short keeps its branch, and the next one has NODE/2.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The node's name, and that of its branch of memory
    node: String,
    /// What it is for: draft, debug, improve, hyperparam, ablation
    #[arg(long, value_name = "TASK", default_value = "draft", value_parser = task)]
    task: Task,
    /// The node it goes on with, or a branch of memory: one that is there
    #[arg(long, value_name = "NODE")]
    parent: Option<String>,
    /// A reply that has the plan: phase_artifacts, constraints, perhaps a <memory_update>; - is standard input
    #[arg(long, value_name = "FILE")]
    artifacts: Option<PathBuf>,
    /// The model: a shell command, the prompt on its standard input, the reply on its output
    #[arg(long, value_name = "CMD", conflicts_with_all = ["script", "replay_from"])]
    model: Option<String>,
    /// The model's replies, in order: JSON lines, a text or {"reply", "label", "round"} each
    #[arg(long, value_name = "FILE", conflicts_with = "replay_from")]
    script: Option<PathBuf>,
    /// The model's replies are those to the same node of this run
    #[arg(long, value_name = "RUN")]
    replay_from: Option<String>,
    /// The node of that run [default: NODE]
    #[arg(long, value_name = "NODE", requires = "replay_from")]
    replay_node: Option<String>,
    /// The run it belongs to
    #[arg(long, value_name = "RUN", default_value = "run")]
    run: String,
    /// The experiment's name, and its number within the run
    #[arg(long, value_name = "NAME", default_value = "experiment")]
    experiment: String,
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    index: u64,
    /// The stage of the search [default: the task's own]
    #[arg(long, value_name = "STAGE")]
    stage: Option<String>,
    /// The folder it works in [default: one of its own below .annals/workspaces/]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// What the workspace is called where --executor leads to
    ///
    /// Every command begins there. Without --executor commands run in the workspace's own folder, and this is
    /// another name for it in a plan's paths.
    #[arg(long, value_name = "PATH", default_value = "/workspace")]
    mount: String,
    /// A file with the research idea [default: the nearest that the node's branch inherits]
    #[arg(long, value_name = "FILE")]
    idea: Option<PathBuf>,
    /// The parameter to study, or the part to take away
    #[arg(long, value_name = "TEXT", default_value = "")]
    variation: String,
    /// A file with what was planned before the first node
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// A command and its arguments, as one text, that run what follows them somewhere else: 'docker exec box'
    ///
    /// It is cut into words as a shell cuts them: quotes and backslashes count, variables and patterns do not.
    /// It is started where you stand, and each command of the plan follows it as `sh -c 'cd MOUNT …'`.
    #[arg(long, value_name = "PREFIX", default_value = "")]
    executor: String,
    /// Have the model review the run
    #[arg(long)]
    review: bool,
    /// Have the model sum the node up
    #[arg(long)]
    summarize: bool,
    /// A plot for the model to look at, from the workspace's root; may be repeated
    #[arg(long, value_name = "PATH")]
    plot: Vec<String>,
}

fn task(text: &str) -> Result<Task, String> {
    let words = || Task::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ");
    Task::named(text).ok_or_else(|| format!("no task; there are {}", words()))
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let proposal = args.artifacts.as_deref().map(|path| text_of(path, REPLY_BYTES_MAX as u64));
    let proposal = proposal.transpose()?;
    let model = model(&args, &project)?;
    let idea = args.idea.as_deref().map(|path| text_of(path, REPLY_BYTES_MAX as u64));
    let plan = args.plan.as_deref().map(|path| text_of(path, REPLY_BYTES_MAX as u64));
    let unquoted = || CliError::Unquoted { option: "executor", text: args.executor.clone() };
    let executor = words(&args.executor).ok_or_else(unquoted)?;
    let given = NodeGiven {
        experiment: Experiment { run: args.run, index: args.index, name: args.experiment },
        node: args.node,
        task: args.task,
        stage: args.stage,
        parent: args.parent,
        idea: idea.transpose()?.unwrap_or_default(),
        variation: args.variation,
        phase0_plan: plan.transpose()?,
        workspace: args.workspace,
        home: std::env::home_dir(),
        mount: args.mount,
        executor,
        proposal,
        review: args.review,
        summarize: args.summarize,
        plots: args.plot,
        session: Some(context.session_id()),
    };
    let (stop, signal) = stop();
    let ran = NodeRun::run(&project, given, model, &stop);
    catch_up::catch_up(&project, context);
    if let Err(error @ PhasesError::Interrupted { .. }) = &ran {
        context.output.note(error);
        let signal = u8::try_from(signal.load(Ordering::Relaxed)).unwrap_or_default();
        return Ok(Exit::Child(128_u8.saturating_add(signal)));
    }
    let outcome = ran?;
    runs::introduce(&project, context);
    super::outcome(&outcome, context)?;
    Ok(if outcome.is_buggy { Exit::Findings } else { Exit::Fine })
}

fn model(args: &Args, project: &Project) -> Result<Option<Box<dyn Model>>> {
    if let Some(line) = &args.model {
        let within = Duration::from_secs(project.config().phases.model_timeout_s);
        let model = CommandModel::new(line, project.root().to_owned(), within);
        return Ok(Some(Box::new(model)));
    }
    if let Some(path) = &args.script {
        return Ok(Some(Box::new(ScriptModel::parse(&text_of(path, SCRIPT_BYTES_MAX)?)?)));
    }
    let Some(run) = &args.replay_from else { return Ok(None) };
    let node = args.replay_node.as_ref().unwrap_or(&args.node);
    let stories = Stories::read(project.reader()?, None)?;
    let replies = stories.replies(run, node)?;
    if replies.is_empty() {
        return Err(CliError::NoNode { node: node.clone() });
    }
    Ok(Some(Box::new(ScriptModel::new(replies))))
}

/// A file's text, within a bound; `-` is standard input.
fn text_of(path: &Path, bytes_max: u64) -> Result<String> {
    let failed = |source| CliError::io("read", path, source);
    let from: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(std::io::stdin()),
        false => Box::new(File::open(path).map_err(failed)?),
    };
    let mut bytes = Vec::new();
    from.take(bytes_max + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > bytes_max {
        return Err(CliError::TooLarge { path: path.to_owned(), bytes_max });
    }
    // What is no UTF-8 is refused by whoever reads it, where it matters.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Set by an interrupt: what runs is then ended before we are, and recorded; the second is its number.
fn stop() -> (Arc<AtomicBool>, Arc<AtomicUsize>) {
    let (stop, number) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let code = usize::try_from(signal).unwrap_or_default();
        // Refused by the operating system, the signal does what it does by default. The number is
        // there before the flag says that there is one.
        let _ = flag::register_usize(signal, Arc::clone(&number), code);
        let _ = flag::register(signal, Arc::clone(&stop));
    }
    (stop, number)
}
