//! Charts draw what they are given and refuse what cannot be drawn.

use klast_plot::{Axis, Cells, Drawing, HeatMap, LineChart, PlotError, Series, Shape};

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
        "<polygon",
        "<circle",
        "<polyline",
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

/// Lines of text that a picture shows.
fn labels(svg: &str) -> impl Iterator<Item = &str> {
    svg.lines().filter(|line| !line.starts_with('<'))
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
    assert!(svg.contains("<polygon") && !svg.contains("NaN"));
}
