//! What every request must satisfy before anything else is looked at.

use std::net::{IpAddr, SocketAddr};

use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{Method, StatusCode, header};

use super::problem::{Answer, Problem};

/// The names by which this server may be called.
#[derive(Clone, Debug)]
pub struct Guard {
    port: u16,
    /// Whether other machines can connect.
    is_public: bool,
    /// Names beside the numbers, in lower case.
    names: Vec<String>,
}

impl Guard {
    /// The guard of a server that listens at `address`; `names` are names that it has beside its numbers.
    pub fn new(address: SocketAddr, names: &[String]) -> Guard {
        let mut names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        names.push("localhost".to_owned());
        Guard { port: address.port(), is_public: !address.ip().is_loopback(), names }
    }

    /// Returns whether a host with a port is this server. A page elsewhere can make any *name* point to this machine, but not a number.
    fn is_ours(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if authority.as_str().contains('@') || authority.port_u16().unwrap_or(80) != self.port {
            return false;
        }
        let name = authority.host().to_ascii_lowercase();
        let number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match number {
            Ok(number) => self.is_public || number.is_loopback(),
            Err(_) => self.names.contains(&name),
        }
    }

    /// Checks a request: first the host, then the origin, then whether a write shows that it is meant.
    pub fn check(&self, head: &Parts) -> Answer<()> {
        let misdirected =
            || Problem::new(StatusCode::MISDIRECTED_REQUEST, "this server does not answer to that host name");
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        if hosts.next().is_some() || !host.is_some_and(|host| self.is_ours(host)) {
            return Err(misdirected());
        }
        if head.uri.authority().is_some_and(|authority| !self.is_ours(authority.as_str())) {
            return Err(misdirected());
        }
        let foreign = || Problem::forbidden("requests from other pages are not answered");
        for origin in head.headers.get_all(header::ORIGIN) {
            let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(|host| self.is_ours(host)) {
                return Err(foreign());
            }
        }
        let fetched = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        let from_elsewhere = matches!(fetched("sec-fetch-site"), Some("cross-site" | "same-site"));
        // A link on another page may lead here; nothing else may.
        if from_elsewhere && fetched("sec-fetch-mode") != Some("navigate") {
            return Err(foreign());
        }
        let reads = matches!(head.method, Method::GET | Method::HEAD);
        if !reads && fetched("x-parlor") != Some("1") {
            return Err(Problem::forbidden("writes need the header X-Parlor: 1"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().unwrap(), &["Parlor.example".to_owned()])
    }

    #[test]
    fn only_our_own_names_and_numbers_are_ours() {
        let local = guard("127.0.0.1:8017");
        for ours in
            ["127.0.0.1:8017", "localhost:8017", "LOCALHOST:8017", "[::1]:8017", "parlor.example:8017"]
        {
            assert!(local.is_ours(ours), "{ours}");
        }
        for foreign in [
            "",
            "127.0.0.1",
            "127.0.0.1:8018",
            "evil.example:8017",
            "localhost.evil.example:8017",
            "192.168.0.1:8017",
            "user@127.0.0.1:8017",
            "127.0.0.1:8017/x",
            "localhost:8017 ",
        ] {
            assert!(!local.is_ours(foreign), "{foreign}");
        }
        assert!(guard("0.0.0.0:8017").is_ours("192.168.0.1:8017"));
        assert!(!guard("0.0.0.0:8017").is_ours("evil.example:8017"));
        assert!(guard("127.0.0.1:80").is_ours("localhost"));
    }
}
