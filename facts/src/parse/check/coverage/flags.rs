//! What the options of checks choose.

use crate::parse::has_word;

/// What an option is to what is looked at; the first five have a word of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Only what is shown, or how it is run.
    Shown,
    /// It leaves something out.
    Chosen,
    /// Other code is built.
    Built,
    /// More is found.
    Strict,
    /// It names tests.
    Named,
    /// As those above, without a word.
    Flag,
    ChosenFlag,
    BuiltFlag,
    StrictFlag,
}

use How::{Built, BuiltFlag, Chosen, ChosenFlag, Flag, Named, Shown, Strict, StrictFlag};

/// Whose options, what they are, and the options: the first row that has one counts. Of no program: of all.
#[rustfmt::skip]
const FLAGS: &[(&str, How, &str)] = &[
    ("cargo cargo-nextest", Built, "--config"),
    ("cargo cargo-nextest", Shown, "-Z -j --jobs --profile --cargo-profile --test-threads --retries -F"),
    ("go gotestsum", Shown, "-o -p -cpu -covermode -coverpkg -coverprofile -ldflags -gcflags -asmflags -bench -count \
                             -parallel -benchtime -mod -outputdir -memprofile -cpuprofile --junitfile --jsonfile"),
    ("go", Built, "-exec -toolexec -overlay -modfile"),
    ("go", ChosenFlag, "-update"),
    ("go", Chosen, "-vet -vettool"),
    ("go", Flag, "-c"),
    ("golangci-lint", Strict, "-E --enable"),
    ("golangci-lint", Chosen, "-D --disable --enable-only --new-from-rev --new-from-patch --new-from-merge-base -c --config \
                              --default --skip-dirs --skip-files -e --exclude-dirs --exclude-files --build-tags --presets"),
    ("golangci-lint", ChosenFlag, "--fast --fast-only --disable-all -n --no-config"),
    ("golangci-lint", Shown, "--max-issues-per-linter --max-same-issues --issues-exit-code -j --concurrency --path-prefix --go --modules-download-mode"),
    ("cmake ninja", Shown, "-c -o -j -I -L -D -G -S -B --target --config -k --parallel"),
    ("javac", Shown, "-d -cp -classpath --class-path -sourcepath --source-path -s -h -encoding --release -source --source \
                      -target --target -processor -processorpath --processor-path -p --module-path --add-modules"),
    ("javac", ChosenFlag, "-nowarn -Xlint:none -proc:only"),
    ("ctest", Chosen, "-R -E -L -LE -I --tests-regex --exclude-regex --label-regex --label-exclude"),
    ("ctest", Shown, "-C --build-config -j --parallel -M -T -S -D -O"),
    ("mvn mvnw", Chosen, "-pl --projects -rf --resume-from -Dgroups -DexcludedGroups -DskipITs -Dtest.groups"),
    ("mvn mvnw", Built, "-P --activate-profiles"),
    ("mvn mvnw", Shown, "-T --threads -s --settings -l --log-file"),
    ("gradle gradlew", Chosen, "-x --exclude-task"),
    ("gradle gradlew", Shown, "-I --init-script -b --max-workers --console --warning-mode"),
    ("tox", Chosen, "-e --skip-env -m"),
    ("nox", Chosen, "-s --session --sessions -k -t -f"),
    ("unittest", Flag, "-c"),
    ("unittest", Shown, "-s -t -p"),
    ("pytest py.test", Chosen, "-c -o -p --config-file --override-ini --ignore-glob --shard-id --num-shards --splits --group"),
    ("pytest py.test", ChosenFlag, "--sw --stepwise --testmon --picked --no-header-tests"),
    ("pytest py.test", Shown, "-n -r --tb --durations --cov --cov-report --junitxml --junit-xml --log-level \
                               --log-cli-level --dist --basetemp --capture"),
    ("mocha", Named, "-f --fgrep"),
    ("mocha", Chosen, "-c --config --spec --package --ignore --exclude"),
    ("mocha", ChosenFlag, "-i --invert"),
    ("mocha", Shown, "-t --timeout -r --require -R --reporter -j --jobs -u --ui --retries"),
    ("jest", ChosenFlag, "-o -f --findRelatedTests"),
    ("jest vitest", ChosenFlag, "-u --update --updateSnapshot"),
    ("eslint", Strict, "--max-warnings"),
    ("eslint", Chosen, "--ext --rule --global --parser --parser-options --plugin --rulesdir --suppress-rule"),
    ("eslint", ChosenFlag, "--fix-dry-run --no-eslintrc --no-config-lookup --suppress-all --pass-on-no-patterns"),
    ("eslint", Shown, "-f --format -o --output-file --cache-location --flag"),
    ("prettier black isort gofmt goimports gofumpt rustfmt", Flag, "-c -l -d -e"),
    ("ruff flake8", Strict, "--extend-select"),
    ("ruff", ChosenFlag, "-e"),
    ("flake8", Chosen, "--filename"),
    ("pyright basedpyright", Chosen, "-p --pythonversion --pythonplatform --typeshedpath"),
    ("pyright basedpyright", ChosenFlag, "--skipunannotated"),
    ("ruff", Shown, "--output-format -o --output-file --cache-dir --target-version"),
    ("pylint", Chosen, "-d --disable --rcfile --ignore-paths --ignore-patterns --ignored-modules --fail-under"),
    ("pylint", ChosenFlag, "-E --errors-only"),
    ("shellcheck", Chosen, "-e -S --severity -i --include"),
    ("shellcheck", Shown, "-s --shell -f -P --source-path -o"),
    ("rubocop", Shown, "-f -o --out -r --require"),
    ("rubocop", Chosen, "--only --except --fail-level --minimum-fail-level"),
    ("rubocop", ChosenFlag, "-x -l --lint --fix-layout --safe --auto-gen-config --regenerate-todo --only-guide-cops \
                             --disable-uncorrectable --display-only-fail-level-offenses --display-only-correctable"),
    ("staticcheck", Chosen, "-checks -fail"),
    ("hadolint", Chosen, "--failure-threshold"),
    ("phpstan psalm", Chosen, "-l --error-level --set-baseline --use-baseline"),
    ("yamllint", Chosen, "-d"),
    ("actionlint", Chosen, "-ignore -config-file"),
    ("bandit", Chosen, "-s -t -b --baseline --severity-level --confidence-level"),
    ("semgrep", Chosen, "--severity --exclude-rule --baseline-commit"),
    ("biome oxlint", Chosen, "--only --diagnostic-level -A --allow"),
    ("mypy dmypy", Chosen, "-p -c --disable-error-code --follow-imports --python-version --platform \
                            --untyped-calls-exclude --always-true --always-false"),
    ("mypy dmypy", ChosenFlag, "--ignore-missing-imports --ignore-errors --allow-untyped-defs --allow-untyped-calls \
                                --allow-untyped-globals --allow-untyped-decorators --allow-incomplete-defs \
                                --allow-redefinition --allow-any-generics --allow-subclassing-any --implicit-optional \
                                --implicit-reexport --no-strict-optional --no-check-untyped-defs --no-strict-equality \
                                --no-warn-return-any --no-warn-no-return --no-warn-unreachable --no-site-packages"),
    ("tsc vue-tsc", ChosenFlag, "--noCheck --skipLibCheck --skipDefaultLibCheck --noResolve --noLib"),
    ("tsc vue-tsc", Chosen, "--types --typeRoots"),
    ("ruff", ChosenFlag, "--add-noqa --diff"),
    ("cargo cargo-nextest", Shown, "--target-dir"),
    ("tsc vue-tsc", Shown, "--pretty --target --lib --module --outDir --jsx -t -m"),
    ("prove", Shown, "-j --jobs -I -e --exec --formatter --timer"),
    ("mix", Chosen, "--only --partitions"),
    ("mix", ChosenFlag, "--stale --failed"),
    ("mix", Shown, "--seed --max-failures --max-cases --include --formatter --slowest"),
    ("dune", Shown, "-j --display --profile"),
    // Of whatever program.
    ("", Named, "-k -t -run --testNamePattern -g --grep --test-name-pattern -Dtest -Dit.test --tests"),
    ("", Built, "--features --target -tags --cfg -P --env --environment"),
    ("", BuiltFlag, "--all-features --no-default-features -race"),
    ("", StrictFlag, "--strict -Werror --warnings-as-errors --error-on-warnings --fail-on-warnings"),
    ("", Chosen, "-c -m --config --config-file --deselect --ignore --package --bin --example --bench --skip \
                  --exclude -skip --filter-expr -E --test --select --ignore-files --ignore-pattern --ignore-path \
                  --extend-ignore --extend-exclude --per-file-ignores --shard --project --selectProjects \
                  --ignoreProjects --testPathPattern --testPathPatterns --testPathIgnorePatterns --changedSince \
                  --grep-invert --since --filter --level --dir --disable --max-line-length"),
    ("", ChosenFlag, "--lf --last-failed --nf --lib --bins --doc --examples --exact --ignored --onlyFailures \
                      --onlyChanged --changed -short --new --exit-zero --no-config --isolated"),
    ("", Shown, "-n -r -j -F -C -D --tb --maxfail --timeout --color --durations --jobs --workers --maxWorkers \
                 --retries --repeat-each --test-threads --rootdir -timeout --reporters --reporter --cov --format \
                 --formatter --output-format --output-file --output --message-format --junitxml -Z -o --profile"),
];

/// What an option is to a program; `None`: nobody knows.
pub fn how(program: &str, option: &str) -> Option<How> {
    let is_its = |row: &&(&str, How, &str)| {
        (row.0.is_empty() || has_word(row.0, program)) && has_word(row.2, option)
    };
    FLAGS.iter().find(is_its).map(|it| it.1)
}
