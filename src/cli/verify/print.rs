//! What verifying found, for people.

use std::path::Path;

use crate::cli::{Context, Result, counted, damage, shown};
use crate::journal::bundle::RECORDS;
use crate::journal::{Audit, Source, Verdict};
use crate::output::stream::Colour;
use crate::output::{escape, time, wire};
use crate::store::look::WoundKind;

/// `barred`: what ends that nothing may be appended.
pub(super) fn print(
    found: &wire::Verified,
    audit: &Audit,
    barred: Option<String>,
    given: &Path,
    context: &mut Context,
) -> Result<()> {
    let journal = escape::line(&found.path).into_owned();
    let (events, commits) = (counted(found.events, "event"), counted(found.commits, "commit"));
    let segments = counted(found.segments, "segment");
    let used = time::bytes(found.bytes.header + found.bytes.frames + found.bytes.control);
    context
        .output
        .line(format_args!("{journal}: {events} in {commits}, {segments}, {used} written"))?;
    if found.redacted > 0 {
        let records = counted(found.redacted, "record");
        let text = match &found.left_out {
            Some(what) if what == RECORDS => {
                format!("{records} redacted in this bundle since it was made")
            }
            Some(what) => format!("{records} left out ({})", escape::line(what)),
            None => format!("{records} redacted"),
        };
        context.output.line(format_args!("  {text}"))?;
    }
    for one in &found.redactions {
        let (records, by) = (counted(one.records, "record"), escape::line(&one.by));
        let (order, reason) = (&one.order, escape::line(&one.reason));
        let at = one.at.as_deref().unwrap_or("an unknown time");
        let rule = one.rule.as_deref().map(|it| format!(", by rule {}", escape::line(it)));
        let (sequence, rule) = (one.sequence, rule.unwrap_or_default());
        context.output.line(format_args!(
            "  @{sequence} orders {records} to be redacted{rule}: {reason} ({by}, {at}, order {order})"
        ))?;
    }
    for one in &found.left_out_by {
        let (records, by) = (counted(one.records, "record"), escape::line(&one.by));
        let (order, reason, at) = (&one.order, escape::line(&one.reason), escape::line(&one.at));
        let order = escape::line(order);
        context.output.line(format_args!(
            "  the bundle says that {records} went: {reason} ({by}, {at}, order {order})"
        ))?;
    }
    let unkept = found.redactions.iter().filter(|it| !it.withheld).count() as u64;
    if unkept > 0 {
        let orders = counted(unkept, "order");
        let text = format!("nothing keeps what {orders} took out from being recorded again here");
        let text = context.output.paint(Colour::Yellow, text);
        context.output.line(format_args!("  {text}"))?;
    }
    for finding in &found.findings {
        let colour =
            if finding.kind == WoundKind::Note.as_str() { Colour::Dim } else { Colour::Red };
        let text = context.output.paint(colour, sentence(finding));
        context.output.line(format_args!("  {text}"))?;
    }
    let told = found.findings.len() as u64;
    if found.findings_count > told {
        context.output.line(format_args!("  … and {} more", found.findings_count - told))?;
    }
    for loss in &found.recorded {
        let accepted = if loss.accepted { "; it was seen, and this accepted" } else { "" };
        let message = escape::line(&loss.message);
        let text = format!("on record as @{}: {message}{accepted}", loss.sequence);
        context.output.line(format_args!("  {text}"))?;
    }
    for told in found.segment.iter().chain(&found.lock).chain(&found.blobs) {
        let text = context.output.paint(Colour::Red, escape::line(told));
        context.output.line(format_args!("  {text}"))?;
    }
    for fork in &found.forks {
        let (with, after) = (escape::line(&fork.with), fork.after);
        let text = format!("fork: another journal than {with} after event @{after}, of one id");
        let text = context.output.paint(Colour::Red, text);
        context.output.line(format_args!("  {text}"))?;
    }
    if let Some(contradiction) = &found.contradiction {
        let what = escape::line(&contradiction.message);
        let text =
            context.output.paint(Colour::Red, format!("not the journal that was seen: {what}"));
        context.output.line(format_args!("  {text}"))?;
    }
    if let Some(why) = &found.unseen {
        let text = format!("not held against what was seen: {}", escape::line(why));
        let text = context.output.paint(Colour::Yellow, text);
        context.output.line(format_args!("  {text}"))?;
    }
    if let Some(held) = &found.checkpoint {
        let colour = if held.holds { Colour::Green } else { Colour::Red };
        let signed = held.signed_by.as_deref().map(escape::line).unwrap_or("nobody".into());
        let at = held.signed_at.as_deref().map(|at| format!(" at {at}")).unwrap_or_default();
        let by = match held.witnesses.is_empty() {
            true => String::new(),
            false => format!(", witnessed by {}", held.witnesses.join(", ")),
        };
        let (size, message) = (held.size, escape::line(&held.message));
        let text = format!("checkpoint of {size} records, signed by {signed}{at}{by}: {message}");
        let text = context.output.paint(colour, text);
        context.output.line(format_args!("  {text}"))?;
    }
    for error in &found.unreadable {
        context.output.line(format_args!("  unreadable: {error}"))?;
    }
    if found.archived > 0 {
        let segments = counted(found.archived, "segment");
        context.output.line(format_args!("  {segments} in an archive, as events say"))?;
    }
    for it in &found.archived_missing {
        let (number, at, folder) = (it.segment, it.sequence, escape::line(&it.folder));
        context.output.line(format_args!(
            "  segment {number} was archived, as @{at} says, in {folder}: annals fetch {number}"
        ))?;
    }
    let path = shown(given);
    // What a repair cuts.
    let torn = audit.report.findings.iter().any(|it| it.verdict.is_cut());
    // What an event orders to go, and is there.
    let is_undone = audit.report.findings.iter().any(|it| it.verdict == Verdict::NotRedacted);
    if found.clean && found.forks.is_empty() {
        let (chained, commits) = (found.commits_chained, found.commits);
        let text = match found.redacted {
            0 => format!(
                "everything holds: checksums, and {} of the chain",
                counted(chained, "link")
            ),
            gone => format!(
                "what is there holds: checksums, and {chained} of {} of the chain; of {} the leaf alone is there",
                counted(commits, "link"),
                counted(gone, "record")
            ),
        };
        context.output.line(format_args!("  {text}"))?;
    } else if found.contradiction.is_none() && found.checkpoint.as_ref().is_some_and(|it| !it.holds)
    {
        let verdict = found.checkpoint.as_ref().map_or("", |it| it.verdict);
        context.output.line(match verdict {
            "wrong key" => "Next: give the public line of who signs it: --key LINE (annals key show prints one's own)",
            "expired key" => "Next: ask who signed it, and when: the key of that epoch was gone by then",
            "witness missing" => "Next: have those sign it; annals checkpoint --cosigned FILE keeps what they sign. Every record is there",
            "unknown signing" | "re-signed later" => "Next: ask who signed it, and when; every record is there",
            "other journal" => "Next: name the journal that the checkpoint is of",
            _ => "Next: ask where this journal comes from; a copy that contains the checkpoint is the one",
        })?;
    } else if found.contradiction.as_ref().is_some_and(|it| it.by_file) {
        context.output.line(format_args!(
            "Next: the file of --seen says so: annals verify {path} THE-OTHER-COPY, which that file is of"
        ))?;
    } else if found.contradiction.is_some() {
        let of = if path == "." { String::new() } else { format!(" {path}") };
        context.output.line(format_args!(
            "Next: put back what is missing from a copy; if this is the journal you mean: annals seen forget{of}"
        ))?;
    } else if !found.forks.is_empty() {
        context.output.line(format_args!("Next: annals log --dir {path}"))?;
    } else if found.damaged && !audit.is_damaged() {
        context.output.line("Next: put each blob back from a copy; nothing else has its bytes")?;
    } else if audit.is_out_of_reach() && !found.damaged {
        context.output.line(
            "  nothing else is wrong\nNext: make the archive reachable where it was, or: annals fetch --from DIR",
        )?;
    } else if audit.is_archive_wrong() {
        context.output.line(format_args!(
            "Next: annals fetch --from DIR, of another copy of the archive; where there is none: annals salvage {path} NEW-FOLDER"
        ))?;
    } else if found.damaged {
        context.output.line(format_args!("Next: annals salvage {path} NEW-FOLDER"))?;
    } else if let Some(way) = barred {
        context.output.line(format_args!("Next: {way}"))?;
    } else if torn || is_undone || found.lock.is_some() {
        let is_own = Source::of(given).is_ok_and(|it| damage::is_own(&it, context));
        let of = if is_own { String::new() } else { format!(" --dir {path}") };
        context.output.line(format_args!("Next: annals{of} repair"))?;
    } else if found.recorded.is_empty() {
        context.output.line("  no event is lost or changed by that; nothing is to be repaired")?;
    } else {
        context.output.line("  everything else holds; what is lost stays on record")?;
    }
    Ok(())
}

pub fn sentence(finding: &wire::Finding) -> String {
    let wire::Finding { verdict, segment, offset, bytes, .. } = finding;
    if finding.kind == WoundKind::Note.as_str() {
        return format!(
            "the clock was set back: from segment {segment}, byte {offset} on it reads earlier than before; \
             nothing is wrong"
        );
    }
    let size = if *bytes > 0 { format!(" ({bytes} bytes)") } else { String::new() };
    let place = format!("{verdict} in segment {segment} at byte {offset}{size}");
    match (finding.first_sequence, finding.last_sequence) {
        (Some(first), Some(last)) if first == last && finding.exact => {
            format!("{place}: event @{first}")
        }
        (Some(first), Some(last)) if finding.exact => {
            format!("{place}: events @{first} to @{last}")
        }
        (Some(first), _) => format!("{place}: events from @{first} on"),
        _ => format!("{place}: no event is lost"),
    }
}
