//! Registries of packages and images.

use crate::redact::class::{ALNUM, HEX, LOWER, URL, UUID};
use crate::redact::rule::{Rule, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, One, Run};

pub(super) const RULES: &[Rule] = &[
    token("npm-token", &["npm_"], &[Exactly(ALNUM, 36)]),
    named("npm-token", &["_authtoken", "npm_"], &[&[Exactly(UUID, 36)]]),
    token("pypi-token", &["pypi-"], &[One(&["AgE", "AgN"]), AtLeast(URL, 50)]),
    token("crates-io-token", &["cio"], &[Exactly(ALNUM, 32)]),
    token("rubygems-token", &["rubygems_"], &[Exactly(HEX, 48)]),
    token("nuget-key", &["oy2"], &[Exactly(LOWER, 43)]),
    token("docker-hub-token", &["dckr_pat_", "dckr_oat_"], &[Run(URL, 20, 48)]),
    random("artifactory-token", &["AKCp"], &[Run(ALNUM, 60, 100)]),
    random("artifactory-token", &["cmVmdGtuO"], &[Run(ALNUM, 50, 70)]),
    named(
        "artifactory-token",
        &["artifactory", "jfrog"],
        &[&[Exactly(ALNUM, 73)], &[Exactly(ALNUM, 64)]],
    ),
    token("clojars-token", &["CLOJARS_"], &[Exactly(HEX, 60)]),
    token(
        "packagist-token",
        &["packagist_ort_", "packagist_out_", "packagist_ack_", "packagist_uut_"],
        &[AtLeast(HEX, 40)],
    ),
    named("cloudsmith-key", &["cloudsmith"], &[&[Exactly(HEX, 40)]]),
    named("gemfury-token", &["gemfury", "fury_"], &[&[AtLeast(URL, 20)]]),
    random("hex-key", &["hexpm_"], &[AtLeast(ALNUM, 24)]),
    token("anaconda-token", &["co-"], &[Exactly(UUID, 36)]),
    random("sonatype-token", &["sonatype_"], &[AtLeast(ALNUM, 24)]),
    token("jsr-token", &["jsrp_", "jsrd_", "ddp_", "ddo_", "ddw_"], &[Run(ALNUM, 34, 42)]),
    token("scalr-token", &["expo_"], &[AtLeast(URL, 36)]),
    random("chainguard-token", &["720909c9f5279097d847ad02a2f24ba8f59de36a/"], &[AtLeast(HEX, 16)]),
    random("cachix-token", &["cachix_"], &[AtLeast(ALNUM, 24)]),
];
