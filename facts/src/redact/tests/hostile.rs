//! Texts that are made to be slow.

use super::redactor;

#[test]
fn hostile_texts_cost_no_more_than_a_pass_or_two() {
    for piece in [
        "secret",
        "password=",
        "-----BEGIN PRIVATE KEY-----",
        "://a:b",
        "sk-",
        "\u{fffd}token: \"'",
        "password=\"",
        "token=",
        "sk-a",
        ":5432:",
        "eyJaaaaaaaaaaa.",
        "Authorization: ",
        "authorization=",
        "curl -u",
        "aaaa",
        "Z2hwXw",
        "%3dpassword%3d",
        "\\\\u003d",
        "cookie: a",
        "-----END PRIVATE KEY-----\n",
        "private-lines:\n",
        "password>",
        "<password>\n",
        "password=&a",
        "password=))))))))",
        "the password for is ",
        "login('a', ",
        "identified by '",
        "kind: secret\ndata:\n a: b\n",
        "\\x61",
        "a\0",
        "\0\0a",
    ] {
        let text = piece.repeat((1 << 16) / piece.len());
        // Finishing is the promise: a rule that went over the rest at each keyword would not.
        let clean = redactor().redact_text(&text);
        assert!(clean.len() <= 4 * text.len(), "{piece}");
    }
}
