//! A fuzzer in the process of a test: valid inputs, changed at random, through a reader.
//!
//! Input *i* of a target depends on the target's name, the seed and *i* alone, so a run can be repeated. A panic, a hang, memory
//! over the limit, or a broken promise of the reader is a finding; its input is saved as a seed, and seeds are read first in every
//! run. `docs/guide/reliability.md` has the commands.

mod mutate;

use std::any::Any;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::Rng;
use parlor_core::files::checksummed_file::checksum;

use crate::allocator::most_held;

/// An input that takes longer hangs. Generous: test machines are busy.
const HANG: Duration = Duration::from_secs(60);

/// The maximum memory of one input, as far as its own thread takes it.
const MAX_BYTES: i64 = 1 << 30;

/// A run ends after this number of findings.
const MAX_FINDINGS: usize = 10;

/// A reader under test.
pub struct Target<'a> {
    /// Its name: that of the test and of the folder of its seeds.
    pub name: &'static str,
    /// Valid inputs.
    pub corpus: Vec<Vec<u8>>,
    /// Words that inputs are made of.
    pub words: Vec<String>,
    /// Makes the checksums of a changed input right again; half of the inputs get this.
    pub repair: Option<fn(&mut Vec<u8>)>,
    /// The number of inputs: a minimum, or exactly this many.
    pub inputs: Inputs,
    /// Gives an input to the reader. Returns whether the reader accepted it, or what promise was broken.
    pub check: &'a mut dyn FnMut(&[u8]) -> Result<bool, String>,
}

/// How many inputs a target gets.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// At least this many, and more if that takes less than a second.
    AtLeast(u64),
    /// This many, unless the time is over.
    Exactly(u64),
    /// As many as the time allows.
    Any,
}

/// The time of each target by `PARLOR_FUZZ_SECONDS`, and `PARLOR_FUZZ_SEED`.
struct Plan {
    seconds: Option<f64>,
    seed: u64,
}

impl Plan {
    fn from_environment() -> Plan {
        Plan {
            seconds: number("PARLOR_FUZZ_SECONDS").map(|seconds| seconds as f64),
            seed: number("PARLOR_FUZZ_SEED").unwrap_or(1),
        }
    }

    /// Returns whether to go on after `done` inputs.
    fn goes_on(&self, inputs: Inputs, done: u64, elapsed: f64) -> bool {
        let in_time = self.seconds.is_none_or(|seconds| elapsed < seconds);
        match inputs {
            Inputs::AtLeast(least) => done < least || elapsed < 1.0,
            Inputs::Exactly(inputs) => done < inputs && in_time,
            Inputs::Any => in_time,
        }
    }
}

/// Returns a setting of the environment.
///
/// # Panics
/// If it is not a whole number.
#[must_use]
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse::<u64>().expect(name))
}

/// The input that is being read, for the thread that looks out for hangs.
type Current = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

struct Run<'a> {
    target: Target<'a>,
    seeds: PathBuf,
    current: Current,
    /// A copy of the current input that outlives a process that aborts: a stack that overflows, memory that is not there.
    last: Last,
    accepted: u64,
    slowest: Duration,
    most_bytes: i64,
    findings: Vec<String>,
}

/// A file with the input that is being read, behind its length. It is written in place: a file that is cut and written anew is
/// brought to the disk each time.
struct Last {
    path: PathBuf,
    file: File,
    /// What a run that was aborted has left.
    found: Option<Vec<u8>>,
}

impl Last {
    fn new(path: PathBuf) -> Last {
        let found = fs::read(&path).ok().and_then(|bytes| {
            let (length, rest) = bytes.split_first_chunk::<8>()?;
            rest.get(..u64::from_le_bytes(*length) as usize).map(<[u8]>::to_vec)
        });
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        Last { path, file: file.expect("the input can be noted"), found }
    }

    fn note(&mut self, input: &[u8]) {
        let bytes = [&(input.len() as u64).to_le_bytes()[..], input].concat();
        let written = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(&bytes));
        written.expect("the input can be noted");
    }
}

/// Runs a target; `seeds` is the folder with a folder of seeds for each target, `scrap` a folder for files of this run.
///
/// # Panics
/// If there are findings. They are saved as seeds.
pub fn run(target: Target<'_>, seeds: &Path, scrap: &Path) {
    silence_panics();
    assert!(!target.corpus.is_empty(), "{} has no valid inputs to start from", target.name);
    let plan = Plan::from_environment();
    fs::create_dir_all(scrap).expect("the folder for scrap can be made");
    let mut run = Run {
        seeds: seeds.join(target.name),
        last: Last::new(scrap.join(format!("{}.last", target.name))),
        current: Arc::default(),
        target,
        accepted: 0,
        slowest: Duration::ZERO,
        most_bytes: 0,
        findings: Vec::new(),
    };
    run.look_out_for_hangs();
    let started = Instant::now();
    let valid: Vec<Vec<u8>> = run.target.corpus.clone();
    for input in &valid {
        run.give(input);
    }
    assert!(run.accepted > 0 || !run.findings.is_empty(), "{}: no valid input is accepted", run.target.name);
    run.accepted = 0;
    let known = run.known_seeds();
    for input in &known {
        run.give(input);
    }
    run.accepted = 0;
    let stream = u64::from(checksum(run.target.name.as_bytes())) << 32 ^ plan.seed;
    let mut done = 0;
    while run.findings.len() < MAX_FINDINGS
        && plan.goes_on(run.target.inputs, done, started.elapsed().as_secs_f64())
    {
        let mut rng = Rng::forked(stream, done);
        let mut input = mutate::mutated(&valid, &run.target.words, &mut rng);
        if let Some(repair) = run.target.repair.filter(|_| rng.below(2) == 0) {
            repair(&mut input);
        }
        run.give(&input);
        done += 1;
    }
    run.report(done, known.len(), started.elapsed());
}

/// No back-traces for panics that are caught; the findings tell of them.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !INSIDE.with(std::cell::Cell::get) {
                usual(info);
            }
        }));
    });
}

thread_local! {
    /// Whether this thread is inside a reader.
    static INSIDE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Run<'_> {
    /// Gives one input to the reader.
    fn give(&mut self, input: &[u8]) {
        let started = Instant::now();
        *self.current.lock().expect("nothing panics while it is locked") = Some((started, input.to_vec()));
        self.last.note(input);
        INSIDE.with(|inside| inside.set(true));
        let (result, bytes) = most_held(|| catch_unwind(AssertUnwindSafe(|| (self.target.check)(input))));
        INSIDE.with(|inside| inside.set(false));
        *self.current.lock().expect("nothing panics while it is locked") = None;
        self.slowest = self.slowest.max(started.elapsed());
        self.most_bytes = self.most_bytes.max(bytes);
        let wrong = match result {
            Ok(Ok(accepted)) => {
                self.accepted += u64::from(accepted);
                (bytes > MAX_BYTES).then(|| format!("takes {} MB", bytes >> 20))
            }
            Ok(Err(broken)) => Some(broken),
            Err(panic) => Some(format!("panics: {}", words_of(&*panic))),
        };
        if let Some(wrong) = wrong {
            let file = save(&self.seeds, input);
            self.findings.push(format!("{wrong}\n    {}", file.display()));
        }
    }

    /// Returns the saved seeds, and the input of a run that was aborted.
    fn known_seeds(&self) -> Vec<Vec<u8>> {
        if let Some(aborted) = &self.last.found {
            save(&self.seeds, aborted);
        }
        let Ok(entries) = fs::read_dir(&self.seeds) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable();
        paths.iter().map(|path| fs::read(path).expect("a seed can be read")).collect()
    }

    /// Saves an input that takes too long and aborts the process: a thread cannot be ended from outside.
    fn look_out_for_hangs(&self) {
        let (current, seeds, name) = (Arc::downgrade(&self.current), self.seeds.clone(), self.target.name);
        thread::spawn(move || {
            while let Some(current) = current.upgrade() {
                let hanging = current.lock().ok().and_then(|current| current.clone());
                if let Some((since, input)) = hanging
                    && since.elapsed() > HANG
                {
                    let file = save(&seeds, &input);
                    eprintln!(
                        "{name}: an input takes more than {} s\n    {}",
                        HANG.as_secs(),
                        file.display()
                    );
                    std::process::abort();
                }
                drop(current);
                thread::sleep(Duration::from_millis(500));
            }
        });
    }

    fn report(self, done: u64, seeds: usize, elapsed: Duration) {
        let _ = fs::remove_file(&self.last.path);
        println!(
            "fuzz {}: {done} inputs and {seeds} seeds, {} accepted, {:.1} s, slowest {:.0} ms, at most {:.1} MB, {} findings",
            self.target.name,
            self.accepted,
            elapsed.as_secs_f64(),
            1e3 * self.slowest.as_secs_f64(),
            self.most_bytes as f64 / 1e6,
            self.findings.len(),
        );
        assert!(self.findings.is_empty(), "{}:\n{}", self.target.name, self.findings.join("\n"));
    }
}

/// Saves an input as a seed, named by a hash. (The CRC-32 of a file that ends with its own CRC-32 is always the same.)
fn save(seeds: &Path, input: &[u8]) -> PathBuf {
    fs::create_dir_all(seeds).expect("the folder of seeds can be made");
    let mut hasher = DefaultHasher::new();
    hasher.write(input);
    let file = seeds.join(format!("{:016x}", hasher.finish()));
    fs::write(&file, input).expect("a seed can be saved");
    file
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words").to_owned()
}
