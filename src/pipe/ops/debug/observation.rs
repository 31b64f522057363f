//! What a caller tells of a debug session.

use serde::Deserialize;

use super::{ATTEMPT, SESSION, need_given, operate, session, word};
use crate::debug::{DebugDone, DebugError, DebugWriter, FixGiven, LearnGiven};
use crate::event::{Analysis, DebugSessionId, Fix, Learnings, TemplateRef, Verification};
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

pub const OPS: &[Op] = &[
    Op {
        name: "debug_analyse",
        about: "record what was wrong in an attempt",
        args: &[
            Argument::needed(
                "analysis",
                "object",
                "root_cause, fix_strategy …, as the schema has it",
            ),
            ATTEMPT,
            SESSION,
        ],
        run: Run::Do(debug_analyse),
    },
    Op {
        name: "debug_fix",
        about: "record what was changed after an attempt; the next one verifies it",
        args: &[
            Argument::needed("fix_applied", "object", "description …, as the schema has it"),
            Argument::maybe(
                "template",
                "object",
                "the template that it was made from: session_id and pattern",
            ),
            ATTEMPT,
            SESSION,
        ],
        run: Run::Do(debug_fix),
    },
    Op {
        name: "debug_verify",
        about: "record whether a fix helped",
        args: &[
            Argument::needed("verification", "text", "pending, passed or failed"),
            ATTEMPT,
            SESSION,
        ],
        run: Run::Do(debug_verify),
    },
    Op {
        name: "debug_learn",
        about: "record what was learnt",
        args: &[
            Argument::needed("learnings", "object", "as the schema has them"),
            Argument::maybe(
                "tallies",
                "list of objects",
                "how often templates were tried before: pattern, successes, trials",
            ),
            SESSION,
        ],
        run: Run::Do(debug_learn),
    },
];

/// The pattern of a session that has a template.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    session_id: String,
    pattern: String,
}

fn debug_analyse(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let analysis: Analysis = need_given(&mut args, "analysis")?;
    let attempt = args.take("attempt")?;
    on(pipe, caller, args, |writer, session| writer.analyse(session, attempt, analysis))
}

fn debug_fix(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let fix: Fix = need_given(&mut args, "fix_applied")?;
    let template: Option<Template> = args.take("template")?;
    let wrong = || PipeError::argument("template", "session_id must be a UUID");
    let template = template
        .map(|it| {
            let session = DebugSessionId::parse(&it.session_id).ok_or_else(wrong)?;
            Ok::<_, PipeError>(TemplateRef { session, pattern: it.pattern })
        })
        .transpose()?;
    let attempt = args.take("attempt")?;
    let given = FixGiven { fix, template };
    on(pipe, caller, args, |writer, session| writer.fix(session, attempt, given))
}

fn debug_verify(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let missing = || PipeError::argument("verification", "is missing");
    let told = word(&mut args, "verification", Verification::parse)?.ok_or_else(missing)?;
    let attempt = args.take("attempt")?;
    on(pipe, caller, args, |writer, session| writer.verify(session, attempt, told))
}

fn debug_learn(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let learnings: Learnings = need_given(&mut args, "learnings")?;
    let tallies = args.take("tallies")?.unwrap_or_default();
    let given = LearnGiven { learnings, tallies };
    on(pipe, caller, args, |writer, session| writer.learn(session, given))
}

fn on(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
    act: impl FnOnce(&mut DebugWriter<'_, '_>, DebugSessionId) -> Result<DebugDone, DebugError>,
) -> Result<Told, PipeError> {
    let session = session(pipe, &mut args)?;
    operate(pipe, caller, |writer| act(writer, session), |it| it.sequence, |it| it)
}
