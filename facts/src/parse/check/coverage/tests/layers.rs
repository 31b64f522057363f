//! In which layer a fault lies.

use super::*;
use crate::parse::check::coverage::layer;

#[test]
fn a_linters_finding_and_a_call_of_nothing_are_no_fault_of_the_code() {
    let vet = "# x\n./a.go:3:1: fmt.Printf format %d has arg \"x\" of wrong type string\n";
    let excluded = "package x/t: build constraints exclude all Go files in /w/t\n";
    let imports = "a.go:3:8: no required module provides package example.com/y; to add it:\n";
    for (command, printed, layers) in [
        ("go vet ./...", vet, layer::LINT),
        ("go vet ./...", "# x\nvet: ./a.go:3:2: undefined: y\n", layer::CODE),
        ("go vet ./...", "# x\n./a.go:3:2: declared and not used: y\n", layer::CODE),
        ("golangci-lint run", LINT, layer::LINT),
        ("go build ./...", GO, layer::CODE),
        ("go test ./t", "no Go files in /w/t\n", 0),
        ("go test ./...", imports, layer::CODE),
    ] {
        let need = need(&report(command, printed, 1)).unwrap();
        assert_eq!(need.layers, layers, "{command}: {printed}");
    }
    // What is built for another system is no check of this one.
    let set_up = format!("# x/t\n{excluded}FAIL\tx/t [setup failed]\nFAIL\n");
    let imported = "package x/t\n\timports x/w: build constraints exclude all Go files in /w/w\n";
    let beside = format!("{excluded}--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/a\t0.1s\nFAIL\n");
    for (command, printed, verdict) in [
        ("go build ./t", excluded, Verdict::Unknown),
        ("go vet ./t", excluded, Verdict::Unknown),
        ("go test -v ./t", excluded, Verdict::Unknown),
        ("go test ./t", set_up.as_str(), Verdict::Unknown),
        ("go build ./...", imported, Verdict::Failed),
        ("go test ./...", &beside, Verdict::Failed),
    ] {
        let found = report(command, printed, 1);
        assert_eq!(found.verdict, verdict, "{command}: {printed}");
        assert_eq!(found.is_idle(), verdict == Verdict::Unknown, "{command}: {printed}");
    }
}
