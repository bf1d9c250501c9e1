//! Shard files: what is run, which units, and the rows of each.

use std::ops::Range;
use std::path::{Path, PathBuf};

use parlor_core::files::checksummed_file::{ChecksummedFileError, Form, read_file};
use parlor_core::files::reading::read_folder;
use serde::{Deserialize, Serialize};

use super::{RunError, RunPlan, Shard, ShardError};
use crate::experiment::study::StudyTime;
use crate::run::RunFolderError;

/// The ending of shard files.
pub const EXTENSION: &str = "shard";

/// The form of shard files.
pub const FORM: Form = Form { what: "shard", magic: b"parlor shard 1\n" };

/// The line about a shard: everything that decides its rows, and which of them it has. The version of the program and its random generator are
/// in the plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// What is run.
    pub run: RunPlan,
    /// The number of the shard.
    pub shard: u64,
    /// The number of shards.
    pub of: u64,
    /// The first unit.
    pub from: u64,
    /// The unit behind the last one.
    pub to: u64,
    /// How long the units of a study took, where that is reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<StudyTime>,
}

impl About {
    fn range(&self) -> Range<u64> {
        self.from..self.to
    }
}

/// Returns the bytes of a shard file.
pub(super) fn encode(
    plan: &RunPlan,
    shard: Shard,
    range: Range<u64>,
    times: Vec<StudyTime>,
    units: &[Vec<u8>],
) -> Vec<u8> {
    let Range { start: from, end: to } = range;
    let about = About { run: plan.clone(), shard: shard.number(), of: shard.of(), from, to, times };
    let mut content = Vec::with_capacity(units.iter().map(|unit| unit.len() + 8).sum());
    for unit in units {
        content.extend_from_slice(&(unit.len() as u64).to_le_bytes());
        content.extend_from_slice(unit);
    }
    FORM.encode(&about, &content)
}

/// Returns what a shard file says about itself, and the rows of each unit.
fn decode(bytes: &[u8]) -> Result<(About, Vec<&[u8]>), ChecksummedFileError> {
    let (about, mut rest): (About, &[u8]) = FORM.decode(bytes)?;
    let mut units = Vec::new();
    let wrong = |wrong| ChecksummedFileError::Content { what: FORM.what, wrong };
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (unit, behind) = behind.split_at_checked(length).ok_or_else(|| wrong("a unit does not end"))?;
        units.push(unit);
        rest = behind;
    }
    if !rest.is_empty() || about.to.checked_sub(about.from) != Some(units.len() as u64) {
        return Err(wrong("it does not have the units that it names"));
    }
    Ok((about, units))
}

fn read(path: &Path) -> Result<Vec<u8>, ShardError> {
    read_file(path).map_err(|error| ShardError::File { path: path.to_owned(), cause: error.into() })
}

/// Returns the shard files of a folder, in the order of their names.
fn list(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let paths = read_folder(folder);
    let mut paths = paths.map_err(|cause| RunFolderError::Io { path: folder.to_owned(), cause })?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == EXTENSION));
    Ok(paths)
}

/// Returns whether a folder holds a shard, whole and of this plan.
pub(super) fn is_in(folder: &Path, plan: &RunPlan, shard: Shard) -> Result<bool, RunError> {
    if !folder.exists() {
        return Ok(false);
    }
    let path = folder.join(shard.file_name());
    // A damaged shard is played again.
    let known = |path: &Path| {
        let bytes = read_file(path).ok()?;
        Some(decode(&bytes).ok()?.0)
    };
    if let Some(about) = known(&path) {
        if about.run != *plan {
            return Err(ShardError::Foreign { path, other: PathBuf::from(shard.to_string()) }.into());
        }
        return Ok(true);
    }
    // A misspelt setting shows with the first shard, not when all are merged.
    let others = list(folder)?;
    if let Some((other, _)) = others
        .iter()
        .filter(|other| **other != path)
        .find_map(|other| Some((other, known(other)?)))
        .filter(|(_, about)| about.run != *plan)
    {
        return Err(ShardError::Foreign { path: other.clone(), other: path }.into());
    }
    Ok(false)
}

/// The shards of a folder, checked, in the order of their units.
pub(in crate::run) struct ShardSet {
    folder: PathBuf,
    pub plan: RunPlan,
    shards: Vec<(PathBuf, About)>,
    /// How many units the run has.
    units: u64,
}

impl ShardSet {
    /// Reads and checks the shards of a folder: all of the same run, none damaged, equal where they overlap.
    pub fn read(folder: &Path) -> Result<ShardSet, RunError> {
        let mut shards: Vec<(PathBuf, About)> = Vec::new();
        for path in list(folder)? {
            let bytes = read(&path)?;
            let (about, _) =
                decode(&bytes).map_err(|cause| ShardError::File { path: path.clone(), cause })?;
            if !about.run.is_supported() {
                return Err(ShardError::Unsupported(path).into());
            }
            if let Some((other, first)) = shards.first()
                && first.run != about.run
            {
                return Err(ShardError::Foreign { path, other: other.clone() }.into());
            }
            shards.push((path, about));
        }
        let Some((_, first)) = shards.first() else {
            return Err(ShardError::None(folder.to_owned()).into());
        };
        let plan = first.run.clone();
        shards.sort_by_key(|(_, about)| (about.from, about.to));
        let set = ShardSet { folder: folder.to_owned(), plan, shards, units: 0 };
        set.check_overlaps()?;
        Ok(set)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sets how many units the run has.
    pub fn with_units(mut self, units: u64) -> ShardSet {
        self.units = units;
        self
    }

    /// Checks that units that are there twice are equal.
    fn check_overlaps(&self) -> Result<(), RunError> {
        for (number, (path, about)) in self.shards.iter().enumerate() {
            let overlapping = self.shards[number + 1..].iter().take_while(|(_, other)| other.from < about.to);
            for (other, behind) in overlapping {
                let [one, two] = [read(path)?, read(other)?];
                let of = |bytes, path: &Path| {
                    decode(bytes).map_err(|cause| ShardError::File { path: path.to_owned(), cause })
                };
                let ((_, one), (_, two)) = (of(&one, path)?, of(&two, other)?);
                let common = behind.from..about.to.min(behind.to);
                let differs =
                    |unit: &u64| one[(unit - about.from) as usize] != two[(unit - behind.from) as usize];
                if let Some(unit) = common.clone().find(differs) {
                    let (path, other) = (path.clone(), other.clone());
                    return Err(ShardError::Different { path, other, unit }.into());
                }
            }
        }
        Ok(())
    }

    /// Returns the ranges of units that no shard has.
    pub fn gaps(&self) -> Vec<Range<u64>> {
        let (mut gaps, mut next) = (Vec::new(), 0);
        for (_, about) in &self.shards {
            if about.from > next {
                gaps.push(next..about.from);
            }
            next = next.max(about.to);
        }
        if next < self.units {
            gaps.push(next..self.units);
        }
        gaps
    }

    /// Returns how many shards the run was divided into and which of them are missing; `None` if the files are of several divisions.
    pub fn missing(&self) -> Option<(u64, Vec<u64>)> {
        let of = self.shards[0].1.of;
        if self.shards.iter().any(|(_, about)| about.of != of) {
            return None;
        }
        let mut there: Vec<u64> = self.shards.iter().map(|(_, about)| about.shard).collect();
        there.sort_unstable();
        Some((of, (0..of).filter(|number| there.binary_search(number).is_err()).collect()))
    }

    /// Returns the error of a gap.
    fn gap(&self, range: Range<u64>) -> ShardError {
        let hint = match self.missing() {
            Some((of, missing)) if !missing.is_empty() => {
                let words: Vec<String> =
                    missing.iter().take(MOST_LISTED).map(|number| format!("{number}/{of}")).collect();
                let more = if missing.len() > MOST_LISTED { ", …" } else { "" };
                format!("; to play: --shard {}{more}", words.join(", "))
            }
            _ => String::new(),
        };
        ShardError::Missing { path: self.folder.clone(), units: self.plan.units_name(), range, hint }
    }

    /// Checks that every unit is there.
    pub fn check_whole(&self) -> Result<(), ShardError> {
        match self.gaps().into_iter().next() {
            Some(gap) => Err(self.gap(gap)),
            None => Ok(()),
        }
    }

    /// Hands the rows of each unit from number `from` on to `on_unit`, in order, until that returns `false`. `times` are those of the unit.
    ///
    /// # Errors
    /// If a unit is reached that is not there, and those of `on_unit`.
    pub fn for_each(
        &self,
        from: u64,
        mut on_unit: impl FnMut(u64, &[u8], Vec<StudyTime>) -> Result<bool, RunError>,
    ) -> Result<(), RunError> {
        let mut next = from;
        for (path, about) in &self.shards {
            if about.to <= next {
                continue;
            }
            if about.from > next {
                return Err(self.gap(next..about.from).into());
            }
            let bytes = read(path)?;
            let (read, units) =
                decode(&bytes).map_err(|cause| ShardError::File { path: path.clone(), cause })?;
            if read.range() != about.range() {
                let cause = ChecksummedFileError::Content { what: FORM.what, wrong: "it changed meanwhile" };
                return Err(ShardError::File { path: path.clone(), cause }.into());
            }
            for unit in next..about.to {
                let times = read.times.iter().filter(|time| time.unit == unit).cloned().collect();
                if !on_unit(unit, units[(unit - about.from) as usize], times)? {
                    return Ok(());
                }
            }
            next = about.to;
        }
        if next < self.units { Err(self.gap(next..self.units).into()) } else { Ok(()) }
    }
}

/// How many missing shards an error lists.
const MOST_LISTED: usize = 20;

/// Returns the error of a unit whose rows do not follow from the plan.
pub(in crate::run) fn unit_of(folder: &Path, unit: u64, wrong: &str) -> RunError {
    RunFolderError::Damaged { path: folder.to_owned(), wrong: format!("unit {unit}: {wrong}") }.into()
}
