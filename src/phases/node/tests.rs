//! What a run's output says of its number, and what a node's folder is called.

use super::ground::component;
use super::metric_of;

#[test]
fn the_metric_is_the_last_that_was_printed() {
    let cases = [
        ("metric: 0.5", Some("0.5")),
        ("x\nmetric: 1\nmetric: 2.50\n", Some("2.50")),
        ("  Metric = -1e-3  ", Some("-1e-3")),
        ("METRIC:7", Some("7")),
        (r#"{"metric": 0.25, "name": "x"}"#, Some("0.25")),
        ("metric: 1\n{\"other\": 2}", Some("1")),
        ("metric: 1\nmetric: nan\nmetric: inf", Some("1")),
        ("metric: 1 s", None),
        ("metrics: 1", None),
        ("the metric: 1", None),
        ("metric", None),
        ("metric:", None),
        (r#"{"metric": "0.5"}"#, None),
        (r#"{"metric": 0.5"#, None),
        ("mètric: 1", None),
        ("", None),
    ];
    for (printed, want) in cases {
        assert_eq!(metric_of(printed).as_deref(), want, "{printed:?}");
    }
    let long = format!("metric: {}", "1".repeat(100));
    assert_eq!(metric_of(&long), None);
}

#[test]
fn no_two_names_are_one_folder_and_none_leads_out() {
    let names =
        ["a", "a/b", "ab", "a b", "..", ".", ".a", "a..", "", "ä", "a\nb", "/etc", "-", "a-b"];
    let long = ["x".repeat(300), "x".repeat(301)];
    let names: Vec<&str> = names.into_iter().chain(long.iter().map(String::as_str)).collect();
    let mut folders: Vec<String> = names.iter().map(|name| component(name)).collect();
    for folder in &folders {
        assert!(!folder.is_empty() && folder.len() <= 100 && !folder.starts_with('.'), "{folder}");
        assert!(!folder.contains('/'), "{folder}");
    }
    folders.sort();
    folders.dedup();
    assert_eq!(folders.len(), names.len());
}
