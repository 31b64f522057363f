//! Redaction: what is found, what is left alone, and what is counted.

mod ahead;
mod disguise;
mod forms;
mod hostile;
mod in_events;
mod patterns;
mod services;
mod surroundings;

use super::*;
use crate::event::{
    Body, Content, Envelope, ExecutionId, ExecutionStarted, Json, PromptSubmitted, Source,
    TextVisitor,
};
use crate::redact::Pattern;

fn redactor() -> Redactor {
    Redactor::new(&[])
}

fn own(name: &str, regex: &str) -> Result<Redactor, String> {
    let regex = toml::Spanned::new(0..0, regex.to_owned());
    OwnPattern::new(&Pattern { name: name.into(), regex }).map(|own| Redactor::new(&[own]))
}

/// Random-looking text of a length, never the same as a word.
fn random(alphabet: &str, length: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        alphabet[(state >> 33) as usize % alphabet.len()]
    };
    (0..length).map(|_| next()).collect()
}

const WORD: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

#[test]
fn every_rule_can_be_found_by_its_keywords() {
    for rule in rules::all() {
        assert!(!rule.keywords.is_empty(), "{}", rule.name);
        for keyword in rule.keywords {
            assert!(keyword.len() >= keywords::LENGTH_MIN, "{}: {keyword}", rule.name);
        }
    }
}

#[test]
fn a_member_name_that_tells_a_secret_is_found_by_its_keyword() {
    let redactor = redactor();
    for name in names::MEMBERS {
        let text = format!("\"{name}\"");
        assert!(redactor.scanner.may_match(text.as_bytes()), "{name} would be passed over");
    }
}

#[test]
fn secrets_are_taken_out_and_the_text_around_them_stays() {
    let redactor = redactor();
    let w = |length| random(WORD, length);
    for (before, secret, after, rule) in [
        ("id AKIA", random(UPPER, 16), " end", "aws-access-key-id"),
        ("x ghp_", w(36), "\n", "github-token"),
        ("x github_pat_", w(40), " y", "github-token"),
        ("x glpat-", w(20), " y", "gitlab-token"),
        ("\"xoxb-", w(24), "\"", "slack-token"),
        ("https://hooks.slack.com/services/", w(30), " y", "slack-webhook"),
        ("x sk-ant-api03-", w(40), " y", "model-api-key"),
        ("x sk-proj-", w(40), " y", "model-api-key"),
        ("x AIza", w(35), " y", "google-api-key"),
        ("x ya29.", w(40), " y", "google-oauth"),
        ("x sk_live_", w(24), " y", "stripe-key"),
        ("x npm_", w(36), " y", "npm-token"),
        ("x pypi-AgE", w(60), " y", "pypi-token"),
        ("x cio", w(32), " y", "crates-io-token"),
        ("x hf_", w(34), " y", "huggingface-token"),
        ("x SG.", format!("{}.{}", w(22), w(43)), " y", "sendgrid-key"),
        ("x dop_v1_", random(HEX, 64), " y", "digitalocean-token"),
        ("x shpat_", random(HEX, 32), " y", "shopify-token"),
        ("x dapi", random(HEX, 32), " y", "databricks-token"),
        ("x AGE-SECRET-KEY-1", random(UPPER, 58), " y", "age-key"),
        ("x eyJ", format!("{}.eyJ{}.{}", w(20), w(40), w(43)), " y", "json-web-token"),
    ] {
        let text = format!("{before}{secret}{after}");
        let clean = redactor.redact_text(&text);
        let start = before.rfind([' ', '"', '/']).map_or(0, |at| at + 1);
        assert!(!clean.contains(&secret), "{text} became {clean}");
        assert!(clean.contains(&format!("[REDACTED:{rule}]")), "{text} became {clean}");
        if rule != "slack-webhook" {
            assert!(clean.starts_with(&before[..start]), "{text} became {clean}");
        }
        assert!(clean.ends_with(after), "{text} became {clean}");
        assert_eq!(redactor.redact_text(&clean), clean, "twice is once");
    }
}

#[test]
fn values_that_their_name_calls_secret_are_taken_out() {
    let redactor = redactor();
    for (text, clean) in [
        ("https://me:hunter2@host/x", "https://me:[REDACTED:url-credentials]@host/x"),
        ("postgres://u:p%40ss@db:5432/x", "postgres://u:[REDACTED:url-credentials]@db:5432/x"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED:authorization]"),
        (
            "-H 'authorization: Bearer abc.def.ghi'",
            "-H 'authorization: Bearer [REDACTED:authorization]'",
        ),
        (
            "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG",
            "AWS_SECRET_ACCESS_KEY=[REDACTED:environment]",
        ),
        ("export GITHUB_TOKEN='abcd1234'", "export GITHUB_TOKEN='[REDACTED:environment]'"),
        ("DB_PASSWORD=hunter2 cargo run", "DB_PASSWORD=[REDACTED:environment] cargo run"),
        ("curl --token abcd1234 x", "curl --token [REDACTED:option] x"),
        ("login --registry-password=hunter22", "login --registry-password=[REDACTED:option]"),
        ("password = \"hunter22\"", "password = \"[REDACTED:assignment]\""),
        ("{\"api_key\": \"hunter22\"}", "{\"api_key\": \"[REDACTED:assignment]\"}"),
        ("{\\\"api_key\\\": \\\"hunter22\\\"}", "{\\\"api_key\\\": \\\"[REDACTED:assignment]\\\"}"),
        ("password: hunter22", "password: [REDACTED:assignment]"),
        ("X-Api-Key: 0a1b2c3d4e5f60718293", "X-Api-Key: [REDACTED:assignment]"),
    ] {
        assert_eq!(redactor.redact_text(text), clean);
        assert_eq!(redactor.redact_text(clean), clean, "twice is once");
    }
}

#[test]
fn a_private_key_goes_whole_even_where_its_end_is_missing() {
    let redactor = redactor();
    let body = format!("{}\n", random(WORD, 64)).repeat(50);
    let whole = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----");
    assert_eq!(redactor.redact_text(&format!("a\n{whole}\nb")), "a\n[REDACTED:private-key]\nb");
    let cut = format!("a -----BEGIN PRIVATE KEY-----\n{body}[… cut …]");
    assert_eq!(redactor.redact_text(&cut), "a [REDACTED:private-key][… cut …]");
    let public = format!("-----BEGIN PUBLIC KEY-----\n{body}-----END PUBLIC KEY-----");
    assert_eq!(redactor.redact_text(&public), public);
}

#[test]
fn identities_and_ordinary_texts_are_left_alone() {
    let redactor = redactor();
    let hash = random(HEX, 64);
    let commit = random(HEX, 40);
    for text in [
        "0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d",
        &format!("commit {commit}"),
        &format!("blake3 {hash}"),
        &format!("token: {commit}"),
        "token = \"0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d\"",
        "toolu_01A09q90qw90lq917835lq9",
        "let token = lexer.next_token();",
        "let token: Token = parser.parse(\"fn main\");",
        "\"input_tokens\": 1234, \"output_tokens\": 99",
        "MAX_TOKENS=4096",
        "password = os.environ[\"PASSWORD\"]",
        "export TOKEN=$(cat /run/secret)",
        "API_KEY=${API_KEY}",
        "API_KEY=<your key>",
        "SECRET_FILE=/run/secrets/db",
        "tokenizer = \"cl100k_base\"",
        "https://host:8080/path@v2",
        "git@github.com:owner/repo.git",
        "error[E0425]: cannot find value `secret` in this scope",
        "a bearer of bad news",
        "sk-learn and task-force and risk-averse",
        "the password is required",
        "pub struct AccessKey { id: u64 }",
    ] {
        assert_eq!(redactor.redact_text(text), text);
    }
}

#[test]
fn json_keeps_its_structure_and_loses_its_secrets() {
    let redactor = redactor();
    for (json, clean) in [
        (
            r#"{"b":1,"password":"hunter2","a":[{"token":["kqzvxwp1"]}]}"#,
            r#"{"a":[{"token":["[REDACTED:json-member]"]}],"b":1,"password":"[REDACTED:json-member]"}"#,
        ),
        (
            r#"{"command":"TOKEN=abcd1234 make"}"#,
            r#"{"command":"TOKEN=[REDACTED:environment] make"}"#,
        ),
        (r#"{"p\u0061ssword":"hunter2"}"#, r#"{"password":"[REDACTED:json-member]"}"#),
        (r#"{"b":1, "a":2}"#, r#"{"b":1, "a":2}"#),
        (
            r#"{"token":null,"secret":1.0,"password":""}"#,
            r#"{"token":null,"secret":1.0,"password":""}"#,
        ),
        // Of two members of one name the last counts, and the first is no place to hide.
        (r#"{"password":"hunter2","password":1}"#, r#"{"password":1}"#),
        (
            r#"{"token":"0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d"}"#,
            r#"{"token":"0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d"}"#,
        ),
        ("PASSWORD=hunter2 {", "PASSWORD=[REDACTED:environment] {"),
    ] {
        let mut text = json.to_owned();
        Visitor::new(&redactor.scanner).json(&mut text);
        assert_eq!(text, clean, "{json}");
    }
}

#[test]
fn what_is_taken_out_is_counted_by_rule_and_ids_are_never_shown() {
    let redactor = redactor();
    let id = format!("ghp_{}", random(WORD, 36));
    let mut event = crate::event::Event {
        envelope: Envelope::new(None, Source::Live, 1),
        body: Body::PromptSubmitted(PromptSubmitted {
            text: Content::Inline(
                [format!("use {id} and {id} and PASSWORD=hunter2 ").as_bytes(), b"\xff"].concat(),
            ),
            native_id: Some(id.clone()),
            actor: None,
            attachments: Vec::new(),
        }),
    };
    assert_eq!(redactor.redact(&mut event), 3);
    let counts: Vec<_> =
        event.envelope.redactions.iter().map(|r| (r.rule.as_str(), r.count)).collect();
    assert_eq!(counts, [("environment", 1), ("github-token", 2)]);
    assert_eq!(event.envelope.redactor_version, rules::VERSION);
    let Body::PromptSubmitted(prompt) = event.body else { panic!() };
    assert_eq!(prompt.native_id, Some(id));
}

#[test]
fn every_text_of_an_execution_is_seen() {
    let secret = "DB_PASSWORD=hunter2".to_owned();
    let mut event = crate::event::Event {
        envelope: Envelope::new(None, Source::Live, 1),
        body: Body::ExecutionStarted(ExecutionStarted {
            execution: ExecutionId([0; 16]),
            tool: "bash_exec".into(),
            native_tool: None,
            call: None,
            actor: Some(secret.clone()),
            parent: None,
            arguments: Json(format!("{{\"command\":\"{secret}\"}}")),
            paths: vec![secret.clone()],
            symbols: vec![secret.clone()],
            cwd: Some(secret.clone()),
            branch: Some(secret),
        }),
    };
    assert_eq!(redactor().redact(&mut event), 6);
    assert!(!format!("{event:?}").contains("hunter2"));
}

#[test]
fn a_users_pattern_is_used_or_refused_with_the_reason() {
    let redactor = own("staff", r"staff no\. (?<secret>[0-9]{6})").unwrap();
    assert_eq!(redactor.redact_text("staff no. 123456!"), "staff no. [REDACTED:staff]!");
    for (name, regex, says) in [
        ("x", "(", "is not a regular expression"),
        ("x", "a*", "matches the empty text"),
        ("", "a", "its name"),
        ("a]b", "a", "its name"),
    ] {
        let error = own(name, regex).err().unwrap_or_default();
        assert!(error.contains(says), "{error}");
    }
}
