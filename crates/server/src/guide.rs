//! The guide as pages.

use hyper::StatusCode;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, bytes};

include!(concat!(env!("OUT_DIR"), "/guide.rs"));

/// The page about the API.
const API: &str = "server";

/// Returns a page of the guide; the list of pages without a name.
///
/// # Errors
/// If there is no such page.
pub fn page(name: &str) -> Answer<Reply> {
    if let Some((_, picture)) = PICTURES.iter().find(|(file, _)| *file == name) {
        return Ok(bytes(StatusCode::OK, "image/svg+xml", *picture));
    }
    let name = match name {
        "" => "README",
        "api" => API,
        other => other,
    };
    let found = PAGES.iter().find(|(page, _)| *page == name);
    let (_, text) = found.ok_or_else(|| Problem::missing("there is no such page of the guide"))?;
    Ok(bytes(StatusCode::OK, "text/html; charset=utf-8", whole(name, text)))
}

/// Returns an HTML page.
fn whole(name: &str, text: &str) -> String {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Guide");
    let mut title_text = String::new();
    html::push_html(&mut title_text, std::iter::once(Event::Text(title.replace('`', "").into())));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title_text} · parlor</title>\n\
         <link rel=\"icon\" href=\"/assets/icon.svg\">\n<link rel=\"stylesheet\" href=\"/assets/base.css\">\n\
         <link rel=\"stylesheet\" href=\"/assets/guide.css\">\n<script src=\"/assets/theme.js\"></script>\n</head>\n<body>\n\
         <header class=\"top\"><a class=\"brand\" href=\"/\">parlor</a><nav aria-label=\"Pages\"><a href=\"/\">Play</a>\
         <a href=\"/watch\">Watch</a><a href=\"/replay\">Replay</a><a href=\"/lab\">Lab</a><a href=\"/guide\">Guide</a></nav></header>\n\
         <main class=\"guide\">\n{}</main>\n</body>\n</html>\n",
        rendered(name, text)
    )
}

/// Returns the HTML of a page of Markdown.
fn rendered(name: &str, text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    name_headings(&mut events);
    let mut tables = 0;
    let events = events.into_iter().flat_map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = target(name, &dest_url).into();
            vec![Event::Start(Tag::Link { link_type, dest_url, title, id })]
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = target(name, &dest_url).into();
            vec![Event::Start(Tag::Image { link_type, dest_url, title, id })]
        }
        // Wide tables scroll by themselves, with the keyboard too.
        Event::Start(Tag::Table(columns)) => {
            // Screen readers list regions by their names, so each has its own.
            tables += 1;
            let open = format!(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table {tables}\">"
            );
            vec![Event::Html(open.into()), Event::Start(Tag::Table(columns))]
        }
        Event::End(TagEnd::Table) => vec![Event::End(TagEnd::Table), Event::Html("</div>\n".into())],
        // The guide has no HTML of its own; if it ever has, it is shown as text.
        Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
        other => vec![other],
    });
    let mut page = String::with_capacity(2 * text.len());
    html::push_html(&mut page, events);
    // The pages' policy allows no styles in elements.
    page.replace(" style=\"text-align: right\"", " class=\"right\"")
        .replace(" style=\"text-align: center\"", " class=\"center\"")
        .replace(" style=\"text-align: left\"", "")
        .replace("<pre>", "<pre tabindex=\"0\">")
}

/// Gives headings the names that links to them use: lower case, hyphens for blanks, no punctuation.
fn name_headings(events: &mut [Event<'_>]) {
    let mut open: Option<(usize, String)> = None;
    let mut named = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some((at, String::new())),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, words)) = &mut open {
                    words.push_str(text);
                }
            }
            Event::End(TagEnd::Heading(_)) => named.extend(open.take()),
            _ => {}
        }
    }
    for (at, words) in named {
        let slug: String = words
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        if let Event::Start(Tag::Heading { id, level, .. }) = &mut events[at]
            && *level > HeadingLevel::H1
        {
            *id = Some(CowStr::from(slug));
        }
    }
}

/// Returns where a link of a page leads in the server. Pages that are not in the guide stay as they are written.
fn target(page: &str, link: &str) -> String {
    if link.contains("://") || link.starts_with('#') || link.starts_with('/') {
        return link.to_owned();
    }
    let (path, anchor) =
        link.split_once('#').map_or((link, String::new()), |(path, anchor)| (path, format!("#{anchor}")));
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            // The glossary lies beside the guide's folder, and is served in it.
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let path = path.strip_suffix(".md").unwrap_or(&path);
    let path = if path == "README" { "" } else { path };
    let known = path.is_empty()
        || PAGES.iter().any(|(name, _)| *name == path)
        || PICTURES.iter().any(|(name, _)| *name == path);
    if known {
        format!("/guide/{path}{anchor}").trim_end_matches('/').to_owned()
    } else {
        "/guide".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_rendered_without_styles_and_with_links_that_lead_somewhere() {
        assert!(PAGES.len() > 30);
        for (name, text) in PAGES {
            let page = whole(name, text);
            assert!(!page.contains("style=\""), "{name}");
            assert!(page.contains("<h1"), "{name}");
            for link in page.split("href=\"/guide").skip(1) {
                let path = link.split('"').next().unwrap();
                let path = path.split('#').next().unwrap().trim_start_matches('/');
                assert!(path.is_empty() || PAGES.iter().any(|(known, _)| *known == path), "{name}: {path}");
            }
        }
    }

    #[test]
    fn links_and_anchors_are_those_of_the_server() {
        assert_eq!(target("README", "games/dominoes.md#ends"), "/guide/games/dominoes#ends");
        assert_eq!(target("games/dominoes", "../agents.md"), "/guide/agents");
        assert_eq!(target("agents", "https://example.org/x.md"), "https://example.org/x.md");
        assert_eq!(target("agents", "../nowhere/x.md"), "/guide");
        let page = rendered(
            "agents",
            "# A\n\n## The `x` of *y*, then\n\n| a |\n|--:|\n| <b> |\n\n<script>alert(1)</script>\n",
        );
        assert!(page.contains("<h2 id=\"the-x-of-y-then\">"), "{page}");
        assert!(page.contains("<td class=\"right\">&lt;b&gt;</td>"), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
}
