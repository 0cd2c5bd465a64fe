//! The scene file of kind rockfall.

use schemars::JsonSchema;
use serde::Deserialize;

pub use super::scene_engine::{
    AsProgram, Cone, Engine, FrictionDirection, ImpactLaw, Scarring, Vegetation,
};
pub use super::scene_ground::{
    Drawn, Family, GroundScarring, Layout, Material, Number, RestitutionByMass, RestitutionBySpeed,
};
pub use super::scene_protection::{
    Barrier, Basis, Collector, Design, Earthwork, EnergyLevel, Flexible, Form, Quality, Standard,
    Sweep,
};

/// Rocks on a terrain.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The ground.
    pub terrain: Terrain,
    /// Slope materials. A scene has either these or `ground`.
    #[serde(default)]
    pub materials: Vec<Material>,
    /// A calibrated ground, the same everywhere, in place of `materials`.
    pub ground: Option<CalibratedGround>,
    /// Where each material lies; unless stated, the first material lies everywhere.
    #[serde(default)]
    pub layout: Layout,
    /// Where rocks come from.
    pub sources: Vec<Source>,
    /// Engine that moves the rocks.
    #[serde(default)]
    pub engine: Engine,
    /// Stop conditions.
    #[serde(default)]
    pub stop: Stop,
    /// Barriers, which hold rocks.
    #[serde(default)]
    pub barriers: Vec<Barrier>,
    /// Collectors, which record rocks and let them pass.
    #[serde(default)]
    pub collectors: Vec<Collector>,
    /// Lines that are moved over the slope, to find the position with the lowest energies for a barrier.
    #[serde(default)]
    pub sweeps: Vec<Sweep>,
    /// Embankments and ditches, put into a raster terrain in this order.
    #[serde(default)]
    pub earthworks: Vec<Earthwork>,
    /// Sides of cells (m) to which the raster terrain is resampled, each above 0 and up to half of the raster. A
    /// thousand rocks are run again on each raster, to show the effect of the resolution of the ground.
    #[serde(default)]
    pub repeat_at_cells_m: Vec<f64>,
    /// Lines of a file (GeoJSON, shapefile) that are barriers, with attributes `name`, `height_m`, `capacity_kj`.
    pub barriers_file: Option<String>,
    /// Lines of a file that are collectors, with an attribute `name`.
    pub collectors_file: Option<String>,
    /// Both in one list, as scenes had them before.
    #[serde(default)]
    #[schemars(skip)]
    pub gates: Vec<Gate>,
    /// Side of a cell of the hazard maps (m), above 0; no maps unless stated.
    pub map_cell_m: Option<f64>,
    /// Energies for which return periods are mapped (kJ), 1e-6 to 1e12; sources need an annual frequency.
    #[serde(default)]
    pub return_period_energies_kj: Vec<f64>,
    /// Return periods for which energies are mapped (a), 1e-6 to 1e12; sources need an annual frequency.
    #[serde(default)]
    pub return_periods_a: Vec<f64>,
    /// Number of rocks that `rocks.csv` lists, beginning with the first rock.
    #[serde(default = "Scene::rocks")]
    pub write_rocks: u64,
    /// Whether trajectories, barriers and collectors are also written in WGS 84 (RFC 7946), as `..._wgs84.geojson`.
    #[serde(default)]
    pub wgs84_lines: bool,
    /// Number of trajectories that are written, beginning with the first rock.
    #[serde(default = "Scene::trajectories")]
    pub write_trajectories: u64,
    /// Number of rocks, beginning with the first, whose exact paths are kept in `paths.json`. Collectors and maps that are added after the run can use these paths.
    #[serde(default)]
    pub write_paths: u64,
    /// The `paths.json` of a run of this scene with all its rocks. The rocks then follow these paths and are not run
    /// again. Collectors and maps of this scene may differ from those of that run; terrain, sources, barriers and seed
    /// must be the same.
    pub paths: Option<String>,
    /// A picture of the ground from above (.png, .jpg, with a world file beside it), which the view in space lays over
    /// the ground.
    pub orthophoto: Option<String>,
    /// Seed from which all random numbers follow, a whole number from 0; `--seed` overrides it.
    #[serde(default)]
    pub seed: u64,
}

impl Scene {
    fn trajectories() -> u64 {
        20
    }

    fn rocks() -> u64 {
        100_000
    }
}

/// A ground from a calibration.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalibratedGround {
    /// The `posterior.json` of a run of kind `rockfall_calibration`.
    pub posterior: String,
}

/// The shape of the ground.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Terrain {
    /// A raster: ESRI ASCII (.asc) or GeoTIFF (.tif).
    Raster {
        /// The file of heights (m).
        file: String,
        /// Surface of a raster cell.
        #[serde(default)]
        diagonal: Diagonal,
        /// Coordinate reference system (EPSG code, WKT, PROJ string or `local`), if the file states none.
        crs: Option<String>,
        /// Rounding of the heights (m), 0 or more; read from the digits of the heights unless stated.
        vertical_resolution_m: Option<f64>,
    },
    /// A triangle mesh: STL, OBJ or PLY.
    Mesh {
        /// The file of triangles (m), z upwards.
        file: String,
        /// Coordinate reference system (EPSG code, WKT, PROJ string or `local`).
        crs: Option<String>,
        /// Rounding of the heights (m), 0 or more; read from the digits of the heights unless stated.
        vertical_resolution_m: Option<f64>,
    },
    /// A profile of (station, height) points in m, the same for all y.
    Profile {
        /// Points (station, height) in m, from the least to the greatest station. A station that repeats is a vertical
        /// face, one that runs back an overhang, whose upper outline is the ground. The line must not meet itself.
        points_m: Vec<[f64; 2]>,
        /// Rounding of the heights (m), 0 or more; read from the digits of the heights unless stated.
        vertical_resolution_m: Option<f64>,
        /// Length of the stations of `stations.csv` (m), above 0; a hundredth of the profile unless stated.
        station_m: Option<f64>,
    },
    /// A profile read off a raster along a line. x is the distance along the line; the profile is the same for all y.
    Section {
        /// The raster: ESRI ASCII (.asc) or GeoTIFF (.tif).
        file: String,
        /// Points of the line in map coordinates (m).
        line_m: Vec<[f64; 2]>,
        /// Distance between the points that are read (m); the cell of the raster unless stated.
        spacing_m: Option<f64>,
        /// Length of the stations of `stations.csv` (m), above 0; a hundredth of the section unless stated.
        station_m: Option<f64>,
    },
    /// An unbounded plane that falls towards +x.
    Slope {
        /// Angle of the slope against the horizontal (°), 0 or more and below 90.
        angle_deg: f64,
    },
}

/// Surface of a raster cell.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Diagonal {
    /// Two triangles, lower left to upper right.
    #[default]
    Rising,
    /// Two triangles, upper left to lower right.
    Falling,
    /// Bilinear surface, divided into 4 × 4 squares.
    Bilinear,
}

/// A source of rocks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Name of the source, for tables.
    pub name: String,
    /// Where the rocks of the source are released.
    pub release: Release,
    /// Number of rocks, 1 or more. With starts from a file there must be at least as many rocks as starts; the starts
    /// are taken in turn.
    pub rocks: Option<u64>,
    /// Height of the rock over the ground (m), 0 or more; 0 unless stated.
    pub height_m: Option<Number>,
    /// Elevation of the mass centre (m), -1e6 to 1e6, in place of `height_m`. A rock that would lie in the ground is
    /// counted and not run.
    pub elevation_m: Option<Number>,
    /// Kinds of rock that the source releases.
    pub shapes: Vec<Rock>,
    /// Velocity at release along x, y, z (m/s), -1e6 to 1e6 each; 0 unless stated.
    pub velocity_m_s: Option<[Number; 3]>,
    /// Spin at release about x, y, z (rad/s), -1e6 to 1e6 each; 0 unless stated.
    pub spin_rad_s: Option<[Number; 3]>,
    /// Whether every rock starts in the attitude of its shape in place of a random attitude.
    #[serde(default)]
    pub upright: bool,
    /// Number of rocks that the source releases in a year (1/a), 0 to 1e6; return periods need it.
    pub annual_frequency: Option<f64>,
}

/// Where rocks are released, in map coordinates.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Release {
    /// At a point (m).
    Point([f64; 2]),
    /// Along a line (m).
    Line(Vec<[f64; 2]>),
    /// Over a polygon (m).
    Polygon(Vec<[f64; 2]>),
    /// All points, all lines or all polygons of a file (GeoJSON, shapefile, points in columns). Points are equally probable; lines count by their length, and polygons by their area.
    File(String),
    /// Every raster cell steeper than an angle.
    SteeperThanDeg(f64),
    /// Starts from the rows of a CSV table. The columns x_m and y_m are required. Optional columns are z_m (height of
    /// the mass centre), qw, qx, qy, qz (attitude), vx_m_s, vy_m_s, vz_m_s (velocity), wx_rad_s, wy_rad_s, wz_rad_s
    /// (spin), shape (its number in `shapes`, from 1) and mass_kg. Values without a column are drawn at random.
    Starts(String),
}

/// A kind of rock with its shape and size.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rock {
    /// Shape of the rock.
    pub shape: Shape,
    /// Weight of this kind among the rocks, relative to the sum of all weights: above 0, up to 1e6.
    #[serde(default = "share")]
    pub share: f64,
    /// Volume (m³), above 0. A rock has either a volume or `mass_kg`. Without both, the attribute `volume_m3` of the features of a release file is used.
    pub volume_m3: Option<Number>,
    /// Mass (kg), above 0, in place of `volume_m3`.
    pub mass_kg: Option<Number>,
    /// Density (kg/m³), above 0.
    #[serde(default = "density")]
    pub density_kg_m3: Number,
    /// Class of the rock, one of those of the ground's `posterior`; needed where the posterior has classes, and not
    /// accepted where it has none.
    pub class: Option<String>,
}

fn share() -> f64 {
    1.0
}

fn density() -> Number {
    Number::Constant(2700.0)
}

/// The shape of a rock.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Shape {
    /// Sphere. With the engine `rigid_body` it rolls on level ground for ever unless a `rolling_resistance` slows it.
    Sphere,
    /// Cube.
    Cube,
    /// Regular tetrahedron.
    Tetrahedron,
    /// Regular octahedron.
    Octahedron,
    /// Regular dodecahedron.
    Dodecahedron,
    /// Regular icosahedron.
    Icosahedron,
    /// Box with these proportions.
    Box([f64; 3]),
    /// Regular prism, with its number of sides and its height over its diameter.
    Prism(u32, f64),
    /// Convex hull of these points, scaled to the volume.
    Points(Vec<[f64; 3]>),
}

/// Stop conditions; conditions that are not stated keep their defaults.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Time after which a rock counts as timed out (s), above 0.
    pub maximum_time_s: Option<f64>,
    /// Number of events and contact steps after which a rock counts as timed out, 1 or more.
    pub maximum_steps: Option<u32>,
    /// Stopped-velocity cutoff (m/s), 0 or more. A slower rock that the ground can hold has stopped.
    pub stopped_velocity_m_s: Option<f64>,
    /// Normal-velocity cutoff (m/s), 0 or more. An impact with a smaller normal velocity does not rebound.
    pub normal_velocity_m_s: Option<f64>,
}

/// A barrier (with height and capacity) or a collector (without).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Name for tables and messages.
    pub name: String,
    /// Points of the line in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
    /// Height of a barrier.
    pub height_m: Option<f64>,
    /// Energy capacity of a barrier.
    pub capacity_kj: Option<f64>,
}
