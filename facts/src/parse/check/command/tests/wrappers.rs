//! What stands before, around and behind a check.

use crate::parse::check::CheckRules;
use crate::parse::check::command::{CheckCall, Reach, calls};
use crate::parse::check::coverage::Coverage;
use crate::parse::shell::Script;

/// A command line, and of each check in it: its kind, its program, what it is run by, whether its exit code is
/// the line's, and what it looks at.
#[rustfmt::skip]
const LINES: &[(&str, &str)] = &[
    ("cargo test", "test cargo test - yes rust"),
    ("cd sub && cargo test -p a", "test cargo test - yes rust in sub"),
    ("cd sub; cargo test", "test cargo test - yes rust in sub"),
    ("pushd sub && cargo test", "test cargo test - yes nothing"),
    ("RUST_LOG=debug cargo test", "test cargo test RUST_LOG=debug yes rust"),
    ("env -u X -i RUSTFLAGS=-Dwarnings cargo check", "types cargo check env -u X -i RUSTFLAGS=-Dwarnings yes rust with RUSTFLAGS=-Dwarnings"),
    ("sh -c 'cargo test'", "test cargo test - yes rust"),
    ("bash -lc 'cd sub && cargo test'", "test cargo test - yes rust in sub"),
    ("bash -c \"sh -c 'cargo test'\"", "test cargo test - yes rust"),
    ("bash -c 'cargo test; echo done'", "test cargo test - no rust"),
    ("bash -ec 'cargo test; echo done'", "test cargo test - yes rust"),
    ("bash -euo pipefail -c 'cargo test | tee log; echo done'", "test cargo test - yes rust"),
    ("bash -c 'cargo test && echo ok' | tail -3", "test cargo test - no rust"),
    ("bash -c 'set -e; cargo test; echo a'; echo done", "test cargo test - no rust"),
    ("bash -c 'set -e; cargo test; echo a' && echo done", "test cargo test - yes rust"),
    ("bash --noprofile -c 'cargo test; echo done'", "test cargo test - no rust"),
    ("timeout 60 cargo test", "test cargo test timeout 60 yes rust"),
    ("timeout -k 5 -s KILL 60 cargo test", "test cargo test timeout -k 5 -s KILL 60 yes rust"),
    ("timeout 60 bash -c 'cargo test'", "test cargo test - yes rust"),
    ("nice -n 10 cargo test", "test cargo test nice -n 10 yes rust"),
    ("ionice -c 2 -n 7 nice cargo test", "test cargo test ionice -c 2 -n 7 nice yes rust"),
    ("time cargo test", "test cargo test time yes rust"),
    ("stdbuf -oL -e L cargo test", "test cargo test stdbuf -oL -e L yes rust"),
    ("nohup cargo test &", "test cargo test nohup no rust"),
    ("( cargo test & )", "test cargo test - no rust"),
    ("(cargo test > o.log 2>&1 &)", "test cargo test - no rust"),
    ("bash -c '(cargo test > o &)'", "test cargo test - no rust"),
    ("taskset -c 0-1 cargo test", "test cargo test taskset -c 0-1 yes rust"),
    ("flock /tmp/lock cargo test", "test cargo test flock /tmp/lock yes rust"),
    ("xvfb-run -a npx playwright test", "test playwright test xvfb-run -a npx yes all"),
    ("ls *.sh | xargs shellcheck", "lint shellcheck xargs no all"),
    ("git diff --name-only | xargs -n 1 -P 4 eslint", "lint eslint xargs -n 1 -P 4 no all"),
    ("cargo test | tail -5", "test cargo test - no rust"),
    ("cargo test 2>&1 | tee out.log | tail -5", "test cargo test - no rust"),
    ("set -o pipefail; cargo test | tee out.log", "test cargo test - yes rust"),
    ("cargo test | tee out.log; exit ${PIPESTATUS[0]}", "test cargo test - yes rust"),
    ("cargo test; exit $?", "test cargo test - yes rust"),
    ("cargo test > out.log 2>&1", "test cargo test - yes rust"),
    ("cargo test || true", "test cargo test - no rust"),
    ("cargo test || exit 1", "test cargo test - yes rust"),
    ("cargo test || { echo no; exit 1; }", "test cargo test - yes rust"),
    ("cargo test || exit 0", "test cargo test - no rust"),
    ("cargo test || echo no; exit 1", "test cargo test - no rust"),
    ("cargo test; true", "test cargo test - no rust"),
    ("cargo test && true", "test cargo test - yes rust"),
    ("cargo test && false | head", "test cargo test - yes rust"),
    ("! cargo test", "test cargo test - no rust"),
    ("set -e; cargo test; echo done", "test cargo test - yes rust"),
    ("set -e; cargo test && echo ok; echo done", "test cargo test - no rust"),
    ("set -e; set +e; cargo test; echo done", "test cargo test - no rust"),
    ("(cd sub && cargo test)", "test cargo test - yes rust in sub"),
    ("(cargo test) | tail -3", "test cargo test - no rust"),
    ("(cargo test && true) | tail -3", "test cargo test - no rust"),
    ("(cargo test) && echo ok", "test cargo test - yes rust"),
    ("(cargo test) || true", "test cargo test - no rust"),
    ("{ cargo test; } 2>&1 | tail", "test cargo test - no rust"),
    ("cargo check && cargo test", "types cargo check - yes rust; test cargo test - yes rust"),
    ("cargo check; cargo test", "types cargo check - no rust; test cargo test - yes rust"),
    ("echo $(cargo test) && true", "test cargo test - no rust"),
    ("npm test", "test - npm test yes itself"),
    ("npm t -- --watch=false", "test - npm t yes itself"),
    ("npm run lint", "lint - npm run lint yes itself"),
    ("npm --prefix web run test:unit", "test - npm --prefix web run test:unit yes itself in web"),
    ("npm -w web test", "test - npm test yes itself"),
    ("pnpm --filter web test", "test - pnpm test yes itself"),
    ("pnpm -r lint", "lint - pnpm -r lint yes itself"),
    ("yarn --cwd web typecheck", "types - yarn --cwd web typecheck yes itself in web"),
    ("yarn jest src", "test jest yarn yes all"),
    ("bun run lint", "lint - bun run lint yes itself"),
    ("bun test", "test bun test - yes nothing"),
    ("npx tsc --noEmit", "types tsc npx yes typescript"),
    ("npx -p typescript -y tsc", "types tsc npx -p typescript -y yes typescript"),
    ("bunx eslint .", "lint eslint bunx yes all"),
    ("bun x vitest run", "test vitest bun x yes all"),
    ("pnpm dlx prettier --check .", "format prettier pnpm dlx yes all"),
    ("pnpm -C web exec vitest run", "test vitest pnpm -C web exec yes all in web"),
    ("npm exec -- jest", "test jest npm exec -- yes all"),
    ("node --experimental-vm-modules node_modules/jest/bin/jest.js", "test jest node --experimental-vm-modules yes all"),
    ("mvn clean verify", "test mvn verify - yes java"),
    ("mvn clean install", "build mvn install - yes java"),
    ("mvn -pl a test", "test mvn test - yes java"),
    ("./gradlew clean test", "test gradlew test - yes java"),
    ("./gradlew testDebugUnitTest", "test gradlew testDebugUnitTest - yes java"),
    ("cmake --build .", "build cmake - yes c"),
    ("ninja -C build", "build - ninja yes itself in build"),
    ("python manage.py test app", "test manage.py test python yes nothing"),
    ("yarn workspace a test", "test - yarn test yes itself"),
    ("ng test", "test ng test - yes nothing"),
    ("php artisan test", "test artisan test php yes nothing"),
    ("php vendor/bin/phpunit", "test phpunit php yes nothing"),
    ("cargo hack test", "test cargo test - yes rust"),
    ("cargo llvm-cov", "test cargo llvm-cov - yes nothing"),
    ("black --diff .", "format black - no all"),
    ("gofmt -l .", "format gofmt - no all"),
    ("gofmt -l -w .", "-"),
    ("test -z \"$(gofmt -l .)\"", "format gofmt test -z yes all"),
    ("npx vitest --watch", "-"),
    ("turbo run test", "test - turbo run test yes itself"),
    ("deno task test", "test - deno task test yes itself"),
    ("uv run pytest -q", "test pytest uv run yes python"),
    ("uv run --with pytest -p 3.12 pytest", "test pytest uv run --with pytest -p 3.12 yes python with by python3.12"),
    ("uvx ruff check", "lint ruff check uvx yes all"),
    ("poetry -C sub run mypy .", "types mypy poetry -C sub run yes all in sub"),
    ("pdm run lint", "lint - pdm run lint yes itself"),
    ("hatch run test:pytest", "test pytest hatch run yes python"),
    ("hatch run types:check", "lint - hatch run types:check yes itself"),
    ("pipenv run python -m pytest", "test pytest pipenv run python -m yes python"),
    ("python3.12 -X dev -W error -m unittest", "test unittest python3.12 -X dev -W error -m yes python with by python3.12"),
    ("python -m coverage run -m pytest", "test pytest python -m coverage run -m yes python"),
    ("python -m tox -e py312", "test tox python -m yes python"),
    ("nox -s lint", "lint nox - yes python"),
    ("conda run -n dev pytest", "test pytest conda run -n dev yes python"),
    ("make -j 8 test", "test - make -j 8 test yes itself"),
    ("make clean test", "test - make clean test yes itself"),
    ("./gradlew clean :app:test", "test gradlew test - yes java"),
    ("just -f ci.just test", "test - just -f ci.just test yes itself"),
    ("task lint", "lint - task lint yes itself"),
    ("mise run test -- -v", "test - mise run test yes itself"),
    ("mise x node@20 -- npx vitest run", "test vitest mise x node@20 -- npx yes all"),
    ("bazel test //...", "test bazel test - yes nothing"),
    ("docker run --rm -v $PWD:/w -w /w rust:1 cargo test", "test cargo test docker run --rm -v $PWD:/w -w /w rust:1 yes rust with $PWD:/w /w docker run rust:1"),
    ("docker run --platform linux/amd64 -it img pytest", "test pytest docker run --platform linux/amd64 -it img yes python with docker img linux/amd64 run"),
    ("docker exec -it web bash -c 'pytest'", "test pytest - yes python"),
    ("docker exec -d web pytest", "-"),
    ("docker run -d img pytest", "-"),
    ("docker compose -f a.yml run --rm --no-deps web pytest -q", "test pytest docker compose -f a.yml run --rm --no-deps web yes python with a.yml compose docker run web"),
    ("docker-compose exec -T web pytest", "test pytest docker-compose exec -T web yes python with docker-compose exec web"),
    ("pre-commit run -a", "lint - pre-commit run yes itself"),
    ("git commit -m x", "lint - git commit yes nothing"),
    ("git commit --no-verify -m x", "-"),
    ("nix develop -c cargo test", "test cargo test nix develop -c yes rust"),
    ("nix develop .#ci --command bash -c 'cargo test'", "test cargo test - yes rust"),
    ("nix-shell --run 'cargo test'", "test cargo test - yes rust"),
    ("direnv exec . cargo test", "test cargo test direnv exec . yes rust"),
    ("rustup run nightly cargo test", "test cargo test rustup run nightly yes rust"),
    ("sudo -u me -E cargo test", "test cargo test sudo -u me -E yes rust"),
    ("su - me -c 'cargo test'", "test cargo test - yes rust"),
    ("ssh host cargo test", "-"),
    ("ssh host 'cd x && cargo test'", "-"),
    ("ssh host <<'E'\ncargo test\nE", "-"),
    ("kubectl exec pod -- pytest", "-"),
    ("echo cargo test passed", "-"),
    ("grep -r 'cargo test' .", "-"),
    ("cat old.log | grep FAIL", "-"),
    ("git log -p", "-"),
    ("tail -f test.log", "-"),
];

fn covered(coverage: Option<&Coverage>) -> String {
    let Some(it) = coverage else { return "nothing".to_owned() };
    let own = if it.layers == u8::MAX { "itself" } else { "all" };
    let mut told = if it.language.is_empty() { own.to_owned() } else { it.language.clone() };
    if !it.folder.is_empty() {
        told.push_str(&format!(" in {}", it.folder));
    }
    if !it.config.is_empty() {
        told.push_str(&format!(" with {}", it.config.join(" ")));
    }
    told
}

#[test]
fn a_check_is_seen_through_what_is_around_it() {
    assert!(LINES.len() >= 80);
    let mut wrong = String::new();
    for (line, expected) in LINES {
        let script = Script::of(line);
        let told = |it: &CheckCall| {
            let word = |it: &Option<String>| it.clone().unwrap_or_else(|| "-".to_owned());
            let arrives = Reach::of(&script, std::slice::from_ref(it)).passes;
            let arrives = if arrives { "yes" } else { "no" };
            let kind = it.kind.as_str();
            let (program, wrapper) = (word(&it.program), word(&it.wrapper));
            format!("{kind} {program} {wrapper} {arrives} {}", covered(it.coverage.as_ref()))
        };
        let found: Vec<String> = calls(&script, &CheckRules::default()).iter().map(told).collect();
        let found = if found.is_empty() { "-".to_owned() } else { found.join("; ") };
        if found != *expected {
            wrong.push_str(&format!("{line}\n   {expected}\n   {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
