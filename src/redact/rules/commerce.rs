//! Shops, and what ships from them.

use super::looks;
use crate::redact::class::{ALNUM, ANY_HEX, DIGIT, HEX, LOWER, URL, UUID};
use crate::redact::rule::{Rule, by, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Run};

pub(super) const RULES: &[Rule] = &[
    token(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shpsa_"],
        &[Exactly(ANY_HEX, 32)],
    ),
    token("shopify-token", &["shptka_", "shprt_", "shpit_"], &[AtLeast(ALNUM, 32)]),
    token("woocommerce-key", &["ck_", "cs_"], &[Exactly(HEX, 40)]),
    named(
        "bigcommerce-token",
        &["bigcommerce", "magento", "x-auth-token"],
        &[&[Exactly(ALNUM, 31)], &[Exactly(ALNUM, 32)]],
    ),
    token("amazon-mws-token", &["amzn.mws."], &[Exactly(UUID, 36)]),
    random("amazon-oauth", &["amzn1.oa2-cs.v1."], &[Exactly(HEX, 64)]),
    random("amazon-oauth", &["Atzr|", "Atza|"], &[AtLeast(URL, 60)]),
    token("lob-key", &["live_pub_", "test_pub_"], &[AtLeast(HEX, 31)]),
    random("lob-key", &["live_", "test_"], &[Exactly(HEX, 35)]),
    named(
        "etsy-key",
        &["etsy", "ebay", "walmart"],
        &[&[Exactly(LOWER, 24)], &[Exactly(UUID, 36)], &[Run(URL, 32, 60)]],
    ),
    token(
        "ebay-key",
        &["PRD-", "SBX-"],
        &[
            Run(HEX, 12, 13),
            Is("-"),
            Exactly(HEX, 4),
            Is("-"),
            Exactly(HEX, 4),
            Is("-"),
            Exactly(HEX, 4),
            Is("-"),
            Exactly(HEX, 4),
        ],
    ),
    named(
        "salesforce-secret",
        &["salesforce", "sfdc", "sf_client"],
        &[&[Exactly(ALNUM, 64)], &[Exactly(DIGIT, 19)], &[Exactly(ALNUM, 24)]],
    ),
    by("salesforce-session", &["00D"], looks::salesforce),
    token("recharge-token", &["sk_1x1_", "sk_2x2_", "sk_3x3_"], &[Exactly(HEX, 64)]),
    token("medusa-key", &["sk_medusa_"], &[AtLeast(HEX, 40)]),
    named(
        "shipstation-key",
        &["shipstation", "shipengine", "aftership", "printful"],
        &[&[Exactly(HEX, 32)], &[AtLeast(URL, 40)]],
    ),
    token("printful-token", &["asat_"], &[Exactly(HEX, 32)]),
    token("gumroad-token", &["gumroad_"], &[AtLeast(URL, 40)]),
    token("commercetools-secret", &["ctp_secret_"], &[AtLeast(URL, 24)]),
    named("commercetools-secret", &["ctp_client", "commercetools"], &[&[Exactly(URL, 32)]]),
];
