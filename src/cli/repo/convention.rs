//! `annals repo convention`: adds, edits, lists and removes conventions.

use super::work::{Doing, Listed, Remove};
use crate::cli::memory::or_given;
use crate::cli::rows::short;
use crate::cli::{Context, Result};
use crate::output::time;
use crate::repo::entry::{Convention, ConventionGiven};

/// Conventions that hold in the repository
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Add a convention
    Add(Add),
    /// Change a convention; what is not given stays
    Edit(Edit),
    /// Conventions, oldest first
    List(List),
    /// Remove a convention (the journal keeps it)
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// What it is about, one line
    title: String,
    /// What holds; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    content: String,
    /// What it is found by; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Its id: letters, digits and . _ : - [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id
    id: String,
    /// What it is about from now on, one line
    #[arg(long, value_name = "TITLE", required_unless_present_any = ["content", "tags", "no_tags"])]
    title: Option<String>,
    /// What holds from now on; - reads it from standard input
    #[arg(long = "text", value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// What it is found by from now on; may be repeated
    #[arg(long = "tag", value_name = "TAG", conflicts_with = "no_tags")]
    tags: Vec<String>,
    /// It is found by no tag any more
    #[arg(long)]
    no_tags: bool,
}

#[derive(clap::Args, Debug)]
struct List {
    /// Only those with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
}

impl Args {
    pub fn doing(self) -> Result<Doing<ConventionGiven>> {
        Ok(match self.what {
            What::Add(Add { title, content, tags, id }) => Doing::Add(ConventionGiven {
                id,
                title: Some(title),
                content: Some(or_given(content)?),
                tags: Some(tags),
            }),
            What::Edit(Edit { id, title, content, tags, no_tags }) => {
                Doing::Edit(ConventionGiven {
                    id: Some(id),
                    title,
                    content: content.map(or_given).transpose()?,
                    tags: (no_tags || !tags.is_empty()).then_some(tags),
                })
            }
            What::List(List { tag }) => Doing::List(Box::new(move |it: &Convention| {
                tag.as_ref().is_none_or(|tag| it.tags.contains(tag))
            })),
            What::Remove(which) => Doing::Remove(which),
        })
    }
}

impl Listed for Convention {
    const TITLES: &'static [&'static str] = &["id", "updated", "tags", "title", "content"];
    const NONE: &'static str = "No convention yet. Next: annals repo convention add TITLE TEXT";

    fn cells(self, context: &Context) -> Vec<String> {
        let updated = time::local(self.updated_ms, &context.zone);
        vec![self.id, updated, self.tags.join(", "), self.title, short(&self.content)]
    }
}
