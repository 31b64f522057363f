//! Payments, banks, and exchanges.

use crate::redact::class::{ALNUM, ANY_HEX, BASE64, DOTTED, HEX, LOWER, UPPER, URL, UUID, WORD};
use crate::redact::rule::{Rule, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

pub(super) const RULES: &[Rule] = &[
    token(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"],
        &[Run(ALNUM, 16, 255)],
    ),
    token(
        "stripe-webhook-secret",
        &["whsec_"],
        &[AtLeast(BASE64, 24), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    token("square-token", &["sq0atp-"], &[Exactly(URL, 22)]),
    token("square-token", &["sq0csp-"], &[Exactly(URL, 43)]),
    token("square-token", &["EAAA"], &[Exactly(URL, 60)]),
    token(
        "braintree-token",
        &["access_token$production$", "access_token$sandbox$"],
        &[Exactly(LOWER, 16), Is("$"), Exactly(HEX, 32)],
    ),
    named("paypal-secret", &["paypal"], &[&[Exactly(URL, 80)]]),
    token("razorpay-key", &["rzp_live_", "rzp_test_"], &[Run(ALNUM, 14, 24)]),
    named("razorpay-secret", &["razorpay"], &[&[Exactly(ALNUM, 24)]]),
    token(
        "flutterwave-key",
        &["FLWSECK-", "FLWSECK_TEST-"],
        &[Exactly(ALNUM, 32), Maybe(&[Is("-X")])],
    ),
    token("flutterwave-key", &["FLWSECK_TEST-"], &[AtLeast(URL, 12)]),
    random(
        "adyen-key",
        &["AQE"],
        &[Run(ALNUM, 20, 80), Maybe(&[Is("+"), Run(BASE64, 1, 80)]), AtLeast(DOTTED, 20)],
    ),
    token(
        "plaid-token",
        &["access-production-", "access-sandbox-", "access-development-"],
        &[Exactly(UUID, 36)],
    ),
    named("plaid-secret", &["plaid"], &[&[Exactly(HEX, 30)]]),
    random("mollie-key", &["live_", "test_"], &[Exactly(ALNUM, 30)]),
    random("gocardless-token", &["live_", "sandbox_"], &[Run(URL, 40, 44)]),
    token("paddle-key", &["pdl_live_apikey_", "pdl_sdbx_apikey_"], &[AtLeast(WORD, 40)]),
    token("paddle-key", &["pdl_ntfset_"], &[AtLeast(WORD, 40)]),
    token("duffel-token", &["duffel_live_", "duffel_test_"], &[Exactly(URL, 43)]),
    token("easypost-key", &["EZAK", "EZTK"], &[Exactly(ALNUM, 54)]),
    token("shippo-token", &["shippo_live_", "shippo_test_"], &[Exactly(HEX, 40)]),
    token("ramp-secret", &["ramp_sec_", "ramp_tok_"], &[AtLeast(ALNUM, 40)]),
    token("xendit-key", &["xnd_production_", "xnd_development_"], &[AtLeast(ALNUM, 30)]),
    token("paymongo-key", &["paymongo_"], &[AtLeast(ALNUM, 24)]),
    token("monzo-token", &["mnzconf.", "mnzpub."], &[AtLeast(DOTTED, 40)]),
    token("lemonsqueezy-key", &["lmsq_"], &[AtLeast(ALNUM, 30)]),
    token(
        "polar-token",
        &["polar_oat_", "polar_pat_", "polar_at_u_", "polar_at_o_"],
        &[AtLeast(WORD, 32)],
    ),
    random("checkout-key", &["sk_sbox_"], &[AtLeast(LOWER, 20)]),
    named(
        "coinbase-secret",
        &["coinbase"],
        &[&[Exactly(ALNUM, 32)], &[Exactly(URL, 64)], &[Exactly(BASE64, 86), Is("==")]],
    ),
    named("binance-key", &["binance"], &[&[Exactly(ALNUM, 64)]]),
    named(
        "kraken-key",
        &["kraken"],
        &[&[Run(BASE64, 56, 88), Maybe(&[Is("==")]), Maybe(&[Is("=")])]],
    ),
    named(
        "kucoin-secret",
        &["kucoin", "bittrex", "bybit"],
        &[&[Exactly(HEX, 24)], &[Exactly(HEX, 32)], &[Exactly(UUID, 36)], &[Exactly(ALNUM, 36)]],
    ),
    named("alchemy-key", &["alchemy"], &[&[Exactly(URL, 32)]]),
    token("alchemy-key", &["alcht_"], &[Exactly(ALNUM, 30)]),
    named("infura-key", &["infura"], &[&[Exactly(HEX, 32)]]),
    named("etherscan-key", &["etherscan", "bscscan", "polygonscan"], &[&[Exactly(UPPER, 34)]]),
    named("wise-token", &["wise_", "transferwise"], &[&[Exactly(UUID, 36)]]),
    named(
        "ethereum-private-key",
        &["private_key", "privatekey", "private-key"],
        &[&[Is("0x"), Exactly(ANY_HEX, 64)], &[Exactly(ANY_HEX, 64)]],
    ),
];
