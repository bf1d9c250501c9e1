//! Charts show everything they are given, inside their edges, and never fail on strange numbers.

use parlor_lab::chart::{
    Band, ForestChart, ForestRow, LineChart, Point, Published, Reference, Scale, Series, page_style,
};

fn chart(count: usize) -> LineChart {
    let series = |number: usize| {
        let rate = move |x: f64| 0.5 + 0.02 * number as f64 + 0.003 * x;
        Series {
            name: format!("series {number}"),
            points: (1..=50).map(f64::from).map(|x| Point { x, y: rate(x) }).collect(),
            band: (1..=50)
                .map(f64::from)
                .map(|x| Band { x, low: rate(x) - 0.03, high: rate(x) + 0.03 })
                .collect(),
        }
    };
    LineChart {
        title: "A title".to_owned(),
        x: Scale::new("rounds"),
        y: Scale::percent("won"),
        series: (0..count).map(series).collect(),
        published: vec![
            Published {
                name: "theirs".to_owned(),
                series: Some(1),
                points: vec![Point { x: 20.0, y: 0.6 }],
                labelled: false,
            },
            Published {
                name: "others".to_owned(),
                series: None,
                points: vec![Point { x: 30.0, y: 0.4 }],
                labelled: false,
            },
        ],
        references: vec![Reference { value: 0.5, name: "even".to_owned() }],
    }
}

fn forest() -> ForestChart {
    let row = |label: &str, estimate: f64, published| ForestRow {
        label: label.to_owned(),
        estimate: Some(estimate),
        interval: Some([estimate - 0.02, estimate + 0.02]),
        published,
    };
    ForestChart {
        title: "Won".to_owned(),
        x: Scale::percent("won"),
        rows: vec![row("one", 0.732, Some(0.7)), row("two", 0.51, None)],
        estimates: "ours".to_owned(),
        published: "published".to_owned(),
        reference: Some(Reference { value: 0.5, name: "even".to_owned() }),
    }
}

/// Returns the values of an attribute.
fn values<'a>(svg: &'a str, name: &str) -> Vec<&'a str> {
    svg.split(&format!(" {name}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

fn count(svg: &str, class: &str) -> usize {
    values(svg, "class").iter().filter(|found| **found == class).count()
}

/// Fails if a place is not a number or outside of the drawing.
fn assert_inside(svg: &str) {
    let size: Vec<f64> = values(svg, "viewBox")[0].split(' ').map(|n| n.parse().unwrap()).collect();
    let check = |text: &str, most: f64| {
        let place: f64 = text.parse().unwrap_or_else(|_| panic!("`{text}` is no place"));
        assert!((0.0..=most).contains(&place), "{place} is outside of 0 to {most}");
    };
    for name in ["x", "x1", "x2", "cx"] {
        values(svg, name).iter().for_each(|text| check(text, size[2]));
    }
    for name in ["y", "y1", "y2", "cy"] {
        values(svg, name).iter().for_each(|text| check(text, size[3]));
    }
    for path in values(svg, "d") {
        let path = path.trim_start_matches('M').trim_end_matches('Z');
        for place in path.strip_suffix("h0").unwrap_or(path).split('L') {
            let (x, y) = place.split_once(' ').expect("places are pairs");
            check(x, size[2]);
            check(y, size[3]);
        }
    }
}

#[test]
fn everything_is_drawn_once() {
    let svg = chart(3).svg();
    assert_eq!(count(&svg, "curve"), 3 + 3, "three curves and their samples");
    assert_eq!(count(&svg, "band"), 3 + 3);
    assert_eq!(count(&svg, "published"), 2 + 2);
    assert_eq!(count(&svg, "reference"), 1 + 1);
    assert_eq!(count(&svg, "grey"), 3, "others, their sample, and the reference's");
    for text in ["A title", "rounds", ">won<", ">series 2<", ">theirs<", ">even<", ">50 %<"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_inside(&svg);
    let svg = forest().svg();
    assert_eq!(count(&svg, "published"), 1 + 1);
    assert!(svg.contains(">73.2 % [71.2 … 75.2]<"), "{svg}");
    assert_inside(&svg);
}

#[test]
fn the_legend_is_below_the_data() {
    let svg = chart(12).svg();
    let (drawing, _) = svg.split_once(">rounds<").unwrap();
    let axis: f64 = values(drawing, "y").last().unwrap().parse().unwrap();
    for number in 0..12 {
        let (before, _) = svg.rsplit_once(&format!(">series {number}<")).unwrap();
        let name: f64 = values(before, "y").last().unwrap().parse().unwrap();
        assert!(name > axis + 10.0, "{name} is not below {axis}");
    }
    assert_inside(&svg);
}

#[test]
fn pages_and_files_show_the_same() {
    let [page, file] = [chart(3).markup().into_string(), chart(3).svg()];
    assert_eq!(values(&page, "d"), values(&file, "d"));
    assert!(!page.contains("<style>") && !page.contains('#'), "a page has its own colours");
    assert!(file.contains("<style>") && !file.contains("var(") && file.contains("width=\"860\""));
    for class in values(&page, "class").iter().flat_map(|classes| classes.split(' ')) {
        assert!(class == "name" || page_style().contains(&format!(".{class} ")), "no rule for {class}");
    }
    assert_eq!(file, chart(3).svg());
}

#[test]
fn strange_numbers_leave_gaps() {
    let mut odd = chart(2);
    odd.series[0].points[10].y = f64::NAN;
    odd.series[0].points[20].y = f64::INFINITY;
    odd.series[0].band[30].high = 1e300;
    odd.published[0].series = Some(99);
    let svg = odd.svg();
    assert_eq!(count(&svg, "curve"), 3 + 1 + 2);
    assert_eq!(count(&svg, "band"), 2 + 1 + 2);
    assert_inside(&svg);
    odd.x = odd.x.log();
    odd.series[1].points[0].x = -1.0;
    assert_inside(&odd.svg());

    let same = Series { name: "one".to_owned(), points: vec![Point { x: 7.0, y: 0.0 }; 2], band: Vec::new() };
    for scale in [Scale::new("n"), Scale::new("n").log(), Scale::new("n").reaching(-1e100, 1e100)] {
        let single = LineChart { x: scale.clone(), series: vec![same.clone()], ..LineChart::default() };
        assert_inside(&single.svg());
        assert_inside(&ForestChart { x: scale, ..forest() }.svg());
    }
    assert!(LineChart::default().svg().contains("no data"));
    assert!(ForestChart::default().svg().contains("no data"));
    let empty =
        ForestChart { rows: vec![ForestRow::default()], x: Scale::new("n"), ..ForestChart::default() };
    assert!(empty.svg().contains("no data"));
}

#[test]
fn names_are_only_text() {
    let mut odd = chart(1);
    odd.title = "<script>&\u{1}\"\n".repeat(50);
    odd.series[0].name = "</svg>".to_owned();
    let svg = odd.svg();
    assert!(!svg.contains("<script") && !svg.contains('\u{1}') && svg.matches("</svg>").count() == 1);
}

#[cfg(feature = "png")]
mod pixels {
    use super::*;
    use parlor_lab::chart::{ChartError, png};
    use resvg::tiny_skia::Pixmap;

    #[test]
    fn text_shows_without_fonts_of_the_machine() {
        let picture = |svg: &str| Pixmap::decode_png(&png(svg, 1.0).unwrap()).unwrap();
        let svg = chart(3).svg();
        let wordless = svg.replace("<text", "<desc").replace("</text", "</desc");
        let [with, without] = [&svg, &wordless].map(|svg| picture(svg));
        assert_eq!((with.width(), with.height()), (without.width(), without.height()));
        let differing = |rows: std::ops::Range<u32>| {
            let places = rows.flat_map(|y| (0..860).map(move |x| (x, y)));
            places.filter(|(x, y)| with.pixel(*x, *y) != without.pixel(*x, *y)).count()
        };
        let legend = with.height() - 60;
        assert!(differing(0..30) > 200, "the title");
        assert!(differing(60..400) > 500, "the numbers of the left axis");
        assert!(differing(legend..with.height()) > 500, "the legend");
    }

    #[test]
    fn every_chart_becomes_a_picture() {
        let mut odd = chart(12);
        odd.title = "<&\u{1}\u{ffff}\"'>".to_owned();
        for svg in [odd.svg(), forest().svg(), LineChart::default().svg(), ForestChart::default().svg()] {
            let large = Pixmap::decode_png(&png(&svg, 2.0).unwrap()).unwrap();
            assert_eq!(large.width(), 1720);
        }
        assert_eq!(png(&odd.svg(), 1.0).unwrap(), png(&odd.svg(), 1.0).unwrap());
    }

    #[test]
    fn what_makes_no_picture_is_told() {
        assert!(matches!(png("hello", 1.0), Err(ChartError::NotSvg(_))));
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            assert!(matches!(png(&forest().svg(), scale), Err(ChartError::Size { .. })), "{scale}");
        }
    }
}
