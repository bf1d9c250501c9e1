//! The owner of the server is the person who started it. The laboratory and files are the owner's only.

use hyper::StatusCode;
use hyper::header::{self, HeaderValue};

use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, nothing};
use crate::http::request::Request;
use crate::ids::Token;

/// The owner's key.
pub struct Owner {
    key: Token,
    /// The cookie's name. The port is in it: cookies of one host are shared by all its ports.
    cookie: String,
}

/// The refusal of what only the owner may do.
pub fn not_the_owner() -> Problem {
    Problem::forbidden(
        "this needs the owner's key: open the address that `parlor serve` printed for the owner",
    )
}

impl Owner {
    /// Makes a key for the server at a port.
    pub fn new(key: Token, port: u16) -> Owner {
        Owner { key, cookie: format!("parlor_owner_{port}") }
    }

    /// Returns the path that makes a browser the owner's.
    pub fn start(&self) -> String {
        format!("/?owner={}", self.key)
    }

    /// Returns whether a request is the owner's.
    pub fn is_owner(&self, request: &Request) -> bool {
        request.cookie(&self.cookie).is_some_and(|key| self.key.is(key))
    }

    /// Checks that a request is the owner's.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self, request: &Request) -> Answer<()> {
        if self.is_owner(request) { Ok(()) } else { Err(not_the_owner()) }
    }

    /// Returns the reply to the owner's start address: the key moves from the address to a cookie. `None` for other requests.
    pub fn welcome(&self, request: &Request) -> Option<Reply> {
        let key = request.query("owner")?;
        if !self.key.is(key) {
            return Some(not_the_owner().into());
        }
        let mut reply = nothing(StatusCode::SEE_OTHER);
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.key);
        let headers = reply.headers_mut();
        headers.insert(header::SET_COOKIE, HeaderValue::from_str(&cookie).expect("hex digits"));
        let path = request.head.uri.path();
        // Two slashes at the beginning would lead to another host.
        let path = if path.starts_with("//") { "/" } else { path };
        headers
            .insert(header::LOCATION, HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static("/")));
        Some(reply)
    }
}
