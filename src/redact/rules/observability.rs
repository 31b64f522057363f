//! Watching what runs: metrics, logs, errors, flags, events.

use super::looks;
use crate::redact::class::{ALNUM, ANY_HEX, BASE64, DOTTED, HEX, UPPER, URL, UUID, WORD};
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

pub(super) const RULES: &[Rule] = &[
    named(
        "datadog-key",
        &["datadog", "dd_", "dd-api", "dd-application"],
        &[&[Exactly(HEX, 32)], &[Exactly(HEX, 40)]],
    ),
    token("datadog-key", &["ddapp_", "ddpat_", "ddapi_"], &[AtLeast(ALNUM, 30)]),
    token("new-relic-key", &["NRAK-"], &[Exactly(UPPER, 27)]),
    token("new-relic-key", &["NRJS-", "NRAA-", "NRRA-"], &[AtLeast(HEX, 19)]),
    token("new-relic-key", &["NRIQ-", "NRII-"], &[AtLeast(URL, 30)]),
    named(
        "new-relic-key",
        &["new_relic", "newrelic", "new-relic"],
        &[&[Exactly(HEX, 36), Is("NRAL")], &[Exactly(HEX, 40)]],
    ),
    by("new-relic-key", &["NRAL"], looks::new_relic),
    token("grafana-token", &["glsa_"], &[Exactly(ALNUM, 32), Is("_"), Exactly(ANY_HEX, 8)]),
    token(
        "grafana-token",
        &["glc_"],
        &[AtLeast(BASE64, 32), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    random(
        "grafana-token",
        &["eyJrIjoi"],
        &[AtLeast(BASE64, 60), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    token("sentry-token", &["sntrys_"], &[AtLeast(DOTTED, 40)]),
    by("sentry-token", &["sntrys_"], looks::sentry_organisation),
    token("sentry-token", &["sntryu_", "sntryi_"], &[Exactly(HEX, 64)]),
    named("sentry-token", &["sentry"], &[&[Exactly(HEX, 64)], &[Exactly(HEX, 32)]]),
    token(
        "honeycomb-key",
        &["hcaik_", "hcxik_", "hcbik_", "hcamk_", "hcxmk_"],
        &[AtLeast(WORD, 32)],
    ),
    named(
        "honeycomb-key",
        &["honeycomb", "x-honeycomb"],
        &[&[Exactly(ALNUM, 22)], &[Exactly(HEX, 32)]],
    ),
    token(
        "dynatrace-token",
        &["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16.", "dt0a01."],
        &[Run(UPPER, 8, 24), Is("."), Exactly(UPPER, 64)],
    ),
    named(
        "pagerduty-key",
        &["pagerduty", "pd_api"],
        &[
            &[Exactly(DOTTED, 20)],
            &[Run(DOTTED, 18, 20)],
            &[Is("u+"), Exactly(DOTTED, 18)],
            &[Exactly(HEX, 32)],
        ],
    ),
    named("opsgenie-key", &["opsgenie", "victorops"], &[&[Exactly(UUID, 36)]]),
    named("splunk-token", &["splunk", "hec_token"], &[&[Exactly(UUID, 36)]]),
    named("sumologic-key", &["sumo"], &[&[Exactly(ALNUM, 64)], &[Is("su"), Exactly(ALNUM, 12)]]),
    named(
        "rollbar-token",
        &[
            "rollbar",
            "bugsnag",
            "airbrake",
            "honeybadger",
            "raygun",
            "logdna",
            "mezmo",
            "logz",
            "papertrail",
            "logentries",
            "loggly",
        ],
        &[&[Exactly(HEX, 32)], &[Exactly(ALNUM, 32)], &[Exactly(UUID, 36)], &[Exactly(ALNUM, 20)]],
    ),
    token("honeybadger-key", &["hbp_", "hbu_"], &[AtLeast(ALNUM, 30)]),
    token("axiom-token", &["xaat-", "xapt-"], &[Exactly(UUID, 36)]),
    token("posthog-key", &["phx_", "phs_"], &[AtLeast(ALNUM, 40)]),
    named("segment-key", &["segment"], &[&[Exactly(ALNUM, 32)], &[Is("sgp_"), Exactly(ALNUM, 64)]]),
    token("segment-token", &["sgp_"], &[Exactly(ALNUM, 64)]),
    named("amplitude-key", &["amplitude", "mixpanel", "heap_"], &[&[Exactly(HEX, 32)]]),
    token("launchdarkly-key", &["sdk-", "api-", "mob-"], &[Exactly(UUID, 36)]),
    random("statsig-key", &["secret-", "console-"], &[Exactly(ALNUM, 43)]),
    token("prefect-key", &["pnu_", "pnb_"], &[Exactly(ALNUM, 36)]),
    token("better-stack-token", &["btls_", "logtail_"], &[AtLeast(ALNUM, 24)]),
    named(
        "better-stack-token",
        &["betterstack", "better_stack", "betteruptime", "logtail"],
        &[&[Exactly(ALNUM, 24)]],
    ),
    by("uptimerobot-key", &["uptimerobot", "uptime_robot"], looks::uptime_robot),
    token("checkly-key", &["cu_"], &[Exactly(HEX, 32)]),
    token("lightstep-token", &["sat-"], &[AtLeast(ALNUM, 40)]),
    named(
        "instana-token",
        &["instana", "lightstep", "dash0", "chronosphere", "appsignal", "scout_key", "skylight"],
        &[&[AtLeast(URL, 16)]],
    ),
    token("healthchecks-key", &["hcr_", "hcw_"], &[AtLeast(ALNUM, 26)]),
    token("dash0-token", &["auth_"], &[Exactly(ALNUM, 32)]),
    token("configcat-key", &["configcat-sdk-1/"], &[Exactly(URL, 22), Is("/"), Exactly(URL, 22)]),
    token("flagsmith-key", &["ser."], &[Exactly(ALNUM, 22)]),
    token("baselime-key", &["bl_"], &[Exactly(HEX, 40)]),
    token("cronitor-key", &["cronitor_"], &[AtLeast(ALNUM, 24)]),
];
