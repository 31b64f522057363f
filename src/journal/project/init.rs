//! Making a project.

use std::fs::Permissions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{FOLDER, LostJournal, Project, ProjectError, git, home, journal_options};
use crate::config::{Config, Contract, TEMPLATE};
use crate::event::{Body, Envelope, Event, JournalCreated, Sequence, Source, ToolsDeclared, tool};
use crate::journal::boot_clock::BootClock;
use crate::journal::enclosure::OpenHow;
use crate::journal::trust::Settings;
use crate::journal::withheld::Withheld;
use crate::journal::{Around, Journal, JournalReader, clock, enclosure, id, trust};
use crate::redact::Redactor;

#[derive(Clone, Debug, Default)]
pub struct InitOptions {
    /// For a new project only; an existing one keeps its own.
    pub contract: Contract,
    /// This machine's label; by default the settings', else the host's name.
    pub machine: Option<String>,
    /// When a new one begins, Unix milliseconds, where that is not now: one that takes older records over.
    pub as_of_ms: Option<u64>,
}

#[derive(Debug)]
pub struct InitReport {
    /// There was no journal before.
    pub created: bool,
    /// There had been one: what was made from it stays as it is.
    pub lost: Option<LostJournal>,
    pub config_written: bool,
    /// The journal was made around settings that lay there: they are nobody's until they are allowed.
    pub config_found: bool,
    /// The file of git's that names the root's stores from now on.
    pub excluded_in: Option<PathBuf>,
    /// Git's file could not be written, and why: the stores would show as untracked.
    pub exclude_failed: Option<String>,
}

pub(super) fn init(
    root: &Path,
    options: &InitOptions,
    around: Around,
) -> Result<(Project, InitReport), ProjectError> {
    let root = root.canonicalize().map_err(|source| ProjectError::Folder {
        path: root.to_owned(),
        did: "found",
        source,
    })?;
    if !root.is_dir() {
        return Err(ProjectError::InTheWay { path: root });
    }
    let annals = root.join(FOLDER);
    super::must_be_own(&root)?;
    let lost = LostJournal::of(&root, around);
    self::folder(&annals)?;
    if let Some(lost) = &lost {
        lost.make_room()?;
    }
    self::folder(&annals.join("owners"))?;
    file(&annals.join(".gitignore"), "/*\n")?;
    let config_path = annals.join("config.toml");
    let template = template_of(options.contract);
    let config_written = self::settings(&config_path, &template)?;
    let settings = Settings::of(&root);
    // One that died after it wrote the settings found what it would write.
    let is_found =
        !config_written && !Contract::ALL.iter().any(|it| settings.says(&template_of(*it)));
    let created = journal(&annals.join("journal"), &root, &settings.config, is_found, options)?;
    // Whose they are is told by the journal that is there now.
    let settings = Settings::of(&root);
    let (excluded_in, exclude_failed) = match git::exclude(&root) {
        Ok(excluded) => (excluded, None),
        Err(error) => (None, Some(error.to_string())),
    };
    let config_found = created && is_found;
    let report =
        InitReport { created, lost, config_written, config_found, excluded_in, exclude_failed };
    let project = Project::at(&root, settings, around);
    BootClock::new(&project).note(clock::now_ms());
    Ok((project, report))
}

fn template_of(contract: Contract) -> String {
    TEMPLATE.replace("{contract}", contract.as_str())
}

/// Makes the journal where there is none, or completes what died after making it; says whether.
fn journal(
    folder: &Path,
    root: &Path,
    config: &Config,
    is_around_settings: bool,
    options: &InitOptions,
) -> Result<bool, ProjectError> {
    let journal_options = journal_options(config);
    let journal = match has_segments(folder)? {
        false => Journal::create(folder, &id::entropy(), journal_options)?,
        true if JournalReader::open(folder)?.mark().sequence > Sequence(0) => return Ok(false),
        true => Journal::open(folder, &id::entropy(), journal_options)?.0,
    };
    // Before the journal says anything. Where it cannot be remembered it is known by its machine and folder,
    // and settings that lay there would be the user's own.
    match trust::note_begun(root, &journal.id(), is_around_settings) {
        Err(source) if is_around_settings => return Err(ProjectError::State { source }),
        _ => {}
    }
    let now_ms = options.as_of_ms.unwrap_or_else(clock::now_ms);
    let machine = options.machine.clone().or_else(|| config.machine.clone());
    let project = root.file_name().map_or("/".into(), |name| name.to_string_lossy());
    // By its root it is known where it lies, and what paths are told from: that stays as it is, and is told.
    let values = Withheld::of_user().unwrap_or_default().map(|it| it.values()); // `status` tells why
    let redactor = Redactor::new(&[]).knowing(values);
    let mut bodies = vec![Body::JournalCreated(JournalCreated {
        machine: redactor.redact_text(&machine.unwrap_or_else(home::machine_label)),
        project: redactor.redact_text(&project),
        root: root.to_string_lossy().into_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })];
    if config.contract == Contract::Open {
        let tools = tool::DECLARED_BY_INIT.map(str::to_owned).to_vec();
        bodies.push(Body::ToolsDeclared(ToolsDeclared { tools, by: "annals init".to_owned() }));
    }
    let event = |body| Event { envelope: Envelope::new(None, Source::Annals, now_ms), body };
    let events: Vec<_> = bodies.into_iter().map(event).collect();
    // One commit: a journal never begins without the tools it was made with.
    journal.append(&events, now_ms)?;
    journal.sync()?;
    trust::seen::begin_anew(folder, &journal.id());
    journal.keep_seen();
    Ok(true)
}

fn has_segments(folder: &Path) -> Result<bool, ProjectError> {
    let failed = |source| ProjectError::Folder { path: folder.to_owned(), did: "read", source };
    match enclosure::names(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(error)),
        Ok(names) => Ok(names.iter().any(|(name, _)| name.to_string_lossy().ends_with(".seg"))),
    }
}

/// Makes a folder; one that is there already is closed to others.
pub(super) fn folder(path: &Path) -> Result<(), ProjectError> {
    let failed = |did| move |source| ProjectError::Folder { path: path.to_owned(), did, source };
    let made =
        enclosure::make_folder(path).map_err(|source| match enclosure::is_in_the_way(&source) {
            true => ProjectError::InTheWay { path: path.to_owned() },
            false => failed("made")(source),
        });
    match made? {
        true => Ok(()),
        false => enclosure::folder(path)
            .and_then(|folder| folder.set_permissions(Permissions::from_mode(0o700)))
            .map_err(failed("closed to others")),
    }
}

/// Writes the settings where nothing is in their place. Says whether it did.
pub(super) fn settings(path: &Path, text: &str) -> Result<bool, ProjectError> {
    match path.symlink_metadata() {
        // Whatever it is: what cannot be read there is left out, and told.
        Ok(_) => Ok(false),
        Err(_) => file(path, text),
    }
}

/// Writes a file that is not there yet; one that is keeps what it holds. Says whether it did.
pub(super) fn file(path: &Path, text: &str) -> Result<bool, ProjectError> {
    let failed = |source| ProjectError::Folder { path: path.to_owned(), did: "written", source };
    match enclosure::open(path, OpenHow::CreateNew) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            enclosure::open(path, OpenHow::Read).map(|_| false).map_err(failed)
        }
        Err(source) => Err(failed(source)),
    }
}
