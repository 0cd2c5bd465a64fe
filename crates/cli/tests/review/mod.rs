//! The review list of a page: what a client looks for, and what may not be there.

/// Largest page (bytes): it travels by mail.
const LARGEST: usize = 3_000_000;

/// Goes through the list for the page of a kind.
pub fn review(kind: &str, verdict: &str, page: &str) {
    let has = |what: &str| assert!(page.contains(what), "{kind}: no {what}");
    let bare = without(page, "<script", "</script>");
    // A verdict first, with three figures.
    let first = bare
        .find("class=\"verdict\">")
        .unwrap_or_else(|| panic!("{kind}: no verdict"));
    assert!(
        bare.find("<table").is_none_or(|table| first < table),
        "{kind}: something stands before the verdict"
    );
    let line = verdict.lines().next().unwrap();
    has(&line
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;"));
    let answer = bare.find("<section id=\"answer\"").unwrap();
    assert_eq!(bare[answer..].matches("<dd>").count(), 3, "{kind}");
    // The picture, then what it rests on: inputs, method, limits, numbers.
    assert!(
        bare.contains("<div id=\"picture\"><figure>"),
        "{kind}: no picture"
    );
    let places = ["inputs", "method", "limits", "numbers", "run", "files"].map(|section| {
        let tag = format!("<section id=\"{section}\">");
        let place = bare.find(&tag);
        place.unwrap_or_else(|| panic!("{kind}: no {section}"))
    });
    assert!(places.is_sorted(), "{kind}: {places:?}");
    let results = bare.find("<section id=\"results\">");
    assert!(results.is_none_or(|at| at < places[0]), "{kind}");
    has("SHA-256 of the scene");
    has(concat!("klast ", env!("CARGO_PKG_VERSION")));
    let date = bare.split("<td>Date</td><td>").nth(1).map(|d| &d[..10]);
    assert!(
        date.is_some_and(|d| d.split('-').map(str::len).eq([4, 2, 2])),
        "{kind}: {date:?}"
    );
    // Words and units, not keys; numbers that are read.
    assert!(
        bare.contains("class=\"unit\">[") || bare.contains(">Unit<"),
        "{kind}: no unit"
    );
    for cell in cells(&bare) {
        let key = cell.split_whitespace().any(|w| {
            w.contains('_')
                && !w.contains('.')
                && w.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        });
        assert!(!key, "{kind}: a key in a cell: {cell}");
        let digits = cell
            .split(|c: char| !c.is_ascii_digit())
            .map(str::len)
            .max();
        assert!(
            cell.len() == 64
                || cell.contains('.') && cell.contains(char::is_alphabetic)
                || digits.unwrap_or(0) <= 10,
            "{kind}: {cell}"
        );
        let exponent = cell.split_once('e').is_some_and(|(a, b)| {
            a.ends_with(|c: char| c.is_ascii_digit())
                && b.trim_start_matches('-')
                    .starts_with(|c: char| c.is_ascii_digit())
                && !a.contains(char::is_alphabetic)
        });
        assert!(!exponent || cell.len() == 64, "{kind}: {cell}");
    }
    // Screens and paper.
    has("<meta name=\"viewport\"");
    has("prefers-color-scheme: dark");
    has("size: A4");
    for size in page.split("font-size=\"").skip(1) {
        let size: f64 = size.split('"').next().unwrap().parse().unwrap_or(99.0);
        assert!(size >= 12.0, "{kind}: a label of {size} px");
    }
    let figures = bare.matches("<figure><div class=\"paper\"").count();
    assert!(figures > 0, "{kind}: no figure");
    for figure in bare.split("<div class=\"paper\"").skip(1) {
        let svg = figure.split_once("<svg width=\"").unwrap().1;
        let wide: f64 = svg.split('"').next().unwrap().parse().unwrap();
        assert!(
            wide <= 680.0,
            "{kind}: a figure of {wide} px runs off a printed page"
        );
    }
    assert!(
        bare.matches("aria-label=\"").count() >= figures,
        "{kind}: figures without words"
    );
    assert_eq!(
        bare.matches("<figcaption>").count(),
        figures + bare.matches("<figure class=\"scene\">").count(),
        "{kind}"
    );
    assert!(page.len() < LARGEST, "{kind}: {} bytes", page.len());
    // One file, without a network.
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    assert!(
        !elsewhere.contains("http://") && !elsewhere.contains("https://"),
        "{kind}: something from elsewhere"
    );
    if kind == "rockfall" {
        for what in [
            ">N</text>",
            "contours, every",
            "net, its height",
            ">release: cliff</text>",
            "100 to 300 kJ",
            " m</text>",
            "EPSG:2056",
        ] {
            has(what);
        }
    }
    if [
        "rockfall", "bodies", "stack", "rocking", "assembly", "rockfill",
    ]
    .contains(&kind)
    {
        has("<section id=\"view\">");
    }
}

/// A text without what stands between two marks.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut parts = text.split(from);
    let head = parts.next().unwrap_or_default().to_owned();
    parts.fold(head, |bare, part| {
        bare + part.split_once(to).map_or("", |(_, rest)| rest)
    })
}

fn cells(page: &str) -> impl Iterator<Item = &str> {
    let parts = page
        .split(['<'])
        .filter(|p| p.starts_with("td") || p.starts_with("th"));
    parts.filter_map(|p| Some(p.split_once('>')?.1))
}
