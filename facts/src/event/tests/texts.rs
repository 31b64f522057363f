//! Every free text is shown to a visitor, and nothing else is.

use super::samples::samples;
use crate::event::*;

/// Blots out what it is shown, and refuses what it must not be.
struct Blot {
    seen: usize,
}

impl Blot {
    fn blot(&mut self, text: &str) -> String {
        assert!(text.contains("free:"), "{text} is not a free text");
        self.seen += 1;
        text.replace("free:", "blot:")
    }
}

impl TextVisitor for Blot {
    fn text(&mut self, text: &mut String) {
        *text = self.blot(text);
    }

    fn bytes(&mut self, bytes: &mut Vec<u8>) {
        *bytes = self.blot(&String::from_utf8(bytes.clone()).unwrap()).into_bytes();
    }

    fn json(&mut self, json: &mut String) {
        *json = self.blot(json);
    }
}

#[test]
fn a_visitor_sees_every_free_text_once_and_no_id() {
    for mut event in samples() {
        let name = event.body.name();
        let mut bytes = Vec::new();
        encode(&event, &mut bytes).unwrap();
        let free = bytes.windows(5).filter(|seen| seen == b"free:").count();
        let mut blot = Blot { seen: 0 };
        event.visit_texts(&mut blot);
        assert_eq!(blot.seen, free, "{name}");
        bytes.clear();
        encode(&event, &mut bytes).unwrap();
        assert!(!bytes.windows(5).any(|seen| seen == b"free:"), "{name} keeps a text unseen");
    }
}
