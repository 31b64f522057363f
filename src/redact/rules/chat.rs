//! Chats, phones, and social networks.

use super::{looks, nearby};
use crate::redact::class::{ALNUM, ANY_HEX, BASE64, Class, DOTTED, HEX, LOWER, URL, WORD};
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, One, Run};

/// A cookie's value, also as URLs have it.
const COOKIE: &Class = &Class::new(b"AZaz09", b"_-.=~%+/");

pub(super) const RULES: &[Rule] = &[
    token(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xapp-", "xoxc-"],
        &[Run(DOTTED, 10, 400)],
    ),
    token("slack-token", &["xoxd-"], &[AtLeast(COOKIE, 10)]),
    token("slack-token", &["xoxe."], &[One(&["xoxb-", "xoxp-"]), AtLeast(URL, 20)]),
    token("slack-token", &["xoxe-"], &[AtLeast(URL, 20)]),
    by("slack-webhook", &["hooks.slack.com"], crate::redact::rules::slack_webhook),
    by(
        "discord-webhook",
        &["discord.com", "discordapp.com"],
        crate::redact::rules::discord_webhook,
    ),
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
    by("teams-webhook", &["webhook.office.com"], crate::redact::rules::teams_webhook),
    by("google-chat-webhook", &["chat.googleapis.com"], crate::redact::rules::google_chat),
    by("dingtalk-webhook", &["oapi.dingtalk.com"], crate::redact::rules::query_token),
    by("wecom-webhook", &["qyapi.weixin.qq.com"], crate::redact::rules::query_token),
    by("feishu-webhook", &["open.feishu.cn", "open.larksuite.com"], crate::redact::rules::feishu),
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
    by("facebook-token", &["access_token", "facebook"], nearby::facebook_app),
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
