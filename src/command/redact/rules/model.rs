//! Providers of models, and of what agents call.

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
    random("model-api-key", &["sk-"], &[AtLeast(URL, 20)]),
    random("openai-session", &["sess-"], &[Exactly(ALNUM, 40)]),
    token("huggingface-token", &["hf_"], &[AtLeast(ALNUM, 34)]),
    token("huggingface-token", &["api_org_"], &[AtLeast(ALNUM, 34)]),
    token("replicate-token", &["r8_"], &[Run(ALNUM, 37, 40)]),
    token("groq-key", &["gsk_"], &[AtLeast(ALNUM, 40)]),
    token("xai-key", &["xai-"], &[AtLeast(ALNUM, 60)]),
    token("perplexity-key", &["pplx-"], &[AtLeast(ALNUM, 40)]),
    random("fireworks-key", &["fw_"], &[Run(ALNUM, 22, 28)]),
    random("cerebras-key", &["csk-"], &[Run(LOWER, 44, 52)]),
    token("together-key", &["tgp_v1_"], &[AtLeast(URL, 40)]),
    named("together-key", &["together"], &[&[Exactly(HEX, 64)]]),
    named("cohere-key", &["cohere", "co_api"], &[&[Exactly(ALNUM, 40)]]),
    named("mistral-key", &["mistral", "codestral"], &[&[Exactly(ALNUM, 32)]]),
    token("elevenlabs-key", &["sk_"], &[Exactly(HEX, 48)]),
    named(
        "elevenlabs-key",
        &["elevenlabs", "eleven_", "xi-api", "xi_api"],
        &[&[Exactly(HEX, 32)], &[Is("sk_"), Exactly(HEX, 48)]],
    ),
    named("assemblyai-key", &["assemblyai", "assembly_ai"], &[&[Exactly(HEX, 32)]]),
    named("deepgram-key", &["deepgram"], &[&[Exactly(HEX, 40)]]),
    token(
        "langsmith-key",
        &["lsv2_pt_", "lsv2_sk_"],
        &[Exactly(HEX, 32), Is("_"), Exactly(HEX, 10)],
    ),
    token("langsmith-key", &["ls__"], &[Exactly(HEX, 32)]),
    token("langfuse-key", &["sk-lf-"], &[Exactly(UUID, 36)]),
    token("wandb-key", &["wandb_v1_"], &[AtLeast(WORD, 40)]),
    named("wandb-key", &["wandb"], &[&[Exactly(HEX, 40)], &[Exactly(HEX, 86)]]),
    random("voyage-key", &["pa-"], &[Exactly(URL, 43)]),
    token("jina-key", &["jina_"], &[AtLeast(URL, 50)]),
    token("nvidia-key", &["nvapi-"], &[AtLeast(URL, 56)]),
    token("tavily-key", &["tvly-"], &[AtLeast(URL, 24)]),
    token("firecrawl-key", &["fc-"], &[Exactly(HEX, 32)]),
    token("cursor-key", &["key_"], &[Exactly(HEX, 64)]),
    random("runpod-key", &["rpa_"], &[AtLeast(UPPER, 30)]),
    token("friendli-key", &["flp_"], &[AtLeast(ALNUM, 40)]),
    token("llamacloud-key", &["llx-"], &[AtLeast(ALNUM, 40)]),
    token("apify-token", &["apify_api_", "apify_proxy_"], &[AtLeast(ALNUM, 24)]),
    token("browserbase-key", &["bb_live_", "bb_test_"], &[AtLeast(URL, 20)]),
    token("composio-key", &["comp_"], &[AtLeast(ALNUM, 32)]),
    token("baseten-key", &["bstn_"], &[AtLeast(ALNUM, 24)]),
    named("serpapi-key", &["serpapi", "serp_api"], &[&[Exactly(HEX, 64)]]),
    named("stability-key", &["stability"], &[&[Is("sk-"), Exactly(ALNUM, 48)]]),
    named(
        "exa-key",
        &["exa_api", "brave_", "you_api"],
        &[&[Exactly(UUID, 36)], &[AtLeast(URL, 30)]],
    ),
    named(
        "model-api-key",
        &[
            "openai",
            "anthropic",
            "gemini",
            "deepseek",
            "zhipu",
            "moonshot",
            "dashscope",
            "volcengine",
            "qwen",
            "ai21",
            "cerebras",
            "novita",
        ],
        &[&[Exactly(HEX, 32), Is("."), Exactly(ALNUM, 16)], &[AtLeast(URL, 30)]],
    ),
    random("zhipu-key", &["zai-"], &[AtLeast(ALNUM, 32)]),
    named("roboflow-key", &["roboflow"], &[&[Exactly(ALNUM, 20)]]),
    named("kaggle-key", &["kaggle"], &[&[Exactly(HEX, 32)]]),
    token("kaggle-key", &["KGAT_"], &[Exactly(HEX, 32)]),
    token("mem0-key", &["m0-"], &[Exactly(ALNUM, 40)]),
];
