//! Secrets that do not stand there as they are: escaped, in base 64, values of the environment.

use super::{HEX, WORD, random, redactor};
use crate::redact::{Redactor, end_of_head, start_of_tail};

fn base64(text: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = text.chunks(3).map(|group| {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        let digits =
            [18, 12, 6, 0].map(|shift| char::from(alphabet[(bits >> shift & 63) as usize]));
        let kept: String = digits.iter().take(group.len() + 1).collect();
        format!("{kept:=<4}")
    });
    groups.collect()
}

#[test]
fn escapes_hide_nothing() {
    let redactor = redactor();
    let body = random(WORD, 24);
    for (text, clean) in [
        (format!(r"a gl\u0070at\u002d{body}\u0022 b"), r"a [REDACTED:gitlab-token]\u0022 b"),
        (format!(r"a gl\\u0070at\\u002d{body}\\u0022 b"), r"a [REDACTED:gitlab-token]\\u0022 b"),
        (
            format!("/cb?next=%3Ftoken%3Dglpat%2D{body}%26x"),
            "/cb?next=%3Ftoken%3D[REDACTED:gitlab-token]%26x",
        ),
        (format!("\x1b[1;32mglpat-{body}\x1b[0m"), "\x1b[1;32m[REDACTED:gitlab-token]\x1b[0m"),
        (
            format!("https:\\/\\/hooks.slack.com\\/services\\/T0{body}"),
            "https:\\/\\/[REDACTED:slack-webhook]",
        ),
    ] {
        assert_eq!(redactor.redact_text(&text), clean);
        assert_eq!(redactor.redact_text(clean), clean, "twice is once");
    }
}

#[test]
fn base64_of_a_text_with_a_secret_goes_and_other_base64_stays() {
    let redactor = redactor();
    let token = format!("ghp_{}", random(WORD, 36));
    let once = base64(format!("the token is {token} here").as_bytes());
    let wrapped: Vec<String> =
        base64(format!("{} {token} {}", "a b".repeat(30), "c d".repeat(30)).as_bytes())
            .as_bytes()
            .chunks(76)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
    for hidden in [
        once.clone(),
        base64(format!("again: {once}").as_bytes()),
        wrapped.join("\n"),
        once.replace('=', ""),
    ] {
        let text = format!("echo {hidden} | base64 -d");
        assert_eq!(
            redactor.redact_text(&text),
            "echo [REDACTED:github-token] | base64 -d",
            "{hidden}"
        );
    }
    let image: Vec<u8> =
        (0..4_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for text in [
        format!("data:image/png;base64,{}", base64(&image)),
        base64(b"nothing here but words, and more of them"),
        format!("\"integrity\": \"sha512-{}\"", base64(&image[..64])),
        format!("sha256:{}", random(HEX, 64)),
        "/usr/lib/x86_64-linux-gnu/some/long/path/of/a/library/that/is-there_1.2".to_owned(),
    ] {
        assert_eq!(redactor.redact_text(&text), text);
    }
}

#[test]
fn values_of_secret_variables_are_found_wherever_they_are() {
    let value = "Zq9-se/val+ue77\"x";
    let redactor = Redactor::with_variables(&[
        ("MY_SERVICE_TOKEN", value),
        ("DATABASE_URL", "postgres://me:kW8sd-jj2l@db/x"),
        ("PWD", "/home/me/projects/annals7"),
        ("SSH_AUTH_SOCK", "/tmp/ssh-XX12/agent.99"),
        ("SECRET_WORD", "production"),
        ("TOKEN_LIMIT", "12345678"),
        ("API_KEY", "changeme123"),
    ]);
    let marker = "[REDACTED:env-value]";
    for (text, clean) in [
        (format!("<{value}>"), format!("<{marker}>")),
        (r#"Zq9-se/val+ue77\"x"#.to_owned(), marker.to_owned()),
        ("k=Zq9-se%2Fval%2Bue77%22x&".to_owned(), format!("k={marker}&")),
        ("it was kW8sd-jj2l !".to_owned(), format!("it was {marker} !")),
        (base64(format!("me:{value}").as_bytes()), marker.to_owned()),
    ] {
        let found = redactor.redact_text(&text);
        assert!(found == clean || found.trim_end_matches('=') == clean, "{text} became {found}");
    }
    for text in
        ["/home/me/projects/annals7", "/tmp/ssh-XX12/agent.99", "production 12345678 changeme123"]
    {
        assert_eq!(redactor.redact_text(text), text);
    }
}

#[test]
fn no_half_of_a_token_is_left_where_a_text_is_cut() {
    let token = format!("ghp_{}", random(WORD, 36));
    let text = format!("one two {token} three");
    for max in 0..text.len() {
        let head = &text[..end_of_head(text.as_bytes(), max)];
        let tail = &text[start_of_tail(text.as_bytes(), max)..];
        assert!(head.len() <= max && tail.len() <= text.len() - max);
        for part in [head, tail] {
            assert!(!part.contains(&token[..8]) || part.contains(&token), "{max}: {part}");
            assert!(!part.contains(&token[30..]) || part.contains(&token), "{max}: {part}");
        }
    }
    let text = "one\npassword: correct horse\ntwo\n".to_owned();
    for from in 5..text.len() - 4 {
        let tail = &text[start_of_tail(text.as_bytes(), from)..];
        assert_eq!(tail, "two\n", "{from}: a value without its name");
    }
    let run = "x".repeat(40_000);
    assert_eq!(end_of_head(run.as_bytes(), 30_000), 30_000, "no token is so long");
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 256, ..Default::default() })]

    #[test]
    fn redacting_twice_changes_nothing(parts in proptest::collection::vec(0..WORDS.len(), 0..12)) {
        let redactor = Redactor::with_variables(&[("A_TOKEN", "k3y-of-mine-9")]);
        let text: String = parts.iter().map(|at| WORDS[*at]).collect();
        let clean = redactor.redact_text(&text);
        proptest::prop_assert_eq!(redactor.redact_text(&clean), clean);
    }
}

/// What secrets, their surroundings and markers are made of.
const WORDS: &[&str] = &[
    "[REDACTED:assignment]",
    "[REDACTED:",
    "]",
    "password=",
    "PASSWORD=",
    "--token ",
    "\"",
    "\\\"",
    "'",
    " ",
    "\n",
    "\\n",
    "hunter2hunter2",
    "://",
    "me:",
    "@host",
    "Authorization: Bearer ",
    "gh",
    "p_",
    "q8Zk2mXw7Lp4Vb9Nt3Rc6Hd1Gf5Js0PaYuTe",
    "AKIA",
    "QWE7RTY2UIO3PAS4",
    "k3y-of-mine-9",
    "=",
    ":",
    "eyJhbGciOi",
    ".eyJzdWIiOi",
    ".c2lnbmF0dXJl",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "%3D",
    "\\u003d",
    "Cookie: a=",
    "curl -u a:",
    ";",
    ",",
    "é",
    "kind: Secret\n",
    "data:\n  a: ",
    "login('u', '",
    "identified by '",
    "<password>\n",
    " is ",
    "Velvet$meadow4711",
];
