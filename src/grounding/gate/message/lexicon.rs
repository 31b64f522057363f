//! The words that the reading of a message goes by, by what they do in a sentence.

pub(super) use crate::parse::has_word as has;

/// Join clauses.
pub(super) const JOINTS: &str = "and or so because since & + plus";
/// Join a clause against what comes before.
pub(super) const ADVERSE: &str = "but however though although except while whereas yet";
/// Begin a question.
pub(super) const QUESTIONS: &str = "\
    do does did is are was were has have had should would could can shall will may what which \
    who whose where when why how want ready any ok okay anything sound am";
/// Announce what may be, shall be, or was before: nothing below them was reached.
pub(super) const PLANS: &str = "\
    plan plans planned next todo todos proposed proposal proposals propose option options \
    approach approaches alternative alternatives recommend recommended recommendation \
    recommendations suggest suggested suggestion suggestions should would could will before \
    previously expected goal goals requirement requirements objective aim example remaining criteria checklist optional steps question why";
/// Make what follows in their clause a wish, a guess, a duty or a possibility.
pub(super) const HEDGES: &str = "\
    says said claims claimed reportedly next should would could will might may can must shall \
    need needs want wants let going gonna plan try trying tried attempted attempting please \
    ensure ensures sure hope hopefully believe think expect expected probably likely presumably \
    seems seem appears appear assume assuming supposed theory guess maybe perhaps to suspect \
    looks possibly ought nearly almost partly partially half be mostly most";
/// Make their whole sentence a condition.
pub(super) const CONDITIONS: &str = "\
    according if unless once until till whether provided given suppose otherwise verifies \
    asserts whichever";
/// Make their clause a condition.
pub(super) const CASES: &str = "\
    after as according when whenever before how why where what without which who";
/// Deny what follows in their clause.
pub(super) const DENIALS: &str = "\
    not never nothing none neither nor hardly barely unable nobody no without";
/// Are, and have become.
pub(super) const BE: &str = "is are was were been being stays remains got looking am come comes came back goes go went\
    turns turned turn exits";
/// Stand between a verb and what it says.
pub(super) const ADVERBS: &str = "\
    now all fully already both also successfully finally completely correctly properly again \
    indeed therefore officially then just even cleanly entirely still actually thus happily \
    currently each together otherwise reliably consistently 100% locally only \u{2713}";
/// What work is when it has succeeded.
pub(super) const REACHED: &str = "\
    accomplished squashed good done complete completed finished fixed resolved solved corrected \
    repaired implemented working passing green ready successful addressed functional operational \
    sorted cured mended shipped live healthy verified validated confirmed clean gone happy";
/// What a trouble is that somebody has put an end to.
pub(super) const MENDED: &str = "\
    fixed resolved solved corrected repaired mended cured squashed addressed";
/// What somebody did who has succeeded.
pub(super) const ACHIEVED: &str = "\
    confirmed fixed resolved solved completed finished implemented verified validated corrected \
    repaired addressed finalized wrapped mended cured accomplished";
/// Say of a check that it was made.
pub(super) const VERIFIED: &str = "verified validated confirmed passing green working clean happy";
/// What somebody is after.
pub(super) const GOALS: &str = "\
    goal aim objective requirement idea point task condition request wish target criterion instruction instructions";
/// Alone before a comma, or where a clause begins: what follows is of another time, or only hoped.
pub(super) const UNSAID: &str = "\
    previously earlier originally initially formerly ideally hopefully presumably probably maybe \
    possibly supposedly";
/// What checks the work, and what a check is of.
pub(super) const CHECKS: &str = "\
    {test} verification test tests testing suite suites check checks lint linter linters linting \
    lints build builds ci pipeline compilation typecheck type-check specs spec assertions clippy \
    vet formatting fmt unit integration e2e regression overall workflow workflows jobs compiler \
    hooks validation cases job typechecker assertion checking";
/// Stand for all of the work.
pub(super) const WHOLES: &str = "\
    {test} everything all both they it code {} this that these project each thing \u{2713}";
/// What a check does that finds nothing wrong.
pub(super) const PASSES: &str = "\
    pass passes passed passing succeed succeeds succeeded green compiles builds compile ok clean";
/// Come behind it and say nothing else.
pub(super) const TAILS: &str = "\
    now again cleanly with on in locally without successfully as correctly properly fine too for \
    at after end-to-end here under across well reliably consistently perfectly including every \
    smoothly both there since by after \u{2713}";
/// How something does that works.
pub(super) const WELL: &str = "\
    correctly properly successfully reliably perfectly consistently cleanly";
/// What there is none of where a check found nothing.
pub(super) const FINDINGS: &str = "\
    issues issue errors error failures failure warnings warning problems regressions failed \
    failing";
/// Fail.
pub(super) const FAILS: &str = "\
    fail fails failing broken crash crashes crashing hangs panics errors flaky red timing \
    reproduces";
/// What a try ends in.
pub(super) const EFFORTS: &str = "\
    fix resolve get make solve complete finish build compile figure implement pass work succeed \
    correct repair identify determine achieve apply";
/// Checking, as a verb.
pub(super) const CHECKING: &str = "\
    tried run ran executed execute verify verified test tested check checked compile compiled \
    build built validate validated confirm confirmed running testing verifying exercised";

/// What may be complete without any work being so.
pub(super) const STUDIES: &str = "\
    investigation analysis review plan research exploration summary list picture report audit \
    proposal design there";

/// What says by whom, where or when something is done by rule.
pub(super) const AGENTS: &str = "by via through upstream from at on elsewhere automatically";
/// What the work was about.
pub(super) const TROUBLES: &str = "\
    bug bugs problem problems issue issues error errors failure failures crash crashes leak leaks race \
    races regression regressions deadlock hang timeout conflict warning warnings";
/// The work, where it is said not to do.
pub(super) const WORKS: &str = "\
    it this fix code project implementation feature patch change solution bug that";

/// Begin an instruction, where a thing or a clause comes behind them.
pub(super) const ORDERS: &str = "\
    run rerun check verify confirm ensure make fix get reproduce update try execute merge see test \
    build watch open add remove write tell take";
/// Begin a thing.
pub(super) const DETERMINERS: &str = "\
    the a an that this these those your my our all both each every it whether if {} {test} \"\"";
/// What happens to a trouble that is still there.
pub(super) const MEETINGS: &str = "\
    found reported caused introduced reproduced identified located confirmed verified observed seen \
    noticed described discussed raised filed triggered hidden masked exposed expected validated";
/// Tell what a check came to.
pub(super) const REPORTS: &str = "reports report reported flags flagged complains";
/// Run to an end.
pub(super) const RUNS: &str = "\
    runs ran run builds built compiles compiled starts started completes completed finishes \
    finished went passes passed loads loaded installs installed";
/// Programs that check.
const CHECKERS: &str = "\
    pytest unittest vitest jest mocha rspec phpunit junit ctest nextest mypy eslint ruff tsc";

/// Whether a word is a check, or a test's own name.
pub(super) fn is_check(word: &str) -> bool {
    has(CHECKS, word) || has(CHECKERS, word) || word.starts_with("test")
}
