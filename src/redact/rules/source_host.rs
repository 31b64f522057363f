//! Hosts of source code, and what is built around them.

use crate::redact::class::{ALNUM, DOTTED, HEX, LOWER, URL, WORD};
use crate::redact::rule::{Rule, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

pub(super) const RULES: &[Rule] = &[
    token("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], &[Run(ALNUM, 36, 255)]),
    token("github-token", &["github_pat_"], &[Run(WORD, 22, 255)]),
    random("github-token", &["ghs_"], &[Run(DOTTED, 36, 2000)]),
    token(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glimt-",
            "glagent-", "gloas-", "glffct-", "glrtr-", "glwt-",
        ],
        &[AtLeast(DOTTED, 20)],
    ),
    random("gitlab-token", &["GR1348941"], &[Run(URL, 20, 40)]),
    named("gitlab-token", &["gitlab"], &[&[Exactly(URL, 20)]]),
    random("bitbucket-token", &["ATBB"], &[Run(DOTTED, 24, 48)]),
    random("bitbucket-token", &["ATCTT3xFf"], &[AtLeast(DOTTED, 40)]),
    named(
        "bitbucket-token",
        &["bitbucket"],
        &[&[Exactly(ALNUM, 32)], &[Run(DOTTED, 43, 64)], &[Exactly(ALNUM, 20)]],
    ),
    token(
        "sourcegraph-token",
        &["sgp_"],
        &[Maybe(&[Run(ALNUM, 5, 16), Is("_")]), Exactly(HEX, 40)],
    ),
    named(
        "gitea-token",
        &["gitea", "forgejo", "codeberg", "gitee", "gogs"],
        &[&[Exactly(HEX, 40)], &[Exactly(HEX, 32)]],
    ),
    token("gitea-token", &["gta_", "gtp_"], &[AtLeast(ALNUM, 32)]),
    named(
        "azure-devops-token",
        &["azure_devops", "system_accesstoken", "vsts", "azdo"],
        &[&[Exactly(LOWER, 52)]],
    ),
    random("replit-token", &["r8pl_"], &[AtLeast(ALNUM, 24)]),
    named("launchpad-token", &["phabricator", "phab_"], &[&[Is("api-"), Exactly(LOWER, 28)]]),
    random("phabricator-token", &["api-", "cli-"], &[Exactly(LOWER, 28)]),
];
