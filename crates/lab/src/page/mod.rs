//! Pages that need nothing else: one HTML file in light and dark, without a network.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The look that all reports share.
const STYLE: &str = include_str!("page.css");

/// Returns a whole page; `style` has the rules that only this kind of page needs.
pub(crate) fn page(title: &str, style: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { main { (body) } }
        }
    }
    .into_string()
}

/// Returns prose with what stands between backticks as code.
pub(crate) fn prose(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn backticks_are_code_and_nothing_else_is_markup() {
        assert_eq!(prose("the arm `a<b` learns").into_string(), "the arm <code>a&lt;b</code> learns");
        assert_eq!(prose("plain").into_string(), "plain");
    }
}
