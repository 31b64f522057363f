//! The same over generated settings texts, written in any way that JSON allows.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// The value without our hooks, and without what is empty then.
fn bare(mut value: Value) -> Value {
    let hooks = value.get_mut("hooks").and_then(Value::as_object_mut).expect("hooks");
    for groups in hooks.values_mut() {
        let ours = |group: &Value| {
            group["hooks"][0]["command"].as_str().is_some_and(|it| it.starts_with("annals hook "))
        };
        groups.as_array_mut().expect("a list").retain(|group| !ours(group));
    }
    value
}

fn space() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec![" ", "\n", "\t", "\r\n", "  "]), 0..3)
        .prop_map(|parts| parts.concat())
}

/// Any JSON, written in any way.
fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("-1.50e+3".to_owned()),
        any::<String>().prop_map(|text| Value::from(text).to_string()),
        Just("\"\\ud800 \\/ \\u0041\"".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = (space(), prop::collection::vec((space(), inner.clone(), space()), 0..4));
        let list = list.prop_map(|(empty, items)| {
            let items: Vec<_> = items.into_iter().map(|(a, item, b)| a + &item + &b).collect();
            format!("[{}{}]", if items.is_empty() { empty } else { String::new() }, items.join(","))
        });
        prop_oneof![list, any_object(inner.boxed(), false)]
    })
}

/// An object with distinct keys; one of settings has some of the names that we look for.
fn any_object(value: BoxedStrategy<String>, events: bool) -> BoxedStrategy<String> {
    let key = match events {
        true => prop::sample::select(vec!["Stop", "PreToolUse", "Other"])
            .prop_map(str::to_owned)
            .boxed(),
        false => any::<String>().boxed(),
    };
    let member = (space(), value, space(), space());
    (space(), prop::collection::btree_map(key, member, 0..4))
        .prop_map(|(empty, members)| {
            let empty = if members.is_empty() { empty } else { String::new() };
            let members: Vec<_> = members
                .into_iter()
                .filter(|(key, _)| key != "hooks")
                .map(|(key, (a, value, b, c))| format!("{a}{}{b}:{c}{value}{a}", Value::from(key)))
                .collect();
            format!("{{{empty}{}}}", members.join(","))
        })
        .boxed()
}

fn any_settings() -> impl Strategy<Value = String> {
    let group = prop_oneof![
        Just(r#"{"matcher": "x", "hooks": [{"type": "command", "command": "x"}]}"#.to_owned()),
        any_json(),
    ];
    let groups = (space(), prop::collection::vec(group, 0..3))
        .prop_map(|(space, items)| format!("[{space}{}{space}]", items.join(",")));
    let hooks = any_object(groups.boxed(), true);
    let root = any_object(any_json().boxed(), false);
    (root, prop::option::of((hooks, space())), any::<bool>(), space(), any::<bool>()).prop_map(
        |(root, hooks, first, end, mark)| {
            let inner = root[1..root.len() - 1].to_owned();
            let body = match hooks {
                None => inner,
                Some((hooks, space)) => {
                    let hooks = format!("{space}\"hooks\":{space}{hooks}");
                    let comma = if inner.trim().is_empty() { "" } else { "," };
                    let (a, b) = if first { (hooks, inner) } else { (inner, hooks) };
                    format!("{a}{comma}{b}")
                }
            };
            format!("{}{{{body}}}{end}", if mark { "\u{feff}" } else { "" })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn generated_settings_come_back_to_the_byte(text in any_settings()) {
        let with = installed(&text);
        let found = standing(&with, Agent::ClaudeCode).expect("read");
        prop_assert_eq!(found.len(), Agent::ClaudeCode.events().len());
        prop_assert_eq!(removed(&with, Some(&text)), text.as_str());
        // Nothing else has changed in what the text says, with ours or without.
        if let (Ok(before), Ok(after)) = (
            serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')),
            serde_json::from_str::<Value>(with.trim_start_matches('\u{feff}')),
        ) {
            let mut after = bare(after);
            let hooks = after["hooks"].as_object_mut().expect("hooks");
            hooks.retain(|event, groups| groups != &Value::Array(Vec::new())
                || before["hooks"].get(event).is_some());
            if hooks.is_empty() && before.get("hooks").is_none() {
                after.as_object_mut().expect("an object").remove("hooks");
            }
            prop_assert_eq!(after, before);
        }
    }

    #[test]
    fn an_edit_elsewhere_stays_and_only_ours_goes(text in any_settings(), value in any_json()) {
        let close = text.trim_end().len() - 1;
        let edit = |text: &str| {
            let close = text.trim_end().len() - 1;
            let comma = if text[..close].trim_end().ends_with('{') { "" } else { "," };
            format!("{}{comma}\"edited\": {value}{}", &text[..close], &text[close..])
        };
        // What is empty has no place before which an edit could stand in both.
        prop_assume!(!text[..close].trim_end().ends_with('{'));
        let with = edit(&installed(&text));
        prop_assert_eq!(removed(&with, Some(&text)), edit(&text));
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), at in 0_usize..400) {
        let cut = installed(OWN);
        let cut: String = cut.chars().take(at).chain(text.chars()).collect();
        for text in [text, cut] {
            // Refused or not, it ends.
            let _ = install(&text, &advise(), true);
            let _ = remove(&text, Agent::ClaudeCode, Some(&text));
        }
    }
}
