//! Errors of files and of the journal, sorted by what they are of.

use std::error::Error;
use std::io;
use std::io::ErrorKind;
use std::sync::Arc;

use super::archive::ArchiveFault;
use super::{JournalError, ProjectError, RecordError, SourceError, Trouble, enclosure};
use crate::fault::{Class, Fault, Remedy, Sorted};

const TAKE_OVER: Remedy =
    Remedy::Do("--dir DIR reads it and writes nothing; to work in it, make it yours: chown -R");

pub fn of_io(error: &io::Error) -> Sorted {
    if enclosure::is_in_the_way(error) {
        return Class::Refused.alone();
    }
    if let Some(fault) = ArchiveFault::of(error) {
        return of_archive(fault);
    }
    Class::Io.with(Remedy::Do(match error.kind() {
        ErrorKind::PermissionDenied => {
            "check who owns the file and its folder, and whether you may write there"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room, then run the command again"
        }
        ErrorKind::ReadOnlyFilesystem => "copy the folder to where you may write",
        ErrorKind::WouldBlock => {
            let wait = "another process holds it: wait, or end that process";
            return Class::Locked.with(Remedy::Do(wait));
        }
        _ => return Class::Io.alone(),
    }))
}

pub fn of_archive(fault: &ArchiveFault) -> Sorted {
    match fault.is_wrong {
        true => Class::Damaged.with(Remedy::FetchFromCopy),
        false => Class::Io.with(Remedy::ReachArchive),
    }
}

/// The journal's own errors, and those of files, wherever they stand in the chain of causes.
pub fn of_causes(error: &(dyn Error + 'static)) -> Sorted {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<JournalError>()
            && error.trouble() != Trouble::Io
        {
            return trouble(error.trouble());
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return of_io(error);
        }
        if let Some(error) = error.downcast_ref::<Arc<io::Error>>() {
            return of_io(error);
        }
        cause = error.source();
    }
    Class::Io.alone()
}

fn trouble(trouble: Trouble) -> Sorted {
    match trouble {
        Trouble::Missing => Class::Refused.with(Remedy::Init),
        Trouble::Locked => {
            let wait = "another process is writing: wait, or end it, then try again";
            Class::Locked.with(Remedy::Do(wait))
        }
        Trouble::Damaged => Class::Damaged.with(Remedy::Salvage),
        Trouble::Bundle => Class::Damaged.with(Remedy::Unpack),
        Trouble::Refused => Class::Refused.alone(),
        Trouble::Io => Class::Io.alone(),
    }
}

impl Fault for JournalError {
    fn sorted(&self) -> Sorted {
        of_causes(self)
    }
}

impl Fault for ProjectError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::NotFound { .. } => Class::Refused.with(Remedy::Init),
            Self::Lost(lost) => lost.sorted(),
            Self::Contradicted { .. } => Class::Contradicted.with(Remedy::Accept),
            Self::InTheWay { .. } => Class::Refused.alone(),
            Self::Unbelieved { .. } => Class::Refused.with(Remedy::Trust),
            Self::Foreign { .. } => Class::Refused.with(TAKE_OVER),
            Self::Folder { source, .. } | Self::State { source } => of_io(source),
            Self::Config(_) => Class::Refused.with(Remedy::ShowTrust),
            Self::Journal(error) => error.sorted(),
        }
    }
}

impl Fault for RecordError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Project(error) => error.sorted(),
            Self::Journal(error) => error.sorted(),
            Self::Undeclared { tool, .. } => Class::Refused.with(Remedy::DeclareTool(tool.clone())),
            Self::Past(_) => Class::Refused.with(Remedy::Rebuild(Some("index"))),
            _ => Class::Refused.alone(),
        }
    }
}

impl Fault for SourceError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Io { source, .. } => of_io(source),
            Self::Lost(lost) => lost.sorted(),
            Self::Foreign { .. } => Class::Refused.with(TAKE_OVER),
            Self::Absent { .. } | Self::Nothing { .. } => Class::Refused.with(Remedy::Find),
        }
    }
}
