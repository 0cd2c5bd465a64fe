//! Charts draw what they are given and refuse what cannot be drawn.

use klast_plot::{Axis, Cells, Drawing, HeatMap, LineChart, Overlay, PlotError, Series, Shape};

#[test]
fn every_mark_is_drawn() {
    let line = vec![(0.0, 0.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 4.0)];
    let svg = LineChart::new("marks", Axis::new("x"), Axis::new("y"))
        .with(Series::line("line", line.clone()))
        .with(Series::dashed("dashed", line.clone()))
        .with(Series::points("points", line))
        .with(Series::bars("bars", &[0.0, 1.0, 2.0], &[1.0, 2.0]))
        .with(Series::band("band", &[0.0, 1.0], &[0.0, 0.0], &[1.0, 2.0]))
        .svg()
        .unwrap();
    for word in [
        "line",
        "dashed",
        "points",
        "bars",
        "band",
        "<path",
        "<title>marks",
    ] {
        assert!(svg.contains(word), "{word} is missing");
    }
    assert!(!svg.contains("NaN"));
}

#[test]
fn no_tick_of_an_axis_of_counts_is_a_fraction() {
    for most in 1..=40 {
        let y = Axis::new("blocks").range(-0.25, f64::from(most) + 0.25);
        let svg = |y: Axis| {
            let line = Series::points("line", vec![(0.5, 0.0), (0.5, f64::from(most))]);
            let x = Axis::new("x").range(0.0, 1000.0);
            LineChart::new("counts", x, y).with(line).svg().unwrap()
        };
        let whole = svg(y.clone().whole());
        // six along x, and at least two
        assert!(!labels(&whole).any(|l| l.contains('.')), "{most}");
        assert!(labels(&whole).filter(|l| l.parse::<f64>().is_ok()).count() >= 8);
        // what it would be without
        assert!(most != 3 || labels(&svg(y)).any(|l| l == "2.5"));
    }
}

/// Texts that a picture shows.
fn labels(svg: &str) -> impl Iterator<Item = &str> {
    let texts = svg.lines().filter_map(|line| line.strip_prefix("<text"));
    texts.filter_map(|t| t.split_once('>')?.1.strip_suffix("</text>"))
}

#[test]
fn a_chart_without_a_point_is_refused() {
    let chart = LineChart::new("none", Axis::new("x"), Axis::new("y"));
    assert!(matches!(chart.svg(), Err(PlotError::Empty { .. })));
}

#[test]
fn a_raster_needs_all_its_cells() {
    let cells = |n| Cells::Values {
        label: "v".into(),
        values: vec![1.0; n],
    };
    let map = |n| {
        let (x, y) = (
            Axis::new("x").range(0.0, 1.0),
            Axis::log("y").range(0.1, 10.0),
        );
        HeatMap::new("m", x, y, (3, 2), cells(n)).svg()
    };
    assert!(map(6).is_ok());
    assert_eq!(
        map(5),
        Err(PlotError::Cells {
            chart: "m".into(),
            found: 5,
            needed: 6
        })
    );
}

#[test]
fn a_drawing_leaves_out_what_has_no_place() {
    let grey = klast_plot::Colour(180, 180, 180);
    let mut drawing = Drawing::new("d", Axis::new("x [m]"), Axis::new("z [m]"));
    drawing.shapes.push(Shape::Polygon(
        vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
        grey,
    ));
    drawing
        .shapes
        .push(Shape::Path(vec![(f64::NAN, 0.0), (1.0, 1.0)], grey, 2));
    let svg = drawing.svg().unwrap();
    assert!(svg.contains("#b4b4b4") && !svg.contains("NaN"));
}

#[test]
fn places_are_kept_to_a_hundredth_of_a_pixel() {
    let line = (0..50)
        .map(|k| (f64::from(k), f64::from(k * k) * 1e-3))
        .collect();
    let svg = LineChart::new("parabola", Axis::new("x [m]"), Axis::new("y [m]"))
        .with(Series::line("", line))
        .svg()
        .unwrap();
    let path = svg
        .split("<path d=\"")
        .find(|p| p.contains("stroke-width=\"2\""))
        .unwrap();
    let numbers = path.split('"').next().unwrap().split(['M', 'L', ' ']);
    let fractions = numbers.filter(|n| n.contains('.')).count();
    assert!(
        fractions > 80,
        "{fractions} of 100 coordinates are no whole numbers"
    );
}

#[test]
fn a_map_of_land_is_to_scale_with_a_bar_an_arrow_and_its_lines_by_name() {
    let cells = Cells::Bands {
        label: "E [kJ]".into(),
        bounds: vec![30.0, 100.0, 300.0],
        dark_is_low: false,
        values: (0..30 * 20)
            .map(|k| if k % 7 == 0 { f64::NAN } else { f64::from(k) })
            .collect(),
    };
    let (x, y) = (
        Axis::new("East [m]").range(2_600_000.0, 2_600_300.0),
        Axis::new("North [m]").range(1_200_000.0, 1_200_200.0),
    );
    let mut map = HeatMap::new("Energy", x, y, (30, 20), cells);
    map.land = true;
    map.relief.heights = (0..30 * 20).map(|k| f64::from(k % 30) * 5.0).collect();
    map.overlays.push(Overlay::Line {
        name: "net".into(),
        points: vec![(2_600_100.0, 1_200_020.0), (2_600_100.0, 1_200_180.0)],
        colour: klast_plot::Colour(20, 40, 160),
        width: 3.0,
    });
    let svg = map.svg().unwrap();
    let area = svg
        .split("data-area=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let area: Vec<f64> = area.split(' ').map(|n| n.parse().unwrap()).collect();
    assert!((area[2] / area[3] - 1.5).abs() < 1e-3, "{area:?}");
    for words in [
        ">N<",
        ">net<",
        "contours, every",
        "below 30 kJ",
        "100 to 300 kJ",
        "300 kJ and more",
        ">2600200<",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    assert!(!svg.contains("e5") && !svg.contains("e6"));
}

#[test]
fn no_label_is_under_twelve_pixels_and_no_chart_wider_than_a_page() {
    let series = |k: u32| {
        Series::line(
            &format!("a series with a long name, {k}"),
            vec![(0.0, 0.0), (1.0, f64::from(k))],
        )
    };
    let chart = LineChart::new("names", Axis::new("x"), Axis::new("y"));
    let svg = (0..8)
        .map(series)
        .fold(chart, LineChart::with)
        .svg()
        .unwrap();
    for size in svg.split("font-size=\"").skip(1) {
        let size: f64 = size.split('"').next().unwrap().parse().unwrap();
        assert!(size >= 12.0, "{size}");
    }
    assert!(svg.starts_with("<svg width=\"680\""), "{}", &svg[..60]);
}

/// Left, top, right and bottom of each text with a pale edge, at the least width that its letters have: 0.5 of their
/// size, where digits and most letters of the fonts of a picture are wider.
fn extents(svg: &str) -> Vec<(String, [f64; 4])> {
    let texts = svg.split("<g paint-order=\"stroke\"").skip(1);
    let texts = texts.filter_map(|t| t.split_once("<text ")?.1.split_once("</text>"));
    let texts = texts.map(|(text, _)| {
        let of = |key: &str| text.split_once(key).unwrap().1.split('"').next().unwrap();
        let number = |key: &str| of(key).parse::<f64>().unwrap();
        let words = text.split_once('>').unwrap().1.to_owned();
        let (x, y, size) = (number("x=\""), number(" y=\""), number("font-size=\""));
        let wide = 0.5 * size * words.chars().count() as f64;
        let left = match of("text-anchor=\"") {
            "start" => x,
            "middle" => x - 0.5 * wide,
            _ => x - wide,
        };
        (words, [left, y - 0.7 * size, left + wide, y])
    });
    texts.collect()
}

fn land(overlays: Vec<Overlay>, title: &str) -> String {
    let axis = |name: &str| Axis::new(name).range(0.0, 100.0);
    let cells = Cells::Values {
        label: "v".into(),
        // Of a map of ten by ten the right half is coloured.
        values: (0..100)
            .map(|k| if k % 10 < 5 { f64::NAN } else { f64::from(k) })
            .collect(),
    };
    let mut map = HeatMap::new(title, axis("x [m]"), axis("y [m]"), (10, 10), cells);
    map.overlays = overlays;
    map.svg().unwrap()
}

#[test]
fn names_on_a_map_stand_on_no_other_and_beside_what_is_coloured() {
    let line = |k: u32| Overlay::Line {
        name: format!("a line {k}"),
        points: vec![
            (f64::from(k) * 2.0 + 10.0, 20.0),
            (f64::from(k) * 2.0 + 10.0, 80.0),
        ],
        colour: klast_plot::Colour(0, 0, 0),
        width: 1.0,
    };
    let svg = land((0..20).map(line).collect(), "many lines");
    let found = extents(&svg);
    assert!(found.len() > 3, "{found:?}");
    for (k, (one, a)) in found.iter().enumerate() {
        for (other, b) in &found[..k] {
            let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
            assert!(apart, "{one} and {other}: {a:?}, {b:?}");
        }
    }
    // At the border of the coloured half, between 45 and 50: the name stands to the left.
    let at = |x: f64| Overlay::Point {
        name: "release".to_owned(),
        at: (x, 50.0),
        colour: klast_plot::Colour(0, 0, 0),
    };
    let svg = land(vec![at(47.0)], "a release");
    assert!(svg.contains("text-anchor=\"end\" font-size=\"13\" fill=\"#222222\">release"));
}

#[test]
fn a_title_wider_than_its_picture_has_two_lines() {
    let title = "Fraction of the rocks that reach a cell: 95 % of the sets of the ground are below this value [%]";
    let svg = land(Vec::new(), title);
    let found: Vec<&str> = labels(&svg).filter(|l| l.len() > 20).collect();
    assert_eq!(found.join(" "), title);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(labels(&land(Vec::new(), "short title")).any(|l| l == "short title"));
}
