//! What the words of `annals redact` mean.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::rc::Rc;

use super::super::{CliError, Context, Result, catch_up, journals};
use super::Args;
use crate::event::ExecutionId;
use crate::execution::query::{ExecutionDetail, Reference};
use crate::journal::JournalReader;
use crate::journal::withheld::{Withheld, recorded};
use crate::redact::Redactor;
use crate::stores::leak::Wanted;
use crate::stores::leak::chosen::{Meant, choose};

/// A longer value is no secret of a person's.
const VALUE_BYTES_MAX: u64 = 1 << 20;

/// Holds that something is named.
pub fn must_be_named(args: &Args) -> Result<()> {
    let is_found = args.value_stdin || args.from_scan || args.from_withheld;
    let is_named = is_found || !args.refs.is_empty() || args.rule.is_some();
    let what =
        "name what is to go: REF, --value-stdin, --rule NAME, --from-scan or --from-withheld";
    is_named.then_some(()).ok_or(CliError::Refused { what })?;
    must_have_value(args)
}

/// Holds that there is something to look for in transcripts that are to be rewritten.
pub fn must_have_value(args: &Args) -> Result<()> {
    let has_value = args.value_stdin || args.from_scan || args.rule.is_some();
    let what = "a transcript is rewritten by the value: --value-stdin, --rule NAME or --from-scan";
    (has_value || !args.transcripts).then_some(()).ok_or(CliError::Refused { what })
}

pub fn of(
    args: &Args,
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    context: &mut Context,
) -> Result<Wanted> {
    if args.rule.as_ref().is_some_and(|rule| !redactor.has_rule(rule)) {
        let what = "no rule is called so: annals scan names the rule of each secret";
        return Err(CliError::Refused { what });
    }
    let mut wanted = match (args.value_stdin, args.from_scan || args.rule.is_some()) {
        (true, _) => Wanted { values: vec![(value()?, None)], ..Wanted::default() },
        (false, true) => Wanted::by_rules(reader, redactor, args.rule.as_deref())?,
        (false, false) => Wanted::default(),
    };
    wanted.common = args.common;
    if args.from_withheld {
        let withheld = Withheld::of_user().map_err(CliError::Withheld)?;
        wanted.records.extend(withheld.map_or(Ok(BTreeSet::new()), |it| recorded(reader, it))?);
    }
    if args.refs.is_empty() {
        return Ok(wanted);
    }
    let meant = args.refs.iter().map(|it| meant(it, context)).collect::<Result<Vec<_>>>()?;
    let chosen = choose(reader, &meant)?;
    if !chosen.ambiguous.is_empty() {
        return Err(CliError::Refused { what: "the beginning of an id fits more than one thing" });
    }
    if !chosen.missing.is_empty() {
        return Err(CliError::Refused { what: "the journal has nothing of that reference" });
    }
    wanted.records.extend(chosen.records);
    Ok(wanted)
}

/// What standard input gives, without the line end behind it.
pub fn value() -> Result<Vec<u8>> {
    let mut value = Vec::new();
    let mut input = io::stdin().lock().take(VALUE_BYTES_MAX + 1);
    input.read_to_end(&mut value).map_err(CliError::Input)?;
    if value.len() as u64 > VALUE_BYTES_MAX {
        return Err(CliError::Refused { what: "the value on standard input is longer than 1 MiB" });
    }
    let end = value.strip_suffix(b"\n").map(|it| it.strip_suffix(b"\r").unwrap_or(it));
    Ok(end.map_or(value.clone(), <[u8]>::to_vec))
}

fn meant(text: &str, context: &mut Context) -> Result<Meant> {
    Ok(match Reference::parse(text)? {
        Reference::Sequence(at) => Meant::Record(at),
        Reference::Id(id) => Meant::Id(id.to_ascii_lowercase()),
        reference @ (Reference::Last | Reference::Ordinal(_)) => {
            Meant::Execution(execution(&reference, context)?)
        }
    })
}

fn execution(reference: &Reference, context: &mut Context) -> Result<ExecutionId> {
    let opened = catch_up::open_all(context)?;
    let at = |found: &ExecutionDetail| (found.summary.at_ms, found.summary.sequence);
    let (_, found) = journals::only(&opened, reference, |it| it.show(reference), at)?;
    Ok(found.summary.id)
}
