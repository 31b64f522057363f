//! HTML that only this program's own words can shape: tags and names are fixed, every value is escaped.

use std::fmt::Display;

use serde::Serialize;

use crate::output::escape;

/// Attributes, by their names.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// A document as it is written. An element that is opened is closed.
#[derive(Debug, Default)]
pub struct Html {
    out: String,
}

impl Html {
    /// What this program wrote itself, as it is.
    pub fn own(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    pub fn node(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.void(tag, attributes);
        inside(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// An element with nothing but a class and a text.
    pub fn says(&mut self, tag: &'static str, class: &'static str, text: impl Display) {
        match class {
            "" => self.node(tag, &[], |it| it.text(text)),
            class => self.node(tag, &[("class", &class)], |it| it.text(text)),
        }
    }

    /// An element that has no end.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            push(&mut self.out, &escape::line(&value.to_string()));
            self.out.push('"');
        }
        self.out.push('>');
    }

    /// A place in this page: there is no other link.
    pub fn link(&mut self, place: impl Display, text: impl Display) {
        self.node("a", &[("href", &format_args!("#{place}"))], |it| it.text(text));
    }

    /// A text: what a terminal would obey, and what would turn its direction, is made visible.
    pub fn text(&mut self, text: impl Display) {
        push(&mut self.out, &escape::block(&text.to_string()));
    }

    /// Values for the page's own script.
    pub fn data(&mut self, id: &'static str, value: &impl Serialize) {
        // Writing what is a list of plain values cannot fail; the page is read without it.
        let json = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
        let kind = "application/json";
        self.void("script", &[("type", &kind), ("id", &id)]);
        for c in escape::json(&json).chars() {
            match c {
                '<' => self.out.push_str("\\u003c"),
                '>' => self.out.push_str("\\u003e"),
                '&' => self.out.push_str("\\u0026"),
                c => self.out.push(c),
            }
        }
        self.out.push_str("</script>");
    }

    pub fn line(&mut self) {
        self.out.push('\n');
    }

    pub fn end(self) -> String {
        self.out
    }
}

/// The one place where a text becomes HTML.
fn push(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c => out.push(c),
        }
    }
}
