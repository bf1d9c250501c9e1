//! Where a store is: a folder, or a database of PostgreSQL.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Where a store is. Shown without passwords.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A folder of SQLite files.
    Folder(PathBuf),
    /// A database of PostgreSQL: its URL.
    Postgres(String),
}

impl Location {
    /// Reads `DIR`, or `postgres://…`.
    ///
    /// # Errors
    /// If the text is empty or the URL of something else.
    pub fn parse(text: &str) -> Result<Location, StoreError> {
        let wrong = |wrong: &str| StoreError::Location { text: masked(text), wrong: wrong.to_owned() };
        if text.is_empty() {
            return Err(wrong("it is empty"));
        }
        match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => Ok(Location::Postgres(text.to_owned())),
            Some(_) => Err(wrong("this kind of URL is not known")),
            None if text.contains('\0') => Err(wrong("a path has no NUL")),
            None => Ok(Location::Folder(Path::new(text).to_owned())),
        }
    }
}

impl Location {
    /// Returns the text that names the same store from any folder, without its password: what a file may hold.
    #[must_use]
    pub fn to_note(&self) -> String {
        match self {
            Location::Folder(folder) => {
                std::path::absolute(folder).unwrap_or_else(|_| folder.clone()).display().to_string()
            }
            Location::Postgres(url) => {
                let shown = masked(url).replace(&format!(":{MASK}@"), "@");
                let (address, query) = shown.split_once('?').unwrap_or((&shown, ""));
                let rest: Vec<&str> =
                    query.split('&').filter(|pair| !pair.is_empty() && !pair.ends_with(MASK)).collect();
                if rest.is_empty() { address.to_owned() } else { format!("{address}?{}", rest.join("&")) }
            }
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Folder(folder) => folder.display().fmt(f),
            Location::Postgres(url) => f.write_str(&masked(url)),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

/// What stands in place of a password.
pub(crate) const MASK: &str = "***";

/// Returns a text with the password of its URL masked: that before the `@`, and that of a key `password`.
pub(crate) fn masked(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (address, query) = match rest.split_once('?') {
        Some((address, query)) => (address, Some(query)),
        None => (rest, None),
    };
    // The last `@`: a password may have one that should have been written as %40.
    let address = match address.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split_once(':').map_or(user.to_owned(), |(user, _)| format!("{user}:{MASK}"));
            format!("{user}@{host}")
        }
        None => address.to_owned(),
    };
    let query = query.map_or_else(String::new, |query| {
        let pairs: Vec<String> = query
            .split('&')
            .map(|pair| match pair.split_once('=') {
                Some((key, _)) if key.to_ascii_lowercase().contains("pass") => format!("{key}={MASK}"),
                _ => pair.to_owned(),
            })
            .collect();
        format!("?{}", pairs.join("&"))
    });
    format!("{scheme}://{address}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked() {
        for (text, shown) in [
            ("postgres://ann:secret@host:5432/games", "postgres://ann:***@host:5432/games"),
            ("postgres://ann:se@cr:et@host/games", "postgres://ann:***@host/games"),
            (
                "postgres://ann@host/games?password=secret&schema=x",
                "postgres://ann@host/games?password=***&schema=x",
            ),
            ("postgresql://host/games?PASSWORD=secret", "postgresql://host/games?PASSWORD=***"),
            ("postgres://host/games", "postgres://host/games"),
        ] {
            let location = Location::parse(text).unwrap();
            assert_eq!(location.to_string(), shown);
            assert!(!format!("{location:?}").contains("secret"));
        }
        let error = Location::parse("mysql://ann:secret@host/games").unwrap_err().to_string();
        assert!(error.contains("mysql://ann:***@host/games"), "{error}");
        assert!(!error.contains("secret"));
    }

    #[test]
    fn notes_have_no_passwords() {
        let note = |text: &str| Location::parse(text).unwrap().to_note();
        assert_eq!(
            note("postgres://ann:secret@host/games?password=secret&schema=x"),
            "postgres://ann@host/games?schema=x"
        );
        assert_eq!(note("postgres://host/games?passfile=secret"), "postgres://host/games");
        assert!(Path::new(&note("a/b")).is_absolute());
    }

    #[test]
    fn folders_are_paths() {
        assert_eq!(Location::parse("a/b").unwrap(), Location::Folder(PathBuf::from("a/b")));
        assert!(Location::parse("").is_err());
        assert!(Location::parse("http://x").is_err());
    }
}
