//! The same check in other words.

use super::ended::{A, CUSTOM, ESLINT, JEST_A, NOTHING, hold};
use super::*;

#[test]
fn what_would_have_shown_it_ends_it_however_it_is_spelled() {
    let missing =
        "ERROR: file or directory not found: tests/test_x.py\n\n=== no tests ran in 0.01s ===\n";
    let tsc = "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\n";
    let vet = "# example.com/x/a\na/a.go:3:2: Println call has possible formatting directive %d\n";
    hold(&[
        (("pytest", A, PYTEST), ("PYTHONPATH=. pytest", A, PYTEST_OK), true),
        (("PYTHONPATH=. pytest", A, PYTEST), ("pytest", A, PYTEST_OK), true),
        (
            ("npx jest", A, JEST),
            ("NODE_OPTIONS=--max-old-space-size=4096 npx jest", A, JEST_A),
            true,
        ),
        (("pytest", A, PYTEST), ("DATABASE_URL=sqlite:// pytest", A, PYTEST_OK), true),
        (("npm test", A, JEST), ("CI=1 npm test", A, JEST_A), true),
        (("npm test", A, JEST), ("FORCE_COLOR=0 npm test", A, JEST_A), true),
        (("cargo test", A, RUST_TEST), ("RUST_BACKTRACE=1 cargo test", A, RUST_OK), true),
        (("go test ./a", A, GO_TEST), ("GOOS=windows go test ./a", A, GO_OK), false),
        (("mvn test", A, MVN), ("mvn clean test", A, MVN_OK), true),
        (("mvn test", A, MVN), ("mvn verify", A, MVN_OK), true),
        (("mvn test", A, MVN), ("./mvnw -q clean verify", A, MVN_OK), true),
        (("mvn test", A, MVN), ("mvn -pl b test", A, MVN_OK), false),
        (("mvn test", A, MVN), ("mvn -o test", A, MVN_OK), true),
        (
            ("gradle test", A, "FAILURE: Build failed"),
            ("gradle clean test", A, "BUILD SUCCESSFUL"),
            true,
        ),
        (
            ("./gradlew test", A, "FAILURE: Build failed"),
            ("./gradlew clean check", A, "BUILD SUCCESSFUL"),
            true,
        ),
        (("make test", A, PYTEST), ("make test ARGS=-v", A, PYTEST_OK), true),
        (("make test", A, PYTEST), ("make -j4 test V=1", A, PYTEST_OK), true),
        (("make test", A, PYTEST), ("make -j 4 test", A, PYTEST_OK), true),
        (("make test", A, PYTEST), ("make lint", A, NOTHING), false),
        (("npm t", A, JEST), ("npm run test", A, JEST_A), true),
        (("npm run test", A, JEST), ("npm test", A, JEST_A), true),
        (("npm test", A, JEST), ("npm run lint", A, NOTHING), false),
        (("npx tsc --noEmit", A, tsc), ("npx tsc -p tsconfig.json", A, NOTHING), true),
        (("npx tsc --noEmit", A, tsc), ("npx tsc --noEmit --pretty false", A, NOTHING), true),
        (("npx tsc --noEmit", A, tsc), ("npx tsc -p tsconfig.build.json", A, NOTHING), false),
        (("npx tsc --noEmit", A, tsc), ("npx tsc -p packages/b", A, NOTHING), false),
        (
            ("cargo clippy", A, RUST),
            ("cargo clippy --all-targets -- -D warnings", A, NOTHING),
            true,
        ),
        (
            ("cargo clippy -- -D warnings", A, DENIED),
            ("cargo clippy -- -A clippy::all", A, NOTHING),
            false,
        ),
        (("go test ./...", A, GO_TEST), ("gotestsum ./...", A, GO_OK), true),
        (("gotestsum --format testname -- ./...", A, GO_TEST), ("go test ./...", A, GO_OK), true),
        (("go test ./...", A, GO_TEST), ("gotestsum -- -run TestTwo ./...", A, GO_OK), false),
        (("npx eslint .", A, ESLINT), ("npx eslint src/a.js", A, NOTHING), true),
        (("npx eslint src/a.js", A, ESLINT), ("npx eslint .", A, NOTHING), true),
        (("npx eslint src", A, ESLINT), ("npx eslint src/b.js", A, NOTHING), false),
        (("pytest tests/test_x.py", A, missing), ("pytest tests/test_a.py", A, PYTEST_OK), true),
        (("pytest tests/test_x.py", A, missing), ("go test ./...", A, GO_OK), false),
        (("go vet ./...", A, vet), ("go vet ./a", A, NOTHING), true),
        (("go vet ./...", A, vet), ("go vet -v ./...", A, NOTHING), true),
        (("cd a && go vet", A, vet), ("go vet ./...", A, NOTHING), true),
        (("go vet ./...", A, vet), ("go vet ./b", A, NOTHING), false),
        (("golangci-lint run", A, LINT), ("golangci-lint run ./...", A, "0 issues.\n"), true),
        (
            ("golangci-lint run ./...", A, LINT),
            ("golangci-lint run --timeout 5m", A, "0 issues.\n"),
            true,
        ),
        (
            ("golangci-lint run", A, LINT),
            ("golangci-lint run -D ineffassign", A, "0 issues.\n"),
            false,
        ),
        (("ruff check a.py", A, RUFF), ("ruff check", A, "All checks passed!\n"), true),
        (("sbt a/test", A, CUSTOM), ("sbt b/test", A, "[success] Total time: 1 s\n"), false),
        (("sbt a/test", A, CUSTOM), ("sbt test", A, "[success] Total time: 1 s\n"), true),
        (("dune runtest a", A, CUSTOM), ("dune runtest b", A, NOTHING), false),
        (("dune runtest a", A, CUSTOM), ("dune runtest", A, NOTHING), true),
        (
            ("prove -v", A, "not ok 1 - a\n1..1\n"),
            (
                "prove -v | cat",
                A,
                "t/a.t .. \nok 1 - a\n1..1\nok\nAll tests successful.\nFiles=1, Tests=1,  0 wallclock secs\nResult: PASS\n",
            ),
            true,
        ),
        (
            ("prove -v", A, "not ok 1 - a\n1..1\n"),
            (
                "prove -v t/b.t | cat",
                A,
                "t/b.t .. \nok 1 - b\n1..1\nok\nAll tests successful.\nFiles=1, Tests=1,  0 wallclock secs\nResult: PASS\n",
            ),
            false,
        ),
    ]);
}
