//! A request, its body read within limits.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use bytes::{Buf, Bytes};
use hyper::body::{Body, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode, header};
use serde::de::DeserializeOwned;

use super::problem::{Answer, Problem};

/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The header that carries a seat's key.
const SEAT_HEADER: &str = "x-parlor-seat";

/// The longest path that is looked at.
const LONGEST_PATH: usize = 1024;

/// A request.
pub struct Request {
    /// Method, address and headers.
    pub head: Parts,
    /// The body, until it is read.
    pub body: Incoming,
}

impl Request {
    /// Returns the method.
    pub fn method(&self) -> &Method {
        &self.head.method
    }

    /// Returns a header's text; `None` if it is missing or not text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.headers.get(name)?.to_str().ok()
    }

    /// Returns the key of the seat for which the request speaks.
    ///
    /// # Errors
    /// If there is more than one, or it is not text.
    pub fn seat_key(&self) -> Answer<Option<String>> {
        let mut keys = self.head.headers.get_all(SEAT_HEADER).iter();
        let key = keys.next();
        if keys.next().is_some() {
            return Err(Problem::bad("the header X-Parlor-Seat is given twice"));
        }
        key.map(|key| key.to_str().map(str::to_owned).map_err(|_| foreign_key())).transpose()
    }

    /// Returns the parts of the path. Nothing in it is decoded: no path of ours needs it, and what is not decoded hides nothing.
    ///
    /// # Errors
    /// If it has empty parts or characters that no path of ours has.
    pub fn path(&self) -> Answer<Vec<String>> {
        let path = self.head.uri.path();
        let unknown = || Problem::missing("there is no such page");
        let Some(inner) = path.strip_prefix('/').filter(|inner| inner.len() <= LONGEST_PATH) else {
            return Err(unknown());
        };
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() {
            return Ok(Vec::new());
        }
        let fine = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b))
        };
        let parts: Vec<String> = inner.split('/').map(str::to_owned).collect();
        // Pages have free text behind their first part: `/play/connect(width=7)`.
        if parts.iter().all(|part| fine(part)) { Ok(parts) } else { Err(unknown()) }
    }

    /// Returns the first part of the path as it stands.
    pub fn first_part(&self) -> &str {
        self.head.uri.path().trim_start_matches('/').split('/').next().unwrap_or_default()
    }

    /// Returns the value of a key of the query. Only letters and digits: nothing is decoded.
    pub fn query(&self, name: &str) -> Option<&str> {
        let query = self.head.uri.query()?;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    /// Returns the value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let all = self.head.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = all.flat_map(|line| line.split(';')).map(str::trim);
        pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    /// Reads the body and understands it as JSON. An empty body stands for an object without fields.
    ///
    /// # Errors
    /// If it is longer than `limit`, arrives too slowly, or does not fit.
    pub async fn read<T: DeserializeOwned>(&mut self, limit: usize) -> Answer<T> {
        let bytes = self.bytes(limit).await?;
        if !bytes.is_empty() {
            let kind = self.header("content-type").unwrap_or_default();
            let essence = kind.split(';').next().unwrap_or_default().trim();
            if !essence.eq_ignore_ascii_case("application/json") {
                return Err(Problem::new(
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "send the body as JSON, with the header Content-Type: application/json",
                ));
            }
        }
        let text = if bytes.is_empty() { b"{}" } else { &bytes[..] };
        serde_json::from_slice(text).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let error = error.to_string();
            let error = error.split(" at line ").next().unwrap_or_default();
            Problem::field(&place, format!("the body does not fit: {error}"))
        })
    }

    async fn bytes(&mut self, limit: usize) -> Answer<Bytes> {
        let too_large =
            || Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body has more than {limit} bytes"));
        if self.body.size_hint().lower() > limit as u64 {
            return Err(too_large());
        }
        let body = &mut self.body;
        let reading = async {
            let mut bytes = Vec::new();
            while let Some(frame) = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
                let frame = frame.map_err(|_| Problem::bad("the body broke off"))?;
                if let Ok(mut data) = frame.into_data() {
                    if bytes.len() + data.remaining() > limit {
                        return Err(too_large());
                    }
                    while data.has_remaining() {
                        let chunk = data.chunk();
                        bytes.extend_from_slice(chunk);
                        let length = chunk.len();
                        data.advance(length);
                    }
                }
            }
            Ok(Bytes::from(bytes))
        };
        tokio::time::timeout(BODY_TIME, reading)
            .await
            .unwrap_or_else(|_| Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "the body came too slowly")))
    }
}

/// The refusal of a key that opens nothing.
pub fn foreign_key() -> Problem {
    Problem::forbidden("this key opens no seat of this table")
}
