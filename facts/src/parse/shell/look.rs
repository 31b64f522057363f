//! Command lines that change no file, and what they look at.

use super::program::{Program, is_assignment};
use super::{Script, Simple, question};
use crate::event::tool::Stake;
use crate::parse::has_word;

/// Programs that show what is there.
const LOOKS: &str = "ls cat bat head tail wc stat file find fd tree du df sort cut tr column nl jq realpath readlink \
    dirname basename type whereis date sleep ps xxd od hexdump strings sed";
/// What makes one of these more than that.
const MORE: &str = "-exec -execdir -ok -okdir -fprint -fprintf -fls -x -X --exec -o --output";
const GIT_LOOKS: &str = "status log show diff blame grep ls-files ls-tree ls-remote rev-parse rev-list describe \
    shortlog merge-base cat-file diff-index diff-files";
/// What changes the repository and leaves the files as they are.
const GIT_KEEPS: &str = "push fetch";
/// What is searched for stands before the files.
const SEARCHES: &str = "grep egrep fgrep zgrep rg ag ack sed jq";
const NAMED_MAX: usize = 8;

impl Script {
    /// What may be lost where the line fails.
    pub fn stake(&self) -> Stake {
        match self.defines {
            true => Stake::Files,
            false => self.commands.iter().map(Simple::stake).max().unwrap_or_default(),
        }
    }

    /// What a line that changes no file looks at, and what else it is to do.
    pub fn subjects(&self) -> Vec<String> {
        let of = |command: &Simple| {
            let Some(program) = command.program() else { return Vec::new() };
            let skipped = usize::from(has_word(SEARCHES, program.name));
            match (command.stake(), program.name) {
                (Stake::Deed, _) => program.verb().map(str::to_owned).into_iter().collect(),
                (_, "git") => Vec::new(),
                _ => program
                    .operands()
                    .skip(skipped)
                    .filter(|it| is_place(it))
                    .map(str::to_owned)
                    .collect(),
            }
        };
        self.commands.iter().flat_map(of).take(NAMED_MAX).collect()
    }

    /// Whether what it asks is whether files are there: `test -f x`.
    pub fn asks_for_files(&self) -> bool {
        let is_test = |it: &Simple| it.program().is_some_and(|it| has_word("test [ [[", it.name));
        self.commands.iter().any(is_test)
    }
}

impl Simple {
    fn stake(&self) -> Stake {
        if self.writes() {
            return Stake::Files;
        }
        let Some(program) = self.program() else {
            let sets = !self.words.is_empty() && self.words.iter().all(|it| is_assignment(it));
            return if sets { Stake::Nothing } else { Stake::Files };
        };
        let verb = || program.verb().unwrap_or_default();
        match program.name {
            "git" if has_word(GIT_LOOKS, verb()) => Stake::Nothing,
            "git" if has_word(GIT_KEEPS, verb()) => Stake::Deed,
            name if question::is_harmless(name) => Stake::Nothing,
            name if has_word(LOOKS, name) && !does_more(&program) => Stake::Nothing,
            _ => Stake::Files,
        }
    }
}

fn does_more(program: &Program<'_>) -> bool {
    program.arguments.iter().any(|it| has_word(MORE, it.split('=').next().unwrap_or_default()))
}

/// Whether a word is a path or an address.
fn is_place(word: &str) -> bool {
    word.contains(['.', '/']) && word.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::super::Script;
    use crate::event::tool::Stake::{Deed, Files, Nothing};

    #[test]
    fn a_line_that_only_looks_has_nothing_to_lose() {
        for (command, stake) in [
            ("ls nowhere", Nothing),
            ("cd src && ls -la | head -5", Nothing),
            ("cat a.txt 2>/dev/null", Nothing),
            ("F=a.txt; cat $F", Nothing),
            ("find . -name x | xargs grep -l y | sort -u", Nothing),
            ("sed -n 1,5p a.rs", Nothing),
            ("git log --oneline -3; git status", Nothing),
            ("test -f a.txt && cat a.txt", Nothing),
            ("git push origin main", Deed),
            ("git fetch && git push", Deed),
            ("git status && git push", Deed),
            ("git pull", Files),
            ("git commit -m x && git push", Files),
            ("rm x && ls x", Files),
            ("sed -i s/a/b/ x; ls x", Files),
            ("ls > list.txt", Files),
            ("ls x; make deploy", Files),
            ("find . -name x -exec ./run {} +", Files),
            ("find . -delete", Files),
            ("find . | xargs rm", Files),
            ("sort -o a a", Files),
            ("./ls nowhere.sh && ./deploy", Files),
            ("ls() { rm x; }; ls", Files),
            ("curl https://example.org", Files),
            ("make", Files),
            ("for f in a b; do ls $f; done", Files),
            ("", Files),
        ] {
            assert_eq!(Script::of(command).stake(), stake, "{command}");
        }
    }

    #[test]
    fn what_it_looks_at_is_named() {
        let of = |command: &str| Script::of(command).subjects();
        assert_eq!(of("ls -la out/a.txt"), ["out/a.txt"]);
        assert_eq!(of("grep -n x.y out.txt"), ["out.txt"]);
        assert_eq!(of("cd src && cat b.rs"), ["b.rs"]);
        assert_eq!(of("git push origin v1.2"), ["push"]);
        assert!(of("git log a.rs").is_empty() && of("ls nowhere").is_empty());
        assert!(
            Script::of("test -f x").asks_for_files() && Script::of("[ -e x ]").asks_for_files()
        );
        assert!(!Script::of("grep x y").asks_for_files());
    }
}
