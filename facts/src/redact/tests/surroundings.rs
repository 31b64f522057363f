//! Secrets that begin behind an escape, that a call assigns, or that only what is nearby tells.

use super::{HEX, WORD, random, redactor};

#[test]
fn a_colour_or_an_escaped_line_end_is_no_part_of_a_word() {
    let redactor = redactor();
    let w = |length| random(WORD, length);
    for (before, secret, rule) in [
        ("", format!("{}AZDO{}", w(76), w(4)), "azure-devops-token"),
        ("", format!("{}+ASt{}==", w(76), w(6)), "azure-key"),
        ("mysql -uroot -p", w(9), "option"),
        ("--password ", w(9), "option"),
        ("--api-key ", w(12), "option"),
    ] {
        for (start, end) in
            [("\x1b[32m", "\x1b[0m"), (r"a\n", r"\n"), (r"\u001b[1;32m", r"\u001b[0m")]
        {
            let clean = redactor.redact_text(&format!("{start}{before}{secret}{end}"));
            assert_eq!(clean, format!("{start}{before}[REDACTED:{rule}]{end}"));
        }
    }
}

#[test]
fn calls_and_shells_assign_as_well() {
    let redactor = redactor();
    let (short, long) = (random(WORD, 12), random(WORD, 24));
    for (before, secret, after, rule) in [
        ("define('DB_PASSWORD', '", &short, "');", "assignment"),
        ("set -x API_SECRET ", &short, "\n", "environment"),
        ("setenv API_SECRET ", &short, "\n", "environment"),
        (".env(\"API_TOKEN\", \"", &short, "\")", "assignment"),
        ("os.environ['STRIPE_KEY'] = '", &long, "'", "assignment"),
        ("db_pass=", &short, "\n", "assignment"),
        ("token: \x1b[32m", &long, "\x1b[0m", "assignment"),
    ] {
        let clean = redactor.redact_text(&format!("{before}{secret}{after}"));
        assert_eq!(clean, format!("{before}[REDACTED:{rule}]{after}"));
    }
    for text in ["row['sort_key'] = 'created_at_2'", "assert_eq(\"token\", \"a token\")"] {
        assert_eq!(redactor.redact_text(text), text);
    }
}

#[test]
fn what_stands_nearby_tells_a_secret() {
    let redactor = redactor();
    let (w, h) = (|length| random(WORD, length), |length| random(HEX, length));
    let uuid = format!("{}-{}-4{}-8{}-{}", h(8), h(4), h(3), h(3), h(12));
    let bar = format!("1234567890128472|{}", w(27));
    for (before, secret, after, rule) in [
        ("Authorization: GenieKey ", uuid, "\n", "authorization"),
        ("access_token=", bar, "\n", "facebook-token"),
        ("vault login ", format!("s.{}", w(24)), "\n", "vault-token"),
        ("X-Vault-Token: ", format!("s.{}", w(24)), "\n", "vault-token"),
        ("importprivkey ", format!("K{}", w(51)), "\n", "bitcoin-key"),
        ("Digest nonce=\"ab\", response=\"", h(32), "\"", "authorization"),
        ("AWS4-HMAC-SHA256 SignedHeaders=host, Signature=", h(64), "\n", "aws-signature"),
        ("https://x.example/?X-Amz-Signature=", h(64), "&x=1", "aws-signature"),
    ] {
        let clean = redactor.redact_text(&format!("{before}{secret}{after}"));
        assert_eq!(clean, format!("{before}[REDACTED:{rule}]{after}"));
    }
    let cookie = format!("d=xoxd-{}%2B{}%3D%3D; x", w(60), w(20));
    assert_eq!(redactor.redact_text(&cookie), "d=[REDACTED:slack-token]; x");
    let paypal = format!("access_token%24production%24abcd1234efgh5678%24{} x", h(32));
    assert_eq!(redactor.redact_text(&paypal), "[REDACTED:braintree-token] x");
}

#[test]
fn half_a_private_key_goes_however_it_is_written() {
    let redactor = redactor();
    let mut lines = vec![random(WORD, 64); 5];
    lines.push(format!("{}==", random(WORD, 30)));
    for sign in ["\n", r"\n", r"\\n"] {
        let text = format!("{}{sign}-----END PRIVATE KEY-----", lines.join(sign));
        assert_eq!(redactor.redact_text(&format!("k: {text}")), "k: [REDACTED:private-key]");
    }
    let head = format!("-----BEGIN%20PRIVATE%20KEY-----%0A{}", lines[..4].join("%2B%0A"));
    assert_eq!(redactor.redact_text(&format!("k={head}")), "k=[REDACTED:private-key]");
    let putty = format!("Private-Lines: 6\n{}\nPrivate-MAC: {}", lines.join("\n"), random(HEX, 64));
    assert_eq!(
        redactor.redact_text(&putty),
        "Private-Lines: 6[REDACTED:private-key]\nPrivate-MAC: [REDACTED:private-key]"
    );
}
