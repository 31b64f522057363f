//! Work: boards, tickets, documents that teams share, automation.

use super::looks;
use crate::redact::class::{ALNUM, BASE64, DIGIT, DOTTED, HEX, LOWER, UPPER, URL, UUID};
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Run};

pub(super) const RULES: &[Rule] = &[
    token("notion-token", &["ntn_"], &[Run(ALNUM, 40, 60)]),
    random("notion-token", &["secret_"], &[Exactly(ALNUM, 43)]),
    token("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], &[AtLeast(ALNUM, 32)]),
    token("atlassian-token", &["ATATT3", "ATSTT3"], &[AtLeast(DOTTED, 60)]),
    named(
        "atlassian-token",
        &["atlassian", "jira", "confluence"],
        &[&[Exactly(ALNUM, 24)], &[Exactly(BASE64, 44)]],
    ),
    named(
        "asana-token",
        &["asana"],
        &[
            &[Exactly(HEX, 32)],
            &[AtLeast(DIGIT, 1), Is("/"), AtLeast(DIGIT, 10), Is(":"), Exactly(HEX, 32)],
            &[Exactly(LOWER, 32)],
        ],
    ),
    by("asana-token", &["asana"], looks::asana),
    token("asana-token", &["1/1"], &[Exactly(DIGIT, 15), Is(":"), Exactly(HEX, 32)]),
    token(
        "asana-token",
        &["2/1"],
        &[Exactly(DIGIT, 15), Is("/"), Exactly(DIGIT, 16), Is(":"), Exactly(HEX, 32)],
    ),
    named(
        "trello-token",
        &["trello"],
        &[&[Exactly(HEX, 64)], &[Exactly(HEX, 32)], &[Is("ATTA"), AtLeast(HEX, 60)]],
    ),
    token("trello-token", &["ATTA"], &[AtLeast(HEX, 60)]),
    token("clickup-token", &["pk_"], &[Run(DIGIT, 5, 10), Is("_"), Exactly(UPPER, 32)]),
    token("postman-key", &["PMAK-"], &[Exactly(HEX, 24), Is("-"), Exactly(HEX, 34)]),
    token("postman-key", &["PMAT-"], &[Exactly(UPPER, 26)]),
    named("todoist-token", &["todoist", "monday", "basecamp", "harvest"], &[&[Exactly(HEX, 40)]]),
    named("calendly-token", &["calendly", "typeform"], &[&[AtLeast(DOTTED, 40)]]),
    token("cal-key", &["cal_live_", "cal_test_"], &[Exactly(HEX, 32)]),
    named("shortcut-token", &["shortcut", "clubhouse"], &[&[Exactly(UUID, 36)]]),
    token("coda-token", &["coda_"], &[AtLeast(ALNUM, 30)]),
    token("miro-token", &["miro_"], &[AtLeast(ALNUM, 27)]),
    token("pipedream-key", &["pd_"], &[Exactly(HEX, 32)]),
    token("retool-token", &["retool_"], &[AtLeast(ALNUM, 26)]),
    token("zapier-key", &["sk-ak-"], &[AtLeast(URL, 24)]),
    by(
        "zapier-webhook",
        &["hooks.zapier.com", "hook.eu1.make.com", "hook.us1.make.com"],
        crate::redact::rules::zapier,
    ),
    token("make-token", &["make_"], &[Exactly(UUID, 36)]),
    token("n8n-key", &["n8n_api_"], &[AtLeast(DOTTED, 30)]),
    token("rippling-key", &["rpl_"], &[AtLeast(ALNUM, 40)]),
    token("rapid7-key", &["r7_"], &[Exactly(UUID, 36)]),
    named("rapidapi-key", &["rapidapi", "x-rapidapi"], &[&[Exactly(ALNUM, 50)]]),
    token("twenty-key", &["twenty_"], &[AtLeast(ALNUM, 30)]),
    named("servicenow-password", &["servicenow", "workday", "netsuite"], &[&[AtLeast(ALNUM, 32)]]),
    token("sentinelone-key", &["s1_"], &[AtLeast(HEX, 64)]),
    token("hackerone-token", &["h1_"], &[AtLeast(BASE64, 40), Is("=")]),
    token("unkey-key", &["unkey_"], &[AtLeast(ALNUM, 20)]),
    token("svix-key", &["testsk_", "sk_svix_"], &[AtLeast(DOTTED, 24)]),
    token("knock-key", &["sk_knock_"], &[AtLeast(ALNUM, 24)]),
    token("liveblocks-key", &["sk_dev_"], &[AtLeast(URL, 40)]),
    token("maven-token", &["xoxmvn_"], &[AtLeast(ALNUM, 30)]),
];
