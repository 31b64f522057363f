//! `annals seal`: ends a segment with what vouches for all records before it.

use serde::Serialize;

use super::checkpoint::signer::{Unlock, signer};
use super::checkpoint::sink;
use super::{Context, Exit, Result, shown};
use crate::event::wire::hex_text;
use crate::journal::tlog::{Key, Keys, seal, sign};

/// End the journal's newest segment with the root over all records so far
///
/// Nothing is added to it any more, and its file is read-only. `annals verify` holds the root against the records.
/// Where there is a key a checkpoint is signed as well; with one that has a passphrase or is ssh's only where
/// `--passphrase-file` is given or a person is there to be asked.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    unlock: Unlock,
}

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

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let sealed = seal(&project)?;
    let key = Keys::of_user().map(|keys| keys.key()).transpose()?.flatten();
    let key = key.filter(|_| sealed.is_some());
    let asks = key.as_ref().is_some_and(|key| matches!(key, Key::Locked(_)));
    let is_skipped = asks && args.unlock.is_unasked();
    let key = key.filter(|_| !is_skipped);
    let is_signed = key.is_some();
    if let Some(key) = key {
        let key = signer(key, &args.unlock, context)?;
        sign(&project, key.as_ref())?;
        sink::send(&project, true, context)?;
    }
    let done = Done {
        segment: sealed.as_ref().map(|it| it.segment),
        path: sealed.as_ref().map(|it| it.path.to_string_lossy().into_owned()),
        size: sealed.as_ref().map(|it| it.size),
        root: sealed.as_ref().map(|it| hex_text(&it.root)),
        signed: is_signed,
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
    Ok(context.output.line(match (is_signed, is_skipped) {
        (true, _) => "  and signed: .annals/tlog/checkpoint",
        (_, true) => "  not signed, the key has a passphrase: annals checkpoint",
        (_, false) => "Next: annals key new, then annals checkpoint says it to others",
    })?)
    .map(|()| Exit::Fine)
}
