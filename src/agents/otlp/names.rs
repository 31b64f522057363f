//! Names of attributes: those of OpenTelemetry's conventions (GenAI's among them, v0.1.0 of their own repository),
//! and our own for what no convention has.

pub const OPERATION: &str = "gen_ai.operation.name";
pub const CONVERSATION: &str = "gen_ai.conversation.id";
pub const PROVIDER: &str = "gen_ai.provider.name";
pub const AGENT: &str = "gen_ai.agent.name";
pub const AGENT_VERSION: &str = "gen_ai.agent.version";
pub const REQUEST_MODEL: &str = "gen_ai.request.model";
pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub const RESPONSE_ID: &str = "gen_ai.response.id";
pub const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub const CACHE_READ: &str = "gen_ai.usage.cache_read.input_tokens";
pub const CACHE_WRITE: &str = "gen_ai.usage.cache_creation.input_tokens";
pub const INPUT: &str = "gen_ai.input.messages";
pub const OUTPUT: &str = "gen_ai.output.messages";
pub const TOOL: &str = "gen_ai.tool.name";
pub const CALL_ID: &str = "gen_ai.tool.call.id";
pub const ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub const RESULT: &str = "gen_ai.tool.call.result";
pub const MEMORY_STORE: &str = "gen_ai.memory.store.id";
pub const MEMORY_RECORD: &str = "gen_ai.memory.record.id";
pub const MEMORY_COUNT: &str = "gen_ai.memory.record.count";
pub const MEMORY_RECORDS: &str = "gen_ai.memory.records";
pub const MEMORY_QUERY: &str = "gen_ai.memory.query.text";
pub const ERROR_TYPE: &str = "error.type";
/// What stands for an error that has no type.
pub const OTHER: &str = "_OTHER";
pub const EXIT_CODE: &str = "process.exit.code";
pub const CWD: &str = "process.working_directory";
pub const BRANCH: &str = "vcs.ref.head.name";

/// `ok`, `failed`, `refused`, `interrupted` or `open`.
pub const OUTCOME: &str = "annals.outcome";
pub const OPEN: &str = "open";
pub const REASON: &str = "annals.reason";
/// Where the agent told it: a span's own length holds what the user took to permit it.
pub const DURATION: &str = "annals.duration_ms";
/// The contract's name of a tool.
pub const CONTRACT_TOOL: &str = "annals.tool";
pub const ACTOR: &str = "annals.actor";
pub const PATHS: &str = "annals.paths";
pub const CHANGED: &str = "annals.changed";
pub const DIAGNOSTICS: &str = "annals.diagnostics";
pub const EXECUTION: &str = "annals.execution";
pub const SESSION: &str = "annals.session";
pub const SEQUENCE: &str = "annals.sequence";
pub const TITLE: &str = "annals.title";
pub const END_REASON: &str = "annals.end_reason";
pub const PROMPT_ID: &str = "annals.prompt.id";
pub const MEMORY_KIND: &str = "annals.memory.kind";
pub const GATE_VERDICT: &str = "annals.gate.verdict";
pub const GATE_RULE: &str = "annals.gate.rule";
pub const GATE_MODE: &str = "annals.gate.mode";
pub const GATE_REASON: &str = "annals.gate.reason";
pub const GATE_TARGET: &str = "annals.gate.target";
pub const GATE_CLAIM: &str = "annals.gate.claim";
