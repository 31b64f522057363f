//! JUnit's XML, as test runners and linters of every language write it.

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

use super::Told;
use super::location::place_in;
use crate::event::{TestFailure, TestResults};
use crate::parse::check::diagnostic::{self, Diagnostic, Finding};
use crate::parse::check::runner::failures::{STACK_BYTES, named};
use crate::parse::check::runner::text::{KeptText, got_and_want, milliseconds};
use crate::parse::check::runner::{self, Found, Parsed, is_own};

/// Suites within suites; deeper ones are none of a runner's.
const SUITES_MAX: usize = 64;

/// What a report tells; what is cut off at its end is missing. `None`: it is none.
pub fn read(text: &str) -> Option<Told> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    (config.expand_empty_elements, config.allow_dangling_amp) = (true, true);
    let mut report = Report::default();
    loop {
        // What is no XML from here on was cut, or somebody else's.
        match reader.read_event() {
            Err(_) | Ok(Event::Eof) => break,
            Ok(Event::Start(tag)) => report.begin(&tag),
            Ok(Event::End(tag)) => report.end(tag.local_name().as_ref()),
            Ok(Event::Text(text)) => report.text(&text.into_inner()),
            Ok(Event::CData(text)) => report.text(&text.into_inner()),
            Ok(Event::GeneralRef(name)) => match name.resolve_char_ref() {
                Ok(Some(letter)) => report.text(letter.encode_utf8(&mut [0; 4])),
                _ => report.text(resolve_predefined_entity(&name.into_inner()).unwrap_or_default()),
            },
            Ok(_) => {}
        }
        if report.is_over || report.suites.len() > SUITES_MAX {
            break;
        }
    }
    report.finish()
}

#[derive(Debug, Default)]
struct Report {
    /// Names and files of those that are open; the root is among them.
    suites: Vec<(String, Option<String>)>,
    case: Option<Case>,
    /// The text of a failure is read.
    is_told: bool,
    parsed: Parsed,
    findings: Vec<Finding>,
    /// What the outermost elements say of themselves.
    sum: TestResults,
    /// The root has no counts of its own: those of the suites in it are added.
    sums_suites: bool,
    is_over: bool,
}

#[derive(Debug)]
struct Case {
    name: String,
    class: String,
    file: Option<String>,
    line: Option<i64>,
    is_skipped: bool,
    /// Whether it is an error outside of the test itself.
    failed: Option<bool>,
    message: String,
    kind: String,
    text: KeptText,
}

/// An element's attribute; of two of a name the first.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut all = tag.attributes();
    // Two of a name would be looked for among all of them.
    let found = all.with_checks(false).flatten().find(|it| it.key.local_name().as_ref() == name)?;
    let told = unescape(&found.value).unwrap_or_else(|_| found.value.clone());
    Some(told.into_owned()).filter(|it| !it.is_empty())
}

impl Report {
    fn begin(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            "testsuites" | "testsuite" => self.begin_suite(tag),
            "testcase" => self.begin_case(tag),
            word @ ("failure" | "error") => {
                let Some(case) = &mut self.case else { return };
                self.is_told = case.failed.is_none();
                if self.is_told {
                    case.failed = Some(word == "error");
                    case.message = attribute(tag, "message").unwrap_or_default();
                    case.kind = attribute(tag, "type").unwrap_or_default();
                }
            }
            "skipped" => self.case.iter_mut().for_each(|it| it.is_skipped = true),
            _ => {}
        }
    }

    fn begin_suite(&mut self, tag: &BytesStart<'_>) {
        let count = |name| attribute(tag, name)?.parse::<u32>().ok().map(u64::from); // no count
        let totals = || {
            let skipped = count("skipped").unwrap_or(0) + count("disabled").unwrap_or(0);
            let (errors, failed) = (count("errors").unwrap_or(0), count("failures").unwrap_or(0));
            let total = count("tests")?;
            Some(TestResults {
                total,
                failed,
                errors: Some(errors).filter(|it| *it > 0),
                skipped: Some(skipped).filter(|it| *it > 0),
                passed: total.saturating_sub(failed + errors + skipped),
                ..TestResults::default()
            })
        };
        let is_root = self.suites.is_empty();
        if is_root || self.sums_suites && self.suites.len() == 1 {
            let sum = totals();
            self.sums_suites |= is_root && sum.is_none();
            runner::add(&mut self.sum, &sum.unwrap_or_default());
        }
        if is_root {
            let took = attribute(tag, "time").and_then(|it| milliseconds(&format!("{it}s")));
            self.parsed.results.duration_ms = took;
        }
        self.suites.push((attribute(tag, "name").unwrap_or_default(), attribute(tag, "file")));
    }

    fn begin_case(&mut self, tag: &BytesStart<'_>) {
        let line = attribute(tag, "line").and_then(|it| it.parse().ok()); // no number
        let file = || self.suites.iter().rev().find_map(|it| it.1.clone());
        self.case = Some(Case {
            name: attribute(tag, "name").unwrap_or_default(),
            class: attribute(tag, "classname").unwrap_or_default(),
            file: attribute(tag, "file").or_else(file),
            line,
            is_skipped: matches!(
                attribute(tag, "status").as_deref(),
                Some("notrun" | "disabled" | "skipped")
            ),
            failed: None,
            message: String::new(),
            kind: String::new(),
            text: KeptText::new(STACK_BYTES),
        });
    }

    fn text(&mut self, text: &str) {
        if let Some(case) = self.case.as_mut().filter(|_| self.is_told) {
            case.text.push(text);
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "failure" | "error" => self.is_told = false,
            "testcase" => self.end_case(),
            "testsuites" | "testsuite" => {
                self.suites.pop();
                self.is_over = self.suites.is_empty();
            }
            _ => {}
        }
    }

    fn end_case(&mut self) {
        self.is_told = false;
        let Some(case) = self.case.take() else { return };
        let results = &mut self.parsed.results;
        results.total += 1;
        match case.failed {
            _ if case.is_skipped => *results.skipped.get_or_insert(0) += 1,
            None => results.passed += 1,
            Some(is_error) => {
                match is_error {
                    true => *results.errors.get_or_insert(0) += 1,
                    false => results.failed += 1,
                }
                let suite = self.suites.last().map(|it| it.0.as_str()).unwrap_or_default();
                match case.problem(suite) {
                    Some(found) => found.add_to(&mut self.findings),
                    None => self.parsed.failures.add(case.failure()),
                }
            }
        }
    }

    fn finish(mut self) -> Option<Told> {
        if self.case.is_some() {
            self.end_case(); // it is cut within what failed
        }
        let (counted, sum) = (&mut self.parsed.results, &self.sum);
        if !self.is_over || counted.total == 0 {
            counted.total = counted.total.max(sum.total);
            counted.failed = counted.failed.max(sum.failed);
            counted.errors = counted.errors.max(sum.errors);
            counted.skipped = counted.skipped.max(sum.skipped);
            counted.passed = sum.passed;
        }
        if counted.failed + counted.errors.unwrap_or(0) == 0 {
            // Of one outside of every case only the suite tells.
            (counted.failed, counted.errors) = (sum.failed, sum.errors);
        }
        self.parsed.is_understood = true;
        let is_seen = !self.suites.is_empty() || self.is_over;
        let is_lint = !self.findings.is_empty();
        is_seen.then_some(Told {
            findings: self.findings,
            // What a linter found is no test.
            tests: Some(self.parsed).filter(|_| !is_lint),
            is_whole: self.is_over && is_lint,
            has_failed: false,
            is_cut: !self.is_over,
        })
    }
}

impl Case {
    /// `shop.CartTest.totals`; of a class that says what the name says, or where it is, the name alone.
    fn full_name(&self) -> String {
        let Self { name, class, .. } = self;
        let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '$');
        let is_file = self.file.as_deref() == Some(class)
            || [".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs"].iter().any(|it| class.ends_with(it));
        match class.as_str() {
            "" | "test" => name.clone(),
            _ if is_file || name.contains(class) || !class.chars().all(is_word) => name.clone(),
            _ => format!("{class}.{name}"),
        }
    }

    /// A linter's finding: `line 3, col 5, Error - no (no-undef)`, in the manner of eslint and ruff.
    fn problem(&self, suite: &str) -> Option<Finding> {
        let text = self.text.text().trim_start();
        let (line, rest) = text.strip_prefix("line ")?.split_once(", col ")?;
        let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        let is_warning = rest[digits..].starts_with(", Warning");
        let code = self.name.strip_prefix("org.").and_then(|it| it.split_once('.'));
        Some(Finding {
            tool: code.map_or("junit", |it| it.0).to_owned(),
            column: rest[..digits].parse().ok(), // none
            related: Vec::new(),
            diagnostic: Diagnostic {
                level: diagnostic::level(if is_warning { "warning" } else { "error" }).to_owned(),
                message: self.message.clone(),
                file_name: Some(suite.to_owned()),
                line_start: Some(line.parse().ok()?), // some test's own words
                code: code.map(|it| it.1.to_owned()),
            },
        })
    }

    fn failure(self) -> TestFailure {
        let name = self.full_name();
        let text = self.text.finish().unwrap_or_default();
        let mut said = self.message;
        let head = || text.lines().map(str::trim).take_while(|it| !it.starts_with("at "));
        if said.is_empty() {
            said = head().skip_while(|it| it.is_empty()).collect::<Vec<_>>().join("\n");
        } else if said.starts_with("thread '") {
            // Where it was is told by the place.
            let behind: Vec<_> =
                head().skip(1).take_while(|it| !it.starts_with("note: ")).collect();
            said = if behind.is_empty() { said } else { behind.join("\n") };
        }
        let places = || text.lines().filter_map(place_in).find(|it| is_own(&it.file));
        let source = places().or_else(|| place_in(&said));
        let mut found = Found::new(&name, None);
        let first = said.lines().next().unwrap_or_default();
        let kind = Some(self.kind).filter(|it| !it.is_empty());
        found.error = kind.or_else(|| Some(named(first)?.0.to_owned()));
        found.message.line(said.trim());
        (found.expected, found.actual) = got_and_want(&said);
        if !text.trim().is_empty() {
            found.stack.line(&text);
        }
        let mut failure = found.finish();
        failure.test_line =
            self.line.or(source.as_ref().filter(|_| self.file.is_none()).map(|it| it.line));
        failure.test_file = self.file.or_else(|| source.as_ref().map(|it| it.file.clone()));
        failure.source_location = source.map(|it| it.location());
        failure
    }
}
