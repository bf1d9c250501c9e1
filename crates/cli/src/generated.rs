//! What is made of the parser of the command line: completions for shells and the manual page.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::commands::Args;

/// Prints the completions for a shell.
pub fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut visible(), "parlor", &mut bytes);
    print(&bytes)
}

/// Prints the manual page: what `parlor help` says of every command.
pub fn man() -> anyhow::Result<()> {
    let mut command = visible();
    command.build();
    let mut bytes = Vec::new();
    let page = clap_mangen::Man::new(command.clone());
    page.render(&mut bytes)?;
    writeln!(bytes, ".SH COMMANDS")?;
    describe(&command, &mut bytes)?;
    print(&bytes)
}

/// Writes the commands below a command, with their options and examples.
fn describe(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = sub.get_display_name().unwrap_or(sub.get_name()).replace('-', " ");
        let help = sub.clone().color(clap::ColorChoice::Never).term_width(90).render_long_help().to_string();
        writeln!(page, ".SS {}\n.nf", escaped(&name))?;
        for line in help.lines() {
            writeln!(page, "{}", escaped(line.trim_end()))?;
        }
        writeln!(page, ".fi")?;
        describe(sub, page)?;
    }
    Ok(())
}

/// Returns a line in which no character is an instruction of the formatter.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

/// Returns the parser without the commands that are not for people.
fn visible() -> clap::Command {
    let all = Args::command();
    let subcommands: Vec<clap::Command> =
        all.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let mut command = clap::Command::new("parlor").version(env!("CARGO_PKG_VERSION"));
    if let Some(about) = all.get_about() {
        command = command.about(about.clone());
    }
    if let Some(about) = all.get_long_about() {
        command = command.long_about(about.clone());
    }
    command.subcommands(subcommands)
}

fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}
