//! A token of every kind of service: found in whatever it stands in, and only whole.
//!
//! Nothing here is a token: they are made when the test runs, from a form like `gh|p_@w36;`, where
//! `|` joins two parts and `@w36;` is so many random letters and digits.

use super::{HEX, WORD, random, redactor};

/// Rule, and the form of a token.
const TOKENS: &[(&str, &str)] = &[
    ("aws-access-key-id", "AK|IA@u16;"),
    ("google-api-key", "AI|za@w35;"),
    ("google-oauth", "GOC|SPX-@w28;"),
    ("azure-client-secret", "@w3;8|Q~@w34;"),
    ("digitalocean-token", "dop|_v1_@h64;"),
    ("alibaba-access-key-id", "LT|AI@w20;"),
    ("tencent-secret-id", "AK|ID@w32;"),
    ("yandex-cloud-key", "AQ|VN@w36;"),
    ("heroku-key", "HR|KU-@w60;"),
    ("fly-token", "fo|1_@w43;"),
    ("vercel-token", "vc|p_@w30;"),
    ("netlify-token", "nf|p_@w36;"),
    ("render-key", "rn|d_@w28;"),
    ("databricks-token", "da|pi@h32;"),
    ("terraform-vault-token", "hv|s.@w30;"),
    ("terraform-cloud-token", "@w14;.atlas|v1.@w64;"),
    ("pulumi-token", "pu|l-@h40;"),
    ("e2b-key", "e2|b_@h40;"),
    ("github-token", "gh|p_@w36;"),
    ("github-token", "github|_pat_@w82;"),
    ("gitlab-token", "gl|pat-@w20;"),
    ("bitbucket-token", "AT|BB@w32;"),
    ("sourcegraph-token", "sg|p_@h40;"),
    ("npm-token", "np|m_@w36;"),
    ("pypi-token", "py|pi-AgE@w60;"),
    ("crates-io-token", "ci|o@w32;"),
    ("rubygems-token", "ruby|gems_@h48;"),
    ("nuget-key", "oy|2@l43;"),
    ("docker-hub-token", "dckr|_pat_@w27;"),
    ("artifactory-token", "AK|Cp@w69;"),
    ("clojars-token", "CLO|JARS_@h60;"),
    ("stripe-key", "sk|_live_@w24;"),
    ("stripe-webhook-secret", "wh|sec_@w32;"),
    ("square-token", "sq0|atp-@w22;"),
    ("braintree-token", "access|_token$production$@l16;$@h32;"),
    ("razorpay-key", "rzp|_live_@w14;"),
    ("flutterwave-key", "FLW|SECK-@w32;-X"),
    ("plaid-token", "access|-production-@g;"),
    ("paddle-key", "pdl|_live_apikey_@w60;"),
    ("duffel-token", "duffel|_live_@w43;"),
    ("easypost-key", "EZ|AK@w54;"),
    ("shippo-token", "shippo|_live_@h40;"),
    ("xendit-key", "xnd|_production_@w40;"),
    ("slack-token", "xo|xb-@w40;"),
    ("slack-webhook", "hooks.|slack.com/services/T@w9;/B@w9;/@w24;"),
    ("discord-webhook", "discord.|com/api/webhooks/9@d17;/@w68;"),
    ("discord-token", "MT|I@w23;.@w6;.@w38;"),
    ("telegram-token", "5@d9;:A|A@w33;"),
    ("twilio-key", "S|K@h32;"),
    ("facebook-token", "EA|A@w150;"),
    ("twitter-bearer", "AAAAAAAAAAA|AAAAAAAAAA@w80;"),
    ("sendgrid-key", "S|G.@w22;.@w43;"),
    ("mailgun-key", "ke|y-@h32;"),
    ("mailchimp-key", "@h32;-|us14"),
    ("brevo-key", "xkey|sib-@h64;-@w16;"),
    ("resend-key", "r|e_@w8;_@w24;"),
    ("klaviyo-key", "p|k_@h34;"),
    ("mailersend-token", "ml|sn.@h64;"),
    ("hubspot-token", "pat|-na1-@g;"),
    ("planetscale-token", "pscale|_tkn_@w43;"),
    ("supabase-key", "sb|p_@h40;"),
    ("neon-key", "na|pi_@l60;"),
    ("airtable-token", "pa|t@w14;.@h64;"),
    ("cockroach-key", "CC|DB1_@w22;_@w40;"),
    ("pinecone-key", "pc|sk_@w5;_@w63;"),
    ("astra-token", "Astra|CS:@w24;:@h64;"),
    ("aiven-password", "AV|NS_@w19;"),
    ("model-api-key", "sk|-ant-api03-@w90;"),
    ("model-api-key", "sk|-proj-@w60;"),
    ("huggingface-token", "h|f_@w34;"),
    ("replicate-token", "r|8_@w37;"),
    ("groq-key", "gs|k_@w52;"),
    ("xai-key", "xa|i-@w80;"),
    ("perplexity-key", "ppl|x-@w48;"),
    ("langsmith-key", "lsv2|_pt_@h32;_@h10;"),
    ("nvidia-key", "nv|api-@w64;"),
    ("tavily-key", "tv|ly-@w32;"),
    ("elevenlabs-key", "s|k_@h48;"),
    ("firecrawl-key", "f|c-@h32;"),
    ("apify-token", "apify|_api_@w36;"),
    ("new-relic-key", "NR|AK-@u27;"),
    ("grafana-token", "gl|sa_@w32;_@h8;"),
    ("sentry-token", "sntr|yu_@h64;"),
    ("dynatrace-token", "dt0|c01.@u24;.@u64;"),
    ("axiom-token", "xa|at-@g;"),
    ("posthog-key", "ph|x_@w43;"),
    ("launchdarkly-key", "sd|k-@g;"),
    ("prefect-key", "pn|u_@w36;"),
    ("circleci-token", "CCI|PAT_@w22;_@h40;"),
    ("buildkite-token", "bk|ua_@h40;"),
    ("sonar-token", "sq|p_@h40;"),
    ("octopus-key", "AP|I-@u28;"),
    ("cloudflare-origin-ca-key", "v1.|0-@h24;-@h146;"),
    ("tailscale-key", "ts|key-auth-@w16;-@w32;"),
    ("mapbox-token", "s|k.eyJ@w60;.@w22;"),
    ("age-key", "AGE-SECRET|-KEY-1@u58;"),
    ("doppler-token", "dp|.pt.@w43;"),
    ("infisical-token", "s|t.@h24;.@h32;.@h32;"),
    ("jumpcloud-key", "jc|a_@w36;"),
    ("json-web-token", "ey|J@w30;.eyJ@w60;.@w43;"),
    ("shopify-token", "shp|at_@h32;"),
    ("woocommerce-key", "c|k_@h40;"),
    ("amazon-mws-token", "amzn|.mws.@g;"),
    ("contentful-token", "CF|PAT-@w43;"),
    ("figma-token", "fi|gd_@w43;"),
    ("readme-key", "rd|me_@l70;"),
    ("asana-token", "1|/1@d15;:@h32;"),
    ("asana-token", "2|/1@d15;/1@d15;:@h32;"),
    ("adafruit-key", "ai|o_@w28;"),
    ("password-hash", "$|6$@w8;$@w86;"),
    ("password-hash", "$ap|r1$@w8;$@w22;"),
    ("bitcoin-key", "xp|rv@w107;"),
    ("typeform-token", "tf|p_@w44;"),
    ("notion-token", "nt|n_@w46;"),
    ("linear-key", "lin|_api_@w40;"),
    ("atlassian-token", "ATA|TT3@w180;"),
    ("clickup-token", "p|k_4@d7;_@u32;"),
    ("postman-key", "PM|AK-@h24;-@h34;"),
];

/// Rule, the name of a variable, and the form of its value.
const NAMED: &[(&str, &str, &str)] = &[
    ("aws-secret-key", "AWS_SECRET_ACCESS_KEY", "@w40;"),
    ("heroku-key", "HEROKU_API_KEY", "@g;"),
    ("linode-token", "LINODE_TOKEN", "@h64;"),
    ("hetzner-token", "HCLOUD_TOKEN", "@w64;"),
    ("datadog-key", "DD_API_KEY", "@h32;"),
    ("datadog-key", "DATADOG_APP_KEY", "@h40;"),
    ("cloudflare-key", "CLOUDFLARE_API_TOKEN", "@w40;"),
    ("fastly-token", "FASTLY_API_TOKEN", "@w32;"),
    ("codecov-token", "CODECOV_TOKEN", "@g;"),
    ("snyk-token", "SNYK_TOKEN", "@g;"),
    ("travis-token", "TRAVIS_TOKEN", "@w22;"),
    ("algolia-key", "ALGOLIA_ADMIN_KEY", "@h32;"),
    ("cohere-key", "COHERE_API_KEY", "@w40;"),
    ("mistral-key", "MISTRAL_API_KEY", "@w32;"),
    ("wandb-key", "WANDB_API_KEY", "@h40;"),
    ("deepgram-key", "DEEPGRAM_API_KEY", "@h40;"),
    ("twilio-token", "TWILIO_AUTH_TOKEN", "@h32;"),
    ("twitch-token", "TWITCH_CLIENT_SECRET", "@l30;"),
    ("postmark-token", "POSTMARK_SERVER_TOKEN", "@g;"),
    ("mailjet-key", "MAILJET_API_SECRET", "@h32;"),
    ("okta-token", "OKTA_API_TOKEN", "00@w40;"),
    ("auth0-secret", "AUTH0_CLIENT_SECRET", "@w64;"),
    ("trello-token", "TRELLO_TOKEN", "@h64;"),
    ("asana-token", "ASANA_TOKEN", "@h32;"),
    ("binance-key", "BINANCE_SECRET_KEY", "@w64;"),
    ("infura-key", "INFURA_API_KEY", "@h32;"),
    ("rollbar-token", "ROLLBAR_ACCESS_TOKEN", "@h32;"),
    ("pagerduty-key", "PAGERDUTY_TOKEN", "@w20;"),
    ("opsgenie-key", "OPSGENIE_API_KEY", "@g;"),
    ("splunk-token", "SPLUNK_HEC_TOKEN", "@g;"),
];

/// What a form stands for.
fn made(form: &str) -> String {
    let mut out = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('@') {
        out.push_str(before);
        let Some((kind, behind)) = after.split_once(';') else { panic!("{form}") };
        let count = || kind[1..].parse().unwrap();
        out += &match &kind[..1] {
            "w" => random(WORD, count()),
            "h" => random(HEX, count()),
            "u" => random("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", count()),
            "l" => random("abcdefghijklmnopqrstuvwxyz0123456789", count()),
            "d" => random("0123456789", count()),
            _ => {
                let hex = |count| random(HEX, count);
                format!("{}-{}-4{}-8{}-{}", hex(8), hex(4), hex(3), hex(3), hex(12))
            }
        };
        rest = behind;
    }
    (out + rest).replace('|', "")
}

#[test]
fn a_token_is_found_in_a_sentence_in_json_in_json_and_in_a_command() {
    let redactor = redactor();
    for (rule, form) in TOKENS {
        let token = made(form);
        for (before, after) in [
            ("it is ", ", he said\n"),
            (r#"{"content":"{\"a\":\"x\\n"#, r#"\\n\"}"}"#),
            ("deploy --to https://x.example/?k=", "&v=1 | tee log"),
        ] {
            let text = format!("{before}{token}{after}");
            let clean = redactor.redact_text(&text);
            assert!(!clean.contains(&token), "{rule}: {text} became {clean}");
            assert!(clean.contains(&format!("[REDACTED:{rule}]")), "{text} became {clean}");
            assert!(clean.starts_with(before) && clean.ends_with(after), "{clean}");
            assert_eq!(redactor.redact_text(&clean), clean, "twice is once");
        }
    }
}

#[test]
fn what_is_no_token_stays_though_it_begins_like_one() {
    let redactor = redactor();
    for (rule, form) in TOKENS {
        let token = made(form);
        let prefix = form.split('@').next().unwrap_or_default().replace('|', "");
        let same = format!("{prefix}{}", "x".repeat(token.len().saturating_sub(prefix.len())));
        let short = &token[..token.len().min(prefix.len() + 6)];
        // A URL that a token stands in, or a short one, is judged by its length alone.
        for text in [&same, short, &format!("{prefix}<your token>"), &format!("{prefix}...")] {
            assert_eq!(redactor.redact_text(text), *text, "{rule}");
        }
    }
}

#[test]
fn a_secret_without_a_shape_is_found_by_its_name() {
    let redactor = redactor();
    for (rule, name, form) in NAMED {
        let value = made(form);
        let lower = name.to_lowercase();
        for (before, after) in [
            (format!("export {name}="), "\n"),
            (format!(r#"{{"{lower}": ""#), r#""}"#),
            (format!("  {lower}: "), "\n"),
        ] {
            let text = format!("{before}{value}{after}");
            let clean = redactor.redact_text(&text);
            assert_eq!(clean, format!("{before}[REDACTED:{rule}]{after}"), "{rule}: {text}");
        }
        let id = format!("{}_id: {value}", lower.split('_').next().unwrap_or_default());
        assert_eq!(redactor.redact_text(&id), id, "{rule}: an id is none");
    }
}

#[test]
fn eighty_services_and_more_have_a_token_here() {
    let mut rules: Vec<&str> = TOKENS.iter().map(|row| row.0).collect();
    rules.extend(NAMED.iter().map(|row| row.0));
    rules.sort_unstable();
    rules.dedup();
    assert!(rules.len() >= 120, "{}", rules.len());
}

#[test]
fn code_that_only_names_secrets_stays() {
    let redactor = redactor();
    for text in [
        "pub const NO_COOKIE: kind_64 = kind_64::NO_COOKIE_OF_2_SORTS;",
        "PASSWORD_ID_REKEY = 0x0003, passwd: *const c_char8,",
    ] {
        assert_eq!(redactor.redact_text(text), text);
    }
}
