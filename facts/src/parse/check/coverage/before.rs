//! What stands before a check, or was set for it: variables, the interpreter, a container.

use super::flags::{How, how};
use super::options::is_showing;
use super::{BY, Coverage};
use crate::parse::has_word;

/// Variables that choose nothing that is checked: what is printed, where things lie, how many at a time.
const HARMLESS: &str = "\
    RUST_BACKTRACE RUST_LOG CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CARGO_TERM_COLOR TERM COLUMNS \
    PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONIOENCODING NODE_OPTIONS NODE_PATH CARGO_TARGET_DIR \
    CARGO_INCREMENTAL CARGO_BUILD_JOBS RUST_TEST_THREADS GOCACHE GOMAXPROCS GOTRACEBACK TMPDIR DEBUG VERBOSE V HOME LANG \
    LC_ALL GOPATH GOPROXY GOPRIVATE GOSUMDB JAVA_HOME";
/// The same by how their names end.
const HARMLESS_ENDS: [&str; 4] = ["_URL", "_HOST", "_PORT", "_LOG"];
/// Those that say what a test run is anyway.
const OF_TESTS: [&str; 3] = ["MIX_ENV=test", "NODE_ENV=test", "RAILS_ENV=test"];
/// Variables that hold options and what is chosen, which may leave something out.
const CHOOSING: &str = "\
    PYTEST_ADDOPTS ARGS TESTARGS TEST_ARGS TESTFLAGS TEST_FLAGS TEST TESTS PYTEST_ARGS EXTRA_ARGS GOTESTFLAGS \
    MAVEN_ARGS JEST_ARGS OPTS TEST_OPTS FILTER ONLY RUN TESTNAME PKG PACKAGE";
/// Programs that run it elsewhere, as the words behind them say.
const AWAY: &str = "docker docker-compose podman kubectl ssh";

impl Coverage {
    /// Called with variables, by an interpreter, in a container: only a check that is called so looks at the same.
    pub(super) fn stands_behind(&mut self, words: &[String]) {
        if words.iter().any(|it| has_word(AWAY, it)) {
            self.config.extend(words.iter().filter(|it| !it.starts_with('-')).cloned());
        } else {
            self.is_given(words);
        }
        let mut is_uv = false;
        let mut words = words.iter().map(|it| it.rsplit('/').next().unwrap_or_default());
        while let Some(word) = words.next() {
            is_uv |= matches!(word, "uv" | "uvx");
            let version = match word.strip_prefix("python") {
                Some(version) => version,
                None if is_uv && matches!(word, "--python" | "-p") => {
                    words.next().unwrap_or_default()
                }
                None => continue,
            };
            let version = version.trim_start_matches("python");
            let is_one = version.bytes().all(|it| it.is_ascii_digit() || it == b'.');
            if version.contains('.') && is_one {
                self.config.push(format!("{BY}python{version}"));
            }
        }
    }

    /// Of variables that are set for it, what they choose.
    pub fn is_given(&mut self, words: &[String]) {
        for word in words {
            let Some((name, value)) = word.split_once('=').filter(|it| is_name(it.0)) else {
                continue;
            };
            if has_word(HARMLESS, name)
                || HARMLESS_ENDS.iter().any(|it| name.ends_with(it))
                || OF_TESTS.contains(&word.as_str())
                || name == "PATH" && is_usual(value)
            {
                continue;
            }
            let is_harmless = |it: &str| {
                let option = it.split_once('=').map_or(it, |it| it.0);
                is_showing(it) || it.contains('=') && how(&self.program, option) == Some(How::Shown)
            };
            let chooses = has_word(CHOOSING, name);
            let has_options = chooses || name.ends_with("FLAGS");
            match chooses {
                _ if has_options && value.split_whitespace().all(is_harmless) => {}
                true => self.narrowed.push(word.clone()),
                false => self.config.push(word.clone()),
            }
        }
        self.narrowed.sort();
        self.config.sort();
    }
}

/// Whether programs are looked for first where they are anyway: in the user's own folders, or the system's.
fn is_usual(path: &str) -> bool {
    const USUAL: [&str; 10] =
        ["$", "~", "/usr/", "/bin", "/sbin", "/opt/", "/home/", "/root/", "/snap/", "/nix/"];
    let mut before = path.split(':').take_while(|it| !matches!(*it, "$PATH" | "${PATH}"));
    before.all(|folder| USUAL.iter().any(|it| folder.starts_with(it)))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}
