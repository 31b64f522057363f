//! Finding anything that was said, asked, run, printed or remembered.

use super::executions::SESSION;
use crate::cli::catch_up;
use crate::cli::search::{Texts, found, understood};
use crate::pipe::{Answer, PipeError, Rows, Time, operations};
use crate::search::Order;

operations! { OPS:
    act search = "texts with any of the words, one hit a turn, the best first, as `annals search` finds them" {
        query: String = "words, \"a phrase\", begin*, -not, and fields: in: tool: path: session: model: failed:yes",
        limit: Rows<10> = "hits, at most so many; else 10",
        skip: Option<usize> = "not these first ones",
        newest: bool = "the newest first, and not the best",
        all: bool = "every word must be there",
        session: Option<String> = SESSION,
        since: Option<Time> = "Unix milliseconds or RFC 3339",
    } => |pipe| {
        let mut asked = understood(&query)?;
        asked.all = all;
        asked.session = session.or(asked.session);
        if asked.since.is_some() {
            return Err(PipeError::argument("query", "give since by itself"));
        }
        let order = if newest { Order::Newest } else { Order::Ranked };
        let (skip, since) = (skip.unwrap_or(0), since.map(|it| it.0));
        pipe.has_asked = true;
        let texts = [Texts::Own(pipe.project)];
        let (answer, done) = found(&texts, &asked, since, order, (skip, limit.0))?;
        done.iter().for_each(|it| catch_up::tell_searched(it, pipe.context));
        Answer::of(&answer)
    };
}
