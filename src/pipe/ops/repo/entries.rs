//! Conventions, decisions, notes, and what steps came to.

use super::Repo;
use crate::event::NoteSource;
use crate::pipe::{Answer, Answered, Pipe, Rows, arguments, operations};
use crate::repo::entry::{
    Convention, ConventionGiven, Decision, DecisionGiven, EntryKind, Expected, Note, NoteGiven,
};

operations! { OPS:
    act upsert_convention((ConventionGiven, Repo)) = "make a convention, or change what is given of one";
    act upsert_decision((DecisionGiven, Repo)) = "make a decision, or change what is given of one";
    act upsert_note((NoteGiven, Repo)) = "make a note, or change what is given of one";
    act list_conventions(Repo) = "what holds in a repository, the oldest first";
    act list_decisions(Repo) = "what was decided for a repository, the oldest first";
    act list_notes(Repo) = "what was noted of a repository, the oldest first";
    act remove_convention(Entry) = "remove a convention";
    act remove_decision(Entry) = "remove a decision";
    act remove_note(Entry) = "remove a note";
}

operations! { SUMMARIES:
    act append_summary(Summary) = "keep what a step came to; step_end does it by itself";
    act list_summaries(Newest) = "the newest summaries of steps, the oldest of them first";
}

const NEW_ID: &str =
    "letters, digits and . _ : -; one that is there is changed, else it is made; else a new UUID";

arguments! {
    for ConventionGiven {
        id: Option<String> = NEW_ID,
        title: Option<String> = "one line; a new one needs it",
        content: Option<String> = "what holds; a new one needs it",
        tags: Option<Vec<String>> = "what it is found by",
    }

    for DecisionGiven {
        id: Option<String> = NEW_ID,
        summary: Option<String> = "what was decided, one line; a new one needs it",
        rationale: Option<String> = "why; a new one needs it",
        impacted_paths | impactedPaths: Option<Vec<String>>
            = "files, folders or patterns, from the repository's top",
    }

    for NoteGiven {
        id: Option<String> = NEW_ID,
        content: Option<String> = "the note; a new one needs it",
        source: Option<NoteSource> = "manual, agent or tool",
    }
}

arguments! {
    struct Entry {
        id: String = "the entry's id",
        repo: Repo,
    }

    struct Summary {
        run_id | runId: String = "the run",
        step_id | stepId: String = "the step of it",
        summary | summary_text | summaryText: String
            = "what happened, what matters, what is to follow",
        repo: Repo,
    }

    struct Newest {
        n: Rows<20> = "how many, the newest; else 20",
        repo: Repo,
    }
}

fn upsert_convention(pipe: &mut Pipe<'_>, (given, repo): (ConventionGiven, Repo)) -> Answered {
    repo.operate(pipe, |writer, repo| writer.upsert(repo, given, Expected::Either))
}

fn upsert_decision(pipe: &mut Pipe<'_>, (given, repo): (DecisionGiven, Repo)) -> Answered {
    repo.operate(pipe, |writer, repo| writer.upsert(repo, given, Expected::Either))
}

fn upsert_note(pipe: &mut Pipe<'_>, (given, repo): (NoteGiven, Repo)) -> Answered {
    repo.operate(pipe, |writer, repo| writer.upsert(repo, given, Expected::Either))
}

fn list_conventions(pipe: &mut Pipe<'_>, repo: Repo) -> Answered {
    Answer::of(&repo.look(pipe, |view, repo| view.list::<Convention>(repo))?)
}

fn list_decisions(pipe: &mut Pipe<'_>, repo: Repo) -> Answered {
    Answer::of(&repo.look(pipe, |view, repo| view.list::<Decision>(repo))?)
}

fn list_notes(pipe: &mut Pipe<'_>, repo: Repo) -> Answered {
    Answer::of(&repo.look(pipe, |view, repo| view.list::<Note>(repo))?)
}

fn remove_convention(pipe: &mut Pipe<'_>, entry: Entry) -> Answered {
    entry.remove(EntryKind::Convention, pipe)
}

fn remove_decision(pipe: &mut Pipe<'_>, entry: Entry) -> Answered {
    entry.remove(EntryKind::Decision, pipe)
}

fn remove_note(pipe: &mut Pipe<'_>, entry: Entry) -> Answered {
    entry.remove(EntryKind::Note, pipe)
}

impl Entry {
    fn remove(self, kind: EntryKind, pipe: &mut Pipe<'_>) -> Answered {
        self.repo.operate(pipe, |writer, repo| writer.remove(repo, kind, &self.id))
    }
}

fn append_summary(pipe: &mut Pipe<'_>, told: Summary) -> Answered {
    let Summary { run_id, step_id, summary, repo } = told;
    repo.operate(pipe, |writer, repo| writer.append_summary(repo, &run_id, &step_id, &summary))
}

fn list_summaries(pipe: &mut Pipe<'_>, Newest { n, repo }: Newest) -> Answered {
    Answer::of(&repo.look(pipe, |view, repo| view.summaries(repo, n.0))?)
}
