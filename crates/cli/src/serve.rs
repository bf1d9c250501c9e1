//! `parlor serve`: the page and its API.

use std::net::IpAddr;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, bail};
use parlor_lab::log;
use parlor_lab::run::LockFile;
use parlor_server::{Addresses, DEFAULT_PORT, Settings};

use crate::run_support::{leave_on_ctrl_c, store_to_record};
use crate::terminal::{say, say_aside};

#[derive(clap::Args, Debug)]
pub struct ServeArgs {
    /// The address to listen at; anything but a loopback address lets other machines connect
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// The port; 0 picks a free one
    #[arg(long, value_name = "P", default_value_t = DEFAULT_PORT)]
    pub port: u16,
    /// A name by which browsers may call this server, beside localhost and its numbers; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Where tables and runs are kept (default: in the program's own place)
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Record every match, move by move, in this store when it is over, and show the store's games in the laboratory: a folder, or
    /// postgres://USER@HOST/DATABASE; see `parlor history games`
    #[arg(long, value_name = "STORE")]
    pub record: Option<String>,
    /// Offer an agent by a name, files and programs included; may be repeated
    #[arg(long = "agent", value_name = "NAME=SPEC")]
    pub agents: Vec<String>,
    /// How many threads think (default: one a processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// How much memory tables may use together, in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    pub memory_mb: u32,
    /// Serve the page from a folder instead of the program, for work on it
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub page: Option<PathBuf>,
}

pub fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let agents: anyhow::Result<Vec<(String, String)>> = args.agents.iter().map(|text| named(text)).collect();
    let folder = args.folder.clone().or_else(|| Some(log::home()?.join("serve")));
    let held = folder.as_deref().map(LockFile::take_folder).transpose()?;
    if let (Some(None), Some(folder)) = (&held, &folder) {
        bail!("another `parlor serve` uses {}; give this one a --folder of its own", folder.display());
    }
    let threads =
        args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let settings = Settings {
        listen: args.listen,
        port: args.port,
        names: args.hosts.clone(),
        folder,
        page: args.page.clone(),
        agents: agents?,
        home: log::home(),
        threads,
        memory_mb: args.memory_mb as usize,
        record: store_to_record(args.record.as_deref())?,
        warn: |warning| say_aside(format!("warning: {warning}")),
        ..Settings::default()
    };
    let stop = leave_on_ctrl_c()?;
    parlor_server::serve(&settings, &stop, tell)
        .with_context(|| format!("cannot listen at {} port {}", args.listen, args.port))
}

/// Prints the address. Exactly one line goes to the standard output: programs read it.
fn tell(addresses: &Addresses) {
    let _ = say(&addresses.everyone);
    say_aside(format!("the laboratory is the owner's: {}", addresses.owner));
    if !addresses.socket.ip().is_loopback() {
        say_aside("other machines can connect, without encryption");
    }
}

/// Reads `NAME=SPEC`.
fn named(text: &str) -> anyhow::Result<(String, String)> {
    let (name, spec) =
        text.split_once('=').context("--agent takes NAME=SPEC, e.g. mine='collective(file=my.parlor)'")?;
    let fits = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if !fits {
        bail!("--agent {text}: a name has letters, digits, `-`, `_` and `.`");
    }
    Ok((name.to_owned(), spec.to_owned()))
}
