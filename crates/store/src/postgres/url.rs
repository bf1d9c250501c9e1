//! URLs of databases: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=FILE&schema=NAME`.

use std::fmt;
use std::path::PathBuf;

use postgres::Config;
use postgres::config::SslMode;

use super::WAIT;
use super::tls::Tls;
use crate::error::StoreError;
use crate::location::{MASK, masked};

/// A database as a URL names it.
pub(crate) struct Address {
    pub(crate) config: Config,
    pub(crate) schema: String,
    pub(crate) tls: Tls,
    /// The URL without its password.
    pub(crate) shown: String,
    /// What must not be shown.
    secrets: Vec<String>,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Address {
    /// Reads a URL. A password that it lacks is taken from the variable `PGPASSWORD`.
    pub(crate) fn parse(url: &str) -> Result<Address, StoreError> {
        let shown = masked(url);
        let wrong = |wrong: String| StoreError::Location { text: shown.clone(), wrong };
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut rest = Vec::new();
        let (mut schema, mut mode, mut root) = ("parlor".to_owned(), String::new(), None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("schema", name)) => name.clone_into(&mut schema),
                Some(("sslmode", name)) => name.clone_into(&mut mode),
                Some(("sslrootcert", file)) => root = Some(PathBuf::from(file)),
                _ => rest.push(pair),
            }
        }
        let is_name = |text: &str| {
            text.len() <= 63
                && text.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        if !is_name(&schema) {
            let words = "the name of a schema has small letters, digits and _, and begins with a letter";
            return Err(wrong(words.to_owned()));
        }
        let (ssl, tls) = match mode.as_str() {
            "disable" => (SslMode::Disable, Tls::Unverified),
            "" | "prefer" => (SslMode::Prefer, Tls::Unverified),
            "require" => (SslMode::Require, Tls::Unverified),
            "verify-full" => (SslMode::Require, Tls::Verified(root)),
            _ => {
                return Err(wrong("sslmode is one of disable, prefer, require, verify-full".to_owned()));
            }
        };
        let secrets = secrets(base, query);
        let mut config: Config = format!("{base}?{}", rest.join("&"))
            .parse()
            .map_err(|error: postgres::Error| wrong(hidden(&causes(&error), &secrets)))?;
        if config.get_password().is_none()
            && let Some(password) = std::env::var_os("PGPASSWORD")
        {
            config.password(password.as_encoded_bytes());
        }
        config.ssl_mode(ssl).application_name("parlor").connect_timeout(WAIT);
        Ok(Address { config, schema, tls, shown, secrets })
    }

    /// Returns a text in which the password is masked.
    pub(crate) fn masked(&self, text: &str) -> String {
        hidden(text, &self.secrets)
    }
}

/// Returns an error with its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
    format!("{error}{cause}")
}

/// Returns the passwords of a URL as they are written in it.
fn secrets(base: &str, query: &str) -> Vec<String> {
    let user = base.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@'));
    let in_base = user.and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    let in_query = query.split('&').filter_map(|pair| pair.split_once('='));
    let in_query =
        in_query.filter(|(key, _)| key.to_ascii_lowercase().contains("pass")).map(|(_, value)| value);
    in_base.into_iter().chain(in_query).filter(|secret| !secret.is_empty()).map(str::to_owned).collect()
}

fn hidden(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, MASK))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(url: &str) -> String {
        Address::parse(url).unwrap_err().to_string()
    }

    #[test]
    fn urls_are_read() {
        let address =
            Address::parse("postgres://ann:s%40cret@host:77/games?schema=lab_1&sslmode=require").unwrap();
        assert_eq!((address.schema.as_str(), address.config.get_dbname()), ("lab_1", Some("games")));
        assert_eq!(address.config.get_password(), Some(&b"s@cret"[..]));
        assert_eq!(address.config.get_ports(), [77]);
        assert_eq!(address.shown, "postgres://ann:***@host:77/games?schema=lab_1&sslmode=require");
        assert!(!format!("{address:?}").contains("cret"));
        assert_eq!(Address::parse("postgres:///games?host=/tmp").unwrap().schema, "parlor");
    }

    #[test]
    fn wrong_urls_get_a_sentence_without_the_password() {
        for wrong in [
            "postgres://ann:secret@host/games?schema=A%20b",
            "postgres://ann:secret@host/games?schema=x;drop",
            "postgres://ann:secret@host/games?sslmode=maybe",
            "postgres://ann:secret@host:port/games",
            "postgres://ann:secret@host/games?what=else",
            "postgres://ann:secret@host/games?connect_timeout=secret",
        ] {
            let text = says(wrong);
            assert!(text.contains("is not a store: ") && text.contains("ann:***@host"), "{text}");
            assert!(!text.contains("secret") || wrong.ends_with("timeout=secret"), "{text}");
        }
    }
}
