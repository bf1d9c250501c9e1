//! The store as a folder of SQLite files.
//!
//! Files are in WAL mode: readers never wait, and one writer at a time waits for the other. A commit is safe against a killed process at
//! once; after a power failure the last commits may be missing, but never half of one.

pub(crate) mod history;
pub(crate) mod mailbox;
pub(crate) mod model;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parlor_core::files::reading::{MAX_STREAM, open_regular};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::error::StoreError;
use crate::store::Access;

/// Marks a file as ours in its header: "prlr".
const APPLICATION: i64 = 0x7072_6c72;

/// How long a call waits for another program's transaction.
const WAIT: Duration = Duration::from_secs(10);

/// What a kind of file consists of.
pub(crate) struct Part {
    /// What it is called in errors: `history`.
    pub(crate) name: &'static str,
    /// The statements that bring a file from version *i* to *i* + 1.
    pub(crate) migrations: &'static [&'static str],
}

/// An open file. Errors of its database become ours, with its path.
pub(crate) struct Sqlite {
    pub(crate) connection: Connection,
    path: PathBuf,
}

impl Sqlite {
    /// Opens a file and brings it to the newest version.
    pub(crate) fn open(path: &Path, part: &Part, access: Access) -> Result<Sqlite, StoreError> {
        let at = path.display().to_string();
        match open_regular(path, MAX_STREAM) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if access == Access::Read {
                    let at = path.parent().unwrap_or(path).display().to_string();
                    return Err(StoreError::Missing { at, part: part.name.to_owned() });
                }
            }
            Err(cause) => return Err(StoreError::Folder { path: path.to_owned(), cause }),
        }
        let connection = match access {
            Access::Write => Connection::open_with_flags(
                path,
                OpenFlags::SQLITE_OPEN_READ_WRITE
                    | OpenFlags::SQLITE_OPEN_CREATE
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            ),
            Access::Read => open_read_only(path),
        };
        let connection = connection.map_err(|error| explained(&at, error))?;
        let mut sqlite = Sqlite { connection, path: path.to_owned() };
        sqlite.connection.busy_timeout(WAIT).map_err(|error| explained(&at, error))?;
        sqlite.migrate(part, access)?;
        Ok(sqlite)
    }

    /// Returns what it is called in errors.
    pub(crate) fn at(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns an error of the database as one of ours.
    pub(crate) fn fault(&self, error: rusqlite::Error) -> StoreError {
        explained(&self.at(), error)
    }

    /// Changes the database in one transaction: all of what `change` does, or nothing if it returns an error.
    pub(crate) fn transaction<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let at = self.at();
        let done = (|| {
            // Immediate: a transaction that begins with reading and then waits to write could fail half-way.
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })();
        done.map_err(|fault: Fault| match fault {
            Fault::Sql(error) => explained(&at, error),
            Fault::Store(error) => error,
        })
    }

    /// Returns the bytes of the file and of what is not yet in it.
    pub(crate) fn bytes(&self) -> u64 {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let wal = self.path.with_file_name(format!("{name}-wal"));
        let length = |path: &Path| std::fs::metadata(path).map_or(0, |about| about.len());
        length(&self.path) + length(&wal)
    }

    fn migrate(&mut self, part: &Part, access: Access) -> Result<(), StoreError> {
        let known = part.migrations.len() as i64;
        let mut found = self.version(part)?;
        if access == Access::Read {
            if found == 0 {
                // Another program is about to make it: nothing is in it yet.
                let at = self.path.parent().unwrap_or(&self.path).display().to_string();
                return Err(StoreError::Missing { at, part: part.name.to_owned() });
            }
            if found < known {
                let part = part.name.to_owned();
                return Err(StoreError::Older {
                    at: self.at(),
                    part,
                    found: found as u64,
                    known: known as u64,
                });
            }
            return Ok(());
        }
        if found == 0 {
            // Before the first table; the file cannot change its pages later.
            self.set("page_size = 8192")?;
        }
        self.use_wal()?;
        // Up to 64 MB of pages in memory, and a write-ahead log of up to 32 MB between checkpoints.
        for setting in [
            "synchronous = NORMAL",
            "temp_store = MEMORY",
            "cache_size = -65536",
            "wal_autocheckpoint = 4096",
        ] {
            self.set(setting)?;
        }
        if found < known {
            let migrations = part.migrations;
            self.transaction(|transaction| {
                // Another program may have done it meanwhile.
                found = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
                for migration in &migrations[(found.max(0) as usize).min(migrations.len())..] {
                    transaction.execute_batch(migration)?;
                }
                if found < known {
                    transaction.execute_batch(&format!(
                        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {known};"
                    ))?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the version of the file; 0 for a new one.
    fn version(&self, part: &Part) -> Result<i64, StoreError> {
        let known = part.migrations.len() as i64;
        // One transaction: between two of these numbers another program may make the tables.
        let read = || -> rusqlite::Result<[i64; 3]> {
            let transaction = self.connection.unchecked_transaction()?;
            let number = |query: &str| transaction.query_row(query, [], |row| row.get(0));
            Ok([
                number("PRAGMA application_id")?,
                number("PRAGMA user_version")?,
                number("SELECT count(*) FROM sqlite_schema")?,
            ])
        };
        let [application, found, tables] = read().map_err(|error| self.fault(error))?;
        let foreign = |wrong: &str| StoreError::Foreign {
            at: self.at(),
            part: part.name.to_owned(),
            wrong: wrong.to_owned(),
        };
        if (application, found) == (0, 0) {
            return if tables == 0 { Ok(0) } else { Err(foreign("it is a database of another program")) };
        }
        if application != APPLICATION || found < 1 {
            return Err(foreign("it is a database of another program"));
        }
        if found > known {
            let part = part.name.to_owned();
            return Err(StoreError::Newer { at: self.at(), part, found: found as u64, known: known as u64 });
        }
        Ok(found)
    }

    fn set(&self, setting: &str) -> Result<(), StoreError> {
        let set = self.connection.execute_batch(&format!("PRAGMA {setting}"));
        set.map_err(|error| self.fault(error))
    }

    /// Switches to WAL. SQLite does not wait by itself when two programs do that at once.
    fn use_wal(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        loop {
            let mode: rusqlite::Result<String> =
                self.connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
            match mode {
                Ok(_) => return Ok(()),
                Err(error) if is_busy(&error) && started.elapsed() < WAIT => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Err(self.fault(error)),
            }
        }
    }
}

/// An error inside a transaction.
pub(crate) enum Fault {
    /// Of the database.
    Sql(rusqlite::Error),
    /// Of ours.
    Store(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Store(error)
    }
}

/// Opens a file that is only read. On a disk that cannot be written, SQLite cannot share memory with writers; there are none, so the
/// file may be read as one that never changes.
fn open_read_only(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags)?;
    let readable = opened.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    match readable {
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(failure.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly) =>
        {
            let name = percent_encoded(path);
            let uri = format!("file:{name}?immutable=1");
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
        }
        // Other errors come again, where they are explained.
        _ => Ok(opened),
    }
}

/// Returns a path as a URI of SQLite has it.
fn percent_encoded(path: &Path) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let text = path.to_string_lossy();
    text.bytes().map(|b| if is_plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Returns an error of SQLite in words.
fn explained(at: &str, error: rusqlite::Error) -> StoreError {
    let at = at.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError::Busy { at, seconds: WAIT.as_secs() }
        }
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { at },
        Some(ErrorCode::DiskFull) => StoreError::Full { at },
        Some(ErrorCode::CannotOpen) => StoreError::CannotOpen { at },
        Some(ErrorCode::NotADatabase) => {
            let wrong = "it is not a database of SQLite".to_owned();
            StoreError::Foreign { at, part: "file".to_owned(), wrong }
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            let wrong = "the file is damaged; restore it from a copy".to_owned();
            StoreError::Damaged { at, wrong }
        }
        // SQLite tells a full disk from other failures, but not the system's limit of a file's size.
        Some(ErrorCode::SystemIoFailure) => {
            let wrong = "the system reports an error of the disk; it may be full, or a file may have reached the limit of its size";
            StoreError::Damaged { at, wrong: wrong.to_owned() }
        }
        _ => StoreError::Database { at, cause: Box::new(error) },
    }
}
