//! Conventions, decisions, notes, and what steps came to.

use super::Repo;
use crate::event::NoteSource;
use crate::pipe::{Answer, Answered, Pipe, Rows, arguments, operations};
use crate::repo::entry::{
    Convention, ConventionGiven, Decision, DecisionGiven, EntryKind, Expected, Given, Kind, Note,
    NoteGiven,
};

operations! { OPS:
    act upsert_convention = "make a convention, or change what is given of one"
        ((ConventionGiven, Repo)) => |asked, pipe| upsert(asked, pipe);
    act upsert_decision = "make a decision, or change what is given of one"
        ((DecisionGiven, Repo)) => |asked, pipe| upsert(asked, pipe);
    act upsert_note = "make a note, or change what is given of one"
        ((NoteGiven, Repo)) => |asked, pipe| upsert(asked, pipe);
    act list_conventions = "what holds in a repository, the oldest first"
        (Repo) => |repo, pipe| list::<Convention>(repo, pipe);
    act list_decisions = "what was decided for a repository, the oldest first"
        (Repo) => |repo, pipe| list::<Decision>(repo, pipe);
    act list_notes = "what was noted of a repository, the oldest first"
        (Repo) => |repo, pipe| list::<Note>(repo, pipe);
    act remove_convention = "remove a convention"
        (Entry) => |entry, pipe| entry.remove(EntryKind::Convention, pipe);
    act remove_decision = "remove a decision"
        (Entry) => |entry, pipe| entry.remove(EntryKind::Decision, pipe);
    act remove_note = "remove a note"
        (Entry) => |entry, pipe| entry.remove(EntryKind::Note, pipe);
}

operations! { SUMMARIES:
    act append_summary = "keep what a step came to; step_end does it by itself" {
        run_id | runId: String = "the run",
        step_id | stepId: String = "the step of it",
        summary | summary_text | summaryText: String
            = "what happened, what matters, what is to follow",
        repo: Repo,
    } => |pipe| {
        repo.operate(pipe, |writer, repo| writer.append_summary(repo, &run_id, &step_id, &summary))
    };

    act list_summaries = "the newest summaries of steps, the oldest of them first" {
        n: Rows<20> = "how many, the newest; else 20",
        repo: Repo,
    } => |pipe| Answer::of(&repo.look(pipe, |view, repo| view.summaries(repo, n.0))?);
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
}

fn upsert<G: Given>((given, repo): (G, Repo), pipe: &mut Pipe<'_>) -> Answered {
    repo.operate(pipe, |writer, repo| writer.upsert(repo, given, Expected::Either))
}

fn list<K: Kind>(repo: Repo, pipe: &mut Pipe<'_>) -> Answered {
    Answer::of(&repo.look(pipe, |view, repo| view.list::<K>(repo))?)
}

impl Entry {
    fn remove(self, kind: EntryKind, pipe: &mut Pipe<'_>) -> Answered {
        self.repo.operate(pipe, |writer, repo| writer.remove(repo, kind, &self.id))
    }
}
