//! Locks: one program at a time works on a run.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use parlor_core::files::explain::{Doing, explained};
use parlor_core::files::reading::make_folder;

/// Takes hold of an open file. Returns `false` if another program has it.
///
/// Some file systems have no locks; that is no reason not to play.
pub(super) fn try_hold(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// A lock for a file that is replaced as a whole each time it is written, so that it cannot be locked itself: a file beside it.
/// Dropping it removes that file; if the program is killed, the file stays and blocks no one.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    /// Holds the lock as long as it is open.
    _held: File,
}

impl LockFile {
    /// Takes the lock for `file`. `None` if another program has it.
    ///
    /// # Errors
    /// If the lock cannot be made: then `file` cannot be written, either.
    pub fn take(file: &Path) -> io::Result<Option<LockFile>> {
        let mut name = file.as_os_str().to_owned();
        name.push(".lock");
        Self::take_at(PathBuf::from(name), file)
    }

    /// Takes the lock for everything in a folder, which is made if it does not exist. `None` if another program has it.
    ///
    /// # Errors
    /// If the folder or the lock cannot be made.
    pub fn take_folder(folder: &Path) -> io::Result<Option<LockFile>> {
        make_folder(folder)?;
        Self::take_at(folder.join("lock"), folder)
    }

    fn take_at(path: PathBuf, file: &Path) -> io::Result<Option<LockFile>> {
        loop {
            let opened = File::options().create(true).truncate(false).write(true).open(&path);
            let held = opened.map_err(|error| explained(error, file, Doing::WriteFile))?;
            if !try_hold(&held) {
                return Ok(None);
            }
            // Its last holder may have removed it between these two calls; then it locks nothing.
            if is_still_there(&held, &path) {
                return Ok(Some(LockFile { path, _held: held }));
            }
        }
    }
}

#[cfg(unix)]
fn is_still_there(held: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |about: fs::Metadata| (about.dev(), about.ino());
    matches!((held.metadata().map(place), fs::metadata(path).map(place)), (Ok(ours), Ok(theirs)) if ours == theirs)
}

#[cfg(not(unix))]
fn is_still_there(_: &File, path: &Path) -> bool {
    path.exists()
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Before the lock is given up, so that nobody takes hold of a file that is about to go.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("learner.parlor");
        let first = LockFile::take(&file).unwrap().expect("nobody has it");
        assert!(LockFile::take(&file).unwrap().is_none());
        assert!(LockFile::take(&folder.path().join("other.parlor")).unwrap().is_some());
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        // What a killed program has left does not count.
        fs::write(folder.path().join("learner.parlor.lock"), "").unwrap();
        assert!(LockFile::take(&file).unwrap().is_some());
        assert!(LockFile::take(&folder.path().join("no/such/folder")).is_err());
    }
}
