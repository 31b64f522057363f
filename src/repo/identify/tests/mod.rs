//! The spec's "repoHash stability".

mod hostile;
mod settings;
mod url;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::RepoIdentity;
use super::identify;

/// A working tree as git leaves it, with these settings.
fn tree(at: &Path, settings: &str) -> PathBuf {
    let git = at.join(".git");
    fs::create_dir_all(git.join("objects")).unwrap();
    fs::create_dir_all(at.join("src/deep")).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(git.join("config"), settings).unwrap();
    git
}

fn with_origin(url: &str) -> String {
    format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n\tfetch = +refs/*\n")
}

const URL: &str = "https://example.com/o/r.git";

fn dir() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().canonicalize().unwrap();
    (dir, path)
}

fn of(path: &Path) -> RepoIdentity {
    identify(path).unwrap()
}

#[test]
fn repo_hash_is_the_same_by_every_name_of_the_tree() {
    let (_dir, base) = dir();
    let top = base.join("tree");
    tree(&top, &with_origin(URL));
    symlink(&top, base.join("link")).unwrap();
    symlink(top.join("src"), base.join("inner")).unwrap();
    let plain = of(&top);
    assert_eq!(plain.top, top);
    assert_eq!(plain.remote.as_deref(), Some(URL));
    assert_eq!(plain.branch.as_deref(), Some("main"));
    for name in ["tree/", "tree//", "tree/./", "tree/src", "tree/src/deep/", "link", "link/src/"] {
        assert_eq!(of(&base.join(name)), plain, "{name}");
    }
    for name in ["tree/src/../src", "inner", "inner/deep", "inner/..", "tree/.git"] {
        assert_eq!(of(&base.join(name)), plain, "{name}");
    }
}

#[test]
fn repo_hash_is_pinned() {
    let of = |remote: Option<&str>, branch: Option<&str>| {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        RepoIdentity::of("/w/tree".into(), owned(remote), owned(branch)).hash.to_string()
    };
    let part = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let hash = |parts: &[&str]| {
        let bytes: Vec<u8> = parts.iter().flat_map(|it| part(it)).collect();
        let mut hex = String::new();
        for byte in blake3::derive_key("annals repo 1", &bytes) {
            hex.push_str(&format!("{byte:02x}"));
        }
        hex
    };
    assert_eq!(of(Some("u"), Some("b")), hash(&["/w/tree", "u", "b"]));
    assert_eq!(of(None, Some("b")), hash(&["/w/tree"]));
    assert_eq!(of(Some("u"), None), hash(&["/w/tree", "u"]));
    assert_ne!(of(Some("ub"), Some("")), of(Some("u"), Some("b")));
    assert_eq!(of(None, None), "e3452774b0596d4d074e231ca9332902cb682fdf18d03beb1a2cade25dab1365");
}

#[test]
fn repo_hash_tells_paths_remotes_and_branches_apart() {
    let (_dir, base) = dir();
    let (one, two) = (base.join("one"), base.join("two"));
    let git = tree(&one, &with_origin(URL));
    tree(&two, &with_origin(URL));
    let plain = of(&one);
    assert_ne!(plain.hash, of(&two).hash);

    fs::write(git.join("HEAD"), "ref: refs/heads/feature/x\n").unwrap();
    let branch = of(&one);
    assert_eq!(branch.branch.as_deref(), Some("feature/x"));
    assert_ne!(plain.hash, branch.hash);

    fs::write(git.join("HEAD"), "ref: refs/heads/main\r\n").unwrap();
    assert_eq!(of(&one), plain);
    fs::write(git.join("config"), with_origin("https://example.com/o/other.git")).unwrap();
    assert_ne!(plain.hash, of(&one).hash);
}

#[test]
fn repo_hash_without_a_remote_is_of_the_path_alone() {
    let (_dir, base) = dir();
    let (top, bare) = (base.join("tree"), base.join("no-git"));
    let git = tree(&top, "[core]\n\tbare = false\n[remote \"upstream\"]\n\turl = https://u/x\n");
    let plain = of(&top);
    assert_eq!((plain.remote.as_deref(), plain.branch.as_deref()), (None, Some("main")));
    fs::write(git.join("HEAD"), "ref: refs/heads/other\n").unwrap();
    assert_eq!(of(&top).hash, plain.hash);
    fs::remove_file(git.join("config")).unwrap();
    assert_eq!(of(&top).hash, plain.hash);
    fs::remove_dir_all(&git).unwrap();
    assert_eq!(of(&top).hash, plain.hash);

    // No git anywhere: the folder itself, and its sub-folders are others.
    fs::create_dir_all(bare.join("sub")).unwrap();
    let folder = of(&bare.join("."));
    assert_eq!((folder.top, folder.branch), (bare.clone(), None));
    assert_ne!(of(&bare.join("sub")).hash, folder.hash);
}

#[test]
fn repo_hash_of_a_detached_head_names_its_commit() {
    let (_dir, base) = dir();
    let git = tree(&base, &with_origin(URL));
    let sha1 = "0123456789ABCDEF0123456789abcdef01234567";
    let sha256 = [sha1, "0123456789abcdef01234567"].concat();
    let mut hashes = vec![of(&base).hash];
    for (head, branch) in [
        (format!("{sha1}\n"), Some(sha1.to_ascii_lowercase())),
        (sha256.clone(), Some(sha256.to_ascii_lowercase())),
        // What is neither, and branches that only git can read: remote and path.
        ("neither\n".to_owned(), None),
    ] {
        fs::write(git.join("HEAD"), head).unwrap();
        let identity = of(&base);
        assert_eq!(identity.branch, branch);
        hashes.push(identity.hash);
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 4);
    for head in ["", "ref: refs/heads/.invalid\n", "ref:\n"] {
        fs::write(git.join("HEAD"), head).unwrap();
        assert_eq!(of(&base).branch, None, "{head:?}");
    }
    // Old gits link it.
    fs::remove_file(git.join("HEAD")).unwrap();
    symlink("refs/heads/main", git.join("HEAD")).unwrap();
    assert_eq!(of(&base).branch.as_deref(), Some("main"));
}

#[test]
fn repo_hash_of_a_worktree_has_its_own_path_and_branch_and_the_common_remote() {
    let (_dir, base) = dir();
    let (main, linked) = (base.join("main"), base.join("linked"));
    let git = tree(&main, &with_origin(URL));
    let own = git.join("worktrees/linked");
    fs::create_dir_all(&own).unwrap();
    fs::create_dir_all(linked.join("src")).unwrap();
    fs::write(own.join("HEAD"), "ref: refs/heads/topic\n").unwrap();
    fs::write(own.join("commondir"), "../..\n").unwrap();
    fs::write(linked.join(".git"), "gitdir: ../main/.git/worktrees/linked\n").unwrap();
    let identity = of(&linked.join("src"));
    assert_eq!(identity.top, linked);
    assert_eq!(identity.remote.as_deref(), Some(URL));
    assert_eq!(identity.branch.as_deref(), Some("topic"));
    assert_ne!(identity.hash, of(&main).hash);

    // Where it leads is not there, as in a container that was given the worktree alone.
    fs::remove_dir_all(&main).unwrap();
    let alone = of(&linked);
    assert_eq!((alone.top, alone.remote, alone.branch), (linked, None, None));
}

#[test]
fn repo_hash_of_a_submodule_is_its_own() {
    let (_dir, base) = dir();
    let git = tree(&base, &with_origin(URL));
    let module = git.join("modules/sub");
    fs::create_dir_all(&module).unwrap();
    fs::create_dir_all(base.join("sub/src")).unwrap();
    fs::write(module.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(module.join("config"), with_origin("../sub.git")).unwrap();
    fs::write(base.join("sub/.git"), format!("gitdir: {}\n", module.display())).unwrap();
    let identity = of(&base.join("sub/src"));
    assert_eq!(identity.top, base.join("sub"));
    assert_eq!(identity.remote.as_deref(), Some("../sub.git"));
    assert_ne!(identity.hash, of(&base).hash);
}

#[test]
fn repo_hash_is_the_same_with_every_credential_in_the_url() {
    let (_dir, base) = dir();
    let git = tree(&base, &with_origin(URL));
    let plain = of(&base);
    for url in [
        "https://user:S3CRET@example.com/o/r.git",
        "https://S3CRET@example.com/o/r.git",
        "https://x-access-token:S3CRET@example.com/o/r.git",
        "https://user:p@S3CRET@example.com/o/r.git",
        "https://user:p/S3CRET@example.com/o/r.git",
        "https://example.com/o/r.git?access_token=S3CRET",
        "https://example.com/o/r.git#S3CRET",
    ] {
        fs::write(git.join("config"), with_origin(&format!("\"{url}\""))).unwrap();
        let identity = of(&base);
        assert_eq!(identity, plain, "{url}");
        assert!(!format!("{identity:?}").contains("S3CRET"), "{url}");
    }
}

#[test]
fn repo_hash_of_several_remotes_is_of_origin() {
    let (_dir, base) = dir();
    let git = tree(&base, &with_origin(URL));
    let plain = of(&base);
    let others =
        "[remote \"upstream\"]\n\turl = https://u/x\n[remote \"Origin\"]\n\turl = https://o/x\n";
    for settings in
        [[others, &with_origin(URL)].concat(), [with_origin(URL).as_str(), others].concat()]
    {
        fs::write(git.join("config"), settings).unwrap();
        assert_eq!(of(&base), plain);
    }
}

#[test]
fn repo_hash_takes_the_nearest_folder_that_git_made_its_own() {
    let (_dir, base) = dir();
    tree(&base, &with_origin(URL));
    // Neither an empty `.git` nor a link to nothing is one.
    fs::create_dir_all(base.join("src/.git")).unwrap();
    symlink("nowhere", base.join("src/deep/.git")).unwrap();
    assert_eq!(of(&base.join("src/deep")).top, base);
    tree(&base.join("src/deep/own"), "");
    assert_eq!(of(&base.join("src/deep/own/src")).top, base.join("src/deep/own"));
}
