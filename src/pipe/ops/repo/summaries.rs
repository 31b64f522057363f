//! What steps came to.

use super::{REPO, look, operate};
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::RepoWriter;

pub const OPS: &[Op] = &[
    Op {
        name: "append_summary",
        about: "keep what a step came to; step_end does it by itself",
        args: &[
            Argument::needed("run_id", "text", "the run").or(&["runId"]),
            Argument::needed("step_id", "text", "the step of it").or(&["stepId"]),
            Argument::needed("summary", "text", "what happened, what matters, what is to follow")
                .or(&["summary_text", "summaryText"]),
            REPO,
        ],
        run: Run::Do(append_summary),
    },
    Op {
        name: "list_summaries",
        about: "the newest summaries of steps, the oldest of them first",
        args: &[Argument::maybe("n", "number", "how many, the newest; else 20"), REPO],
        run: Run::Do(list_summaries),
    },
];

fn append_summary(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let (run, step): (String, String) = (args.need("run_id")?, args.need("step_id")?);
    let text: String = args.need("summary")?;
    let act =
        |writer: &mut RepoWriter<'_, '_>, repo| writer.append_summary(repo, &run, &step, &text);
    operate(pipe, caller, &mut args, act, |it| it)
}

fn list_summaries(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let n = args.rows("n", 20)?;
    Told::of(&look(pipe, &mut args, |view, repo| view.summaries(repo, n))?)
}
