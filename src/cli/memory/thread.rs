//! `annals memory thread`: threads of messages, nothing of which is evicted.

use serde::Serialize;

use super::{OriginArgs, json_given, look, operate, print};
use crate::cli::command::verbs;
use crate::cli::{CliError, Context, Exit, Result, counted};
use crate::memory::state::{Message, StateView, ThreadSummary};
use crate::output::table::Table;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};

/// Threads of messages, appended only; nothing is ever evicted
///
/// For frameworks that keep a session's messages: equal ones are all kept, and a branch goes on with what its parent
/// had when it was forked.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

verbs! { enum What {
    Append(Append) => Append::run,
    Show(Show) => Show::run,
    List(List) => List::run,
    Pop(Pop) => Pop::run,
    Clear(Clear) => Clear::run,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.what.run(context)
}

/// Append a message to a thread, which begins with its first
#[derive(clap::Args, Debug)]
pub struct Append {
    /// The branch, or the node it stands for
    branch: String,
    /// The thread
    thread: String,
    /// Whose it is: user, assistant, tool, …
    role: String,
    /// The message; - reads it from standard input
    #[arg(value_name = "MESSAGE", allow_hyphen_values = true)]
    message: String,
    /// The message is JSON, and no text
    #[arg(long)]
    as_json: bool,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Number {
    number: u64,
}

impl Append {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let Self { branch, thread, role, message, as_json, origin } = self;
        let message = json_given(message, as_json)?;
        let done = operate(&origin, context, |op| {
            Ok(Number { number: op.thread_append(&branch, &thread, &role, &message)? })
        })?;
        let number = done.done.number;
        done.tell(&format!("Appended message {number} to {thread} on {branch}"), context)
    }
}

/// The messages of a thread that a branch sees, the newest at the bottom
#[derive(clap::Args, Debug)]
pub struct Show {
    /// The branch, or the node it stands for
    branch: String,
    /// The thread
    thread: String,
    /// At most so many, the last [default: all]
    #[arg(short, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    n: Option<u32>,
}

impl Show {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let found = look(&self.branch, context, |view, branch| {
            Ok(view.messages(branch, &self.thread, self.n.map_or(usize::MAX, |n| n as usize))?)
        })?;
        if context.output.as_json_list(&found)? {
        } else if found.is_empty() {
            context.output.line("No message is seen in this thread")?;
        }
        for of_one in found.chunk_by(|a, b| a.journal == b.journal) {
            if context.output.is_json() {
                break;
            }
            print::journal(of_one[0].journal.as_deref(), context)?;
            for OfJournal { row, .. } in of_one {
                message(row, context)?;
            }
        }
        Ok(Exit::Fine)
    }
}

/// A line of whose it is and when, and the message below it.
fn message(message: &Message, context: &mut Context) -> Result<()> {
    let at = time::local(message.at_ms, &context.zone);
    print::heading(&escape::line(&format!("{}  {}  {at}", message.number, message.role)), context)?;
    Ok(context.output.line(escape::block(&print::json(&message.content.0)))?)
}

/// The threads in which a branch sees messages
#[derive(clap::Args, Debug)]
pub struct List {
    /// The branch, or the node it stands for
    branch: String,
}

impl List {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let found: Vec<OfJournal<ThreadSummary>> =
            look(&self.branch, context, |view, branch| Ok(view.threads(branch)?))?;
        if context.output.as_json_list(&found)? {
            return Ok(Exit::Fine);
        }
        if found.is_empty() {
            context.output.line("The branch sees no message in any thread")?;
        }
        for of_one in found.chunk_by(|a, b| a.journal == b.journal) {
            print::journal(of_one[0].journal.as_deref(), context)?;
            let mut table = Table::new(&["thread", ">messages", "last"]);
            for OfJournal { row, .. } in of_one {
                let at = time::local(row.updated_ms, &context.zone);
                table.row(None, &[row.thread.clone(), row.messages.to_string(), at]);
            }
            table.print(&mut context.output)?;
        }
        Ok(Exit::Fine)
    }
}

/// Take the last message of a thread back from a branch on down
#[derive(clap::Args, Debug)]
pub struct Pop {
    /// The branch, or the node it stands for
    branch: String,
    /// The thread
    thread: String,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Popped {
    /// `None` where there was none.
    message: Option<Message>,
}

impl Pop {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let (branch, thread) = (&self.branch, &self.thread);
        let done = operate(&self.origin, context, |op| {
            Ok(Popped { message: op.thread_pop(branch, thread)? })
        })?;
        let sentence = match &done.done.message {
            Some(it) => format!("Took message {} of {thread} back on {branch}", it.number),
            None => format!("{branch} sees no message in {thread}: nothing was changed"),
        };
        done.tell(&sentence, context)
    }
}

/// Let a thread begin anew from a branch on down
#[derive(clap::Args, Debug)]
pub struct Clear {
    /// The branch, or the node it stands for
    branch: String,
    /// The thread
    thread: String,
    #[command(flatten)]
    origin: OriginArgs,
}

#[derive(Serialize)]
struct Cleared {
    messages: u64,
}

impl Clear {
    fn run(self, context: &mut Context) -> Result<Exit> {
        let (branch, thread) = (&self.branch, &self.thread);
        let done = operate(&self.origin, context, |op| {
            Ok(Cleared { messages: op.thread_clear(branch, thread)? })
        })?;
        let count = counted(done.done.messages, "message");
        done.tell(&format!("{thread} begins anew on {branch}: {count} were seen"), context)
    }
}

/// Looks at the threads of every journal that was asked about.
fn look<T>(
    name: &str,
    context: &mut Context,
    mut look: impl FnMut(&StateView<'_>, &str) -> Result<Vec<T>>,
) -> Result<Vec<OfJournal<T>>, CliError> {
    let found = look::branch(name, context, |one, branch| {
        let Some(state) = one.stores.state()? else { return Ok(Vec::new()) };
        let found = look(&state.view(), branch)?;
        Ok(found.into_iter().map(|it| OfJournal::of(one.journal, it)).collect())
    })?;
    Ok(found.into_iter().flat_map(|it: Vec<OfJournal<T>>| it).collect())
}
