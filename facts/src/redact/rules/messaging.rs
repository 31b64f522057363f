//! Chats, phones, social networks and mail, and the addresses that let anybody write to them.

use super::looks;
use crate::redact::judge::is_example;
use crate::redact::rule::{Place, Rule, Tried, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, One, Run};
use crate::redact::shape::{
    self, ALNUM, ANY_HEX, BASE64, Class, DIGIT, DOTTED, HEX, LOWER, Piece, UPPER, URL, UUID, WORD,
};

/// A cookie's value, also as URLs have it.
const COOKIE: &Class = &Class::new(b"AZaz09", b"_-.=~%+/");

/// Chats, phones, and social networks.
pub(super) const CHATS: &[Rule] = &[
    token(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xapp-", "xoxc-"],
        &[Run(DOTTED, 10, 400)],
    ),
    token("slack-token", &["xoxd-"], &[AtLeast(COOKIE, 10)]),
    token("slack-token", &["xoxe."], &[One(&["xoxb-", "xoxp-"]), AtLeast(URL, 20)]),
    token("slack-token", &["xoxe-"], &[AtLeast(URL, 20)]),
    by("slack-webhook", &["hooks.slack.com"], slack_webhook),
    by("discord-webhook", &["discord.com", "discordapp.com"], discord_webhook),
    named(
        "discord-token",
        &["discord", "bot_token"],
        &[
            &[Run(URL, 23, 30), Is("."), Exactly(URL, 6), Is("."), Run(URL, 27, 45)],
            &[Exactly(URL, 32)],
        ],
    ),
    random(
        "discord-token",
        // How a number of 18 digits begins in base 64 that begins with 1, or with 9.
        &[
            "MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "MTY", "MTc", "MTg", "MTk", "OTA", "OTE",
            "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
        ],
        &[Run(URL, 20, 25), Is("."), Exactly(URL, 6), Is("."), Run(URL, 27, 38)],
    ),
    by("discord-token", &["bot "], looks::discord_header),
    by("telegram-token", &[":AA"], looks::telegram),
    by("teams-webhook", &["webhook.office.com"], teams_webhook),
    by("google-chat-webhook", &["chat.googleapis.com"], google_chat),
    by("dingtalk-webhook", &["oapi.dingtalk.com"], query_token),
    by("wecom-webhook", &["qyapi.weixin.qq.com"], query_token),
    by("feishu-webhook", &["open.feishu.cn", "open.larksuite.com"], feishu),
    random(
        "twilio-key",
        &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb",
            "SKc", "SKd", "SKe", "SKf",
        ],
        &[Exactly(HEX, 31)],
    ),
    by("twilio-key", &["twilio", "account_sid", "accountsid"], looks::twilio),
    named("twilio-token", &["twilio"], &[&[Exactly(HEX, 32)], &[Exactly(ALNUM, 32)]]),
    named(
        "mattermost-token",
        &["mattermost", "rocketchat", "zulip"],
        &[&[Exactly(LOWER, 26)], &[Exactly(ALNUM, 32)], &[Exactly(URL, 43)]],
    ),
    by("facebook-token", &["access_token", "facebook"], looks::facebook_app),
    random("facebook-token", &["EAA"], &[Run(ALNUM, 90, 400)]),
    named("facebook-secret", &["facebook", "fb_", "instagram", "meta_app"], &[&[Exactly(HEX, 32)]]),
    random("instagram-token", &["IGQ"], &[Run(URL, 80, 400)]),
    by("twitter-bearer", &["AAAAAAAAAAAAAAAAAAAAA"], looks::twitter),
    named(
        "twitter-secret",
        &["twitter", "consumer_", "x_api"],
        &[&[Exactly(ALNUM, 25)], &[Exactly(ALNUM, 50)], &[Exactly(ALNUM, 45)]],
    ),
    named(
        "linkedin-secret",
        &["linkedin"],
        &[&[Exactly(ALNUM, 16)], &[Is("WPL_AP1."), AtLeast(DOTTED, 16)]],
    ),
    token("linkedin-secret", &["WPL_AP0.", "WPL_AP1."], &[AtLeast(DOTTED, 16)]),
    named("twitch-token", &["twitch"], &[&[Exactly(LOWER, 30)]]),
    named("reddit-secret", &["reddit"], &[&[Exactly(URL, 27)], &[Exactly(URL, 30)]]),
    named(
        "line-token",
        &["line_channel", "line_access", "line_bot"],
        &[&[Run(BASE64, 120, 200), Is("=")], &[Exactly(HEX, 32)]],
    ),
    named("messagebird-key", &["messagebird"], &[&[Exactly(ALNUM, 25)]]),
    named("vonage-secret", &["vonage", "nexmo"], &[&[Exactly(ALNUM, 16)], &[Exactly(HEX, 8)]]),
    random("telnyx-key", &["KEY0"], &[Run(WORD, 40, 64)]),
    random("ntfy-token", &["tk_"], &[Exactly(LOWER, 29)]),
    named("pushover-token", &["pushover"], &[&[Exactly(LOWER, 30)]]),
    named("sendbird-token", &["sendbird"], &[&[Exactly(HEX, 40)]]),
    named("zoom-secret", &["zoom_", "webex"], &[&[Exactly(ALNUM, 32)], &[Exactly(ALNUM, 64)]]),
    named(
        "tiktok-secret",
        &["tiktok", "snapchat", "spotify", "vk_"],
        &[&[Exactly(HEX, 32)], &[Exactly(ALNUM, 32)]],
    ),
    random("steam-key", &["steam_api_key="], &[Exactly(ANY_HEX, 32)]),
];

/// Mail, and campaigns by mail.
pub(super) const MAIL: &[Rule] = &[
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

// Secrets that are a URL, or stand in one.

/// What follows in the same URL after `path`, which a `\` may stand before every `/` of.
fn in_url(place: Place<'_>, shape: &[Piece]) -> Tried {
    let found = shape::length(shape, place.behind());
    // Only the end is secret: ids before it may count on.
    let found =
        found.filter(|length| !is_example(&place.behind()[length.saturating_sub(24)..*length]));
    Tried::of(found.map(|length| place.at..place.at + place.length + length))
}

fn slack_webhook(place: Place<'_>) -> Tried {
    const MORE: Piece = Maybe(&[Is("/"), Run(ALNUM, 6, 64)]);
    for path in ["/services/", "/workflows/", "/triggers/"] {
        let body = [Is(path), Run(ALNUM, 6, 64), MORE, MORE, MORE];
        let Some(length) = shape::length(&body, place.behind()) else { continue };
        let accepted =
            length >= path.len() + 20 && !is_example(&place.behind()[path.len()..length]);
        return Tried::of(accepted.then(|| place.at..place.at + place.length + length));
    }
    Tried::NOTHING
}

fn discord_webhook(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/api/webhooks/"), Run(DIGIT, 15, 22), Is("/"), AtLeast(URL, 40)])
}

fn teams_webhook(place: Place<'_>) -> Tried {
    let shape = [
        Is("/webhookb2/"),
        Exactly(UUID, 36),
        Is("@"),
        Exactly(UUID, 36),
        Is("/IncomingWebhook/"),
        Exactly(HEX, 32),
        Is("/"),
        AtLeast(UUID, 36),
    ];
    in_url(place, &shape)
}

fn google_chat(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/v1/spaces/"), Run(URL, 4, 32), Is("/messages?key="), AtLeast(QUERY, 40)])
}

const QUERY: &Class = &Class::new(b"AZaz09", b"_-%=&.");

/// A URL whose query has the token.
fn query_token(place: Place<'_>) -> Tried {
    let line = place.line(256);
    for name in [&b"access_token="[..], b"key="] {
        let Some(at) = line.windows(name.len()).position(|here| here == name) else { continue };
        let at = at + name.len();
        let length = URL.run(&line[at..], 128);
        if length >= 32 && !is_example(&line[at..at + length]) {
            return Tried::found(place.at + at..place.at + at + length);
        }
    }
    Tried::nothing(place.at + line.len())
}

fn feishu(place: Place<'_>) -> Tried {
    in_url(place, &[Is("/open-apis/bot/v2/hook/"), AtLeast(UUID, 36)])
}

pub(super) fn zapier(place: Place<'_>) -> Tried {
    let zapier = [Is("/hooks/catch/"), Run(DIGIT, 4, 12), Is("/"), AtLeast(ALNUM, 5)];
    let make = [Is("/"), Exactly(ALNUM, 32)];
    match shape::length(&zapier, place.behind()) {
        Some(_) => in_url(place, &zapier),
        None => in_url(place, &make),
    }
}
