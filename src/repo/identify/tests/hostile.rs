//! Trees that somebody else made.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::super::super::RepoError;
use super::{URL, dir, identify, of, tree, with_origin};

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_changes_no_hash() {
    let (_dir, base) = dir();
    let git = tree(&base, &with_origin(URL));
    let plain = of(&base);
    let config = git.join("config");
    let refused = |wound: &str| {
        let error = identify(&base).unwrap_err();
        assert!(error.to_string().contains(base.to_str().unwrap()), "{wound}: {error}");
        error.to_string()
    };

    fs::write(&config, vec![b'\n'; (1 << 20) + 1]).unwrap();
    assert!(refused("huge").contains("larger than 1 MiB"));

    let long = "x".repeat(5_000);
    fs::write(&config, with_origin(&format!("https://u:S3CRET@h/{long}"))).unwrap();
    let told = refused("a long URL");
    assert!(told.contains("too long") && !told.contains("S3CRET"), "{told}");

    fs::remove_file(&config).unwrap();
    fs::create_dir(&config).unwrap();
    assert!(refused("a folder").contains("no file"));

    fs::remove_dir(&config).unwrap();
    mknodat(CWD, &config, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    assert!(refused("a pipe").contains("no file"));

    fs::remove_file(&config).unwrap();
    symlink("config", &config).unwrap();
    assert!(matches!(identify(&base), Err(RepoError::GitFile { .. })));

    // A link that leads to a file is one, as tools with many trees of a repository leave it.
    fs::remove_file(&config).unwrap();
    fs::write(base.join("shared"), with_origin(URL)).unwrap();
    symlink("../shared", &config).unwrap();
    assert_eq!(of(&base), plain);

    let head = format!("ref: refs/heads/{}", "b/".repeat(4_000));
    fs::write(git.join("HEAD"), head).unwrap();
    assert!(refused("a long branch").contains("too long"));
}

#[test]
fn a_git_folder_that_nobody_may_open_is_told() {
    let (_dir, base) = dir();
    let git = tree(&base, &with_origin(URL));
    let plain = of(&base);
    fs::set_permissions(&git, fs::Permissions::from_mode(0o0)).unwrap();
    let shut = identify(&base);
    fs::set_permissions(&git, fs::Permissions::from_mode(0o700)).unwrap();
    match shut {
        // Whoever may open everything does.
        Ok(identity) => assert_eq!(identity, plain),
        Err(error) => assert!(matches!(error, RepoError::GitFile { .. }), "{error}"),
    }
}

#[test]
fn a_git_file_that_leads_nowhere_is_told_or_alone() {
    let (_dir, base) = dir();
    let tell = |text: &[u8]| {
        fs::write(base.join(".git"), text).unwrap();
        identify(&base)
    };
    for text in [&b"junk"[..], b"", b"gitdir", b"\xff\xfe"] {
        assert!(matches!(tell(text), Err(RepoError::GitText { .. })));
    }
    let long = [b"gitdir: ".as_slice(), &[b'x'; 100_000]].concat();
    for text in
        [&b"gitdir: nowhere"[..], b"gitdir: a\0b", b"gitdir: /dev/null", b"gitdir:\xff", &long]
    {
        let identity = tell(text).unwrap();
        assert_eq!((identity.top, identity.remote, identity.branch), (base.clone(), None, None));
    }
}

#[test]
fn settings_lead_to_no_other_file() {
    let (_dir, base) = dir();
    fs::write(base.join("other"), with_origin("https://other/x")).unwrap();
    let include = "[include]\n\tpath = ../other\n[includeIf \"gitdir:/\"]\n\tpath = ../other\n";
    tree(&base, include);
    assert_eq!(of(&base).remote, None);
}

#[test]
fn a_missing_folder_is_told() {
    let (_dir, base) = dir();
    assert!(matches!(identify(&base.join("none")), Err(RepoError::Folder { .. })));
}
