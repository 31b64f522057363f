//! What is left of a URL.

use proptest::prelude::*;

use crate::repo::identify::without_credentials;

#[test]
fn what_is_left_of_a_url() {
    for (url, left) in [
        ("https://example.com/o/r", "https://example.com/o/r"),
        ("https://u:p@example.com:8443/o/r", "https://example.com:8443/o/r"),
        ("https://u:p@[::1]:8443/o/r", "https://[::1]:8443/o/r"),
        ("https://example.com/@scope/r@2", "https://example.com/@scope/r@2"),
        ("https://u:p?q@example.com/o/r", "https://example.com/o/r"),
        ("https://u:p#q@example.com/o/r?x", "https://example.com/o/r"),
        ("https://u:http://p@example.com/r", "https://example.com/r"),
        ("https://proxy/https://u:p@example.com/r", "https://proxy/https://example.com/r"),
        ("git::https://u:p@example.com/r", "git::https://example.com/r"),
        ("ssh://git@example.com:22/o/r", "ssh://example.com:22/o/r"),
        ("ssh://git@example.com/~u/r", "ssh://example.com/~u/r"),
        ("git@example.com:o/r.git", "example.com:o/r.git"),
        ("example.com:o/r.git", "example.com:o/r.git"),
        ("git@example.com:dir@2/r", "example.com:dir@2/r"),
        ("u:p@example.com:o/r", "example.com:o/r"),
        ("u:p@example.com/o/r", "example.com/o/r"),
        ("git@[::1]:o/r", "[::1]:o/r"),
        ("ext::curl -u u:p https://x/%S", "ext::"),
        ("EXT::sh -c p", "ext::"),
        ("file:///srv/r#1?2", "file:///srv/r#1?2"),
        ("/srv/r?a#b@c", "/srv/r?a#b@c"),
        ("../r", "../r"),
        ("./a@b:c", "./a@b:c"),
        ("  https://u@h/r \n", "https://h/r"),
        ("", ""),
        ("://", "://"),
        ("@:@", ":@"),
        ("https://u:p@?x@example.com/r", "https://example.com/r"),
    ] {
        assert_eq!(without_credentials(url), left, "{url}");
    }
}

proptest! {
    #[test]
    fn a_password_is_cut_whatever_it_holds(
        user in "[a-z]{0,4}", scheme in "https?|ssh",
        // With both an `@` and the end of a host in it nobody could tell, nor does git.
        password in "[a-zA-Z0-9@:=+.~%-]{0,12}|[a-zA-Z0-9/?#:=+.~%-]{0,12}",
    ) {
        let url = format!("{scheme}://{user}:SEC{password}RET@example.com/o/r");
        let left = without_credentials(&url);
        prop_assert_eq!(left, format!("{scheme}://example.com/o/r"));
    }

    #[test]
    fn nothing_stops_it(url in "\\PC{0,64}", marks in "[@:/?#\\[\\]a]{0,64}") {
        for url in [url, format!("a://{marks}"), marks] {
            let left = without_credentials(&url);
            prop_assert!(left.len() <= url.len().max(5));
        }
    }
}
