//! One picture of each kind, written to the folder given: `cargo run -p klast-plot --example gallery -- DIR`.

use klast_plot::{
    Axis, Cells, Drawing, Face, HeatMap, LineChart, Series, Shape, Solids, class_colour,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for (name, svg) in [
        ("lines", lines()?),
        ("map", map()?),
        ("classes", classes()?),
        ("drawing", drawing()?),
        ("solids", solids()?),
    ] {
        std::fs::write(format!("{folder}/{name}.svg"), svg)?;
    }
    Ok(())
}

type Svg = Result<String, klast_plot::PlotError>;

fn lines() -> Svg {
    let x: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.05).collect();
    let curve = |f: fn(f64) -> f64| x.iter().map(|&x| (x, f(x))).collect::<Vec<_>>();
    let (low, high): (Vec<_>, Vec<_>) = x.iter().map(|x| (x.sin() - 0.2, x.sin() + 0.2)).unzip();
    LineChart::new(
        "Lines, points and a band",
        Axis::new("t [s]"),
        Axis::new("θ/α [-]"),
    )
    .with(Series::band("scatter", &x, &low, &high))
    .with(Series::line("sine", curve(f64::sin)))
    .with(Series::dashed("cosine", curve(f64::cos)))
    .with(Series::points(
        "tenths",
        curve(|x| 0.1 * x).into_iter().step_by(10).collect(),
    ))
    .svg()
}

fn map() -> Svg {
    let values =
        (0..60 * 40).map(|i| f64::hypot(f64::from(i % 60) - 30.0, f64::from(i / 60) - 20.0));
    let cells = Cells::Values {
        label: "r [m]".into(),
        values: values.collect(),
    };
    let (x, y) = (
        Axis::new("x [m]").range(0.0, 60.0),
        Axis::new("y [m]").range(0.0, 40.0),
    );
    HeatMap::new("A raster of values", x, y, (60, 40), cells).svg()
}

fn classes() -> Svg {
    let index = (0..40 * 40)
        .map(|i| {
            if i % 40 + i / 40 < 40 {
                0
            } else {
                (i % 3 + 1) as u8
            }
        })
        .collect();
    let names = ["rest", "rocks", "overturns left", "overturns right"]
        .map(str::to_owned)
        .to_vec();
    let (x, y) = (
        Axis::log("ω/p [-]").range(0.1, 10.0),
        Axis::log("a₀/(g tan α) [-]").range(0.1, 10.0),
    );
    HeatMap::new(
        "A raster of classes",
        x,
        y,
        (40, 40),
        Cells::Classes { names, index },
    )
    .svg()
}

fn drawing() -> Svg {
    let mut drawing = Drawing::new("A profile", Axis::new("x [m]"), Axis::new("z [m]"));
    let slope = vec![(0.0, 50.0), (30.0, 30.0), (60.0, 5.0), (100.0, 0.0)];
    drawing
        .shapes
        .push(Shape::Path(slope, klast_plot::Colour(60, 60, 60), 3));
    drawing.shapes.push(Shape::Polygon(
        vec![(20.0, 40.0), (24.0, 41.0), (22.0, 45.0)],
        class_colour(4),
    ));
    drawing
        .shapes
        .push(Shape::Label("a rock".into(), (27.0, 44.0)));
    drawing.svg()
}

fn solids() -> Svg {
    let mut solids = Solids::new("Three cubes");
    for (x, z) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)] {
        let corner = |i: u8| {
            [
                x + f64::from(i & 1),
                f64::from(i >> 1 & 1),
                z + f64::from(i >> 2),
            ]
        };
        for face in [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ] {
            solids.faces.push(Face {
                corners: face.map(corner).to_vec(),
                colour: class_colour(3),
            });
        }
    }
    solids.svg()
}
