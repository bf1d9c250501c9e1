//! Many runs side by side: what reproduces and what does not.

use std::path::Path;

use parlor_core::files::reading::read_folder;
use parlor_stats::compare::holm;
use serde::Serialize;

use super::page::{equals, estimate};
use super::{PAGE, PLOTS, Report, ReportError, Score, summary_page, write_charts};
use crate::chart::{GridCell, GridChart, GridRow, Mark};
use crate::experiment::claims::Verdict;
use crate::experiment::verdicts::Finding;
use crate::format::{counted, cut};
use crate::run::folder::{EXPERIMENT, RunFolderError, write_file};

/// The name of the summary's page.
pub const SUMMARY_PAGE: &str = "summary.html";
/// The name of the summary as Markdown.
pub const SUMMARY_TEXT: &str = "summary.md";
/// The name of the overview's chart, without an ending.
pub const OVERVIEW: &str = "overview";

/// One run of a summary.
#[derive(Debug)]
pub struct Summarised {
    /// Its folder's name beside the summary.
    pub folder: String,
    /// Its report.
    pub report: Report,
    /// The p-values of its hypotheses, corrected for the number of hypotheses in all files of the summary.
    pub corrected_over_all: Vec<f64>,
}

/// Many runs.
#[derive(Debug)]
pub struct Summary {
    /// The runs, in the order of their folders.
    pub runs: Vec<Summarised>,
}

impl Summary {
    /// Returns the summary of some reports, each with the name of its folder.
    #[must_use]
    pub fn of(reports: Vec<(String, Report)>) -> Summary {
        let findings = reports.iter().flat_map(|(_, report)| &report.findings.hypotheses);
        let p_values: Vec<f64> = findings.map(|finding| finding.p_value.unwrap_or(1.0)).collect();
        let mut corrected = holm(&p_values).into_iter();
        let runs = reports.into_iter().map(|(folder, report)| {
            let corrected_over_all = corrected.by_ref().take(report.findings.hypotheses.len()).collect();
            Summarised { folder, report, corrected_over_all }
        });
        Summary { runs: runs.collect() }
    }

    /// Returns the summary of all runs in the folders of a folder.
    ///
    /// # Errors
    /// If there is no run, or one cannot be read.
    pub fn read(folder: &Path) -> Result<Summary, ReportError> {
        let io = |cause| RunFolderError::Io { path: folder.to_owned(), cause };
        let mut names = Vec::new();
        for path in read_folder(folder).map_err(io)? {
            let name = path.file_name().and_then(|name| name.to_str());
            names.extend(name.filter(|_| path.join(EXPERIMENT.manifest).is_file()).map(str::to_owned));
        }
        names.sort();
        if names.is_empty() {
            return Err(RunFolderError::Missing { path: folder.to_owned(), kind: &EXPERIMENT }.into());
        }
        let reports = names.into_iter().map(|name| Ok((name.clone(), Report::read(&folder.join(&name))?)));
        Ok(Summary::of(reports.collect::<Result<_, ReportError>>()?))
    }

    /// Writes the summary, not the reports of its runs.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        write_charts(&folder.join(PLOTS), std::iter::once((OVERVIEW, self.overview().svg())))?;
        write_file(&folder.join(SUMMARY_TEXT), self.markdown().as_bytes())?;
        Ok(write_file(&folder.join(SUMMARY_PAGE), self.page().as_bytes())?)
    }

    /// Returns the page.
    #[must_use]
    pub fn page(&self) -> String {
        summary_page::page(self)
    }

    /// Returns all counts together.
    #[must_use]
    pub fn score(&self) -> Score {
        self.runs.iter().map(|run| run.report.score()).fold(Score::default(), |all, one| Score {
            hold: all.hold + one.hold,
            fail: all.fail + one.fail,
            undecided: all.undecided + one.undecided,
            agree: all.agree + one.agree,
            of_source: all.of_source + one.of_source,
            reproduced: all.reproduced + one.reproduced,
            printed: all.printed + one.printed,
        })
    }

    /// Returns what everything comes to, in a few sentences.
    #[must_use]
    pub fn words(&self) -> String {
        let score = self.score();
        let count = self.runs.len();
        let mut text =
            format!("{count} {}: {}", if count == 1 { "experiment" } else { "experiments" }, score.words());
        if score.of_source > 0 {
            let (agree, all) = (score.agree, score.of_source);
            text += &format!(" In {agree} of {} our verdict is the source's.", counted(all as u64, "case"));
        }
        text
    }

    /// Returns what a reader must know: which runs are not finished, which are smaller versions.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let named = |wanted: fn(&Report) -> bool| {
            let names: Vec<&str> = self
                .runs
                .iter()
                .filter(|run| wanted(&run.report))
                .map(|run| run.report.experiment.id.as_str())
                .collect();
            names.join(", ")
        };
        let (open, small) =
            (named(|report| !report.progress.is_complete()), named(|report| report.manifest.quick));
        let open = (!open.is_empty()).then(|| format!("Not finished: {open}."));
        let small = (!small.is_empty())
            .then(|| format!("Smaller versions (--quick), which do not decide much: {small}."));
        open.into_iter().chain(small).collect()
    }

    /// Returns all verdicts as a chart.
    #[must_use]
    pub fn overview(&self) -> GridChart {
        const LONGEST_TITLE: usize = 46;
        let mark = |verdict: Verdict| match verdict {
            Verdict::Holds => Mark::Yes,
            Verdict::DoesNotHold => Mark::No,
            Verdict::Undecided => Mark::Open,
        };
        let rows = self.runs.iter().map(|run| {
            let experiment = &run.report.experiment;
            let score = run.report.score();
            GridRow {
                label: cut(&format!("{}  {}", experiment.id, experiment.title), LONGEST_TITLE),
                cells: run
                    .report
                    .findings
                    .hypotheses
                    .iter()
                    .map(|finding| GridCell {
                        name: format!("{}: {}", finding.id, finding.says),
                        theirs: finding.found.map(mark),
                        ours: mark(finding.verdict),
                    })
                    .collect(),
                remark: match score.printed {
                    0 => String::new(),
                    all => format!("{} of {}", score.reproduced, counted(all as u64, "figure")),
                },
            }
        });
        GridChart {
            title: "What reproduces".to_owned(),
            rows: rows.collect(),
            words: ["holds", "does not hold", "undecided"].map(str::to_owned),
            sides: ["in the source", "here"].map(str::to_owned),
        }
    }

    /// Returns the summary as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("# What reproduces\n\n{}\n", self.words());
        for warning in self.warnings() {
            text += &format!("\n**{}**\n", plain(&warning));
        }
        text += &format!("\n![Verdicts in the source and here]({PLOTS}/{OVERVIEW}.svg)\n");
        for run in &self.runs {
            let experiment = &run.report.experiment;
            let score = run.report.score();
            text += &format!(
                "\n## [{}]({}): {}\n\n",
                plain(&experiment.id),
                address(&run.folder),
                plain(&experiment.title)
            );
            if score.printed > 0 {
                text +=
                    &format!("Printed figures reproduced: {} of {}.\n\n", score.reproduced, score.printed);
            }
            text += "| hypothesis | source | here | estimate [95 %] | p, Holm in the file | p, Holm over all |\n|---|---|---|---|---|---|\n";
            for (finding, over_all) in run.report.findings.hypotheses.iter().zip(&run.corrected_over_all) {
                let p = |p: Option<f64>| p.map_or_else(|| "–".to_owned(), crate::format::p_value);
                text += &format!(
                    "| **{}** {} | {} | {} | {} | {} | {} |\n",
                    plain(&finding.id),
                    plain(&finding.says),
                    finding.found.map_or("–", Verdict::words),
                    finding.verdict.words(),
                    estimate(finding),
                    p(finding.corrected),
                    p(finding.p_value.map(|_| *over_all)),
                );
            }
            for finding in &run.report.findings.hypotheses {
                if let Some(why) = &finding.explain {
                    text += &format!("\n{}: {}\n", plain(&finding.id), plain(why));
                }
            }
        }
        text
    }

    /// Returns all numbers as JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        #[derive(Serialize)]
        struct Run<'a> {
            folder: &'a str,
            corrected_over_all: &'a [f64],
            #[serde(flatten)]
            report: serde_json::Value,
        }
        let runs = self.runs.iter().map(|run| Run {
            folder: &run.folder,
            corrected_over_all: &run.corrected_over_all,
            report: run.report.json(),
        });
        serde_json::json!({ "score": self.score(), "experiments": runs.collect::<Vec<_>>() })
    }
}

/// Returns where a run's report is, seen from the summary.
pub(super) fn address(folder: &str) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let folder: String = folder
        .bytes()
        .map(|byte| if safe(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("{folder}/{PAGE}")
}

/// Returns a text without meaning for Markdown.
fn plain(text: &str) -> String {
    let special = |c: char| "\\`*_[]<>|#".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

/// Returns what is found of a hypothesis in one line: `A1.1  holds  (source: holds)  68.2 % [66.1 … 70.3], corrected p = 0.012`.
#[must_use]
pub fn line(finding: &Finding) -> [String; 4] {
    let found = finding.found.map_or_else(String::new, |found| format!("(source: {})", found.words()));
    let p = finding.corrected.map_or_else(String::new, |p| format!(", corrected p {}", equals(p)));
    [finding.id.clone(), finding.verdict.words().to_owned(), found, estimate(finding) + &p]
}
