//! Checksums of the files that agents use: full forms have them, so that a run does not resume with another file.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::files::checksummed_file::checksum;
use crate::files::reading::{MAX_DATA, open_regular, read_regular};
use crate::text::spec::{Checksum, Unusable};

/// Returns the checksum that a checksummed file ends with. Reading the file shows whether it fits.
///
/// # Errors
/// If the file cannot be read, or is not a file.
pub fn stored(path: &Path) -> Result<Checksum, Unusable> {
    let mut file = open_regular(path, MAX_DATA)?;
    let mut last = [0; 4];
    if file.metadata()?.len() < last.len() as u64 {
        return of_bytes(path);
    }
    file.seek(SeekFrom::End(-(last.len() as i64)))?;
    file.read_exact(&mut last)?;
    Ok(Checksum(u32::from_le_bytes(last)))
}

/// Returns the checksum of a file's bytes. It says nothing about checksummed files: it is the same for all of them.
///
/// # Errors
/// If the file cannot be read, or is not a file.
pub fn of_bytes(path: &Path) -> Result<Checksum, Unusable> {
    Ok(Checksum(checksum(&read_regular(path, MAX_DATA)?)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::text::spec::FileProblem;

    #[test]
    fn files_that_differ_have_different_checksums() {
        let folder = std::env::temp_dir().join(format!("parlor-fingerprint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        let with = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            (stored(&path).unwrap(), of_bytes(&path).unwrap())
        };
        let sealed = |bytes: &[u8]| [bytes, &checksum(bytes).to_le_bytes()].concat();
        let (one, other) = (with(&sealed(b"one")), with(&sealed(b"other")));
        assert_eq!(one.0, Checksum(checksum(b"one")));
        assert_ne!(one.0, other.0);
        assert_eq!(one.1, other.1, "a checksum of bytes and their checksum is always the same");
        assert_ne!(with(b"one").1, with(b"two").1);
        assert_ne!(with(b"a").0, with(b"b").0, "files without room for a checksum");
        assert_eq!(stored(&folder.join("gone")).unwrap_err().problem, FileProblem::Missing);
        assert_eq!(of_bytes(&folder).unwrap_err().problem, FileProblem::Unreadable);
        fs::remove_dir_all(&folder).unwrap();
    }
}
