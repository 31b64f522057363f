//! `annals redact`: takes a secret out of everything that annals wrote, and nothing that vouches for the rest.

pub(super) mod elsewhere;
mod ordered;
pub(super) mod outcome;
mod preview;
pub(super) mod rest;
mod wanted;

use std::path::PathBuf;
use std::rc::Rc;

use super::checkpoint::signer::{Unlock, signer};
use super::{CliError, Context, Exit, Result, ask, damage};
use crate::journal::tlog::{Key, Keys};
use crate::journal::withheld;
use crate::stores::leak::{Found, Given, find};
use rest::Rest;

/// Take a secret out of the journal and of all that annals wrote, for good
///
/// What goes is named by its record, by a rule, or by the value itself on standard input, and found
/// in every form: as it is, escaped in JSON, base64, hexadecimal, percent, UTF-16, in pieces. Shown
/// are the places and what stands around them, nothing of the secret; then you are asked.
///
/// An event says what was destroyed, why and by whom. The records' payloads are overwritten, their leaves stay, so
/// that everything else still verifies: old checkpoints, proofs and bundles too. Then
/// the stores, caches, quarantine and published files are cleaned, and all of it is looked through once
/// more. Agents' transcripts, files, and what was written from the journal elsewhere (reports, exports,
/// bundles, copies) that still hold the value are named; transcripts are rewritten with --transcripts alone. Where records
/// are named and no value, they are not looked through, and named. Calls behind one that goes get other numbers: events
/// (@N) and ids stay. A keyed digest, kept beside your signing key, keeps a later
/// import or hook from bringing it back.
///
/// The exit code is 0 where nothing holds it any more, 1 where something does or may (it is named), 2 where it was
/// refused (what tells of the journal itself, a rule that there is not, an order of another journal), 5 where an
/// archive is out of reach, 6 where the journal is not the one that was seen. A dry run ends with 1 where something would
/// go.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Records, whatever they hold: 142 (its number in `annals log`), @4711 (an event), a UUID or
    /// the beginning of one (of a session: all of it), or `last`
    #[arg(value_name = "REF")]
    refs: Vec<String>,
    /// What holds the value that comes on standard input, without the line end behind it
    #[arg(long, conflicts_with_all = ["rule", "from_scan"])]
    value_stdin: bool,
    /// What this rule finds, as `annals scan` names it
    #[arg(long, value_name = "NAME", conflicts_with = "from_scan")]
    rule: Option<String>,
    /// What `annals scan` finds in the journal
    #[arg(long)]
    from_scan: bool,
    /// What was redacted before, here or elsewhere, and stands in the journal again
    #[arg(long)]
    from_withheld: bool,
    /// Why; it stays in the journal
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// The value is meant, short or common as it is
    #[arg(long)]
    common: bool,
    /// Bundles to be rewritten without it
    #[arg(long, value_name = "FILE")]
    bundle: Vec<PathBuf>,
    /// Overwrite the value in agents' transcripts too, in place
    #[arg(long)]
    transcripts: bool,
    /// Further transcripts to look at
    #[arg(long, value_name = "FILE")]
    transcript: Vec<PathBuf>,
    /// Write a signed order, to be applied to other journals and bundles
    #[arg(long, value_name = "FILE", conflicts_with = "order")]
    write_order: Option<PathBuf>,
    /// Apply a signed order to every --dir (projects, or copies of them) and every --bundle; without --dir to this
    /// project, or to the bundles alone. With --value-stdin also to journals that it does not name
    #[arg(long, value_name = "FILE", conflicts_with_all = ["refs", "rule", "from_scan", "from_withheld", "reason"])]
    order: Option<PathBuf>,
    /// A public key whose orders are believed [default: your own]
    #[arg(long, value_name = "LINE", requires = "order")]
    key: Vec<String>,
    /// Write the receipts of an order to a new file, as JSON lines
    #[arg(long, value_name = "FILE", requires = "order")]
    receipts: Option<PathBuf>,
    #[command(flatten)]
    unlock: Unlock,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    if let Some(order) = &args.order {
        return ordered::run(order, &args, context);
    }
    wanted::must_be_named(&args)?;
    let project = context.project()?;
    let reason = match (&args.reason, args.dry_run) {
        (Some(reason), _) => reason.clone(),
        (None, true) => String::new(),
        (None, false) => {
            return Err(CliError::Refused {
                what: "say why: --reason TEXT; it stays in the journal",
            });
        }
    };
    let key = match &args.write_order {
        None => None,
        Some(_) => {
            let what = "there is no key yet: annals key new";
            let key = key()?.ok_or(CliError::Refused { what })?;
            Some(signer(key, &args.unlock, context)?)
        }
    };
    let reader = Rc::new(project.reader()?);
    let redactor = project.redactor();
    let wanted = wanted::of(&args, &reader, &redactor, context)?;
    let found = find(&reader, &wanted, &redactor)?;
    let rest = Rest::of(&args.bundle, &args.transcript, &project, &reader, &found);
    let mut told = outcome::Told::of(&project, &reader, &found, &wanted);
    told.dry_run = args.dry_run;
    if args.dry_run {
        damage::ask_whether_seen(&project, context);
        rest.look(&found, false, &mut told);
        rest::elsewhere(&reader, &found, &mut told)?;
        return outcome::close(told, context);
    }
    if !args.yes {
        preview::show(&told, context)?;
        if !ask::is_possible(context) {
            return Err(CliError::Refused {
                what: "nothing is redacted unasked: --yes, or --dry-run to see what would go",
            });
        }
        if !ask::surely("Destroy what these records hold, for good?", context)? {
            return Err(CliError::Refused { what: "nothing was redacted" });
        }
    }
    let by = by(key.as_ref().map(|key| key.public().name().to_owned()), &found);
    let given = Given::now(by, reason, args.rule.clone());
    rest::take_out(&project, &reader, &found, &given, &mut told, context)?;
    rest.bundles(&found, &given, &mut told);
    rest.look(&found, args.transcripts, &mut told);
    rest::elsewhere(&reader, &found, &mut told)?;
    rest::look_again(&project, &found, &mut told);
    if let (Some(path), Some(key)) = (&args.write_order, &key) {
        ordered::write(path, key.as_ref(), &reader, &given, &told)?;
        told.order_file = Some(path.to_string_lossy().into_owned());
    }
    outcome::close(told, context)
}

/// The user's key, if there is one.
fn key() -> Result<Option<Key>> {
    Ok(Keys::of_user().map(|keys| keys.key()).transpose()?.flatten())
}

/// Who gives an order: the name of the key that signs, or this machine's, where that one holds a secret.
pub fn by(name: Option<String>, found: &Found) -> String {
    let own = || key().ok().flatten(); // then the machine gives it
    let name = name.or_else(|| own().map(|key| key.public().name().to_owned()));
    let holds = |it: &str| {
        found.values.as_ref().is_some_and(|values| values.is_in(it.as_bytes()))
            || withheld::is_in(it).unwrap_or(true)
    };
    name.filter(|it| !holds(it))
        .unwrap_or_else(|| format!("annals@{}", crate::journal::project::home::machine_label()))
}
