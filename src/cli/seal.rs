//! `annals seal`: ends a segment with what vouches for all records before it.

use serde::Serialize;

use super::{Context, Exit, Result, shown};
use crate::event::wire::hex_text;
use crate::journal::tlog::{Keys, seal, sign};

/// End the journal's newest segment with the root over all records so far
///
/// Nothing is added to it any more, and its file is read-only. `annals verify` holds the root against the records.
/// Where there is a key a checkpoint is signed as well.
#[derive(clap::Args, Debug)]
pub struct Args {}

#[derive(Serialize)]
struct Done {
    /// The segment's number; `null` where it held nothing.
    segment: Option<u64>,
    path: Option<String>,
    size: Option<u64>,
    root: Option<String>,
    /// Whether a checkpoint was signed.
    signed: bool,
}

pub fn run(_: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let sealed = seal(&project)?;
    let key = Keys::of_user().map(|keys| keys.secret()).transpose()?.flatten();
    let key = key.filter(|_| sealed.is_some());
    if let Some(key) = &key {
        sign(&project, key)?;
    }
    let done = Done {
        segment: sealed.as_ref().map(|it| it.segment),
        path: sealed.as_ref().map(|it| it.path.to_string_lossy().into_owned()),
        size: sealed.as_ref().map(|it| it.size),
        root: sealed.as_ref().map(|it| hex_text(&it.root)),
        signed: key.is_some(),
    };
    if context.output.as_json(&done)? {
        return Ok(Exit::Fine);
    }
    let Some(sealed) = sealed else {
        context.output.line("The newest segment holds nothing yet: there is nothing to seal.")?;
        return Ok(Exit::Fine);
    };
    let (path, size, root) = (shown(&sealed.path), sealed.size, hex_text(&sealed.root));
    context.output.line(format_args!("{path}: sealed, {size} records\n  root {root}"))?;
    Ok(context.output.line(match key {
        Some(_) => "  and signed: .annals/tlog/checkpoint".to_owned(),
        None => "Next: annals key new, then annals checkpoint says it to others".to_owned(),
    })?)
    .map(|()| Exit::Fine)
}
