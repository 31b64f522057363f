//! `annals search`: what was said, asked, run, printed or remembered.

use serde::Serialize;

use super::journals::Opened;
use super::{CliError, Context, Exit, Result, catch_up};
use crate::event::Ordered;
use crate::journal::{JournalReader, Project, clock};
use crate::output::escape;
use crate::output::stream::Colour;
use crate::output::time;
use crate::search::{Asked, Hit, Order, Part, SearchReader, Snippet, left_out, search, snippet};
use crate::store::catch_up::{CatchUpError, CaughtUp};
use crate::store::{JournalFeed, Result as StoreResult};

/// Of a text, the letters that are shown.
const SNIPPET_CHARS: usize = 220;

/// Find anything: prompts, answers, commands, outputs, errors, changes, memories
///
/// Any of the words, in any form (failing finds fails); one hit a turn, the best first. "A phrase", begin*, and
/// what is not to be in any text of the turn that is looked through: 'branch -shadow'. Identifiers are found whole and by their parts. Fields: in:prompt, answer, command, diff, output, error,
/// memory or summary; tool: path: session: model: since: failed:yes. With --json a hit's `snippet` has `text`, one line of it,
/// and `marks`, where what was looked for begins and ends in that: pairs of byte offsets, UTF-8.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to look for
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// How many hits
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Which page of them, counted from 1
    #[arg(long, value_name = "PAGE", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    page: u32,
    /// The newest first, and not the best
    #[arg(long)]
    newest: bool,
    /// Every word must be there
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
pub struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<String>,
    #[serde(flatten)]
    hit: Hit,
    snippet: Snippet,
}

#[derive(Default, Serialize)]
pub struct Answer {
    hits: Vec<Row>,
    /// Turns that match, or `or_more`.
    turns: usize,
    or_more: bool,
    /// Whether there is a page behind this one.
    has_next: bool,
    /// Bytes of long texts that are not looked up.
    left_out_bytes: u64,
    /// What was asked for and not looked for: words past the 32nd, beginnings of one letter; and letters past the last
    /// that is read.
    left_out_words: Vec<String>,
    left_out_chars: usize,
}

/// A journal that is looked through.
#[derive(Clone, Copy)]
pub enum Texts<'a> {
    Opened(&'a Opened),
    /// A project's own.
    Own(&'a Project),
}

impl Texts<'_> {
    /// What it is called, where there are several.
    fn name(self) -> Option<String> {
        match self {
            Self::Opened(opened) => opened.name.clone(),
            Self::Own(_) => None,
        }
    }

    pub fn reader(self) -> Result<JournalReader> {
        Ok(match self {
            Self::Opened(opened) => JournalReader::reading(&opened.journal, opened.reading())?,
            Self::Own(project) => JournalReader::open(&project.journal_dir())?,
        })
    }

    /// Asks the index over them, caught up.
    pub fn ask<T>(
        self,
        question: impl Fn(&SearchReader) -> StoreResult<T>,
    ) -> Result<(T, CaughtUp)> {
        let project;
        let (feed, places) = match self {
            Self::Own(project) => {
                (JournalFeed::asked(project)?, &crate::stores::places(project.root()))
            }
            Self::Opened(Opened { built: None, places, .. }) => {
                project = Project::open(&places.root)?;
                (JournalFeed::asked(&project)?, places)
            }
            Self::Opened(opened @ Opened { built: Some(built), places, .. }) => {
                let at = opened.at.unwrap_or(built.through.sequence);
                (JournalFeed::cut(&opened.journal, opened.reading(), at)?, places)
            }
        };
        Ok(crate::search::ask(places, &feed, question)?)
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let mut asked = understood(&args.words.join(" "))?;
    asked.all = args.all;
    let since = asked.since.as_deref();
    let since = since.map(|it| time::parse(it, clock::now_ms(), &context.zone)).transpose()?;
    let order = if args.newest { Order::Newest } else { Order::Ranked };
    let number = args.number as usize;
    let skip = number.saturating_mul(args.page as usize - 1);
    context.contradiction.of_texts = true;
    let ask = |opened: &[Opened]| {
        let texts: Vec<Texts<'_>> = opened.iter().map(Texts::Opened).collect();
        found(&texts, &asked, since, order, (skip, number))
    };
    let (answer, done) = match ask(&catch_up::open_all(context)?) {
        // Of what another program has open, or another question found wrong meanwhile, fresh ones.
        Err(error) if is_elsewhere(&error) => ask(&catch_up::open_fresh(context)?)?,
        answered => answered?,
    };
    done.iter().for_each(|it| catch_up::tell_searched(it, context));
    if let Some(note) = asked.not_looked_for() {
        context.output.note(escape::line(&note));
    }
    if !context.output.as_json(&answer)? {
        print(&answer, &args, context)?;
    }
    Ok(Exit::Fine)
}

/// Whether a store cannot be caught up where it lies.
fn is_elsewhere(error: &CliError) -> bool {
    let of = error.below::<CatchUpError>();
    of.is_some_and(|error| error.is_locked() || error.evidence().is_some())
}

/// So many hits behind the first `skip`, the best of all journals, and what was done to their indexes.
pub fn found(
    texts: &[Texts<'_>],
    asked: &Asked,
    since_ms: Option<u64>,
    order: Order,
    (skip, number): (usize, usize),
) -> Result<(Answer, Vec<CaughtUp>)> {
    // Of several journals each gives as many as a page could need.
    let window = match texts.len() {
        1 => (skip, number),
        _ => (0, skip.saturating_add(number)),
    };
    let mut answer = Answer {
        left_out_words: asked.left_out.clone(),
        left_out_chars: asked.left_out_chars,
        ..Answer::default()
    };
    let (mut all, mut caught_up) = (Vec::new(), Vec::new());
    for (at, one) in texts.iter().enumerate() {
        let question = |reader: &SearchReader| {
            Ok((search(reader, asked, since_ms, order, window)?, left_out(reader)?))
        };
        let ((found, left_out), done) = one.ask(question)?;
        answer.turns += found.turns;
        answer.or_more |= found.is_more;
        answer.left_out_bytes += left_out;
        all.extend(found.hits.into_iter().map(|hit| (at, hit)));
        caught_up.push(done);
    }
    if texts.len() > 1 {
        all.order_by(|(_, one), (_, other)| match order {
            Order::Ranked => other.score.total_cmp(&one.score),
            Order::Newest => other.at_ms.cmp(&one.at_ms),
        });
        all = all.into_iter().skip(skip).take(number).collect();
    }
    answer.has_next = answer.turns > skip.saturating_add(number);
    let journals = texts.iter().map(|it| it.reader()).collect::<Result<Vec<_>>>()?;
    for (at, hit) in all {
        let snippet = snippet(&journals[at], hit.sequence, hit.part, asked, SNIPPET_CHARS)?;
        answer.hits.push(Row { journal: texts[at].name(), hit, snippet });
    }
    Ok((answer, caught_up))
}

/// What these words ask for.
pub fn understood(words: &str) -> Result<Asked> {
    let asked = Asked::of(words);
    if let Some(field) = asked.unknown.first() {
        let parts: Vec<&str> = Part::ALL.iter().map(|it| it.as_str()).collect();
        let may =
            format!("in: has {}; failed: has yes; no field is left out by -", parts.join(", "));
        return Err(CliError::Field { field: field.clone(), may });
    }
    if !asked.asks() {
        let what = "there is no word to look for: give one (a beginning has two letters), or a field (in:prompt, failed:yes)";
        return Err(CliError::Refused { what });
    }
    Ok(asked)
}

fn print(answer: &Answer, args: &Args, context: &mut Context) -> Result<()> {
    if answer.hits.is_empty() && answer.turns > 0 {
        let pages = answer.turns.div_ceil(args.number as usize);
        context.output.line(format_args!("The last page is {pages}"))?;
        return Ok(());
    }
    if answer.hits.is_empty() {
        context.output.line("Nothing matches")?;
        if answer.left_out_bytes > 0 {
            let bytes = time::bytes(answer.left_out_bytes);
            context.output.note(format_args!(
                "of long texts the beginning is looked up: {bytes} are not, but by annals log --grep TEXT"
            ));
        }
        return Ok(());
    }
    for row in &answer.hits {
        let head = head(row, context);
        context.output.coloured(Colour::Dim, escape::line(&head))?;
        let text = marked(&row.snippet, context);
        context.output.line(format_args!("  {text}"))?;
    }
    if answer.has_next {
        let more = if answer.or_more { " or more" } else { "" };
        let next = args.page + 1;
        context.output.line(format_args!(
            "{} of {}{more} turns that match; next: --page {next}",
            answer.hits.len(),
            answer.turns
        ))?;
    }
    Ok(())
}

fn head(row: &Row, context: &Context) -> String {
    let hit = &row.hit;
    let mut head = vec![hit.sequence.to_string(), time::local(hit.at_ms, &context.zone)];
    if let Some(session) = &hit.session {
        head.push(format!("{} turn {}", session.get(..8).unwrap_or(session), hit.turn));
    }
    let tool = hit.tool.as_deref().and_then(|it| it.split(' ').next());
    let failed = hit.failed.then_some("failed");
    let told = [row.journal.as_deref(), Some(hit.part.as_str()), tool, failed, hit.path.as_deref()];
    head.extend(told.into_iter().flatten().map(str::to_owned));
    if hit.others > 0 {
        head.push(format!("(and {} more)", hit.others));
    }
    head.join("  ")
}

/// A snippet with what was asked for standing out.
fn marked(snippet: &Snippet, context: &Context) -> String {
    let mut text = String::new();
    let mut from = 0;
    for (begin, end) in snippet.marks.iter().copied() {
        let (Some(before), Some(mark)) =
            (snippet.text.get(from..begin), snippet.text.get(begin..end))
        else {
            continue;
        };
        text.push_str(&escape::line(before));
        text.push_str(&context.output.paint(Colour::Bold, escape::line(mark)));
        from = end;
    }
    text.push_str(&escape::line(snippet.text.get(from..).unwrap_or_default()));
    text
}
