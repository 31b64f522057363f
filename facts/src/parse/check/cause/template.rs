//! A message without what differs from one time to the next.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::parse::check::{diagnostic::cut, problem::lean};
use crate::parse::has_word;

/// Of a message, the bytes that count: its first line.
const BYTES_MAX: usize = 300;

/// Quoted, an address, a path, a number, a word: the first that fits.
const TOKENS: &str = r#"(?x)
    (?<quoted> `[^`]*` | `[^`']*' | "[^"]*" | ‘[^’]*’ | “[^”]*” | \B'[^']*' )
  | (?<address> \b0x[0-9a-fA-F]+\b | \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b
      | \b[0-9a-f]*[0-9][0-9a-f]{11,63}\b )
  | (?<verb> % [-+\#\d.*]* [a-zA-Z] \b )
  | (?<path> (?: [A-Za-z]: )? [\w.~@-]* (?: [/\\] [\w.@+-]+ )+ (?: :\d+ )*
      | \b [\w-]+ \. (?: go|rs|py|js|ts|tsx|jsx|java|kt|c|h|cc|cpp|rb|php|json|toml|ya?ml|md|txt|sh|sql|lock ) \b (?: :\d+ )* )
  | (?<number> [-+]? \b \d [\d_,.]* (?: e[-+]?\d+ )? [a-zµ%]{0,3} \b )
  | (?<word> [[\w$]--\d] [\w$]* (?: (?: :: | \. | -> ) [[\w$]--\d] [\w$]* )* (?: \(\) )? )
"#;

static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(TOKENS));
/// Masks of one kind in a row: as many as there are members of a list.
static ROW: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(<(?:name|text|path|num|addr)>)(?:(?:,| and|, and| or)? <(?:name|text|path|num|addr)>)+",
    )
});

/// A name with what stands around it in an expression or a type: `&x`, `cart{…}.total`.
static EXPRESSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(r"(?:[*&]|\[\])*<name>(?:\{[^{}\s]*\}|\([^()\s]*\)|\[[^\[\]\s]*\]|[.:]*<name>)*")
});
/// What sort of thing a name is of: `for mutable reference <name>`.
static SORT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r" for (?:(?:mutable|opaque|raw|type|reference|pointer|struct|enum|union|trait|parameter|array|slice) )+<name>",
    )
});
/// What a function takes and gives.
static SIGNATURE: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(r"\bsig: .*$"));
/// One or several of something.
static SEVERAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"\b(argument|arg|parameter|value|variable|element|item|field|method|type|lifetime|result|byte)s\b",
    )
});

fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(&lean(pattern)).ok() // a test masks by all: none is ever wrong
}

/// Whole words of a type or a value that tell what is wrong by themselves: nothing is there, or it is still wrapped.
const KEPT: [&str; 12] = [
    "NoneType",
    "None",
    "null",
    "nil",
    "undefined",
    "never",
    "void",
    "Promise",
    "coroutine",
    "Future",
    "Option",
    "Result",
];
/// Types that are spelt as words are.
const TYPES: &str = "int uint float string str bool byte rune";
const OPERATORS: [&str; 12] =
    [" + ", " - ", " * ", " / ", " % ", " == ", " != ", " < ", " > ", " && ", " || ", " & "];

/// What a compiler names behind these words.
const NAMED: &str = "arg undefined use to type field method variable function value import package module attribute \
    identifier constant struct trait symbol argument parameter property macro crate lifetime interface class label \
    operator member target alias enum variant builtin called assigned used redefined";
/// What is no name there.
const PLAIN: &str = "reference a an the of in is as to for by on at or and not no with from than that this it value values type \
    types argument arguments variable parameter field method function has have does are be must should can cannot \
    could import imports package module return returned declared used but never unused undefined found missing \
    mismatched expected outside inside before after non void nil null none mut self";
/// What a compiler says of the name that a message begins with.
const SAID: &str =
    "declared redeclared undefined is has does redefined defined undeclared imported";

/// The first line with what differs masked by its kind, and the names of that, each behind a blank; `is_compiler`: it
/// is told by one, which names things that look like words.
pub fn template(message: &str, is_compiler: bool) -> (String, String) {
    let line = message.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    let line = unwrapped(cut(line, BYTES_MAX));
    let Some(token) = TOKEN.as_ref() else { return (line.to_owned(), String::new()) };
    let (mut before, mut names) = (String::new(), String::new());
    let masked = token.replace_all(line, |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |it| it.as_str());
        let end = found.get(0).map_or(0, |it| it.end());
        let start = found.get(0).map_or(0, |it| it.start());
        let is = |name: &str| found.name(name).is_some();
        let mask = if is("quoted") {
            quoted(whole)
        } else if is("address") {
            "<addr>"
        } else if is("verb") {
            "<verb>"
        } else if is("path") {
            "<path>"
        } else if is("number") {
            "<num>"
        } else if is_name(whole)
            || line[..start].trim().is_empty() && is_missing(&line[end..])
            || MEMBER.iter().any(|it| line[..start].ends_with(it))
            || is_compiler && is_named(whole, &before, &line[..start], &line[end..])
        {
            "<name>"
        } else {
            before = whole.to_lowercase();
            return whole.to_owned();
        };
        before.clear();
        if mask == "<name>" && names.len() < BYTES_MAX {
            names.extend([" ", whole.trim_matches(QUOTES)]);
        }
        mask.to_owned()
    });
    let mut masked = masked.into_owned();
    let rules = [
        (&SIGNATURE, "sig: <name>"),
        (&EXPRESSION, "<name>"),
        (&SORT, " for <name>"),
        (&ROW, "$1…"),
        (&SEVERAL, "$1"),
    ];
    for (rule, by) in rules {
        if let Some(rule) = rule.as_ref() {
            masked = rule.replace_all(&masked, by).into_owned();
        }
    }
    (masked, names)
}

/// What JavaScript says of the name that a message begins with.
fn is_missing(behind: &str) -> bool {
    ["defined", "a function", "iterable", "a constructor"]
        .iter()
        .any(|it| behind.strip_prefix(" is not ").is_some_and(|rest| rest.starts_with(it)))
}

/// What stands before a member's name: `all.slice(…).order`.
const MEMBER: [&str; 3] = [").", "].", "}."];
const QUOTES: [char; 7] = ['`', '"', '\'', '‘', '’', '“', '”'];

/// A message that is quoted as a whole, without that.
fn unwrapped(line: &str) -> &str {
    let inner =
        |quote| line.strip_prefix(quote)?.strip_suffix(quote).filter(|it| !it.contains(quote));
    let inner = ['"', '`', '\''].into_iter().find_map(inner);
    inner.filter(|it| it.contains(' ')).unwrap_or(line)
}

/// What stands in quotes: a value that differs each time.
fn quoted(text: &str) -> &'static str {
    let inner = text.trim_matches(QUOTES);
    let is_number = !inner.is_empty() && inner.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    let kept =
        KEPT.iter().find(|kept| inner.split(|it| !is_of_word(it)).any(|word| word == **kept));
    let is_type = || inner.contains('<') || inner.starts_with(['&', '*', '[', '(', '{']);
    match inner {
        _ if is_number => "<num>",
        it if it.contains('/') && !it.contains(' ') => "<path>",
        it if kept.is_some() && (is_type() || it.split_whitespace().count() < 4) => {
            kept.copied().unwrap_or("<name>")
        }
        it if it.contains(' ') && !is_type() => "<text>",
        _ => "<name>",
    }
}

/// Whether a word is spelt as no natural one is.
pub fn is_name(word: &str) -> bool {
    let lower_then_upper = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    word.contains(['_', '$', '.', ':', '>', '('])
        || word.chars().any(|it| it.is_ascii_digit())
        || lower_then_upper
}

/// Whether a word that looks natural is a name, by what stands around it.
fn is_named(word: &str, before: &str, left: &str, right: &str) -> bool {
    let lower = word.to_lowercase();
    let is_operand = OPERATORS.iter().any(|it| right.starts_with(*it) || left.ends_with(*it));
    // `cart{…}.total`, `at[1]`, `total()`, and not `argument(s)`.
    let is_expression = right.starts_with(['{', '[', '(']) && !right.starts_with("(s)");
    if has_word(TYPES, word) || is_operand || is_expression {
        return true;
    }
    if has_word(PLAIN, &lower) {
        return false;
    }
    let next = right.split_whitespace().next().unwrap_or_default();
    let is_first = left.trim().is_empty() && has_word(SAID, next);
    let is_last = left.ends_with(": ") && right.trim().is_empty();
    // Nothing but a name has a capital within a sentence.
    let is_within = left.ends_with(' ') && left.trim_end().ends_with(char::is_alphanumeric);
    let is_capital = is_within && word.starts_with(char::is_uppercase);
    is_first || is_last || is_capital || has_word(NAMED, before) && left.ends_with([' ', ':', '('])
}
