//! `jest --json`: one line that tells everything.

use serde::Deserialize;

/// As much of the report as is looked at; `message` is what jest prints for people.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JestJson {
    pub num_failed_tests: u64,
    pub num_passed_tests: u64,
    #[serde(default)]
    pub num_pending_tests: u64,
    #[serde(default)]
    pub num_todo_tests: u64,
    #[serde(default)]
    pub num_runtime_error_test_suites: u64,
    pub num_total_tests: u64,
    #[serde(default)]
    pub test_results: Vec<JestFile>,
}

/// A file of tests.
#[derive(Debug, Deserialize)]
pub struct JestFile {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub message: String,
}
