//! A PostgreSQL server for one test: private, on this machine only, gone when the test ends.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// A running server with an empty database.
pub struct PostgresServer {
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    server: Child,
}

/// How long a server may take to start; it is a fraction of a second on an idle machine.
const STARTING: Duration = Duration::from_secs(60);

impl PostgresServer {
    /// Makes a database in a temporary folder and starts a server on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start. Nothing is skipped without notice.
    #[must_use]
    pub fn start() -> PostgresServer {
        PostgresServer::start_with(None)
    }

    /// Starts a server that can encrypt connections, with a certificate and its key as PEM.
    ///
    /// # Panics
    /// As [`start`](PostgresServer::start).
    #[must_use]
    pub fn start_encrypted(certificate: &str, key: &str) -> PostgresServer {
        PostgresServer::start_with(Some((certificate, key)))
    }

    fn start_with(encryption: Option<(&str, &str)>) -> PostgresServer {
        let programs = programs();
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let data = folder.path().join("data");
        // PostgreSQL refuses to run as root, so root lends it another user, who must own the folder.
        if rustix::process::geteuid().is_root() {
            let (user, group) = (Some(NOBODY), Some(NOBODY));
            std::os::unix::fs::chown(folder.path(), user, group).expect("root may give folders away");
        }
        let words = ["--auth=trust", "--username=parlor", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"];
        let made = as_other_user(&programs.join("initdb"))
            .args(words)
            .arg(&data)
            .current_dir(folder.path())
            .output();
        let made = made.expect("initdb can be started");
        assert!(made.status.success(), "initdb failed: {}", String::from_utf8_lossy(&made.stderr));
        if let Some((certificate, key)) = encryption {
            encrypt(&data, certificate, key);
        }
        let port = free_port();
        let server = launch(&programs, folder.path(), port);
        let mut started = PostgresServer { programs, folder, port, server };
        started.wait_until_ready();
        started
    }

    /// Returns the URL of its database, with a schema of this name.
    #[must_use]
    pub fn url(&self, schema: &str) -> String {
        format!("postgres://parlor@127.0.0.1:{}/postgres?schema={schema}", self.port)
    }

    /// Runs statements as the owner of the database.
    ///
    /// # Panics
    /// If they fail.
    pub fn sql(&self, statements: &str) {
        let url = format!("postgres://parlor@127.0.0.1:{}/postgres", self.port);
        let words = ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--command", statements, &url];
        let done = Command::new(self.programs.join("psql")).args(words).output();
        let done = done.expect("psql can be started");
        assert!(done.status.success(), "{statements}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// Kills the server and all connections at once, as a failing machine does.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub fn kill(&mut self) {
        // Its processes would notice that it is gone, but a restart would have to wait for that.
        let processes = children(self.server.id());
        self.server.kill().expect("our own child can be killed");
        for process in processes {
            let _ = kill_process(process, Signal::KILL);
        }
        self.server.wait().expect("our own child ends");
    }

    /// Starts the server again after it was [killed](PostgresServer::kill).
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        self.server = launch(&self.programs, self.folder.path(), self.port);
        self.wait_until_ready();
    }

    fn wait_until_ready(&mut self) {
        let started = Instant::now();
        // The eighth line of this file says when connections are accepted.
        let status = self.folder.path().join("data/postmaster.pid");
        let own = self.server.id().to_string();
        loop {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            if lines.first() == Some(&own.as_str()) && lines.get(7) == Some(&"ready") {
                return;
            }
            if let Ok(Some(_)) = self.server.try_wait() {
                // Connections of a killed server hold its memory for a moment; another program may have taken the port.
                self.server = launch(&self.programs, self.folder.path(), self.port);
                return self.wait_until_ready_since(started);
            }
            assert!(started.elapsed() < STARTING, "PostgreSQL did not start: {}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn wait_until_ready_since(&mut self, started: Instant) {
        assert!(started.elapsed() < STARTING, "PostgreSQL did not start: {}", self.log());
        std::thread::sleep(Duration::from_millis(20));
        self.wait_until_ready();
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        // Fast shutdown; what it has written goes with the folder.
        let _ = kill_process(Pid::from_child(&self.server), Signal::INT);
        let _ = self.server.wait();
    }
}

/// Returns the child processes of a process, where the system lists them.
fn children(process: u32) -> Vec<Pid> {
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?)).collect()
}

/// The user without rights.
const NOBODY: u32 = 65_534;

/// Lets the server of a folder encrypt connections.
fn encrypt(data: &Path, certificate: &str, key: &str) {
    for (name, text) in [("server.crt", certificate), ("server.key", key)] {
        let path = data.join(name);
        fs::write(&path, text).expect("the folder can be written");
        // PostgreSQL refuses a key that others may read.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the owner may do that");
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&path, Some(NOBODY), Some(NOBODY)).expect("root may give files away");
        }
    }
    let settings = data.join("postgresql.auto.conf");
    fs::write(settings, "ssl = on\n").expect("the folder can be written");
}

/// Returns the folder of PostgreSQL's programs.
fn programs() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    let found = folders.into_iter().rev().chain(std::env::split_paths(&path));
    found
        .into_iter()
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
        .expect(
            "PostgreSQL is installed: `apt install postgresql`, or run `cargo xtask test`, which does that",
        )
}

/// Returns a port that nobody uses at the moment.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it has an address").port()
}

/// Returns a call of a program that ends with this process, by a user without rights if this one is root.
fn as_other_user(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT"]);
    if rustix::process::geteuid().is_root() {
        let id = NOBODY.to_string();
        command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
    }
    command.arg("--").arg(program);
    command
}

fn launch(programs: &Path, folder: &Path, port: u16) -> Child {
    let log = fs::File::options()
        .create(true)
        .append(true)
        .open(folder.join("log"))
        .expect("the log can be written");
    // Tests kill processes, not machines: what a killed process has written is in the system's memory, so nothing waits for a disk.
    let settings = ["shared_buffers=16MB", "max_connections=30", "listen_addresses=127.0.0.1", "fsync=off"];
    as_other_user(&programs.join("postgres"))
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .args(["-p", &port.to_string()])
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("PostgreSQL can be started")
}
