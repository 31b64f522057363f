//! The gate's verdicts, as other programs read them.

use crate::store::sql::exported::Form::{Flag, Integer, Text, Time};
use crate::store::sql::exported::{Exported, column};

pub static GATE_VERDICTS: Exported = Exported {
    name: "gate_verdicts",
    about: "what the gate judged: a call that it refused, one that ran all the same, a claim",
    columns: &[
        column("session", "s.id", Text, "the session's id"),
        column("sequence", "v.seq", Integer, "its event"),
        column("at", "v.at_ms", Time, "when it was judged"),
        column("kind", "v.kind", Text, "`refused`, `bypassed` or `claim`"),
        column("accepted", "v.accepted", Flag, "of a claim, whether it stood; else 0"),
        column(
            "execution",
            "v.execution",
            Text,
            "the execution that it is about, or that bears a claim out",
        ),
        column("tool", "v.tool", Text, "of a call its tool"),
        column("target", "v.target", Text, "of a refused call what it was about"),
        column("rule", "v.rule", Text, "the rule that refused it"),
        column("reason", "v.reason", Text, "why, for people"),
        column("mode", "v.mode", Text, "`enforce`, `advise` or `observe`"),
        column("claim", "v.claim", Text, "of a claim its words"),
    ],
    from: "FROM (\
           SELECT seq, session, at_ms, 'refused' AS kind, 0 AS accepted, execution, tool, target, rule, reason, mode, \
           NULL AS claim FROM idx.verdicts \
           UNION ALL SELECT seq, session, at_ms, 'bypassed', 0, execution, tool, NULL, NULL, NULL, NULL, NULL FROM idx.bypasses \
           UNION ALL SELECT seq, session, at_ms, 'claim', accepted, verified_by, NULL, NULL, NULL, reason, NULL, claim \
           FROM idx.claims) v LEFT JOIN idx.sessions s ON s.number = v.session",
    filter: "1",
    order: "v.seq",
    at: ("v.seq", "v.at_ms"),
    day: "v.at_ms",
    changed: "v.seq",
    session: "s.id",
    stores: &["idx"],
};
