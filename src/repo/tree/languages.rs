//! The languages that a map knows: names of files, and words that define something.

use super::outline::Counts::{self, AtTop, IfExported, Nested, NestedIfExported};
use super::outline::{Defining, Language, Shape, Words};

const fn d(word: &'static str, ends: &'static str, counts: Counts) -> Defining {
    Defining { word, ends, counts }
}

const fn outlined(name: &'static str, extensions: &'static str, shape: Shape) -> Language {
    Language { name, extensions, names: "", shape }
}

const fn named(name: &'static str, extensions: &'static str) -> Language {
    outlined(name, extensions, Shape::Nothing)
}

const fn words(
    exporting: &'static str,
    modifiers: &'static str,
    defining: &'static [Defining],
) -> Words {
    Words { modifiers, exporting, defining, any_case: false }
}

const SCRIPT: Words = words(
    "export",
    "default declare async abstract",
    &[
        d("function", "(<*", AtTop),
        d("class", "{<:(", AtTop),
        d("interface", "{<", AtTop),
        d("enum", "{", AtTop),
        d("type", "=<", AtTop),
        d("namespace", "{", AtTop),
        d("const", "=:", IfExported),
        d("let", "=:", IfExported),
    ],
);
const OBJECTS: &[Defining] = &[
    d("class", "{<:(", Nested),
    d("interface", "{<:", Nested),
    d("enum", "{:", Nested),
    d("record", "(<{", Nested),
    d("struct", "{<:", Nested),
    d("trait", "{<", Nested),
    d("namespace", "{;", AtTop),
];
const OBJECT_MODIFIERS: &str = "private protected internal static final abstract sealed partial \
    readonly open data override case inline suspend implicit strictfp";
const C_WORDS: Words = words(
    "",
    "typedef static template<>",
    &[
        d("struct", "{", AtTop),
        d("class", "{:", AtTop),
        d("enum", "{:", AtTop),
        d("union", "{", AtTop),
        d("namespace", "{", AtTop),
    ],
);

/// Every language, the first that a name fits.
pub const LANGUAGES: &[Language] = &[
    outlined(
        "Rust",
        "rs",
        Shape::Words(words(
            "pub",
            "async unsafe const default",
            &[
                d("fn", "(<", NestedIfExported),
                d("struct", "{(;<", AtTop),
                d("enum", "{<", AtTop),
                d("union", "{<", AtTop),
                d("trait", "{<:", AtTop),
                d("type", "=<", AtTop),
                d("mod", "{", AtTop),
                d("macro_rules!", "{(", AtTop),
            ],
        )),
    ),
    outlined(
        "Python",
        "py pyi",
        Shape::Words(words("", "async", &[d("def", "([", Nested), d("class", "(:[", AtTop)])),
    ),
    outlined("TypeScript", "ts tsx mts cts", Shape::Words(SCRIPT)),
    outlined("JavaScript", "js jsx mjs cjs", Shape::Words(SCRIPT)),
    outlined(
        "Go",
        "go",
        Shape::Words(words("", "", &[d("func", "([", AtTop), d("type", "si=[mf*cIe", AtTop)])),
    ),
    outlined("Java", "java", Shape::Words(words("public", OBJECT_MODIFIERS, OBJECTS))),
    outlined("C#", "cs", Shape::Words(words("public", OBJECT_MODIFIERS, OBJECTS))),
    outlined(
        "Kotlin",
        "kt kts",
        Shape::Words(words(
            "public",
            OBJECT_MODIFIERS,
            &[
                d("fun", "(<", Nested),
                d("class", "{<:(", Nested),
                d("interface", "{<:", Nested),
                d("object", "{:", Nested),
            ],
        )),
    ),
    outlined(
        "Swift",
        "swift",
        Shape::Words(words(
            "public",
            OBJECT_MODIFIERS,
            &[
                d("func", "(<", Nested),
                d("class", "{<:", AtTop),
                d("struct", "{<:", AtTop),
                d("enum", "{<:", AtTop),
                d("protocol", "{:", AtTop),
                d("actor", "{:", AtTop),
            ],
        )),
    ),
    outlined(
        "Scala",
        "scala sc",
        Shape::Words(words(
            "",
            OBJECT_MODIFIERS,
            &[
                d("def", "([:=", Nested),
                d("class", "{[(e", AtTop),
                d("object", "{e", AtTop),
                d("trait", "{[e", AtTop),
            ],
        )),
    ),
    outlined(
        "PHP",
        "php",
        Shape::Words(words(
            "public",
            OBJECT_MODIFIERS,
            &[
                d("function", "(", Nested),
                d("class", "{ei", AtTop),
                d("interface", "{e", AtTop),
                d("trait", "{", AtTop),
                d("enum", "{:", AtTop),
            ],
        )),
    ),
    outlined(
        "Ruby",
        "rb rake",
        Shape::Words(words(
            "",
            "private",
            &[d("def", "(;=", Nested), d("class", "<;", Nested), d("module", ";", Nested)],
        )),
    ),
    outlined("C", "c h", Shape::WordsAndFunctions(C_WORDS)),
    outlined("C++", "cc cpp cxx hh hpp hxx inl", Shape::WordsAndFunctions(C_WORDS)),
    outlined("Shell", "sh bash zsh", Shape::Shell(words("", "", &[d("function", "({", AtTop)]))),
    outlined("Lua", "lua", Shape::Words(words("", "local", &[d("function", "(", AtTop)]))),
    outlined(
        "Elixir",
        "ex exs",
        Shape::Words(words(
            "",
            "",
            &[d("defmodule", "d", AtTop), d("def", "(d,", Nested), d("defmacro", "(d", Nested)],
        )),
    ),
    outlined(
        "Zig",
        "zig",
        Shape::Words(words(
            "pub",
            "export inline",
            &[d("fn", "(", NestedIfExported), d("const", "=:", IfExported)],
        )),
    ),
    outlined(
        "Protobuf",
        "proto",
        Shape::Words(words(
            "",
            "",
            &[
                d("message", "{", AtTop),
                d("service", "{", AtTop),
                d("enum", "{", AtTop),
                d("rpc", "(", Nested),
            ],
        )),
    ),
    outlined(
        "GraphQL",
        "graphql gql",
        Shape::Words(words(
            "",
            "extend",
            &[
                d("type", "{i@", AtTop),
                d("input", "{", AtTop),
                d("interface", "{", AtTop),
                d("enum", "{", AtTop),
            ],
        )),
    ),
    outlined(
        "SQL",
        "sql",
        Shape::Words(Words {
            modifiers: "or replace temp temporary unique materialized",
            exporting: "create",
            defining: &[
                d("table", "(", IfExported),
                d("view", "a(", IfExported),
                d("index", "o", IfExported),
                d("trigger", "abi", IfExported),
                d("function", "(", IfExported),
                d("procedure", "(", IfExported),
                d("type", "a", IfExported),
            ],
            any_case: true,
        }),
    ),
    outlined("Markdown", "md markdown mdx", Shape::Headings),
    Language {
        name: "Make",
        extensions: "mk",
        names: "Makefile makefile GNUmakefile",
        shape: Shape::Targets,
    },
    Language {
        name: "Docker",
        extensions: "dockerfile",
        names: "Dockerfile Containerfile",
        shape: Shape::Nothing,
    },
    named("HTML", "html htm"),
    named("CSS", "css scss sass less"),
    named("Vue", "vue"),
    named("Svelte", "svelte"),
    named("JSON", "json jsonc json5 jsonl"),
    named("YAML", "yaml yml"),
    named("TOML", "toml"),
    named("XML", "xml xsd xsl"),
    named("Terraform", "tf tfvars"),
    named("Haskell", "hs"),
    named("OCaml", "ml mli"),
    named("Erlang", "erl hrl"),
    named("Clojure", "clj cljs cljc"),
    named("Dart", "dart"),
    named("Julia", "jl"),
    named("R", "r"),
    named("Perl", "pl pm"),
    named("Objective-C", "m mm"),
    named("Assembly", "s asm"),
    named("Nix", "nix"),
    named("Text", "txt rst adoc"),
];
