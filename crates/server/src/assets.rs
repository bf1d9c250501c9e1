//! The page: files that are a part of the program.

use std::path::{Path, PathBuf};

use hyper::StatusCode;
use hyper::header::{self, HeaderValue};
use parlor_core::files::reading::read_regular;

use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, bytes, nothing};
use crate::http::request::Request;

/// The largest file that is served from a folder.
const LARGEST: u64 = 8 << 20;

/// A file of the page.
struct Asset {
    /// Its path below the page's folder.
    name: &'static str,
    /// Its content, compressed.
    zipped: &'static [u8],
    /// Its content.
    plain: &'static [u8],
    /// A checksum of its content.
    tag: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Where the page comes from.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// A folder that is read at every request, for work on the page; `None` for what is in the program.
    pub folder: Option<PathBuf>,
}

/// Returns the media type of a file.
fn kind(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

impl Page {
    /// Returns a file of the page.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn file(&self, request: &Request, name: &str) -> Answer<Reply> {
        let unknown = || Problem::missing("there is no such page");
        if let Some(folder) = &self.folder {
            // The parts of a path have no dots at their beginning, so nothing outside the folder can be named.
            let content = read_regular(&folder.join(name), LARGEST).map_err(|_| unknown())?;
            return Ok(bytes(StatusCode::OK, kind(name), content));
        }
        let asset = ASSETS.iter().find(|asset| asset.name == name).ok_or_else(unknown)?;
        let tag = HeaderValue::from_static(asset.tag);
        let known = request.header("if-none-match").is_some_and(|known| known == asset.tag);
        let zips = request.header("accept-encoding").is_some_and(|all| {
            all.split(',').any(|one| one.split(';').next().unwrap_or_default().trim() == "gzip")
        });
        let mut reply = match (known, zips) {
            (true, _) => nothing(StatusCode::NOT_MODIFIED),
            (false, true) => bytes(StatusCode::OK, kind(name), asset.zipped),
            (false, false) => bytes(StatusCode::OK, kind(name), asset.plain),
        };
        let headers = reply.headers_mut();
        if !known && zips {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        Ok(reply)
    }
}
