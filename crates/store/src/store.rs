//! A store and its parts.

use parlor_core::files::reading::{make_folder, read_folder};

use crate::error::StoreError;
use crate::history::History;
use crate::location::Location;
use crate::mailbox::Mailbox;
use crate::model::{Model, is_model_name};
use crate::{postgres, sqlite};

/// What a part of a store may be used for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// It is only read; a part that does not exist is an error.
    Read,
    /// It is read and written; a part that does not exist is made.
    Write,
}

/// A store: where its parts are. Each part that is opened is a connection of its own, for one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    location: Location,
    access: Access,
}

impl Store {
    /// Opens a store for reading and writing, and makes it if there is none. `at` is a folder or `postgres://…`.
    ///
    /// # Errors
    /// If the text is neither, or the folder cannot be made.
    pub fn create(at: &str) -> Result<Store, StoreError> {
        Store::create_at(Location::parse(at)?)
    }

    /// Opens a store for reading and writing, and makes it if there is none.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn create_at(location: Location) -> Result<Store, StoreError> {
        if let Location::Folder(path) = &location {
            make_folder(path).map_err(|cause| StoreError::Folder { path: path.clone(), cause })?;
        }
        Ok(Store { location, access: Access::Write })
    }

    /// Opens a store for reading. It may lie on a disk that cannot be written.
    ///
    /// # Errors
    /// If the text is neither a folder nor `postgres://…`.
    pub fn open(at: &str) -> Result<Store, StoreError> {
        Ok(Store { location: Location::parse(at)?, access: Access::Read })
    }

    /// Returns where it is.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Opens the history.
    ///
    /// # Errors
    /// If it cannot be opened, or was written by a later version.
    pub fn history(&self) -> Result<Box<dyn History>, StoreError> {
        match &self.location {
            Location::Folder(folder) => Ok(Box::new(sqlite::history::SqliteHistory::open(
                &folder.join("history.sqlite"),
                self.access,
            )?)),
            Location::Postgres(url) => {
                Ok(Box::new(postgres::history::PostgresHistory::open(url, self.access)?))
            }
        }
    }

    /// Opens the mailbox.
    ///
    /// # Errors
    /// If it cannot be opened, or was written by a later version.
    pub fn mailbox(&self) -> Result<Box<dyn Mailbox>, StoreError> {
        match &self.location {
            Location::Folder(folder) => Ok(Box::new(sqlite::mailbox::SqliteMailbox::open(
                &folder.join("mailbox.sqlite"),
                self.access,
            )?)),
            Location::Postgres(url) => {
                Ok(Box::new(postgres::mailbox::PostgresMailbox::open(url, self.access)?))
            }
        }
    }

    /// Opens the model of a heuristic, whose name has small letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// If the name is another one, the model cannot be opened, or was written by a later version.
    pub fn model(&self, name: &str) -> Result<Box<dyn Model>, StoreError> {
        if !is_model_name(name) {
            let wrong = format!("`{name}` is not a name of a model; it has small letters, digits, - and _");
            return Err(StoreError::Damaged { at: self.location.to_string(), wrong });
        }
        match &self.location {
            Location::Folder(folder) => {
                let path = folder.join(format!("model-{name}.sqlite"));
                Ok(Box::new(sqlite::model::SqliteModel::open(&path, name, self.access)?))
            }
            Location::Postgres(url) => {
                Ok(Box::new(postgres::model::PostgresModel::open(url, name, self.access)?))
            }
        }
    }

    /// Returns the names of the models that exist, sorted.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn models(&self) -> Result<Vec<String>, StoreError> {
        match &self.location {
            Location::Folder(folder) => {
                let files = read_folder(folder)
                    .map_err(|cause| StoreError::Folder { path: folder.clone(), cause })?;
                let names = files.iter().filter_map(|path| {
                    let name = path.file_name()?.to_str()?.strip_prefix("model-")?.strip_suffix(".sqlite")?;
                    is_model_name(name).then(|| name.to_owned())
                });
                Ok(names.collect())
            }
            Location::Postgres(url) => postgres::model::PostgresModel::names(url, self.access),
        }
    }
}
