//! Clouds: where programs run.

#[allow(unused_imports)]
use super::looks;
#[allow(unused_imports)]
use crate::command::redact::class::{
    ALNUM, ANY_HEX, BASE32, BASE64, DIGIT, DOTTED, HEX, LOWER, UPPER, URL, UUID, WORD,
};
#[allow(unused_imports)]
use crate::command::redact::rule::{Rule, by, named, random, token};
#[allow(unused_imports)]
use crate::command::redact::shape::Piece::{AtLeast, Exactly, Is, Maybe, One, Run};

pub(super) const RULES: &[Rule] = &[
    token("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Exactly(UPPER, 16)]),
    named(
        "aws-secret-key",
        &["aws", "secretaccesskey", "secret_access_key", "secret_key"],
        &[&[Exactly(BASE64, 40)]],
    ),
    random(
        "aws-session-token",
        &["FwoGZXIvYXdz", "IQoJb3JpZ2lu", "FQoGZXIvYXdz"],
        &[AtLeast(BASE64, 80), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    random(
        "aws-bedrock-key",
        &["ABSK", "bedrock-api-key-"],
        &[AtLeast(BASE64, 60), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    token("google-api-key", &["AIza"], &[Exactly(URL, 35)]),
    token("google-oauth", &["ya29."], &[AtLeast(DOTTED, 20)]),
    token("google-oauth", &["GOCSPX-"], &[AtLeast(URL, 20)]),
    random("google-oauth", &["1//0"], &[Run(URL, 38, 120)]),
    by(
        "azure-client-secret",
        &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
        looks::azure_client_secret,
    ),
    by(
        "azure-key",
        &[
            "AStb", "+ASt", "ACDb", "AzSe", "AzFu", "AzCa", "AIoT", "ARmE", "+AEh", "+ABa", "AAAY",
            "APIM",
        ],
        looks::azure_key,
    ),
    named(
        "azure-key",
        &["accountkey", "sharedaccesskey", "azure", "cosmos", "servicebus", "account_key"],
        &[
            &[Run(BASE64, 40, 90), One(&["==", "="])],
            &[Exactly(ANY_HEX, 32)],
            &[Exactly(LOWER, 52)],
            &[Exactly(ALNUM, 84)],
        ],
    ),
    by("azure-sas", &["sig="], looks::signature),
    by("azure-devops-token", &["AZDO"], looks::azure_devops),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Exactly(HEX, 64)]),
    random("digitalocean-spaces-key", &["DO00"], &[Exactly(UPPER, 16)]),
    token("alibaba-access-key-id", &["LTAI"], &[Run(ALNUM, 12, 26)]),
    named(
        "alibaba-secret",
        &["alibaba", "aliyun", "alicloud", "accesskeysecret"],
        &[&[Exactly(ALNUM, 30)]],
    ),
    token("tencent-secret-id", &["AKID"], &[Run(ALNUM, 28, 36)]),
    named("tencent-secret-key", &["tencent", "secretkey", "qcloud"], &[&[Exactly(ALNUM, 32)]]),
    named("ibm-cloud-key", &["ibm", "watson"], &[&[Exactly(URL, 44)]]),
    random("yandex-cloud-key", &["AQVN"], &[Run(URL, 35, 38)]),
    random(
        "yandex-cloud-key",
        &["t1."],
        &[Run(URL, 20, 400), Maybe(&[Is("=")]), Is("."), Exactly(URL, 86)],
    ),
    token("heroku-key", &["HRKU-"], &[AtLeast(URL, 36)]),
    named("heroku-key", &["heroku"], &[&[Exactly(UUID, 36)]]),
    token("fly-token", &["fo1_"], &[Exactly(URL, 43)]),
    token(
        "fly-token",
        &["fm1a_", "fm1r_", "fm2_"],
        &[AtLeast(BASE64, 60), Maybe(&[Is("==")]), Maybe(&[Is("=")])],
    ),
    random("scaleway-key", &["SCW"], &[Exactly(UPPER, 17)]),
    named("scaleway-key", &["scw_", "scaleway"], &[&[Exactly(UUID, 36)]]),
    named("linode-token", &["linode"], &[&[Exactly(ANY_HEX, 64)]]),
    named("vultr-key", &["vultr"], &[&[Exactly(UPPER, 36)]]),
    named("hetzner-token", &["hcloud", "hetzner"], &[&[Exactly(ALNUM, 64)], &[Exactly(ALNUM, 32)]]),
    named("ovh-key", &["ovh_"], &[&[Exactly(ALNUM, 32)], &[Exactly(ALNUM, 16)]]),
    named("exoscale-key", &["exoscale"], &[&[Exactly(URL, 43)]]),
    token("exoscale-key", &["EXO"], &[Exactly(HEX, 24)]),
    token("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], &[AtLeast(ALNUM, 24)]),
    named("vercel-token", &["vercel", "zeit_token"], &[&[Exactly(ALNUM, 24)]]),
    random("vercel-blob-token", &["vercel_blob_rw_"], &[AtLeast(WORD, 30)]),
    token("netlify-token", &["nfp_", "nfo_", "nfc_", "nfu_", "nfb_"], &[Exactly(ALNUM, 36)]),
    named("netlify-token", &["netlify"], &[&[Run(URL, 40, 64)]]),
    random("render-key", &["rnd_"], &[Run(ALNUM, 24, 40)]),
    named("railway-token", &["railway"], &[&[Exactly(UUID, 36)]]),
    token("databricks-token", &["dapi"], &[Exactly(HEX, 32), Maybe(&[Is("-"), Run(DIGIT, 1, 2)])]),
    token("terraform-vault-token", &["hvs.", "hvb.", "hvr."], &[AtLeast(URL, 24)]),
    named("vault-token", &["vault"], &[&[Is("s."), Exactly(ALNUM, 24)], &[Exactly(UUID, 36)]]),
    by("terraform-cloud-token", &[".atlasv1."], looks::terraform),
    token("pulumi-token", &["pul-"], &[Exactly(HEX, 40)]),
    token("e2b-key", &["e2b_"], &[Exactly(HEX, 40)]),
    random("modal-token", &["ak-", "as-"], &[Exactly(ALNUM, 22)]),
    token("oracle-vault", &["ocid1.credential."], &[AtLeast(DOTTED, 40)]),
    named("rackspace-key", &["rackspace"], &[&[Exactly(HEX, 32)]]),
    named("backblaze-key", &["b2_", "backblaze"], &[&[Is("K0"), Exactly(BASE64, 29)]]),
    random("backblaze-key", &["K001", "K002", "K003", "K004", "K005"], &[Exactly(BASE64, 27)]),
    named("wasabi-key", &["wasabi"], &[&[Exactly(BASE64, 40)]]),
    named("upcloud-key", &["upcloud"], &[&[AtLeast(ALNUM, 32)]]),
    token("upcloud-key", &["ucat_"], &[AtLeast(ALNUM, 26)]),
];
