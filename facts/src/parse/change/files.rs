//! What a file is to a failure, by its name: code, a test, what runs the tests, or prose.

use crate::parse::check::is_test_file;
use crate::parse::has_word;

/// Files that say which tests run, and how.
const SETTINGS: &str = "Makefile makefile GNUmakefile justfile Justfile Taskfile.yml Taskfile.yaml mise.toml .mise.toml \
    package.json pyproject.toml setup.cfg tox.ini pytest.ini .pytest.ini conftest.py noxfile.py nextest.toml Rakefile \
    .mocharc.json .mocharc.js .mocharc.yml .gitlab-ci.yml";
/// Beginnings of names of such files.
const SETTINGS_OF: [&str; 5] =
    ["jest.config.", "vitest.config.", "karma.conf.", "playwright.config.", "cypress.config."];

pub fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What stands behind the last point of a file's name, in small letters.
pub fn ending_of(path: &str) -> String {
    name_of(path).rsplit_once('.').map(|it| it.1.to_lowercase()).unwrap_or_default()
}

/// Whether a change of a file, told from the root, may end a failure: neither what is only written about the code
/// does, nor what lies outside the repository.
pub fn is_code(path: &str) -> bool {
    !is_prose(path) && !path.starts_with(['/', '~']) && !path.starts_with("../")
}

/// Whether a file is only written about the code: no check looks at it.
pub fn is_prose(path: &str) -> bool {
    has_word("md markdown rst txt adoc", &ending_of(path))
}

/// Whether it is a test, or what one compares with.
pub fn is_of_tests(path: &str) -> bool {
    is_test_file(path) || is_kept(path) || path.split('/').any(|it| it == "spec")
}

/// Whether tests compare with it.
pub fn is_kept(path: &str) -> bool {
    let is_folder = |it: &str| matches!(it, "testdata" | "__snapshots__" | "snapshots");
    path.split('/').any(is_folder) || has_word("snap golden", &ending_of(path))
}

/// Whether tests call it, and it is none itself.
pub fn is_helper(path: &str) -> bool {
    !is_kept(path)
        && (name_of(path) == "conftest.py" || is_of_tests(path) && !is_test_file(name_of(path)))
}

/// Whether it says which tests run, and how.
pub fn is_of_runner(path: &str) -> bool {
    let name = name_of(path);
    has_word(SETTINGS, name)
        || SETTINGS_OF.iter().any(|it| name.starts_with(it))
        || name.ends_with(".mk")
        || path.starts_with(".github/")
}
