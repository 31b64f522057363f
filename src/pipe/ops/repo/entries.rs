//! Conventions, decisions and notes.

use super::{ID, REPO, look, operate};
use crate::event::NoteSource;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::RepoWriter;
use crate::repo::entry::{
    Convention, ConventionGiven, Decision, DecisionGiven, EntryKind, Expected, Note, NoteGiven,
};

const NEW_ID: Argument = Argument::maybe(
    "id",
    "text",
    "letters, digits and . _ : -; one that is there is changed, else it is made; else a new UUID",
);
const SOURCE: Argument = Argument::maybe("source", "text", "manual, agent or tool");

pub const OPS: &[Op] = &[
    Op {
        name: "upsert_convention",
        about: "make a convention, or change what is given of one",
        args: &[
            NEW_ID,
            Argument::maybe("title", "text", "one line; a new one needs it"),
            Argument::maybe("content", "text", "what holds; a new one needs it"),
            Argument::maybe("tags", "list of texts", "what it is found by"),
            REPO,
        ],
        run: Run::Do(upsert_convention),
    },
    Op {
        name: "upsert_decision",
        about: "make a decision, or change what is given of one",
        args: &[
            NEW_ID,
            Argument::maybe("summary", "text", "what was decided, one line; a new one needs it"),
            Argument::maybe("rationale", "text", "why; a new one needs it"),
            Argument::maybe(
                "impacted_paths",
                "list of texts",
                "files, folders or patterns, from the repository's top",
            )
            .or(&["impactedPaths"]),
            REPO,
        ],
        run: Run::Do(upsert_decision),
    },
    Op {
        name: "upsert_note",
        about: "make a note, or change what is given of one",
        args: &[
            NEW_ID,
            Argument::maybe("content", "text", "the note; a new one needs it"),
            SOURCE,
            REPO,
        ],
        run: Run::Do(upsert_note),
    },
    Op {
        name: "list_conventions",
        about: "what holds in a repository, the oldest first",
        args: &[REPO],
        run: Run::Do(list_conventions),
    },
    Op {
        name: "list_decisions",
        about: "what was decided for a repository, the oldest first",
        args: &[REPO],
        run: Run::Do(list_decisions),
    },
    Op {
        name: "list_notes",
        about: "what was noted of a repository, the oldest first",
        args: &[REPO],
        run: Run::Do(list_notes),
    },
    Op {
        name: "remove_convention",
        about: "remove a convention",
        args: &[ID, REPO],
        run: Run::Do(remove_convention),
    },
    Op {
        name: "remove_decision",
        about: "remove a decision",
        args: &[ID, REPO],
        run: Run::Do(remove_decision),
    },
    Op {
        name: "remove_note",
        about: "remove a note",
        args: &[ID, REPO],
        run: Run::Do(remove_note),
    },
];

fn upsert_convention(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Told, PipeError> {
    let given = ConventionGiven {
        id: args.take("id")?,
        title: args.take("title")?,
        content: args.take("content")?,
        tags: args.take("tags")?,
    };
    let act = |writer: &mut RepoWriter<'_, '_>, repo| writer.upsert(repo, given, Expected::Either);
    operate(pipe, caller, &mut args, act)
}

fn upsert_decision(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Told, PipeError> {
    let given = DecisionGiven {
        id: args.take("id")?,
        summary: args.take("summary")?,
        rationale: args.take("rationale")?,
        impacted_paths: args.take("impacted_paths")?,
    };
    let act = |writer: &mut RepoWriter<'_, '_>, repo| writer.upsert(repo, given, Expected::Either);
    operate(pipe, caller, &mut args, act)
}

fn upsert_note(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let source: Option<String> = args.take("source")?;
    let wrong = || PipeError::argument("source", "must be manual, agent or tool");
    let source = source.map(|text| NoteSource::parse(&text).ok_or_else(wrong)).transpose()?;
    let given = NoteGiven { id: args.take("id")?, content: args.take("content")?, source };
    let act = |writer: &mut RepoWriter<'_, '_>, repo| writer.upsert(repo, given, Expected::Either);
    operate(pipe, caller, &mut args, act)
}

fn list_conventions(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    Told::of(&look(pipe, &mut args, |view, repo| view.list::<Convention>(repo))?)
}

fn list_decisions(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    Told::of(&look(pipe, &mut args, |view, repo| view.list::<Decision>(repo))?)
}

fn list_notes(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    Told::of(&look(pipe, &mut args, |view, repo| view.list::<Note>(repo))?)
}

fn remove_convention(pipe: &mut Pipe<'_>, caller: &Caller, args: Args) -> Result<Told, PipeError> {
    remove(EntryKind::Convention, pipe, caller, args)
}

fn remove_decision(pipe: &mut Pipe<'_>, caller: &Caller, args: Args) -> Result<Told, PipeError> {
    remove(EntryKind::Decision, pipe, caller, args)
}

fn remove_note(pipe: &mut Pipe<'_>, caller: &Caller, args: Args) -> Result<Told, PipeError> {
    remove(EntryKind::Note, pipe, caller, args)
}

fn remove(
    kind: EntryKind,
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Told, PipeError> {
    let id: String = args.need("id")?;
    let act = |writer: &mut RepoWriter<'_, '_>, repo| writer.remove(repo, kind, &id);
    operate(pipe, caller, &mut args, act)
}
