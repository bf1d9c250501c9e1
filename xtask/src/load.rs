//! `cargo xtask load`: many tables at once against a running server, and how long its answers take.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use parlor_core::Rng;
use serde_json::{Value, json};

const HELP: &str = "cargo xtask load [--tables N] [--seconds S] [--every S] [--agent SPEC] [--game SPEC] [--connections N] [--threads N] [--runs N] [--program FILE]";

/// How soon a table is looked at again whose agent thinks.
const GLANCE: Duration = Duration::from_millis(500);

/// What is asked for.
struct Plan {
    tables: usize,
    /// How long moves are made, in seconds.
    seconds: u64,
    /// Each table moves once in this many seconds.
    every: f64,
    agent: String,
    game: String,
    /// How many connections share the tables.
    connections: usize,
    /// How many threads of the server think.
    threads: usize,
    /// How often everything is measured, each time with a new server.
    runs: usize,
    /// The program.
    program: String,
}

impl Plan {
    fn read(words: &[String]) -> anyhow::Result<Plan> {
        let mut plan = Plan {
            tables: 10_000,
            seconds: 30,
            every: 5.0,
            agent: "random".to_owned(),
            game: "checkers".to_owned(),
            connections: 64,
            threads: 2,
            runs: 1,
            program: "target/release/parlor".to_owned(),
        };
        for pair in words.chunks(2) {
            let [name, value] = pair else { bail!("{HELP}") };
            let number =
                || value.parse::<usize>().with_context(|| format!("{name} {value}: a number; {HELP}"));
            match name.as_str() {
                "--tables" => plan.tables = number()?,
                "--seconds" => plan.seconds = number()? as u64,
                "--every" => plan.every = value.parse().context(HELP)?,
                "--agent" => plan.agent.clone_from(value),
                "--game" => plan.game.clone_from(value),
                "--connections" => plan.connections = number()?.max(1),
                "--program" => plan.program.clone_from(value),
                "--threads" => plan.threads = number()?.max(1),
                "--runs" => plan.runs = number()?,
                _ => bail!("{HELP}"),
            }
        }
        Ok(plan)
    }
}

/// A server of our own.
struct Server {
    child: Child,
    address: String,
    folder: std::path::PathBuf,
}

impl Server {
    fn start(plan: &Plan) -> anyhow::Result<Server> {
        let folder = std::env::temp_dir().join(format!("parlor-load-{}", std::process::id()));
        let mut child = Command::new(&plan.program)
            .args([
                "serve",
                "--port",
                "0",
                "--memory-mb",
                "8192",
                "--threads",
                &plan.threads.to_string(),
                "--folder",
            ])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} does not start: cargo build --release", plan.program))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("its output")?).read_line(&mut line)?;
        let address = line.trim().strip_prefix("http://").context("it does not listen")?.to_owned();
        Ok(Server { child, address, folder })
    }

    /// Returns the processor time that the server has used, in seconds, and its memory, in mebibytes. Linux only.
    fn used(&self) -> Option<(f64, f64)> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some((ticks / 100.0, kibibytes / 1024.0))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A connection that is kept open.
struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Connection {
    fn open(address: &str) -> anyhow::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Connection { stream: BufReader::new(stream), host: address.to_owned() })
    }

    fn call(&mut self, method: &str, path: &str, key: &str, body: &str) -> anyhow::Result<(u16, Value)> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-Parlor: 1\r\nX-Parlor-Seat: {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let key_line = if key.is_empty() { request.replace("X-Parlor-Seat: \r\n", "") } else { request };
        self.stream.get_mut().write_all(key_line.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                bail!("the server has closed the connection");
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().unwrap_or_default().parse()?;
            }
            if let Some(rest) = line.strip_prefix("content-length:") {
                length = rest.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }
}

/// A table as its player sees it.
struct Table {
    id: String,
    key: String,
    snapshot: Value,
    /// When its next move is due.
    due: Instant,
    /// When the move was made that is not answered yet.
    moved: Option<Instant>,
}

impl Table {
    /// Notes a snapshot; returns how long the agent took if it has answered, in milliseconds.
    fn take(&mut self, snapshot: Value) -> Option<f64> {
        self.snapshot = snapshot;
        let moved = self.moved?;
        if self.snapshot["thinking"] == true {
            self.due = self.due.min(Instant::now() + GLANCE);
            return None;
        }
        self.moved = None;
        Some(moved.elapsed().as_secs_f64() * 1000.0)
    }
}

/// What was measured.
#[derive(Default)]
struct Measured {
    /// How long each move took from when it was due, in milliseconds.
    times: Vec<f64>,
    /// How many moves each table's agent has answered.
    answers: Vec<u64>,
    /// How long each answer took from the move on, in milliseconds; where the agent searches, to within half a second.
    waits: Vec<f64>,
    /// Replies that were no success, by their status.
    wrong: BTreeMap<u16, u64>,
    /// Matches that ended and were begun anew.
    ended: u64,
}

fn lay(connection: &mut Connection, plan: &Plan, due: Instant) -> anyhow::Result<Table> {
    let body = json!({"game": plan.game, "seats": ["human", plan.agent]}).to_string();
    let (status, value) = connection.call("POST", "/api/tables", "", &body)?;
    if status != 201 {
        bail!("a table was refused: {status} {value}");
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Table {
        id: text(&value["table"]),
        key: text(&value["keys"][0]),
        snapshot: value["snapshot"].clone(),
        due,
        moved: None,
    })
}

/// Plays a share of the tables over one connection; everybody begins when all tables are laid.
fn play(address: &str, plan: &Plan, number: usize, count: usize, laid: &Barrier) -> anyhow::Result<Measured> {
    let mut connection = Connection::open(address)?;
    let mut rng = Rng::forked(1, number as u64);
    let mut measured = Measured::default();
    let lying: anyhow::Result<Vec<Table>> =
        (0..count).map(|_| lay(&mut connection, plan, Instant::now())).collect();
    laid.wait();
    let (mut tables, begin) = (lying?, Instant::now());
    for table in &mut tables {
        let share = f64::from(rng.below(1 << 20)) / f64::from(1 << 20);
        table.due = begin + Duration::from_secs_f64(plan.every * share);
    }
    measured.answers = vec![0; count];
    let end = begin + Duration::from_secs(plan.seconds);
    loop {
        let at = (0..tables.len()).min_by_key(|&at| tables[at].due).context("no tables")?;
        let due = tables[at].due;
        if due >= end {
            return Ok(measured);
        }
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let path = format!("/api/tables/{}", tables[at].id);
        let key = tables[at].key.clone();
        tables[at].due = due + Duration::from_secs_f64(plan.every);
        let actions = tables[at].snapshot["actions"].as_array().cloned().unwrap_or_default();
        if actions.is_empty() {
            // The agent was still at it, or the match is over.
            let (status, value) = connection.call("GET", &path, &key, "")?;
            if status != 200 {
                *measured.wrong.entry(status).or_default() += 1;
            } else if !value["over"].is_null() {
                measured.ended += 1;
                connection.call("DELETE", &path, &key, "")?;
                tables[at] = lay(&mut connection, plan, tables[at].due)?;
                continue;
            } else if let Some(wait) = tables[at].take(value) {
                measured.answers[at] += 1;
                measured.waits.push(wait);
            }
            continue;
        }
        let action = &actions[rng.below(actions.len() as u32) as usize];
        let body = json!({"action": action, "ply": tables[at].snapshot["ply"]}).to_string();
        let sent = Instant::now();
        let (status, value) = connection.call("POST", &format!("{path}/act"), &key, &body)?;
        // From when it was due, so that a server that holds everybody up is seen.
        measured.times.push(due.elapsed().as_secs_f64() * 1000.0);
        if !matches!(status, 200 | 202) {
            *measured.wrong.entry(status).or_default() += 1;
            continue;
        }
        tables[at].moved = Some(sent);
        if let Some(wait) = tables[at].take(value) {
            measured.answers[at] += 1;
            measured.waits.push(wait);
        }
    }
}

fn loads() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(1).collect()
}

/// Runs the chore.
pub fn run(words: &[String]) -> anyhow::Result<()> {
    let plan = Plan::read(words)?;
    (0..plan.runs).try_for_each(|_| measure(&plan))
}

/// Returns the value below which this share of a sorted list lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

fn spread(what: &str, times: &mut [f64]) {
    times.sort_by(f64::total_cmp);
    let at = |share| quantile(times, share);
    println!(
        "{what}, in milliseconds: median {:.1}, 90 % {:.1}, 99 % {:.1}, longest {:.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

/// Measures once.
fn measure(plan: &Plan) -> anyhow::Result<()> {
    let before = loads();
    let server = Server::start(plan)?;
    let shares: Vec<usize> = (0..plan.connections)
        .map(|number| plan.tables / plan.connections + usize::from(number < plan.tables % plan.connections))
        .filter(|&count| count > 0)
        .collect();
    let laid = Barrier::new(shares.len());
    let all = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for (number, &count) in shares.iter().enumerate() {
            let (all, laid, address) = (&all, &laid, server.address.as_str());
            scope.spawn(move || {
                let played = play(address, plan, number, count, laid);
                all.lock().expect("no thread panics").push(played);
            });
        }
    });
    let used = server.used();
    let mut sum = Measured::default();
    for played in all.into_inner().expect("no thread panics") {
        let played = played?;
        sum.times.extend(played.times);
        sum.answers.extend(played.answers);
        sum.waits.extend(played.waits);
        sum.ended += played.ended;
        for (status, count) in played.wrong {
            *sum.wrong.entry(status).or_default() += count;
        }
    }
    let answers: u64 = sum.answers.iter().sum();
    println!(
        "{} tables of {} against {}, a move each {} s for {} s; load of the machine {before} before, {} after",
        plan.tables,
        plan.game,
        plan.agent,
        plan.every,
        plan.seconds,
        loads()
    );
    println!(
        "moves {}, answered {answers}, matches ended {}, errors {:?}",
        sum.times.len(),
        sum.ended,
        sum.wrong
    );
    spread("replies, from when a move was due", &mut sum.times);
    spread("answers of agents, from the move on", &mut sum.waits);
    let (least, most) =
        (sum.answers.iter().min().copied().unwrap_or(0), sum.answers.iter().max().copied().unwrap_or(0));
    let squares: f64 = sum.answers.iter().map(|&count| (count * count) as f64).sum();
    // Jain's index: 1 if all tables got the same, 1/n if one got everything.
    let fair = (answers * answers) as f64 / (sum.answers.len() as f64 * squares.max(1.0));
    println!("answers a table: fewest {least}, most {most}, Jain's index of fairness {fair:.4}");
    if let Some((seconds, mebibytes)) = used {
        println!("server: {seconds:.1} CPU-seconds in all, {mebibytes:.0} MiB");
    }
    if sum.wrong.is_empty() { Ok(()) } else { bail!("there were errors") }
}
