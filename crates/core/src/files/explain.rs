//! Errors of the operating system in words: what is wrong with a path, and what would be right.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::text::shown::shown;

/// Paths in errors are cut to this length.
const LONGEST_PATH: usize = 200;

/// What was to be done with a path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Doing {
    /// To read a file.
    ReadFile,
    /// To write a file.
    WriteFile,
    /// To list a folder.
    ReadFolder,
    /// To make a folder.
    MakeFolder,
}

impl Doing {
    const fn wants_folder(self) -> bool {
        matches!(self, Doing::ReadFolder | Doing::MakeFolder)
    }
}

/// Returns an error of the system about a path in words, of the same kind. The words continue a sentence that begins with the
/// path: "it is a folder, a file is needed".
#[must_use]
pub fn explained(error: io::Error, path: &Path, doing: Doing) -> io::Error {
    if error.raw_os_error().is_none() {
        return error;
    }
    match about_path(&error, path, doing).or_else(|| in_words(&error).map(str::to_owned)) {
        Some(words) => io::Error::new(error.kind(), words),
        None => error,
    }
}

/// Returns what a look at the path adds to an error.
fn about_path(error: &io::Error, path: &Path, doing: Doing) -> Option<String> {
    let name = |path: &Path| format!("`{}`", shown(&path.to_string_lossy(), LONGEST_PATH));
    match error.kind() {
        ErrorKind::IsADirectory => Some("it is a folder, a file is needed".to_owned()),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists if doing.wants_folder() && path.is_file() => {
            Some("it is a file, a folder is needed".to_owned())
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            let file = path.ancestors().skip(1).find(|above| above.is_file())?;
            Some(format!("{} is a file, a folder is needed", name(file)))
        }
        ErrorKind::NotFound => {
            let above = path.parent().filter(|above| !above.as_os_str().is_empty() && !above.exists());
            Some(match above {
                Some(above) => format!("there is no folder {}", name(above)),
                None if doing.wants_folder() => "there is no such folder".to_owned(),
                None => "there is no such file".to_owned(),
            })
        }
        ErrorKind::PermissionDenied => Some(match doing {
            Doing::ReadFile | Doing::ReadFolder => "this user may not read it".to_owned(),
            Doing::WriteFile | Doing::MakeFolder => "this user may not write there".to_owned(),
        }),
        _ => None,
    }
}

/// Returns an error of the system in words that fit any path; `None` for rare ones, whose own text is best.
#[must_use]
pub fn in_words(error: &io::Error) -> Option<&'static str> {
    error.raw_os_error()?;
    Some(match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "this user may not do that",
        ErrorKind::IsADirectory => "it is a folder, a file is needed",
        ErrorKind::NotADirectory => "a part of the path is a file, a folder is needed",
        ErrorKind::StorageFull => "no space is left on the disk; free some and resume",
        ErrorKind::QuotaExceeded => "this user's share of the disk is full; free some space and resume",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        ErrorKind::FileTooLarge => "the file would be larger than the system allows",
        ErrorKind::InvalidFilename => "the name is too long or has characters that the system does not allow",
        ErrorKind::OutOfMemory => "the memory is full",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn codes_of_the_system_become_words() {
        let no_space = io::Error::from_raw_os_error(28);
        assert_eq!(no_space.kind(), ErrorKind::StorageFull);
        let words = explained(no_space, Path::new("file"), Doing::WriteFile);
        assert_eq!(words.kind(), ErrorKind::StorageFull);
        assert_eq!(words.to_string(), "no space is left on the disk; free some and resume");
        let forbidden = explained(io::Error::from_raw_os_error(13), Path::new("file"), Doing::ReadFile);
        assert_eq!(forbidden.to_string(), "this user may not read it");
        let rare = explained(io::Error::from_raw_os_error(5), Path::new("file"), Doing::ReadFile);
        assert!(rare.raw_os_error().is_some(), "an error without better words stays");
        let own = explained(io::Error::other("our own words"), Path::new("file"), Doing::ReadFile);
        assert_eq!(own.to_string(), "our own words");
    }

    #[test]
    fn paths_in_errors_cannot_speak_to_the_terminal() {
        let path = Path::new("nowhere/\u{1b}[31mred/file");
        let error = explained(io::Error::from_raw_os_error(2), path, Doing::ReadFile);
        assert_eq!(error.to_string(), "there is no folder `nowhere/\\u{1b}[31mred`");
    }
}
