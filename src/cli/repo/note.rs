//! `annals repo note`: adds, edits, lists and removes notes.

use super::work::{Doing, Listed, Remove};
use crate::cli::memory::or_given;
use crate::cli::rows::short;
use crate::cli::{Context, Result};
use crate::event::NoteSource;
use crate::output::time;
use crate::repo::entry::{Note, NoteGiven};

/// Notes on the repository
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Add a note
    Add(Add),
    /// Change a note; what is not given stays
    Edit(Edit),
    /// Notes, oldest first
    List(List),
    /// Remove a note (the journal keeps it)
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// The note; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    content: String,
    /// Who made it: manual, agent or tool
    #[arg(long, value_name = "SOURCE", default_value = "manual", value_parser = source)]
    source: NoteSource,
    /// Its id: letters, digits and . _ : - [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id
    id: String,
    /// The note from now on; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true, required_unless_present = "source")]
    content: Option<String>,
    /// Who made it: manual, agent or tool
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    source: Option<NoteSource>,
}

#[derive(clap::Args, Debug)]
struct List {
    /// Only those that were made so: manual, agent or tool
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    source: Option<NoteSource>,
}

fn source(text: &str) -> Result<NoteSource, String> {
    NoteSource::parse(text).ok_or_else(|| "must be manual, agent or tool".to_owned())
}

impl Args {
    pub fn doing(self) -> Result<Doing<NoteGiven>> {
        Ok(match self.what {
            What::Add(Add { content, source, id }) => Doing::Add(NoteGiven {
                id,
                content: Some(or_given(content)?),
                source: Some(source),
            }),
            What::Edit(Edit { id, content, source }) => {
                let content = content.map(or_given).transpose()?;
                Doing::Edit(NoteGiven { id: Some(id), content, source })
            }
            What::List(List { source }) => Doing::List(Box::new(move |it: &Note| {
                source.is_none_or(|source| it.source == source)
            })),
            What::Remove(which) => Doing::Remove(which),
        })
    }
}

impl Listed for Note {
    const TITLES: &'static [&'static str] = &["id", "made", "source", "note"];
    const NONE: &'static str = "No note yet. Next: annals repo note add TEXT";

    fn cells(self, context: &Context) -> Vec<String> {
        let made = time::local(self.created_ms, &context.zone);
        vec![self.id, made, self.source.as_str().to_owned(), short(&self.content)]
    }
}
