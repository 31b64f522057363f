//! Orders: one that is written, and one that is applied, with a receipt for each journal and bundle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::super::check_proof::believed;
use super::super::checkpoint::signer::signer;
use super::super::checkpoint::write_new;
use super::super::{CliError, Context, Exit, Result, ask, with_causes};
use super::outcome::{Told, close};
use super::rest::{self, BundleTold, Rest};
use super::{Args, key, wanted};
use crate::event::{RedactedRecord, Sequence};
use crate::journal::order::{Applied, ORDER_BYTES_MAX, Receipt, SignedOrder, leaves_of};
use crate::journal::tlog::Sign;
use crate::journal::{JournalReader, Project, Reading, Source, SourceKind, enclosure};
use crate::redact::Redactor;
use crate::stores::leak::{Found, Given, Wanted, find};

/// Writes what was done as an order for other journals and bundles.
pub fn write(
    path: &Path,
    key: &dyn Sign,
    reader: &Rc<JournalReader>,
    given: &Given,
    told: &Told,
) -> Result<()> {
    let Given { order, at_ms, by, reason, rule } = given.clone();
    let mut leaves = told.leaves.clone();
    leaves.sort_unstable();
    leaves.dedup();
    let records = BTreeMap::from([(reader.id(), leaves)]);
    let order = SignedOrder { order, at_ms, by, reason, rule, records };
    write_new(path, &key.sign(order.text())?.to_string())
}

pub fn run(path: &Path, args: &Args, context: &mut Context) -> Result<Exit> {
    wanted::must_have_value(args)?;
    let bytes = enclosure::read(path, ORDER_BYTES_MAX);
    let bytes = bytes.map_err(|source| CliError::io("read", path, source))?;
    let order = SignedOrder::of_note(&String::from_utf8_lossy(&bytes), &believed(&args.key)?)?;
    let values = match args.value_stdin {
        true => vec![(wanted::value()?, order.rule.clone())],
        false => Vec::new(),
    };
    if !args.yes && !args.dry_run && !ask::is_possible(context) {
        return Err(CliError::Refused {
            what: "nothing is redacted unasked: --yes, or --dry-run to see what would go",
        });
    }
    let key = key()?.filter(|key| key.alone().is_some() || !args.unlock.is_unasked());
    let key = key.map(|key| signer(key, &args.unlock, context)).transpose()?;
    let mut apply = Apply { order: &order, args, values, key, receipts: Vec::new() };
    let mut exit = Exit::Fine;
    // Bundles alone may be meant.
    let is_project = context.given || args.bundle.is_empty();
    let folders = if is_project { context.take_named() } else { Vec::new() };
    must_be_meant(&order, args, &folders)?;
    for folder in folders {
        context.ask_alone(folder);
        let project = context.project()?;
        exit = exit.worse(apply.in_project(&project, context)?);
    }
    if !args.bundle.is_empty() {
        exit = exit.worse(apply.in_bundles(context)?);
    }
    if let Some(path) = &args.receipts {
        let lines: Vec<_> = apply.receipts.iter().map(serde_json::to_string).collect();
        let lines = lines.into_iter().collect::<Result<Vec<_>, _>>();
        let lines = lines.map_err(|source| CliError::StoredJson { source })?;
        write_new(path, &lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    }
    Ok(exit)
}

/// Holds, before anything is done anywhere, that all can be written, and that each is named by the order: of another
/// journal nobody knows which records are meant, unless the value comes as well.
fn must_be_meant(order: &SignedOrder, args: &Args, folders: &[PathBuf]) -> Result<()> {
    let is_by_value = args.value_stdin;
    let mut named = Vec::new();
    for folder in folders {
        let Ok(source) = Source::of(folder) else { continue }; // told by who opens it
        match source.kind {
            SourceKind::Project => named.push((folder, source.journal)),
            SourceKind::Journal => {
                let what = "a journal's folder alone is read, never written: name a project, or a copy of one";
                return Err(CliError::Refused { what });
            }
            SourceKind::File => {
                let what = "a bundle is named by --bundle FILE, and a segment is part of a project";
                return Err(CliError::Refused { what });
            }
        }
    }
    named.extend(args.bundle.iter().map(|it| (it, it.clone())));
    for (path, journal) in named.into_iter().filter(|_| !is_by_value) {
        // As above.
        let Ok(reader) = JournalReader::reading(&journal, Reading::Evidence) else { continue };
        order.must_name(&reader.id(), &path.to_string_lossy())?;
    }
    Ok(())
}

struct Apply<'a> {
    order: &'a SignedOrder,
    args: &'a Args,
    values: Vec<(Vec<u8>, Option<String>)>,
    /// Who signs receipts.
    key: Option<Box<dyn Sign>>,
    receipts: Vec<Receipt>,
}

impl Apply<'_> {
    fn wanted(&self, applied: &Applied) -> Wanted {
        let records = applied.there.iter().map(|it| Sequence(it.sequence)).collect();
        Wanted {
            records,
            values: self.values.clone(),
            common: self.args.common,
            ..Wanted::default()
        }
    }

    fn given(&self) -> Given {
        let SignedOrder { order, at_ms, by, reason, rule, .. } = self.order.clone();
        Given { order, at_ms, by, reason, rule }
    }

    fn in_project(&mut self, project: &Project, context: &mut Context) -> Result<Exit> {
        let reader = Rc::new(project.reader()?);
        let redactor = project.redactor();
        let applied = Applied::of(self.order, &reader)?;
        let wanted = self.wanted(&applied);
        let found = find(&reader, &wanted, &redactor)?;
        let mut told = Told::of(project, &reader, &found, &wanted);
        let rest = Rest::of(&self.args.bundle, &self.args.transcript, project, &reader, &found);
        (told.dry_run, told.is_one_of) = (self.args.dry_run, true);
        if !self.args.dry_run {
            if !self.args.yes
                && !ask::surely("Destroy what these records hold, for good?", context)?
            {
                return Err(CliError::Refused { what: "nothing was redacted" });
            }
            let given = self.given();
            rest::take_out(project, &reader, &found, &given, &mut told, context)?;
            rest.look(&found, self.args.transcripts, &mut told);
            rest::elsewhere(&reader, &found, &mut told)?;
            // Those that are named are rewritten behind this.
            let real = |path: &Path| path.canonicalize().ok();
            let named: Vec<_> = self.args.bundle.iter().filter_map(|it| real(it)).collect();
            told.elsewhere
                .retain(|it| real(Path::new(&it.path)).is_none_or(|it| !named.contains(&it)));
            rest::look_again(project, &found, &mut told);
            let receipt =
                self.receipt(&reader, &told.path, &applied, &told.leaves, &told.before)?;
            told.receipt = Some(receipt);
        }
        close(told, context)
    }

    /// Each bundle on its own.
    fn in_bundles(&mut self, context: &mut Context) -> Result<Exit> {
        let mut exit = Exit::Fine;
        for path in &self.args.bundle {
            let mut told = Told { path: path.to_string_lossy().into_owned(), ..Told::default() };
            (told.dry_run, told.is_bundle) = (self.args.dry_run, true);
            let reader = Rc::new(JournalReader::reading(path, Reading::Evidence)?);
            told.journal = crate::event::wire::hex_text(&reader.id());
            let applied = Applied::of(self.order, &reader)?;
            let wanted = self.wanted(&applied);
            let found: Found = find(&reader, &wanted, &Redactor::new(&[]))?;
            told.records = found.records.iter().map(|it| it.0).collect();
            if !self.args.dry_run {
                let before = leaves_of(&reader, &found.records)?;
                let leaves: Vec<_> = (before.iter())
                    .map(|(at, (leaf, _))| RedactedRecord { sequence: at.0, leaf: *leaf })
                    .collect();
                told.bundles.push(
                    match rest::bundle(path.clone(), &found, &self.given(), &leaves) {
                        Ok(bundle) => bundle,
                        Err(error) => BundleTold::failed(path, with_causes(&error)),
                    },
                );
                let label = told.path.clone();
                told.receipt = Some(self.receipt(&reader, &label, &applied, &leaves, &[])?);
            }
            exit = exit.worse(close(told, context)?);
        }
        Ok(exit)
    }

    fn receipt(
        &mut self,
        reader: &JournalReader,
        path: &str,
        applied: &Applied,
        leaves: &[RedactedRecord],
        gone: &[u64],
    ) -> Result<Receipt> {
        let mut receipt = Receipt::new(self.order.order, reader.id(), path.to_owned());
        let gone: BTreeSet<_> = gone.iter().copied().collect();
        receipt.before = applied.before.clone();
        receipt.absent = applied.absent.clone();
        receipt.redacted =
            leaves.iter().filter(|it| !gone.contains(&it.sequence)).copied().collect();
        receipt.redacted.sort_unstable();
        let note = self.key.as_ref().map(|key| key.sign(receipt.text())).transpose()?;
        receipt.note = note.map(|note| note.to_string());
        self.receipts.push(receipt.clone());
        Ok(receipt)
    }
}
