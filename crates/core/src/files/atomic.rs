//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::explain::{Doing, explained};
use super::reading::check_kind;

/// Numbers the drafts of this process, so that two threads never write the same one.
static DRAFTS: AtomicU64 = AtomicU64::new(0);

/// Writes a file as a whole or not at all: to a draft beside it, which is synced and then renamed.
///
/// Two writers of one file do not disturb each other: each has a draft of its own, and the file is that of the later rename.
///
/// # Errors
/// If the draft cannot be written, synced or renamed; then it is removed, and what was there before stays.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let explain = |error| explained(error, path, Doing::WriteFile);
    write_atomically_with(path, |file| file.write_all(bytes).map_err(explain))
}

/// Writes a file as [`write_atomically`] does; `write` writes its content piece by piece.
///
/// # Errors
/// Those of `write` and of [`write_atomically`].
pub fn write_atomically_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    // Renaming would replace a device, which belongs to the whole system.
    if let Ok(about) = fs::metadata(path) {
        check_kind(&about)?;
    }
    let explain = |error| explained(error, path, Doing::WriteFile);
    remove_stale_drafts(path);
    let (draft, mut file) = create_draft(path).map_err(explain)?;
    let written = write(&mut file).and_then(|()| Ok(file.sync_all().map_err(explain)?));
    // Some systems cannot rename an open file.
    drop(file);
    let renamed = written.and_then(|()| Ok(fs::rename(&draft, path).map_err(explain)?));
    if renamed.is_ok() {
        sync_folder(path);
    } else {
        // The first failure is the one to report; a draft that cannot be removed harms nothing.
        let _ = fs::remove_file(&draft);
    }
    renamed
}

/// Writes a file as a whole or not at all, as [`write_atomically`] does, but does not wait for the disk: what was written survives the end of
/// the program, though not a failure of the machine. For files that are written many times a second.
///
/// # Errors
/// As those of [`write_atomically`].
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let explain = |error| explained(error, path, Doing::WriteFile);
    let (draft, mut file) = create_draft(path).map_err(explain)?;
    let written = file.write_all(bytes);
    drop(file);
    written.and_then(|()| fs::rename(&draft, path)).map_err(|error| {
        let _ = fs::remove_file(&draft);
        explain(error)
    })
}

/// Checks that a file can be written, before work begins whose result it will hold. What is there stays.
///
/// # Errors
/// If its folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let (draft, file) = create_draft(path).map_err(|error| explained(error, path, Doing::WriteFile))?;
    drop(file);
    fs::remove_file(draft)
}

/// Creates a file beside `path` that no other writer has: the process and a number are in its name.
fn create_draft(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let mut name = path.as_os_str().to_owned();
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        name.push(format!(".{}-{number}.draft", std::process::id()));
        let draft = PathBuf::from(name);
        match File::options().write(true).create_new(true).open(&draft) {
            // Left by a killed process that had the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => {
                let file = created?;
                // Shows other processes that it is in use; some file systems have no locks, and do without.
                let _ = file.try_lock();
                return Ok((draft, file));
            }
        }
    }
}

/// Removes the drafts of a file that killed processes have left. A draft is stale if its process is gone and nothing holds its
/// lock: another machine or container may have the same folder. Systems that do not list processes keep them.
fn remove_stale_drafts(path: &Path) {
    let (Some(folder), Some(name)) = (folder_of(path), path.file_name()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    let processes = Path::new("/proc");
    let is_gone = |process: &str| {
        process.parse::<u32>().is_ok_and(|id| id != std::process::id())
            && processes.join("self").exists()
            && !processes.join(process).exists()
    };
    for draft in entries.flatten().map(|entry| entry.path()) {
        let process = draft.file_name().and_then(|draft| {
            let rest =
                draft.to_str()?.strip_prefix(name.to_str()?)?.strip_prefix('.')?.strip_suffix(".draft")?;
            Some(rest.split_once('-')?.0)
        });
        if process.is_some_and(is_gone) && File::open(&draft).is_ok_and(|file| file.try_lock().is_ok()) {
            // One that cannot be removed harms nothing.
            let _ = fs::remove_file(&draft);
        }
    }
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> Option<&Path> {
    path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// Syncs the folder of a file, so that a rename survives a power cut. Not every system can; the file's bytes are safe anyway.
fn sync_folder(path: &Path) {
    if let Some(Ok(folder)) = folder_of(path).map(File::open) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn files_are_replaced_and_no_draft_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        for text in ["one", "another one"] {
            write_atomically(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["result.json"]);
    }

    #[test]
    fn files_are_replaced_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.json");
        for text in ["one", "two"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(names(folder.path()), ["table.json"]);
        }
        let missing = folder.path().join("nowhere/table.json");
        assert!(replace(&missing, b"").unwrap_err().to_string().contains("nowhere"));
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be replaced by a file.
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(write_atomically(&path, b"text").is_err());
        assert!(check_writable(&path).is_err());
        assert!(check_writable(&folder.path().join("missing/file")).is_err());
        assert!(check_writable(&folder.path().join("other")).is_ok());
        assert_eq!(names(folder.path()), ["taken"]);
        assert!(write_atomically(&folder.path().join("missing/file"), b"text").is_err());
        #[cfg(unix)]
        assert!(
            write_atomically(Path::new("/dev/null"), b"text").unwrap_err().to_string().contains("device")
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn drafts_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut gone = std::process::Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let stale = format!("file.{}-3.draft", gone.id());
        let others = [
            "file.1-0.draft".to_owned(),
            format!("other.{}-0.draft", gone.id()),
            "file.x-1.draft".to_owned(),
        ];
        for name in others.iter().chain([&stale]) {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        write_atomically(&path, b"text").unwrap();
        let mut left = names(folder.path());
        left.sort();
        let mut wanted = [&others[..], &["file".to_owned()]].concat();
        wanted.sort();
        assert_eq!(
            left, wanted,
            "one process lives, one draft is of another file, one is not a draft of ours"
        );
    }

    #[test]
    fn checks_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        check_writable(&path).unwrap();
        assert!(names(folder.path()).is_empty());
        write_atomically(&path, b"text").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"text");
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&folder.path().join("missing/file")).is_err());
    }

    #[test]
    fn writers_at_once_never_mix_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..10 {
                        write_atomically(path, &vec![writer; 10_000 + usize::from(writer)]).unwrap();
                    }
                });
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.iter().all(|&byte| byte == bytes[0]));
        assert_eq!(bytes.len(), 10_000 + usize::from(bytes[0]));
        assert_eq!(names(folder.path()), ["file"]);
    }
}
