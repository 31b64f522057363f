//! What a page is built of, whatever it says.

/// The tags of a page with the names of their attributes, in order; holds that each is closed and that every link
/// stays in the page.
pub fn skeleton(page: &str) -> Vec<String> {
    let (mut tags, mut open, mut rest) = (Vec::new(), Vec::new(), page);
    while let Some(at) = rest.find('<') {
        assert!(
            !rest[..at].contains('>')
                || open.last().is_some_and(|it| it == "style" || it == "script")
        );
        let end = end_of_tag(&rest[at..]);
        let tag = &rest[at + 1..at + end];
        rest = &rest[at + end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in order");
            continue;
        }
        let mut parts = tag.splitn(2, ' ');
        let name = parts.next().expect("a name").to_owned();
        let mut told = name.clone();
        for attribute in parts.next().unwrap_or_default().split("\" ") {
            let (attribute, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            assert!(attribute != "href" || value.starts_with("\"#"), "{value}");
            assert!(!attribute.starts_with("on") && attribute != "src" && attribute != "style");
            told.push(' ');
            told.push_str(attribute);
        }
        tags.push(told);
        match name.as_str() {
            "!doctype" | "meta" | "input" => {}
            // What is in them is no markup: it ends where they do.
            "script" | "style" => {
                let end = format!("</{name}>");
                let at = rest.find(&end).expect("it ends");
                assert!(!rest[..at].contains('<') || !tag.contains("json"), "values hold no tag");
                rest = &rest[at + end.len()..];
            }
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    tags
}

/// Where a tag ends: a quoted value may hold anything but a quote.
fn end_of_tag(text: &str) -> usize {
    let mut quoted = false;
    text.find(|c| {
        quoted ^= c == '"';
        c == '>' && !quoted
    })
    .expect("a tag ends")
}
