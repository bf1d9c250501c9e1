//! How charts look: one set of rules, with variables for pages and with fixed colours for files.

use maud::{Markup, PreEscaped, html};

/// All charts are this wide.
pub(super) const WIDTH: f64 = 860.0;

const RULES: &str = include_str!("chart.css");

/// How a chart in a page fits itself in. It shrinks with the page; on a narrow one its letters shrink less.
const IN_PAGE: &str = ".chart { display: block; width: 100%; height: auto; }\n";

/// Behind the other rules, which it changes.
const NARROW: &str = "@media (max-width: 620px) { .chart text { font-size: 17px; } .chart .title { font-size: 20px; } .chart .mark { font-size: 15px; } .chart .curve { stroke-width: 3.2; } }\n";

/// What a page has names for; here for files, which have no page around them.
const PAPER: [(&str, &str); 4] =
    [("ink", "#1f2328"), ("soft", "#626a73"), ("line", "#e3e1dc"), ("card", "#ffffff")];

/// The colours of series, on light and on dark. After Okabe and Ito (2008), each made darker or lighter until it stands
/// out from its background and from all others, also for people who see no red or no green.
const COLOURS: [(&str, &str, &str); 6] = [
    ("colour1", "#0067a0", "#3f9be0"),
    ("colour2", "#b84a00", "#f2703a"),
    ("colour3", "#00966d", "#1fc795"),
    ("colour4", "#8a3570", "#d67fb8"),
    ("colour5", "#d29200", "#f5c04a"),
    ("colour6", "#52abdd", "#a5dcff"),
];

/// Returns the rules that a page with charts needs, for its `<style>`.
///
/// The page has `--ink`, `--soft`, `--line` and `--card`, the colours of text, lesser text, lines and what is behind the
/// charts. The charts' own colours follow the reader's choice of light or dark.
#[must_use]
pub fn page_style() -> String {
    let colours = |pick: fn(&(&str, &'static str, &'static str)) -> &'static str| -> String {
        COLOURS.iter().map(|colour| format!(" --{}: {};", colour.0, pick(colour))).collect()
    };
    let [light, dark] = [colours(|colour| colour.1), colours(|colour| colour.2)];
    format!(
        ".chart {{{light} }}\n@media (prefers-color-scheme: dark) {{ .chart {{{dark} }} }}\n{IN_PAGE}{RULES}{NARROW}"
    )
}

/// The rules with their colours filled in: not every reader of SVG files knows variables.
fn file_style() -> String {
    let fonts = ".chart { font-family: \"Noto Sans\", \"Segoe UI\", \"DejaVu Sans\", sans-serif; }\n";
    let light = COLOURS.iter().map(|(name, light, _)| (*name, *light));
    PAPER.into_iter().chain(light).fold(format!("{fonts}{RULES}"), |rules, (name, colour)| {
        rules.replace(&format!("var(--{name})"), colour)
    })
}

/// The classes of series number `index`: colours first, then the same colours dashed and dotted.
pub(super) fn series_class(index: usize) -> String {
    let colour = index % COLOURS.len() + 1;
    let dashes = ["", " dashed", " dotted"][index / COLOURS.len() % 3];
    format!("colour{colour}{dashes}")
}

/// Where a chart goes.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Into a page that has [`page_style`].
    Page,
    /// Into a file of its own.
    File,
}

/// A drawing and what it needs around it.
pub(super) struct Picture {
    pub(super) height: f64,
    /// What it shows, for people who do not see it.
    pub(super) label: String,
    pub(super) body: Markup,
}

impl Picture {
    pub(super) fn put(&self, place: Place) -> Markup {
        let file = place == Place::File;
        let height = px(self.height);
        html! {
            svg class="chart" xmlns=[file.then_some("http://www.w3.org/2000/svg")]
                width=[file.then_some(WIDTH)] height=[file.then_some(&height)]
                viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(self.label) {
                @if file {
                    style { (PreEscaped(file_style())) }
                    rect class="paper" width=(WIDTH) height=(height) {}
                }
                (self.body)
            }
        }
    }
}

/// Returns a place in pixels as it is written.
pub(super) fn px(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::*;

    /// How bright a colour is (WCAG 2).
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let level = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn colours_stand_out_from_their_background() {
        for (name, light, dark) in COLOURS {
            let on_light = 1.05 / (luminance(light) + 0.05);
            let on_dark = (luminance(dark) + 0.05) / (luminance("#1c1f25") + 0.05);
            assert!(on_light > 2.5 && on_dark > 4.5, "{name}: {on_light:.2} on light, {on_dark:.2} on dark");
        }
    }

    #[test]
    fn files_have_no_variables_and_pages_have_all() {
        assert!(!file_style().contains("var("));
        let style = page_style();
        for (name, ..) in COLOURS {
            assert_eq!(style.matches(&format!("--{name}:")).count(), 2, "{name} in light and dark");
            assert!(style.contains(&format!("var(--{name})")));
        }
    }

    #[test]
    fn eighteen_series_look_different() {
        let classes: std::collections::BTreeSet<String> = (0..18).map(series_class).collect();
        assert_eq!(classes.len(), 18);
    }

    #[test]
    fn places_are_short() {
        assert_eq!([px(12.0), px(12.34), px(-0.01), px(-0.5)], ["12", "12.3", "0", "-0.5"]);
    }
}
