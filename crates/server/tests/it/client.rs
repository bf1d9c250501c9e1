//! A running server, and a client that can also say what no browser would.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parlor_core::Cancel;
use parlor_server::{Settings, serve};
use serde_json::{Value, json};

/// A server that ends with the test.
pub struct Server {
    pub address: SocketAddr,
    pub owner: String,
    stop: Cancel,
    thread: Option<JoinHandle<()>>,
}

/// A reply.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{} {}", self.status, self.text()))
    }

    /// Returns the sentence of a refusal, which must have this status.
    pub fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let error = self.json()["error"].as_str().expect("a refusal has a sentence").to_owned();
        assert!(error.contains(' '), "{error}");
        error
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Server {
    pub fn start(folder: Option<&Path>) -> Server {
        Server::with(Settings {
            port: 0,
            folder: folder.map(Path::to_owned),
            threads: 2,
            agents: vec![("mine".to_owned(), "random".to_owned())],
            ..Settings::default()
        })
    }

    pub fn with(settings: Settings) -> Server {
        let stop = Cancel::new();
        let (ready, listens) = mpsc::channel();
        let stopper = stop.clone();
        let thread = thread::spawn(move || {
            serve(&settings, &stopper, |addresses| ready.send(addresses.clone()).unwrap()).unwrap();
        });
        let addresses = listens.recv().unwrap();
        let owner = addresses.owner.split("owner=").nth(1).unwrap().to_owned();
        Server { address: addresses.socket, owner, stop, thread: Some(thread) }
    }

    /// Ends the server and waits for that.
    pub fn stop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are and returns the reply; `None` if the server says nothing.
    pub fn raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // A server that refuses may close before it has read everything.
        let _ = stream.write_all(bytes);
        read_reply(&mut BufReader::new(stream))
    }

    /// Sends a request with these headers and a body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.push_str(&format!("Host: {}\r\n", self.host()));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(request.as_bytes()).expect("a reply")
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, key: Option<&str>, body: &Value) -> Reply {
        let mut headers = vec![("X-Parlor", "1"), ("Content-Type", "application/json")];
        headers.extend(key.map(|key| ("X-Parlor-Seat", key)));
        self.send("POST", path, &headers, &body.to_string())
    }

    /// Sends a request of the owner.
    pub fn own(&self, method: &str, path: &str, body: &str) -> Reply {
        let cookie = format!("parlor_owner_{}={}", self.address.port(), self.owner);
        let headers = [("X-Parlor", "1"), ("Content-Type", "application/json"), ("Cookie", &cookie)];
        self.send(method, path, &headers, body)
    }

    /// Lays a table; returns its id, the keys of the seats (or of the watcher) and the first snapshot.
    pub fn table(&self, body: &Value) -> (String, Vec<String>, Value) {
        let reply = self.post("/api/tables", None, body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        let value = reply.json();
        let mut keys: Vec<String> = value["keys"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|key| key.as_str().map(str::to_owned))
            .collect();
        keys.extend(value["key"].as_str().map(str::to_owned));
        (value["table"].as_str().unwrap().to_owned(), keys, value["snapshot"].clone())
    }

    pub fn snapshot(&self, table: &str, key: &str) -> Value {
        let reply = self.send("GET", &format!("/api/tables/{table}"), &[("X-Parlor-Seat", key)], "");
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    pub fn act(&self, table: &str, key: &str, action: &str, ply: &Value) -> Reply {
        self.post(&format!("/api/tables/{table}/act"), Some(key), &json!({"action": action, "ply": ply}))
    }

    /// Returns the snapshot as soon as `is_right` says so.
    pub fn wait(&self, table: &str, key: &str, is_right: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..1200 {
            let snapshot = self.snapshot(table, key);
            if is_right(&snapshot) {
                return snapshot;
            }
            thread::sleep(Duration::from_millis(25));
        }
        panic!("it never came about: {}", self.snapshot(table, key));
    }

    /// Plays a match of a person in `seat` to its end, choosing by `choose`, and returns every snapshot.
    pub fn play(&self, table: &str, key: &str, mut choose: impl FnMut(&[Value]) -> usize) -> Vec<Value> {
        let mut snapshots = Vec::new();
        loop {
            let snapshot = self.wait(table, key, |now| now["can"]["act"] == true || !now["over"].is_null());
            snapshots.push(snapshot.clone());
            if !snapshot["over"].is_null() {
                return snapshots;
            }
            let actions = snapshot["actions"].as_array().unwrap();
            let action = actions[choose(actions)].as_str().unwrap();
            let reply = self.act(table, key, action, &snapshot["ply"]);
            assert!(matches!(reply.status, 200 | 202), "{}", reply.text());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads a reply with a length, in chunks, or to the end.
pub fn read_reply(reader: &mut impl BufRead) -> Option<Reply> {
    let mut head = String::new();
    loop {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.trim_end().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let status = head.split_whitespace().nth(1)?.parse().ok()?;
    let mut reply = Reply { status, head, body: Vec::new() };
    if let Some(length) = reply.header("content-length") {
        reply.body = vec![0; length.parse().unwrap()];
        let _ = reader.read_exact(&mut reply.body);
    } else if reply.header("transfer-encoding") == Some("chunked") {
        while let Some(chunk) = read_chunk(reader) {
            reply.body.extend(chunk);
        }
    }
    Some(reply)
}

/// Reads one chunk; `None` at the end.
pub fn read_chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok().filter(|length| *length > 0)?;
    let mut chunk = vec![0; length + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(length);
    Some(chunk)
}
