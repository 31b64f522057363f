//! Mail, and campaigns by mail.

use super::looks;
use crate::redact::class::{ALNUM, BASE64, HEX, UPPER, URL, UUID, WORD};
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

pub(super) const RULES: &[Rule] = &[
    token("sendgrid-key", &["SG."], &[Run(URL, 16, 32), Is("."), Run(URL, 32, 64)]),
    token("mailgun-key", &["key-"], &[Exactly(HEX, 32)]),
    named(
        "mailgun-key",
        &["mailgun"],
        &[
            &[Exactly(HEX, 32), Is("-"), Exactly(HEX, 8), Is("-"), Exactly(HEX, 8)],
            &[Exactly(HEX, 32)],
        ],
    ),
    by("mailgun-key", &["mailgun"], looks::mailgun),
    by(
        "mailchimp-key",
        &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"],
        looks::mailchimp,
    ),
    random("mandrill-key", &["md-"], &[Exactly(URL, 22)]),
    named("postmark-token", &["postmark", "x-postmark-server"], &[&[Exactly(UUID, 36)]]),
    token(
        "brevo-key",
        &["xkeysib-", "xsmtpsib-"],
        &[Exactly(HEX, 64), Is("-"), Exactly(ALNUM, 16)],
    ),
    token("resend-key", &["re_"], &[Exactly(ALNUM, 8), Is("_"), Exactly(ALNUM, 24)]),
    named("resend-key", &["resend"], &[&[Is("re_"), Run(WORD, 24, 40)]]),
    named("mailjet-key", &["mailjet", "mj_api"], &[&[Exactly(HEX, 32)]]),
    token("klaviyo-key", &["pk_"], &[Exactly(HEX, 34)]),
    token("mailersend-token", &["mlsn."], &[Exactly(HEX, 64)]),
    named("sparkpost-key", &["sparkpost"], &[&[Exactly(HEX, 40)]]),
    named("elastic-email-key", &["elastic_email", "elasticemail"], &[&[AtLeast(UPPER, 32)]]),
    named(
        "customer-io-key",
        &["customerio", "customer_io", "convertkit", "activecampaign"],
        &[&[AtLeast(ALNUM, 20)]],
    ),
    token("hubspot-token", &["pat-na1-", "pat-eu1-", "pat-na2-", "pat-ap1-"], &[Exactly(UUID, 36)]),
    named("hubspot-key", &["hubspot", "hapikey"], &[&[Exactly(UUID, 36)]]),
    token("beehiiv-key", &["beehiiv_"], &[AtLeast(ALNUM, 24)]),
    token("loops-key", &["loops_"], &[Exactly(HEX, 32)]),
    token(
        "intercom-token",
        &["dG9rO"],
        &[AtLeast(BASE64, 50), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    named("intercom-token", &["intercom", "drift"], &[&[AtLeast(URL, 30)]]),
    named(
        "zendesk-token",
        &["zendesk", "freshdesk", "freshservice"],
        &[&[Exactly(ALNUM, 40)], &[Exactly(ALNUM, 20)]],
    ),
];
