//! The labelled corpus in `tests/fixtures/redaction/`, and what the redactor makes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use annals::internal::redact::Redactor;
use serde_json::Value;

/// One text that is known to hold a secret, or none.
pub struct Labelled {
    pub service: String,
    pub context: String,
    pub text: String,
    /// The bytes that must not survive; `None` where there is nothing to find.
    pub secret: Option<Range<usize>>,
}

/// What became of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    Found,
    /// Bytes of the secret are left: these many.
    Missed {
        left: usize,
    },
    /// Nothing was there, nothing was taken.
    LeftAlone,
    /// Nothing was there, and this rule took something.
    Taken {
        rule: String,
    },
}

/// How often which became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub found: usize,
    pub missed: usize,
    pub alone: usize,
    pub taken: usize,
}

/// The texts of a file, the parts joined.
pub fn read(file: &str) -> Vec<Labelled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/redaction");
    let text = std::fs::read_to_string(folder.join(file)).expect("the corpus");
    text.lines().map(|line| labelled(&serde_json::from_str(line).expect("a JSON line"))).collect()
}

fn labelled(line: &Value) -> Labelled {
    let field = |name: &str| line[name].as_str().expect("a text").to_owned();
    let parts = line["text"].as_array().expect("parts").iter();
    let text: String = parts.map(|part| part.as_str().expect("a part")).collect();
    let bound = |at: usize| usize::try_from(line["secret"][at].as_u64()?).ok();
    let secret = bound(0).zip(bound(1)).map(|(start, end)| start..end);
    assert_eq!(secret.is_some(), line["kind"] == "positive", "{text}");
    Labelled { service: field("service"), context: field("context"), text, secret }
}

/// The built-in rules alone.
pub fn redactor() -> Redactor {
    Redactor::new(&[])
}

impl Labelled {
    /// What the redactor makes of it. A secret of which one byte is left is missed.
    pub fn became(&self, redactor: &Redactor) -> Became {
        let found = redactor.find(self.text.as_bytes());
        let Some(secret) = &self.secret else {
            return match found.first() {
                None => Became::LeftAlone,
                Some(first) => Became::Taken { rule: first.rule.to_owned() },
            };
        };
        let covered = |at: &usize| found.iter().any(|one| one.range.contains(at));
        match secret.clone().filter(|at| !covered(at)).count() {
            0 => Became::Found,
            left => Became::Missed { left },
        }
    }
}

impl Counts {
    pub fn add(&mut self, became: &Became) {
        match became {
            Became::Found => self.found += 1,
            Became::Missed { .. } => self.missed += 1,
            Became::LeftAlone => self.alone += 1,
            Became::Taken { .. } => self.taken += 1,
        }
    }

    /// Of the secrets, those that were found; 1 where there are none.
    pub fn recall(&self) -> f64 {
        share(self.found, self.missed)
    }

    /// Of the texts in which something was found, those that hold a secret; 1 where there are none.
    pub fn precision(&self) -> f64 {
        share(self.found, self.taken)
    }
}

fn share(of: usize, rest: usize) -> f64 {
    let count = |count: usize| f64::from(u32::try_from(count).expect("a small number"));
    if of + rest == 0 { 1.0 } else { count(of) / count(of + rest) }
}

/// The counts by context, and of all.
pub fn counted(became: &[(&Labelled, Became)]) -> (BTreeMap<String, Counts>, Counts) {
    let (mut contexts, mut all) = (BTreeMap::<String, Counts>::new(), Counts::default());
    for (labelled, became) in became {
        contexts.entry(labelled.context.clone()).or_default().add(became);
        all.add(became);
    }
    (contexts, all)
}

/// The services that a secret here is of.
pub fn services(of: &[Labelled]) -> BTreeSet<&str> {
    of.iter().filter(|one| one.secret.is_some()).map(|one| one.service.as_str()).collect()
}
