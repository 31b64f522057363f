//! Recall and precision on the labelled corpus (TARGETS: at least 0.9 and 0.8), printed with
//! `cargo test -p annals --test it redaction::measured -- --nocapture`.

use crate::redaction::corpus::{Became, Counts, counted, read, redactor, services};

/// Holds both, and prints what each context has and what was missed; of texts that are held back,
/// the figures alone (`ANNALS_HELD_OUT=show` shows what was missed of those too).
fn measured(file: &str, shows: bool, recall_min: f64, precision_min: f64) {
    let (texts, redactor) = (read(file), redactor());
    let became: Vec<_> = texts.iter().map(|text| (text, text.became(&redactor))).collect();
    let (contexts, all) = counted(&became);
    println!("{file}: {} services", services(&texts).len());
    for (context, counts) in &contexts {
        line(context, counts);
    }
    line("ALL", &all);
    for (text, became) in became.iter().filter(|_| shows) {
        let (service, context) = (&text.service, &text.context);
        match became {
            Became::Missed { left } => {
                let secret = text.secret.as_ref().map_or(0, std::iter::ExactSizeIterator::len);
                println!(
                    "missed: {service} in {context}: {left} of {secret} bytes in {:?}",
                    text.text
                );
            }
            Became::Taken { rule } => {
                println!("taken: {service} in {context} by {rule} in {:?}", text.text)
            }
            Became::Found | Became::LeftAlone => (),
        }
    }
    assert!(all.recall() >= recall_min, "{file}: recall {:.3}", all.recall());
    assert!(all.precision() >= precision_min, "{file}: precision {:.3}", all.precision());
}

fn line(context: &str, counts: &Counts) {
    let Counts { found, missed, alone, taken } = counts;
    println!(
        "{context:<18} recall {:.3} ({found}/{}), precision {:.3} ({taken} of {} taken)",
        counts.recall(),
        found + missed,
        counts.precision(),
        alone + taken
    );
}

#[test]
fn secrets_of_the_corpus_are_found_and_little_else() {
    measured("corpus.jsonl", true, 0.93, 0.95);
}

#[test]
fn secrets_held_back_are_found_and_little_else() {
    let shows = std::env::var_os("ANNALS_HELD_OUT").is_some();
    measured("held-out.jsonl", shows, 0.92, 0.95);
}

#[test]
fn secrets_are_found_in_every_form_and_little_else() {
    measured("forms.jsonl", true, 0.97, 0.98);
}

#[test]
fn secrets_in_forms_held_back_are_found_and_little_else() {
    let shows = std::env::var_os("ANNALS_HELD_OUT").is_some();
    measured("forms-held-out.jsonl", shows, 0.97, 0.95);
}

#[test]
fn the_corpus_is_as_large_as_was_asked_for() {
    let texts: Vec<_> = ["corpus.jsonl", "held-out.jsonl"].into_iter().flat_map(read).collect();
    let positives = texts.iter().filter(|text| text.secret.is_some()).count();
    assert!(positives >= 300, "{positives} positives");
    assert!(services(&texts).len() >= 80, "{} services", services(&texts).len());
    assert!(texts.len() - positives >= 600, "{} negatives", texts.len() - positives);
}

/// Hosts refuse a push that holds what looks like a secret, and are right to.
#[test]
fn no_whole_secret_stands_in_the_repository() {
    let files = ["corpus.jsonl", "held-out.jsonl", "forms.jsonl", "forms-held-out.jsonl"];
    let secrets: Vec<_> = files.into_iter().flat_map(read).collect();
    for file in files.into_iter().chain(["make.py", "services.py", "forms.py"]) {
        let path = format!("{}/tests/fixtures/redaction/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a file of the corpus");
        for secret in &secrets {
            let Some(range) = &secret.secret else { continue };
            // Passwords are short; whole ones are cut all the same.
            assert!(!text.contains(&secret.text[range.clone()]), "{file}: {}", secret.service);
        }
    }
}
