//! What tests remember of projects is kept apart from the developer's own.

use std::path::Path;

use annals::internal::config::environment::{cache_folder, state_folder};

#[test]
fn the_developer_s_state_and_cache_are_left_alone() {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    for folder in [state_folder(), cache_folder()] {
        let folder = folder.expect("a folder");
        assert!(folder.starts_with(&target), "{}", folder.display());
    }
}
