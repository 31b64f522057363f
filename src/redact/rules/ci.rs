//! Continuous integration, analysis of code, tests in browsers.

use crate::redact::class::{ALNUM, DOTTED, HEX, UPPER, URL, UUID, WORD};
use crate::redact::rule::{Rule, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Run};

pub(super) const RULES: &[Rule] = &[
    token(
        "circleci-token",
        &["CCIPAT_", "CCIPRJ_"],
        &[Run(ALNUM, 16, 32), Is("_"), Exactly(HEX, 40)],
    ),
    named("circleci-token", &["circle"], &[&[Exactly(HEX, 40)]]),
    token("buildkite-token", &["bkua_"], &[Exactly(HEX, 40)]),
    token("buildkite-token", &["bkct_", "bkpt_", "bkaj_"], &[AtLeast(WORD, 30)]),
    named(
        "buildkite-token",
        &["buildkite"],
        &[&[Exactly(HEX, 40)], &[Exactly(HEX, 50)], &[Exactly(ALNUM, 50)]],
    ),
    named("travis-token", &["travis"], &[&[Exactly(URL, 22)], &[Exactly(URL, 20)]]),
    named("codecov-token", &["codecov"], &[&[Exactly(UUID, 36)], &[Exactly(ALNUM, 32)]]),
    token("snyk-token", &["snyk_uat.", "snyk_sat."], &[AtLeast(DOTTED, 30)]),
    named("snyk-token", &["snyk"], &[&[Exactly(UUID, 36)]]),
    token("sonar-token", &["sqp_", "squ_", "sqa_"], &[Exactly(HEX, 40)]),
    named("sonar-token", &["sonar"], &[&[Exactly(HEX, 40)]]),
    named(
        "code-climate-token",
        &["codeclimate", "code_climate", "cc_test_reporter", "qlty"],
        &[&[Exactly(HEX, 64)]],
    ),
    named(
        "codacy-token",
        &["codacy", "coveralls"],
        &[&[Exactly(HEX, 32)], &[Exactly(ALNUM, 33)], &[Exactly(ALNUM, 20)]],
    ),
    named("drone-token", &["drone"], &[&[Exactly(ALNUM, 32)]]),
    random(
        "jenkins-token",
        &[
            "110", "111", "112", "113", "114", "115", "116", "117", "118", "119", "11a", "11b",
            "11c", "11d", "11e", "11f",
        ],
        &[Exactly(HEX, 31)],
    ),
    named("jenkins-token", &["jenkins"], &[&[Exactly(HEX, 34)], &[Exactly(HEX, 32)]]),
    random("octopus-key", &["API-"], &[Run(UPPER, 25, 34)]),
    token(
        "harness-token",
        &["pat.", "sat."],
        &[Exactly(URL, 22), Is("."), Exactly(HEX, 24), Is("."), Exactly(ALNUM, 20)],
    ),
    named(
        "appveyor-token",
        &["appveyor"],
        &[&[Exactly(ALNUM, 20)], &[Is("v2."), Exactly(ALNUM, 20)]],
    ),
    random(
        "teamcity-token",
        &["eyJ0eXAiOiAiVENWMiJ9."],
        &[Run(URL, 20, 120), Is("."), AtLeast(URL, 30)],
    ),
    token("semgrep-token", &["sgs_"], &[AtLeast(ALNUM, 30)]),
    named("semgrep-token", &["semgrep"], &[&[Exactly(HEX, 64)]]),
    token("socket-token", &["sktsec_"], &[AtLeast(DOTTED, 30)]),
    token("chromatic-token", &["chpt_"], &[Exactly(HEX, 15)]),
    named("chromatic-token", &["chromatic", "percy"], &[&[Exactly(HEX, 64)], &[Exactly(HEX, 12)]]),
    named("browserstack-key", &["browserstack"], &[&[Exactly(ALNUM, 20)]]),
    named("saucelabs-key", &["sauce"], &[&[Exactly(UUID, 36)]]),
    named("lambdatest-key", &["lambdatest", "lt_access"], &[&[Exactly(ALNUM, 50)]]),
    named(
        "bitrise-token",
        &["bitrise", "codemagic", "semaphore"],
        &[&[Exactly(URL, 86)], &[Exactly(URL, 43)], &[Exactly(ALNUM, 20)]],
    ),
    token("depot-token", &["depot_org_", "depot_project_", "depot_user_"], &[AtLeast(ALNUM, 40)]),
    token("nx-token", &["nxc_"], &[AtLeast(ALNUM, 30)]),
    random("gitpod-token", &["gitpod_pat_"], &[AtLeast(DOTTED, 30)]),
    token("argocd-token", &["argocd_"], &[AtLeast(DOTTED, 24)]),
    token("spacelift-key", &["spcl_"], &[AtLeast(ALNUM, 24)]),
    token("trigger-key", &["tr_dev_", "tr_prod_", "tr_stg_", "tr_pat_"], &[AtLeast(ALNUM, 20)]),
    token(
        "inngest-key",
        &["signkey-prod-", "signkey-test-", "signkey-branch-"],
        &[AtLeast(HEX, 32)],
    ),
    token("qstash-key", &["sig_"], &[AtLeast(ALNUM, 26)]),
];
