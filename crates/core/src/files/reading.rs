//! Reading files that may be anything: a folder, a pipe, a device that never ends, a file without measure.
//!
//! Every reader of files in the workspace goes through this module; a test of the catalog keeps it so.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use super::explain::{Doing, explained};

/// The limit of files that people write: TOML, weights, manifests.
pub const MAX_TEXT: u64 = 16 << 20;

/// The limit of files that are read into memory: knowledge, books, strategies, tables of rows.
pub const MAX_DATA: u64 = 4 << 30;

/// The limit of files that are read piece by piece: rows of games, logs, endgame classes.
pub const MAX_STREAM: u64 = 256 << 30;

/// The limit of one line of a file or a pipe.
pub const MAX_LINE: usize = 1 << 20;

/// Opens a file. Refuses folders, pipes and devices, some of which never end, and files of more than `limit` bytes.
///
/// # Errors
/// If it cannot be opened, is not a file, or is too large; the sentence says which.
pub fn open_regular(path: &Path, limit: u64) -> io::Result<File> {
    open_regular_with(File::options().read(true), path, limit)
}

/// Opens a file as `options` say, and creates it if they do. Refuses what [`open_regular`] refuses.
///
/// # Errors
/// As those of [`open_regular`].
pub fn open_regular_with(options: &OpenOptions, path: &Path, limit: u64) -> io::Result<File> {
    // Before it is opened, because opening a pipe waits for its other end; and after, because it may have been replaced.
    if let Ok(about) = fs::metadata(path) {
        check(&about, limit)?;
    }
    let file = options.open(path).map_err(|error| explained(error, path, Doing::ReadFile))?;
    check(&file.metadata()?, limit)?;
    Ok(file)
}

/// Returns an error unless this is a file of at most `limit` bytes.
fn check(about: &Metadata, limit: u64) -> io::Result<()> {
    check_kind(about)?;
    if about.len() > limit { Err(too_large(limit)) } else { Ok(()) }
}

/// Returns an error unless this is a file.
pub(super) fn check_kind(about: &Metadata) -> io::Result<()> {
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, a file is needed"));
    }
    if !about.is_file() {
        let wrong = "it is a device or a pipe, a file is needed";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, wrong));
    }
    Ok(())
}

fn too_large(limit: u64) -> io::Error {
    let wrong = format!("it is larger than the limit of {}", size(limit));
    io::Error::new(io::ErrorKind::FileTooLarge, wrong)
}

fn size(bytes: u64) -> String {
    const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let fitting = UNITS.iter().find(|(_, bits)| bytes >= 1 << bits && bytes.is_multiple_of(1 << bits));
    fitting.map_or_else(|| format!("{bytes} bytes"), |(unit, bits)| format!("{} {unit}", bytes >> bits))
}

/// Reads a whole file of at most `limit` bytes. Refuses what [`open_regular`] refuses.
///
/// # Errors
/// If it cannot be read, is not a file, or is too large.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to_limit(open_regular(path, limit)?, limit)
}

/// Reads a whole file of text of at most [`MAX_TEXT`] bytes. Refuses what [`open_regular`] refuses.
///
/// # Errors
/// If it cannot be read, is not a file, is too large, or is not text.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_regular(path, MAX_TEXT)?;
    String::from_utf8(bytes).map_err(|error| {
        let wrong = format!("it is not text: byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1);
        io::Error::new(io::ErrorKind::InvalidData, wrong)
    })
}

/// Reads everything that a reader has, at most `limit` bytes.
///
/// # Errors
/// Those of the reader, and if it has more.
pub fn read_to_limit(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Reads one line of at most [`MAX_LINE`] bytes, with its newline if it has one; `None` at the end.
///
/// # Errors
/// Those of the reader, and if the line is too long.
pub fn read_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.take(MAX_LINE as u64).read_until(b'\n', &mut line)?;
    if line.len() == MAX_LINE && line.last() != Some(&b'\n') {
        let wrong = format!("a line is longer than the limit of {}", size(MAX_LINE as u64));
        return Err(io::Error::new(io::ErrorKind::InvalidData, wrong));
    }
    Ok(Some(line).filter(|line| !line.is_empty()))
}

/// Returns what is in a folder, in the order of the names.
///
/// # Errors
/// If it cannot be read, or is not a folder.
pub fn read_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let explain = |error| explained(error, folder, Doing::ReadFolder);
    let entries = fs::read_dir(folder).map_err(explain)?;
    let mut paths =
        entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>().map_err(explain)?;
    paths.sort_unstable();
    Ok(paths)
}

/// Makes a folder and those above it, unless it exists.
///
/// # Errors
/// If it cannot be made, or is a file.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| explained(error, folder, Doing::MakeFolder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(result: io::Result<impl Sized>) -> String {
        result.err().expect("this is refused").to_string()
    }

    #[test]
    fn files_are_read_up_to_the_limit() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        fs::write(&path, [7; 1024]).unwrap();
        assert_eq!(read_regular(&path, 1024).unwrap(), [7; 1024]);
        assert_eq!(says(read_regular(&path, 1023)), "it is larger than the limit of 1023 bytes");
        assert_eq!(says(read_to_limit(io::repeat(0), 2048)), "it is larger than the limit of 2 KiB");
        // A file with a hole: it says that it is large and takes no room.
        File::options().write(true).open(&path).unwrap().set_len(MAX_DATA + 1).unwrap();
        assert_eq!(says(read_regular(&path, MAX_DATA)), "it is larger than the limit of 4 GiB");
        fs::write(&path, b"abc\xff").unwrap();
        assert_eq!(says(read_text(&path)), "it is not text: byte 4 is not UTF-8");
    }

    #[test]
    fn folders_are_not_files_and_files_are_not_folders() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "text").unwrap();
        assert_eq!(says(read_text(place.path())), "it is a folder, a file is needed");
        assert_eq!(says(read_folder(&file)), "it is a file, a folder is needed");
        assert_eq!(says(make_folder(&file)), "it is a file, a folder is needed");
        assert_eq!(says(read_text(&place.path().join("gone"))), "there is no such file");
        let nowhere = place.path().join("gone/file");
        assert!(
            says(read_text(&nowhere)).starts_with("there is no folder `"),
            "{}",
            says(read_text(&nowhere))
        );
        assert!(says(read_text(&file.join("inside"))).ends_with("file` is a file, a folder is needed"));
        assert!(says(make_folder(&file.join("inside"))).ends_with("file` is a file, a folder is needed"));
        assert_eq!(says(read_folder(&place.path().join("gone"))), "there is no such folder");
        assert_eq!(read_folder(place.path()).unwrap(), [file]);
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused_at_once() {
        let wrong = "it is a device or a pipe, a file is needed";
        assert_eq!(says(read_regular(Path::new("/dev/zero"), MAX_DATA)), wrong);
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(says(read_text(&pipe)), wrong);
            let options = File::options().append(true).create(true).clone();
            assert_eq!(says(open_regular_with(&options, &pipe, MAX_STREAM)), wrong);
        }
    }

    #[test]
    fn lines_have_a_limit() {
        let mut text = "one\n\ntwo".as_bytes();
        let mut next = || read_line(&mut text).unwrap();
        assert_eq!(next().as_deref(), Some(&b"one\n"[..]));
        assert_eq!(next().as_deref(), Some(&b"\n"[..]));
        assert_eq!(next().as_deref(), Some(&b"two"[..]));
        assert_eq!(next(), None);
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(says(read_line(&mut endless)), "a line is longer than the limit of 1 MiB");
    }
}
