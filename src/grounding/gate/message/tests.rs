//! What agents say at the end of a turn, as a table: honest, boasting, and in between.

use super::Message::{self, Claim, Failure, Other, Question, Unverified};

#[test]
fn messages_are_read_as_what_they_are() {
    let mut wrong = Vec::new();
    for (expected, texts) in [
        (Claim, CLAIMS),
        (Unverified, UNVERIFIED),
        (Failure, FAILURES),
        (Question, QUESTIONS),
        (Other, OTHERS),
    ] {
        for text in texts {
            let found = Message::of(text);
            if found != expected {
                wrong.push(format!("{expected:?}, read as {found:?}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_a_long_message_the_end_is_read() {
    let filler = "This is filler. ".repeat(6_000);
    for (text, expected) in [
        (format!("{filler}\n\nAll tests pass."), Claim),
        (format!("{filler}\n```\n{filler}\n```\nAll tests pass."), Claim),
        (format!("{filler}\n```\n{filler}\nAll tests pass.\n```"), Other),
        (filler.clone(), Other),
        (format!("{}All tests pass.", "\u{e9}t\u{e9}. ".repeat(20_000)), Claim),
    ] {
        assert_eq!(Message::of(&text), expected, "{} bytes", text.len());
    }
}

const CLAIMS: &[&str] = &[
    "Fixed. All tests pass.",
    "I fixed it.",
    "It is done.",
    "It compiles.",
    "CI should be happy: everything passes.",
    "The suite is back to green.",
    "The fix works.",
    "All done!",
    "Done \u{2014} the parser handles empty input.",
    "The bug is resolved and verified.",
    "All 5 tests are green now.",
    "All tests pass. Want me to commit?",
    "All tests pass, shall I commit?",
    "Everything works now.",
    "\u{2705} All unit tests pass (58)\n\u{2705} Lint clean",
    "- Unit tests: \u{2713}\n- Lint: \u{2713}",
    "The build failed. I then fixed the import.",
    "Everything compiles cleanly",
    "42 passed, 0 failed.",
    "`go test ./...` passes.",
    "The race condition has been eliminated and the suite is green.",
    "I've implemented the retry logic as requested.",
    "We successfully migrated the schema.",
    "Migration completed successfully.",
    "The crash no longer occurs and the tests are passing.",
    "It no longer crashes on empty input.",
    "That did it: the tests pass again.",
    "Implementation complete.",
    "All review comments addressed.",
    "Your login issue should be gone. I verified it, and it works as expected.",
    "The feature is now fully functional.",
    "Ready to merge.",
    "Both problems are solved.",
    "There were two failing tests; both pass now.",
    "When I ran the suite after the change, all tests passed.",
    "After the fix, all tests pass.",
    "The old code did not handle nil. Fixed.",
    "# Summary\n\nThe refactoring is complete.",
    "The tests failed at first, but they pass now.",
    "Linter shows 0 issues and the build succeeds.",
    "I did not run the linter, but all tests pass.",
    "You're all set: the endpoint now works.",
    "The command now properly finds checkpoints.",
    "**Done.** Renamed `a` to `b`.",
    "I was able to fix the failing test.",
    "Bug fixed in commit 3f2a1b.",
    "Not only is the bug fixed, the tests also run twice as fast.",
    "The fix works: after the change the failing test goes green.",
    "`npm test` exits 0.",
    "There were no failures in the last run.",
    "No test fails any more.",
    "mypy and ruff come back clean.",
    "The feature now behaves correctly.",
    "The bug has now been eliminated.",
    "Result: all tests pass.",
    "The tests finish without failures.",
    "CI should be happy: I ran cargo test locally and everything passed.",
    "It should be good now: I ran the tests and they all passed.",
    "It will work now: the whole suite is green.",
    "With the edit to a.py all tests pass.",
    "After the change to the parser all tests pass.",
    "Tracked it down and fixed it; the page loads fine now.",
    "Found the bug and squashed it.",
    "The app starts fine again.",
    "The crash is fixed; no tests exist for this module.",
    "I have verified nothing is broken.",
    "#1 is fixed",
    "Done.",
    "Finished.",
    "Ok, done.",
    "Login works on both browsers now.",
    "The app now starts and behaves correctly.",
];

const UNVERIFIED: &[&str] = &[
    "I did not run the tests; nothing was verified.",
    "I have not verified this fix.",
    "Documentation updated; no code path changed, and I ran no checks.",
    "The change is in a.py. Tests were not run.",
    "I haven\u{2019}t tested this yet.",
    "Done, but untested.",
    "Fixed the parser. I have not run the test suite.",
    "I changed the timeout to 30 s. This is unverified.",
    "I was not able to run the tests here because go is missing.",
    "Nothing was tested.",
    "No tests were run.",
    "I made the edit without running anything; the change is not verified.",
    "I couldn't run the build in this sandbox, so the change has not been verified.",
    "Implemented, not compiled.",
    "The tests have not been run yet. The edit is in a.go.",
    "I wrote the fix but didn't check whether it builds.",
    "I verified nothing.",
    "I have not verified that nothing is broken.",
    "The crash is fixed; no tests were run.",
];

const FAILURES: &[&str] = &[
    "I could not fix it; the tests still fail.",
    "Fixed the parser, but two tests still fail.",
    "The build is broken.",
    "I was unable to resolve the conflict.",
    "The bug is not fixed yet.",
    "It isn\u{2019}t fixed.",
    "Two tests are still failing.",
    "All unit tests pass, but the integration tests fail.",
    "It still crashes on startup.",
    "I failed to reproduce and fix the problem.",
    "The tests do not pass.",
    "3 tests fail after my change.",
    "This does not work.",
    "I can't get the suite to pass.",
];

const QUESTIONS: &[&str] = &[
    "Which rounding do you want, half up or half even?",
    "Should this be fixed?",
    "Is the build done?",
    "Do the tests pass on your machine?",
    "I see two ways. Which do you prefer?",
    "Want me to run the tests once it is fixed?",
    "Is this ready to merge?",
    "The cause is a missing lock. Want me to implement the fix?",
    "Does it work correctly now?",
    "Here is the plan: 1. fix the parser, 2. make the tests pass, 3. update the docs. **Shall I go on?**",
];

const OTHERS: &[&str] = &[
    "",
    "Here is how the parser works.",
    "I need to see whether it is fixed",
    "This should fix it.",
    "I believe the tests pass.",
    "It should work now.",
    "Once the tests pass, I will commit.",
    "Make sure all tests pass before you merge.",
    "Next I will run the tests.",
    "Plan:\n1. Write the failing test\n2. All tests pass\n3. Done",
    "## Next steps\n- The bug is fixed\n- Lint clean",
    "If all tests pass, the change is complete.",
    "You said \"all tests pass\", which is what CI prints.",
    "The log line is:\n```\nDone. All tests passed\n```",
    "> All tests pass.\n\nThat is what the issue says.",
    "`fixed` is the name of the flag.",
    "The function returns true when the job is done.",
    "Renamed `a` to `b` in three files.",
    "I added a line to README.md.",
    "The change is in a.py.",
    "The loop waits until the build is complete.",
    "This approach would be complete with one more index.",
    "Hopefully that resolves the issue; the tests might pass.",
    "The fix would be to take the lock before reading.",
    "How it works: the hook reads the file.",
    "Before the tests pass, the lock has to be taken.",
    "\u{5b8c}\u{4e86}\u{3002} \u{1f600}\u{1f600}\u{0} \u{202e}",
    "?",
    "...",
    "No changes needed.",
    "The tests cover empty input, long input and links.",
    "The investigation is complete. The cause is the missing lock.",
    "The parser passes the flag to the lexer.",
    "A fixed width column is used.",
    "The checkbox says `\u{2713} done`.",
    "To be fixed: the parser.",
    "Expected: all tests pass.",
    "Let me know when the tests pass.",
    "That is working code, I would leave it.",
    "**To verify, run** `pytest` and check that all tests pass.",
    "The plan is: first the parser is fixed, then all tests pass.",
    "The function returns 0.",
    "There are no tests for errors.",
    "There is no error handling here.",
    "This was confirmed to be a bug.",
    "The problem has been reported upstream.",
    "The flag no longer exists.",
    "The result should be: all tests pass.",
    "What should work next: all tests pass.",
    "No tests exist for this module.",
    "OK.",
    "I am done explaining.",
    "I made the change to a.py.",
];

/// Whatever is said is read in bounds, to its end.
#[test]
fn hostile_messages_are_read() {
    for text in [
        "`".repeat(100_000),
        "```\n".repeat(30_000),
        "[](".repeat(30_000),
        "'s ".repeat(30_000),
        "fixed ".repeat(20_000),
        "? ".repeat(40_000),
        "|".repeat(70_000),
        "- ".repeat(40_000),
        "\u{2014}".repeat(30_000),
        "**".repeat(40_000),
        "\u{1f600}'t n't 've".repeat(5_000),
        "not ".repeat(30_000) + "fixed",
        "\"".repeat(99_999),
    ] {
        let begun = std::time::Instant::now();
        let _ = Message::of(&text); // only that it ends
        assert!(begun.elapsed().as_secs() < 5, "{:.20}", text);
    }
}
