//! What a JSON value is made of, by its beginning: the keys of its objects, however it goes on.

use std::borrow::Cow;

/// Objects and lists below one another that are looked into.
const DEPTH_MAX: usize = 8;
/// Keys that are kept, and bytes of a text.
const KEYS_MAX: usize = 1_024;
const TEXT_BYTES_MAX: usize = 64;

/// Keys by their path: `steps.source` is a key of the objects in the list `steps`.
#[derive(Debug, Default)]
pub struct Outline {
    is_list: bool,
    keys: Vec<(String, Option<String>)>,
}

impl Outline {
    /// Of the first value in this beginning of a file; empty where that is no object and no list.
    pub fn of(head: &[u8]) -> Self {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        let mut walk = Walk { head, at: 0, outline: Self::default(), path: Vec::new() };
        match head.first() {
            Some(b'[') => {
                walk.outline.is_list = true;
                walk.walk();
            }
            Some(b'{') => walk.walk(),
            _ => {}
        }
        walk.outline
    }

    pub fn is_list(&self) -> bool {
        self.is_list
    }

    pub fn has(&self, path: &str) -> bool {
        self.keys.iter().any(|(key, _)| key == path)
    }

    pub fn has_all(&self, paths: &[&str]) -> bool {
        paths.iter().all(|path| self.has(path))
    }

    /// The short text that the first key of this path has.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.keys.iter().find(|(key, _)| key == path)?.1.as_deref()
    }
}

struct Walk<'a> {
    head: &'a [u8],
    at: usize,
    outline: Outline,
    /// Of each object or list that is entered: whether it is an object, and the key of which it is the value.
    path: Vec<(bool, Option<String>)>,
}

impl Walk<'_> {
    fn walk(&mut self) {
        let mut key: Option<String> = None;
        while let Some(&byte) = self.head.get(self.at) {
            let is_in_object = self.path.last().is_some_and(|(is_object, _)| *is_object);
            match byte {
                b'{' | b'[' => {
                    self.path.push((byte == b'{', key.take()));
                    self.at += 1;
                }
                b'}' | b']' => {
                    self.path.pop();
                    self.at += 1;
                    key = None;
                    if self.path.is_empty() {
                        return;
                    }
                }
                b'"' => {
                    let Some(text) = self.text() else { return };
                    if is_in_object && key.is_none() && self.is_key() {
                        self.keep(&text);
                        key = Some(text.into_owned());
                    } else if let Some(name) = key.take() {
                        self.keep_text(&name, &text);
                    }
                }
                b',' => {
                    key = None;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Takes the text that begins here; `None` where it is cut.
    fn text(&mut self) -> Option<Cow<'static, str>> {
        let begin = self.at + 1;
        let mut at = begin;
        loop {
            at += memchr::memchr2(b'"', b'\\', self.head.get(at..)?)?;
            if self.head[at] == b'"' {
                break;
            }
            at += 2;
        }
        self.at = at + 1;
        let text = self.head.get(begin..at)?;
        let is_short = text.len() <= TEXT_BYTES_MAX;
        Some(match is_short {
            true => Cow::Owned(String::from_utf8_lossy(text).into_owned()),
            false => Cow::Borrowed(""),
        })
    }

    fn is_key(&self) -> bool {
        let rest = self.head.get(self.at..).unwrap_or_default();
        rest.trim_ascii_start().first() == Some(&b':')
    }

    fn name(&self, key: &str) -> String {
        let above = self.path.iter().filter_map(|(_, key)| key.as_deref());
        above.chain([key]).collect::<Vec<_>>().join(".")
    }

    fn keep(&mut self, key: &str) {
        if self.path.len() > DEPTH_MAX || self.outline.keys.len() >= KEYS_MAX {
            return;
        }
        let name = self.name(key);
        if !self.outline.has(&name) {
            self.outline.keys.push((name, None));
        }
    }

    fn keep_text(&mut self, key: &str, text: &str) {
        let name = self.name(key);
        let kept = self.outline.keys.iter_mut().find(|(path, _)| *path == name);
        if let Some((_, kept @ None)) = kept {
            *kept = Some(text.to_owned());
        }
    }
}
