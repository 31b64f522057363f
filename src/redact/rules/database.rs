//! Databases, caches, and search.

use crate::redact::class::{ALNUM, BASE64, DOTTED, HEX, LOWER, URL, UUID};
use crate::redact::rule::{Rule, named, random, token};
use crate::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, Run};

pub(super) const RULES: &[Rule] = &[
    token(
        "planetscale-token",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        &[Run(DOTTED, 32, 64)],
    ),
    token("supabase-key", &["sbp_"], &[Maybe(&[Is("oauth_")]), Exactly(HEX, 40)]),
    token("supabase-key", &["sb_secret_"], &[AtLeast(URL, 20)]),
    random("neon-key", &["napi_"], &[AtLeast(LOWER, 40)]),
    random("neon-password", &["npg_"], &[Run(ALNUM, 12, 24)]),
    token("mongodb-atlas-secret", &["mdb_sa_sk_", "mdb_sa_"], &[AtLeast(URL, 32)]),
    named("mongodb-atlas-key", &["mongodb_atlas", "atlas_"], &[&[Exactly(UUID, 36)]]),
    token("airtable-token", &["pat"], &[Exactly(ALNUM, 14), Is("."), Exactly(HEX, 64)]),
    named("airtable-key", &["airtable"], &[&[Is("key"), Exactly(ALNUM, 14)]]),
    token("cockroach-key", &["CCDB1_"], &[Exactly(ALNUM, 22), Is("_"), Exactly(ALNUM, 40)]),
    random("clickhouse-key", &["4b1d"], &[Exactly(ALNUM, 38)]),
    random("fauna-key", &["fnA", "fnE", "fnF"], &[Exactly(URL, 37)]),
    token("xata-key", &["xau_"], &[AtLeast(ALNUM, 30)]),
    token("pinecone-key", &["pcsk_"], &[Run(ALNUM, 4, 7), Is("_"), AtLeast(ALNUM, 40)]),
    named("pinecone-key", &["pinecone"], &[&[Exactly(UUID, 36)]]),
    named("algolia-key", &["algolia"], &[&[Exactly(HEX, 32)]]),
    named("elastic-key", &["elastic", "es_api"], &[&[Run(DOTTED, 40, 90)]]),
    token("elastic-key", &["essu_"], &[AtLeast(BASE64, 40), Maybe(&[Is("==")]), Maybe(&[Is("=")])]),
    named("influxdb-token", &["influx"], &[&[Exactly(URL, 86), Is("==")]]),
    named(
        "upstash-token",
        &["upstash", "kv_rest_api"],
        &[&[Run(BASE64, 30, 90), Maybe(&[Is("==")]), Maybe(&[Is("=")])]],
    ),
    named("meilisearch-key", &["meili", "typesense", "weaviate", "qdrant"], &[&[AtLeast(URL, 24)]]),
    random("turso-token", &["turso_"], &[AtLeast(URL, 30)]),
    token("astra-token", &["AstraCS:"], &[Exactly(ALNUM, 24), Is(":"), Exactly(HEX, 64)]),
    token("convex-key", &["prod:", "dev:"], &[Run(URL, 8, 40), Is("|"), AtLeast(DOTTED, 40)]),
    token(
        "prisma-key",
        &["prisma+postgres://accelerate.prisma-data.net/?api_key="],
        &[AtLeast(DOTTED, 40)],
    ),
    token("tinybird-token", &["p.eyJ"], &[Run(URL, 20, 300), Is("."), AtLeast(URL, 20)]),
    named("snowflake-password", &["snowflake", "snowsql"], &[&[AtLeast(DOTTED, 12)]]),
    named(
        "confluent-secret",
        &["confluent", "kafka", "ccloud"],
        &[&[Exactly(BASE64, 64)], &[Is("cflt"), Exactly(BASE64, 60)]],
    ),
    token("confluent-secret", &["cflt"], &[Exactly(BASE64, 60)]),
    token(
        "aiven-token",
        &["aivenv1"],
        &[AtLeast(BASE64, 40), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    token("aiven-password", &["AVNS_"], &[Run(URL, 16, 32)]),
    random("hasura-secret", &["hasura_"], &[AtLeast(ALNUM, 24)]),
    random("motherduck-token", &["motherduck_token="], &[AtLeast(DOTTED, 40)]),
];
