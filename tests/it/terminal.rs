//! The program on a terminal: a pseudo one, 80 columns by 24 rows.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::leash::Leash;
use crate::project::Project;

/// How long anything may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program on a terminal of its own.
pub struct Terminal {
    child: Leash,
    keys: File,
    shown: Arc<Mutex<Vec<u8>>>,
    seen: usize,
}

impl Terminal {
    pub fn run(project: &Project, words: &[&str]) -> Self {
        Self::run_with(project, words, &[])
    }

    pub fn run_with(project: &Project, words: &[&str], surroundings: &[(&str, &str)]) -> Self {
        Self::of(Self::command(project, words, surroundings), 80)
    }

    /// As [`Self::run`], on one of this width.
    pub fn wide(project: &Project, words: &[&str], columns: u16) -> Self {
        Self::of(Self::command(project, words, &[]), columns)
    }

    fn command(project: &Project, words: &[&str], surroundings: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command
            .args(words)
            .current_dir(project.root())
            .env("HOME", project.root())
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CACHE_HOME");
        command.env("TZ", "UTC").env("TERM", "xterm");
        for name in ["ANNALS_DIR", "ANNALS_SESSION", "NO_COLOR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"]
        {
            command.env_remove(name);
        }
        command.envs(surroundings.iter().copied());
        command
    }

    /// Whatever program on a terminal of its own.
    pub fn of(mut command: Command, columns: u16) -> Self {
        let control = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&control).expect("granted");
        unlockpt(&control).expect("unlocked");
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&control, size).expect("a size");
        let name = ptsname(&control, Vec::new()).expect("a name");
        let open = || -> OwnedFd {
            let flags = OFlags::RDWR | OFlags::NOCTTY;
            rustix::fs::open(&name, flags, Mode::empty()).expect("its other side")
        };
        command.stdin(Stdio::from(open())).stdout(Stdio::from(open())).stderr(Stdio::from(open()));
        let child = command.spawn().map(Leash::of).expect("the program runs");
        drop(command);
        let keys = File::from(control);
        let mut screen = keys.try_clone().expect("another handle");
        let shown = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            // An error here is the other side's end.
            while let Ok(count @ 1..) = screen.read(&mut part) {
                written.lock().unwrap().extend_from_slice(&part[..count]);
            }
        });
        Self { child, keys, shown, seen: 0 }
    }

    /// Everything that was drawn so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    /// Holds that this appears, after what was held before.
    #[track_caller]
    pub fn shows(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let all = self.text();
            if let Some(at) = all[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            assert!(Instant::now() < deadline, "no {text:?} in {:?}", &all[self.seen..]);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses keys, after what is drawn stands still.
    pub fn press(&mut self, keys: &str) {
        self.settle();
        self.seen = self.text().len();
        self.keys.write_all(keys.as_bytes()).expect("pressed");
    }

    fn settle(&self) {
        let mut before = self.text().len();
        loop {
            std::thread::sleep(Duration::from_millis(40));
            let now = self.text().len();
            if now == before && now > 0 {
                return;
            }
            before = now;
        }
    }

    /// Gives it another size, and tells it.
    #[cfg(feature = "tui")]
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.keys, size).expect("a size");
        self.signal("WINCH");
    }

    pub fn signal(&mut self, name: &str) {
        self.settle();
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for its end, and answers everything that was drawn.
    #[track_caller]
    pub fn finish(mut self, code: i32) -> String {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("waited") {
                break status;
            }
            if Instant::now() > deadline {
                self.child.kill().expect("killed");
                panic!("it did not end; it showed {:?}", self.text());
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(status.code(), Some(code), "{:?}", self.text());
        let modes = tcgetattr(&self.keys).expect("its modes").local_modes;
        let cooked = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        assert!(modes.contains(cooked), "the terminal was left as {modes:?}");
        self.text()
    }
}
