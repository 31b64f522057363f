//! A day of work on one project, by each agent's own protocol: what the first session learnt reaches the second, in
//! another working tree too.

use serde_json::json;

use super::session::Session;
use super::stops::AGENTS;
use crate::project::{Project, Ran};

const CHECK: &str = "cargo check";

fn failing(file: &str) -> String {
    format!(
        "error[E0425]: cannot find value `totl` in this scope\n --> {file}:3:5\n\nerror: could not compile"
    )
}

fn repository() -> Project {
    let project = Project::empty();
    project.write("src/cart.rs", "fn a() {}\n");
    let script = "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; git init -q -b main . && \
        git add src && git -c user.name=n -c user.email=e@x commit -qm one && git worktree add -q -b side side";
    Ran::of(&mut project.shell(script)).code(0);
    project.annals(["init"]).code(0);
    project.annals(["repo", "convention", "add", "Money", "is counted in cents"]).code(0);
    project
}

#[test]
fn what_one_session_learnt_is_given_to_the_next_ones_and_used() {
    for name in AGENTS {
        let project = repository();
        let first = Session::of(&project, name, 1, project.root());
        first.begin();
        let nothing = first.check(CHECK, Some(&failing("src/cart.rs")));
        assert!(!nothing.contains("met before"), "{name}: {nothing}");
        first.edit("src/cart.rs", "totl", "totally_wrong");
        first.check(CHECK, Some(&failing("src/cart.rs")));
        first.edit("src/cart.rs", "totally_wrong", "total_of_cart");
        first.check(CHECK, None);
        first.stop();

        let side = project.path("side");
        for (number, tree, from) in [
            (2, project.root(), "is counted in cents\n"),
            (3, &side, "is counted in cents (inherited from branch main"),
        ] {
            let next = Session::of(&project, name, number, tree);
            let pack = next.begin();
            let answer = next.check(CHECK, Some(&failing("src/basket.rs")));
            assert!(pack.contains(from), "{name}: {pack}");
            assert!(pack.contains("- src/cart.rs"), "{name}: {pack}");
            assert!(pack.contains("cargo check"), "{name}: {pack}");
            assert!(
                answer.contains("met before") && answer.contains("+total_of_cart"),
                "{name}: {answer}"
            );
            assert!(!answer.contains("+totally_wrong"), "a failed fix: {name}: {answer}");
            let replayed = project.annals(["replay", "--format", "jsonl"]).code(0).out();
            let given = replayed.lines().filter(|it| it.contains("ContextInjected"));
            let given: Vec<_> = given.filter(|it| it.contains("+total_of_cart")).collect();
            assert_eq!(given.len(), number as usize - 1, "{name}");
        }
        // It does as it was told.
        let last = Session::of(&project, name, 4, &side);
        last.begin();
        let answer = last.check(CHECK, Some(&failing("src/basket.rs")));
        assert!(answer.contains("+total_of_cart"), "{name}: {answer}");
        last.edit("src/cart.rs", "totl", "total_of_cart");
        last.check(CHECK, None);
        last.stop();
        let used = project.annals(["--json", "stats", "loop"]).code(0).json();
        let rows = used.as_array().expect("rows").iter();
        let fixes: Vec<_> = rows.filter(|it| it["what"] == "failure met before").collect();
        assert_eq!((&fixes[0]["given"], &fixes[0]["followed"]), (&json!(3), &json!(1)), "{used}");

        let told = || {
            let asked = [&["context"][..], &["failures", "--json"], &["repo", "show", "--json"]];
            asked.map(|it| Ran::of(project.command().current_dir(&side).args(it)).code(0).out())
        };
        let before = told();
        for store in ["index.db", "sessions"] {
            let path = project.path(".annals").join(store);
            if path.is_dir() {
                std::fs::remove_dir_all(&path).expect("a folder of a store");
            } else {
                std::fs::remove_file(&path).expect("a store");
            }
        }
        std::fs::remove_file(project.path("execution_log.db")).expect("a store");
        assert_eq!(told(), before, "{name}: what was deleted is made again");
    }
}
