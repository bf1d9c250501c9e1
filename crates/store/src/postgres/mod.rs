//! The store as tables of a PostgreSQL database.
//!
//! All tables are in one schema, `parlor` unless the URL has `schema=NAME`. Games get their numbers under a lock that is held to the end of
//! the transaction, so a reader that has seen game *n* has seen all games before it.

pub(crate) mod history;
pub(crate) mod mailbox;
mod migrations;
pub(crate) mod model;
mod tls;
mod url;

use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Transaction};

use crate::error::StoreError;
use crate::store::Access;
use url::Address;

/// How long a call waits for a connection or for another transaction.
const WAIT: Duration = Duration::from_secs(10);

/// What a lock of the whole database is for. Locks of different schemas differ in their second number.
#[derive(Copy, Clone)]
pub(crate) enum Lock {
    /// Bringing the tables to a newer version.
    Migrate = 0x7072_6c72,
    /// Giving numbers to games.
    Append = 0x7072_6c73,
    /// Adding to a model.
    Fold = 0x7072_6c74,
}

/// An open database. Errors become ours, with its masked URL.
pub(crate) struct Database {
    client: Client,
    address: Address,
    access: Access,
    /// Statements that are executed on every new connection.
    greeting: String,
}

impl Database {
    /// Connects, and brings the tables to the newest version if they may be written.
    pub(crate) fn open(url: &str, access: Access) -> Result<Database, StoreError> {
        let address = Address::parse(url)?;
        let client = connect(&address, access, "")?;
        let mut database = Database { client, address, access, greeting: String::new() };
        migrations::migrate(&mut database)?;
        Ok(database)
    }

    /// Returns what it is called in errors.
    pub(crate) fn at(&self) -> String {
        self.address.shown.clone()
    }

    /// Returns the schema of the tables.
    pub(crate) fn schema(&self) -> &str {
        &self.address.schema
    }

    /// Executes statements now and after every loss of the connection.
    pub(crate) fn greet(&mut self, statements: String) -> Result<(), StoreError> {
        let at = self.at();
        self.client()?.batch_execute(&statements).map_err(|error| explained(at, error))?;
        self.greeting = statements;
        Ok(())
    }

    /// Returns the connection; a new one if the last was lost.
    pub(crate) fn client(&mut self) -> Result<&mut Client, StoreError> {
        if self.client.is_closed() {
            self.client = connect(&self.address, self.access, &self.greeting)?;
        }
        Ok(&mut self.client)
    }

    /// Runs queries.
    pub(crate) fn query<T>(
        &mut self,
        run: impl FnOnce(&mut Client) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        let at = self.at();
        run(self.client()?).map_err(|error| explained(at, error))
    }

    /// Changes the database in one transaction: all of what `change` does, or nothing if it returns an error.
    pub(crate) fn transaction<T>(
        &mut self,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let at = self.at();
        let client = self.client()?;
        let done = (|| {
            let mut transaction = client.transaction()?;
            let value = change(&mut transaction)?;
            transaction.commit()?;
            Ok(value)
        })();
        done.map_err(|fault: Fault| match fault {
            Fault::Sql(error) => explained(at, error),
            Fault::Store(error) => error,
        })
    }
}

/// Waits for a lock that the transaction holds to its end.
pub(crate) fn lock(
    transaction: &mut Transaction<'_>,
    schema: &str,
    lock: Lock,
    part: &str,
) -> Result<(), postgres::Error> {
    let sql = "SELECT pg_advisory_xact_lock($1, hashtext($2))";
    transaction.execute(sql, &[&(lock as i32), &format!("{schema} {part}")]).map(drop)
}

fn connect(address: &Address, access: Access, greeting: &str) -> Result<Client, StoreError> {
    let fault = |cause| StoreError::Connect { at: address.shown.clone(), cause };
    let connector = tls::connector(&address.tls).map_err(|cause| fault(Box::new(cause)))?;
    let mut client = address.config.connect(connector).map_err(|error| fault(without(&error, address)))?;
    let read_only = if access == Access::Read { "on" } else { "off" };
    let settings = format!(
        "SET client_min_messages = warning; SET lock_timeout = '{}s'; SET default_transaction_read_only = {read_only}; \
         SET search_path TO {}; {greeting}",
        WAIT.as_secs(),
        address.schema
    );
    client.batch_execute(&settings).map_err(|error| explained(address.shown.clone(), error))?;
    Ok(client)
}

/// Returns the chain of an error as one text without the password, which a server or a parser might repeat.
fn without(error: &dyn std::error::Error, address: &Address) -> Box<dyn std::error::Error + Send + Sync> {
    let mut texts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        // Some errors repeat their cause.
        if !texts.last().is_some_and(|last| last.ends_with(&text)) {
            texts.push(text);
        }
        next = error.source();
    }
    address.masked(&texts.join(": ")).into()
}

/// An error inside a transaction.
pub(crate) enum Fault {
    /// Of the database.
    Sql(postgres::Error),
    /// Of ours.
    Store(StoreError),
}

impl From<postgres::Error> for Fault {
    fn from(error: postgres::Error) -> Fault {
        Fault::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Store(error)
    }
}

/// Returns an error of PostgreSQL in words.
fn explained(at: String, error: postgres::Error) -> StoreError {
    let Some(said) = error.as_db_error() else {
        return StoreError::Connect { at, cause: Box::new(error) };
    };
    let text = match said.detail() {
        Some(detail) => format!("{} ({detail})", said.message()),
        None => said.message().to_owned(),
    };
    match said.code() {
        code if *code == SqlState::LOCK_NOT_AVAILABLE => StoreError::Busy { at, seconds: WAIT.as_secs() },
        code if *code == SqlState::DISK_FULL => StoreError::Full { at },
        code if *code == SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly { at },
        // The server is shutting down or starting; its connections are lost.
        code if code.code().starts_with("57P") => StoreError::Connect { at, cause: text.into() },
        _ => StoreError::Database { at, cause: text.into() },
    }
}
