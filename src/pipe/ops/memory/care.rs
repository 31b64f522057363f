//! How full memory is, and putting it in order.

use super::{BRANCH, branch};
use crate::event::PressureLevel;
use crate::memory::query::Pressure;
use crate::output::wire::OfJournal;
use crate::pipe::remember::with_origin;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Remember, Run, Told};

const HINT: Argument = Argument::maybe("task_hint", "text", "what memory is wanted for");

pub const OPS: &[Op] = &[
    Op {
        name: "check_memory_pressure",
        about: "how full a branch's memory is, and what would help",
        args: with_origin![BRANCH],
        run: Run::Memory(pressure),
    },
    Op {
        name: "auto_consolidate_memory",
        about: "put a branch's memory in order for a pressure; without one, for what it is under",
        args: with_origin![
            BRANCH,
            Argument::maybe("pressure_level", "text", "low, medium, high or critical"),
            HINT,
        ],
        run: Run::Memory(consolidate),
    },
    Op {
        name: "consolidate_recall_events",
        about: "put events of the branch's own beyond the window into summaries",
        args: with_origin![BRANCH],
        run: Run::Memory(own),
    },
    Op {
        name: "consolidate_inherited_memory",
        about: "the same of what it inherits: its ancestors keep them",
        args: with_origin![BRANCH],
        run: Run::Memory(inherited),
    },
    Op {
        name: "evaluate_importance_with_llm",
        about: "have a branch's keys judged by the model of the settings, else by what is stored",
        args: with_origin![BRANCH, HINT],
        run: Run::Memory(importance),
    },
];

fn pressure(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    Remember::new(caller, &mut args, move |operation| {
        let found = operation.check_memory_pressure(&branch)?;
        Ok(Told::of(&OfJournal::only(Pressure { branch, ..found })))
    })
}

fn consolidate(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let hint: Option<String> = args.take("task_hint")?;
    let level = match args.take::<String>("pressure_level")? {
        None => None,
        Some(text) => Some(PressureLevel::parse(&text).ok_or_else(|| {
            PipeError::argument("pressure_level", "must be low, medium, high or critical")
        })?),
    };
    pipe.memory(|memory| memory.judge(&branch, hint.as_deref()))?;
    Remember::new(caller, &mut args, move |operation| {
        let done = match level {
            Some(level) => operation.auto_consolidate_memory(&branch, level, hint.as_deref())?,
            None => operation.consolidate_memory(&branch, hint.as_deref())?,
        };
        Ok(Told::of(&done))
    })
}

fn own(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.consolidate_recall_events(&branch)?;
        Ok(Told::of(&done))
    })
}

fn inherited(_: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    Remember::new(caller, &mut args, move |operation| {
        let done = operation.consolidate_inherited_memory(&branch)?;
        Ok(Told::of(&done))
    })
}

fn importance(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Remember, PipeError> {
    let branch = branch(&mut args)?;
    let hint: Option<String> = args.take("task_hint")?;
    pipe.memory(|memory| memory.judge(&branch, hint.as_deref()))?;
    Remember::new(caller, &mut args, move |operation| {
        let found = operation.evaluate_importance_with_llm(&branch, hint.as_deref())?;
        Ok(Told::of(&found))
    })
}
