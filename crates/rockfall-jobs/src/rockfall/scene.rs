//! The scene file of kind rockfall.

use schemars::JsonSchema;
use serde::Deserialize;

pub use super::scene_engine::{Engine, ImpactLaw, LumpedManual, Rebound, RigidManual};
pub use super::scene_ground::{
    GroundPenetration, GroundScarring, Layout, Material, MeshPart, Number, RestitutionByMass,
    RestitutionBySpeed,
};
pub use super::scene_protection::{
    Barrier, Basis, Collector, Design, Earthwork, EnergyLevel, Flexible, Form, Quality, Standard,
    Sweep,
};

/// Rocks on a terrain.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Shape of the ground.
    pub terrain: Terrain,
    /// Slope materials. A scene has either these or `ground`.
    #[serde(default)]
    pub materials: Vec<Material>,
    /// A calibrated ground, the same everywhere, in place of `materials`.
    pub ground: Option<CalibratedGround>,
    /// Areas of the materials; unless stated, the first material lies everywhere.
    #[serde(default)]
    pub layout: Layout,
    /// Sources of the rocks: at least one.
    pub sources: Vec<Source>,
    /// Engine that moves the rocks; `rigid_body` unless stated.
    #[serde(default)]
    pub engine: Engine,
    /// Conditions on which a rock counts as stopped or timed out.
    #[serde(default)]
    pub stop: Stop,
    /// Barriers, which hold rocks.
    #[serde(default)]
    pub barriers: Vec<Barrier>,
    /// Collectors, which record rocks and let them pass.
    #[serde(default)]
    pub collectors: Vec<Collector>,
    /// Lines that are moved over the slope, with a collector at each position. The results show the position at which a
    /// barrier receives the lowest energies.
    #[serde(default)]
    pub sweeps: Vec<Sweep>,
    /// Embankments and ditches, put into a raster terrain in the order of this list.
    #[serde(default)]
    pub earthworks: Vec<Earthwork>,
    /// Sides of cells (m), each above 0 and up to half of the raster. The raster terrain is resampled to cells of each
    /// of these sides, and a thousand rocks are run again on each resampled raster. The results show the effect of the
    /// resolution of the ground.
    #[serde(default)]
    pub repeat_at_cells_m: Vec<f64>,
    /// Lines of a file (GeoJSON, shapefile) that are barriers, with attributes `name`, `height_m`, `capacity_kj`.
    pub barriers_file: Option<String>,
    /// Lines of a file that are collectors, with an attribute `name`.
    pub collectors_file: Option<String>,
    /// Side of a cell of the hazard maps (m), above 0. Without this key there are no maps.
    pub map_cell_m: Option<f64>,
    /// Whether the maps are also written as ESRI ASCII grids (.asc, with .prj), beside the GeoTIFF files.
    #[serde(default)]
    pub write_ascii_maps: bool,
    /// Whether the maps that outputs of Rockyfor3D correspond to are also written under its names, as ESRI ASCII grids.
    #[serde(default)]
    pub write_rockyfor3d_maps: bool,
    /// Energies for which return periods are mapped (kJ), 1e-6 to 1e12 each. Every source then needs
    /// `annual_frequency`.
    #[serde(default)]
    pub return_period_energies_kj: Vec<f64>,
    /// Return periods for which energies are mapped (years, a), 1e-6 to 1e12 each. Every source then needs
    /// `annual_frequency`.
    #[serde(default)]
    pub return_periods_a: Vec<f64>,
    /// Number of rocks that `rocks.csv` lists, beginning with the first rock.
    #[serde(default = "Scene::rocks")]
    pub write_rocks: u64,
    /// Whether trajectories, barriers and collectors are also written in the coordinates of WGS 84 (RFC 7946), to files
    /// whose names end with `_wgs84.geojson`.
    #[serde(default)]
    pub wgs84_lines: bool,
    /// Number of rocks whose trajectories are written to `trajectories.csv`, beginning with the first rock.
    #[serde(default = "Scene::trajectories")]
    pub write_trajectories: u64,
    /// Number of rocks whose exact paths are written to `paths.json`, beginning with the first rock. Collectors and
    /// maps that are added after the run can use these paths. Coordinates in this file are measured from its
    /// `origin_m`, a point of the map.
    #[serde(default)]
    pub write_paths: u64,
    /// Path of the file `paths.json` from an earlier run of this scene that kept the paths of all rocks. The rocks then
    /// follow these paths and are not computed again. Collectors, sweeps, maps and what is written may differ from
    /// those of the earlier run. Everything that the motion depends on must be the same: terrain, earthworks, materials
    /// and their layout, sources, engine, stop conditions, barriers, seed and the version of klast.
    pub paths: Option<String>,
    /// Path of a picture of the ground from above (.png or .jpg) with a world file in the same folder. The view in
    /// space of the report shows the picture on the ground.
    pub orthophoto: Option<String>,
    /// Seed from which all random numbers follow, a whole number from 0; `--seed` replaces it.
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

/// A ground whose parameters come from a calibration.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalibratedGround {
    /// Path of the file `posterior.json` from a run of kind `rockfall_calibration`.
    pub posterior: String,
}

/// The shape of the ground.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Terrain {
    /// A raster: ESRI ASCII (.asc) or GeoTIFF (.tif).
    Raster {
        /// Path of the file of heights (m).
        file: String,
        /// Surface of a raster cell between the heights at its corners; `rising` unless stated.
        #[serde(default)]
        diagonal: Diagonal,
        /// Coordinate reference system (EPSG code, WKT, PROJ string or `local`). Unless stated, it is the one that the
        /// file states. If the file states none either, klast takes the coordinates of all files as metres of one map.
        crs: Option<String>,
        /// Rounding of the heights (m), 0 or more. Unless stated, klast reads it from the digits of the heights.
        vertical_resolution_m: Option<f64>,
        /// Tiles in which a raster of any size is run, each with the ground around it (GeoTIFF only). The results are
        /// then maps of each tile and counts of all rocks. `map_cell_m` is required; barriers, collectors, earthworks,
        /// lists of rocks and paths are not available.
        tiles: Option<Tiles>,
    },
    /// A triangle mesh: STL, OBJ or PLY.
    Mesh {
        /// Path of the file of triangles (m), with z upwards.
        file: String,
        /// Coordinate reference system (EPSG code, WKT, PROJ string or `local`).
        crs: Option<String>,
        /// Rounding of the heights (m), 0 or more. Unless stated, klast reads it from the digits of the heights.
        vertical_resolution_m: Option<f64>,
    },
    /// Several triangle meshes as one ground, each with its material, for example a cliff and a talus. `layout` must
    /// not be stated.
    Meshes {
        /// Meshes that touch or overlap in plan. The higher mesh is the ground; at equal heights, the first mesh in the
        /// list.
        parts: Vec<MeshPart>,
        /// Coordinate reference system of all meshes (EPSG code, WKT, PROJ string or `local`).
        crs: Option<String>,
        /// Rounding of the heights (m), 0 or more. Unless stated, klast reads it from the digits of the heights.
        vertical_resolution_m: Option<f64>,
    },
    /// A profile of points (distance along the profile, height) in m, the same for all y.
    Profile {
        /// Points (distance along the profile, height) in m, from the least to the greatest distance. Two points at the
        /// same distance make a vertical facet. A point whose distance is smaller than that of the point before makes
        /// an overhang. The upper outline of an overhang is the ground. The line must not touch or cross itself.
        points_m: Vec<[f64; 2]>,
        /// Rounding of the heights (m), 0 or more. Unless stated, klast reads it from the digits of the heights.
        vertical_resolution_m: Option<f64>,
        /// Length of a station of `stations.csv` (m), above 0; a hundredth of the length of the profile
        /// unless stated.
        station_m: Option<f64>,
    },
    /// A profile that is read from a raster along a line. x is the distance along the line; the profile is the same for
    /// all y.
    Section {
        /// The raster: ESRI ASCII (.asc) or GeoTIFF (.tif).
        file: String,
        /// Points of the line in map coordinates (m).
        line_m: Vec<[f64; 2]>,
        /// Distance between the points that are read (m); the side of a cell of the raster unless stated.
        spacing_m: Option<f64>,
        /// Length of a station of `stations.csv` (m), above 0; a hundredth of the length of the section
        /// unless stated.
        station_m: Option<f64>,
    },
    /// An unbounded plane that falls towards +x.
    Slope {
        /// Angle of the slope against the horizontal (°), 0 or more and below 90.
        angle_deg: f64,
    },
}

/// Surface of a raster cell between the heights at its corners; `rising` unless stated.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Diagonal {
    /// Two triangles, divided by the line from the lower left to the upper right corner.
    #[default]
    Rising,
    /// Two triangles, divided by the line from the upper left to the lower right corner.
    Falling,
    /// Bilinear surface, divided into 4 × 4 squares.
    Bilinear,
}

/// Squares that cover a raster, numbered from 1, row by row from the south-west. Rocks of a tile start in it.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tiles {
    /// Side of a tile (m), above 0: a multiple of the cell of the raster and of `map_cell_m`.
    pub size_m: f64,
    /// Width of the ground around a tile that is read for its rocks (m), above 0: a multiple of the same cells, and
    /// more than the longest runout. A rock that leaves this ground is an error.
    pub halo_m: f64,
}

/// A source of rocks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Name of the source, for tables.
    pub name: String,
    /// Where the rocks of the source are released.
    pub release: Release,
    /// Number of rocks, 1 or more. It is required, with two exceptions. A release of `starts` has one rock for each
    /// start unless this key states more; the rocks then take the starts in turn. The features of a release file may
    /// state the number in an attribute `rocks`.
    pub rocks: Option<u64>,
    /// Number of rocks for each cell of a release `steeper_than_deg`, 1 or more, in place of `rocks`. It is required if
    /// the raster has `tiles`.
    pub rocks_per_cell: Option<u64>,
    /// Height of the lowest point of the rock over the ground (m), 0 or more; 0 unless stated.
    pub height_m: Option<Number>,
    /// Elevation of the mass centre (m), -1e6 to 1e6, in place of `height_m`. A rock that would start inside the ground
    /// is counted and not run, unless `raise_buried_up_to_m` reaches it.
    pub elevation_m: Option<Number>,
    /// Height (m), 0 or more, up to which a rock that would start inside the ground is raised until it stands on the
    /// ground; 0 unless stated. It is the uncertainty of the elevations of the starts or of the terrain.
    #[serde(default)]
    pub raise_buried_up_to_m: f64,
    /// Kinds of rock that the source releases.
    pub shapes: Vec<Rock>,
    /// Velocity at release along x, y, z (m/s), -1e6 to 1e6 each; 0 unless stated.
    pub velocity_m_s: Option<[Number; 3]>,
    /// Spin at release about x, y, z (rad/s), -1e6 to 1e6 each; 0 unless stated.
    pub spin_rad_s: Option<[Number; 3]>,
    /// Whether every rock starts in the attitude in which its shape is given. Otherwise each attitude is random.
    #[serde(default)]
    pub upright: bool,
    /// Number of rocks that the source releases in a year (1/a), 0 to 1e6. Return periods are computed only if it is
    /// stated.
    pub annual_frequency: Option<f64>,
}

/// Where rocks are released, in map coordinates.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Release {
    /// At a point (m).
    Point([f64; 2]),
    /// Along a line (m), evenly over its length in plan.
    Line(Vec<[f64; 2]>),
    /// Over a polygon (m), evenly over the true area of the ground: a steep face has more of it than its plan.
    Polygon(Vec<[f64; 2]>),
    /// All points, all lines or all polygons of a file (GeoJSON, shapefile, or a text with points in columns). All
    /// points are equally probable; the probability of a line is proportional to its length in plan, and that of a
    /// polygon to the true area of the ground in it.
    File(String),
    /// All raster cells that are steeper than an angle (°), evenly over the true area of the ground.
    SteeperThanDeg(f64),
    /// One start in each row of a CSV table. The columns x_m and y_m are required. Optional columns are z_m (elevation
    /// of the mass centre), qw, qx, qy, qz (attitude), vx_m_s, vy_m_s, vz_m_s (velocity), wx_rad_s, wy_rad_s, wz_rad_s
    /// (spin), shape (number of the shape in `shapes`, from 1) and mass_kg. If a column is missing, its values follow
    /// from the keys of the source, as for other releases: shape, size and attitude are random unless stated, and
    /// height, velocity and spin are 0 unless stated.
    Starts(String),
}

/// A kind of rock with its shape and size.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rock {
    /// Shape of the rock.
    pub shape: Shape,
    /// Weight of this kind of rock, above 0 and up to 1e6. The fraction of the rocks that are of this kind is this
    /// weight over the sum of all weights.
    #[serde(default = "share")]
    pub share: f64,
    /// Volume (m³), above 0. A rock has either this key or `mass_kg`. If neither is stated, the volume is the attribute
    /// `volume_m3` of the features of the release file.
    pub volume_m3: Option<Number>,
    /// Mass (kg), above 0. A rock has either this key or `volume_m3`.
    pub mass_kg: Option<Number>,
    /// Density (kg/m³), above 0; 2700 unless stated.
    #[serde(default = "density")]
    pub density_kg_m3: Number,
    /// Class of rock: one of the classes in the `posterior` of the ground. It is required if the posterior has classes,
    /// and refused if the posterior has none.
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
    /// Sphere. With the engine `rigid_body`, a sphere never stops on level ground unless the material has a
    /// `rolling_resistance`.
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
    /// Regular prism, given by two numbers: its number of sides, and its height over its diameter.
    Prism(u32, f64),
    /// Convex hull of these points, which is scaled to the volume of the rock.
    Points(Vec<[f64; 3]>),
}

/// Stop conditions. A condition that is not stated keeps its default.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Time after which a rock counts as timed out (s), above 0; 300 s unless stated.
    pub maximum_time_s: Option<f64>,
    /// Number of events and contact steps after which a rock counts as timed out, 1 or more; 200,000 unless stated.
    pub maximum_steps: Option<u32>,
    /// Stopped-velocity cutoff (m/s), 0 or more. A rock that is slower stops if friction can hold it on the ground. 0.1
    /// m/s unless stated.
    pub stopped_velocity_m_s: Option<f64>,
    /// Normal-velocity cutoff (m/s), 0 or more. A rock that hits the ground with a smaller normal velocity does not
    /// rebound. 0.1 m/s unless stated.
    pub normal_velocity_m_s: Option<f64>,
}
