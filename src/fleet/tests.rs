//! Names of repositories.

use super::shared::remote_name;

#[test]
fn a_remote_has_one_name_however_it_is_reached() {
    for remote in [
        "https://example.org/team/shop.git",
        "https://example.org/team/shop",
        "git@Example.org:team/shop.git",
        "ssh://git@example.org:22/team/shop.git",
        "https://you@example.org/team/shop/",
    ] {
        assert_eq!(remote_name(remote), "example.org/team/shop", "{remote}");
    }
    assert_eq!(remote_name("/srv/git/shop.git"), "/srv/git/shop");
}
