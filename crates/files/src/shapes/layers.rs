//! The layers of a file of shapes that is not read, as far as its bytes tell: the command that makes GeoJSON of one of
//! them, since GeoJSON holds no more than one.

use crate::command::{Command, parts, split};
use crate::text::excerpt;

/// Layers for which a command is printed.
pub const MOST_TOLD: usize = 8;

/// Types of geometries as a table of a GeoPackage declares them.
const GEOMETRIES: [&str; 8] = [
    "GEOMETRY",
    "POINT",
    "LINESTRING",
    "POLYGON",
    "CURVE",
    "SURFACE",
    "COLLECTION",
    "COMPOUND",
];

/// The command, with a layer where the file has several or holds tables beside them.
pub fn command(file: &str, bytes: &[u8]) -> Command {
    let (stem, ending) = split(file);
    let layers = match ending.to_ascii_lowercase().as_str() {
        "gpkg" | "sqlite" => of_tables(bytes),
        "gpx" => of_tracks(bytes),
        "kml" => of_folders(bytes),
        _ => Vec::new(),
    };
    let of = |made: String| Command::new("ogr2ogr").word(made).word(file);
    let plain = of(format!("{stem}.geojson"));
    let several = || {
        of_layers(&layers, |name, part| {
            of(format!("{stem}-{part}.geojson")).word(name)
        })
    };
    match &layers[..] {
        // Closed polylines of drawings are lines to GDAL.
        [] if ending.eq_ignore_ascii_case("dxf") => {
            plain.noted("; with the option `-nlt POLYGON` closed lines become areas")
        }
        [] => plain,
        [one] => plain.word(one),
        _ => {
            let more = layers.iter().skip(MOST_TOLD).map(|n| excerpt(n));
            let more: Vec<String> = more.collect();
            let mut several = several().unwrap_or(plain);
            if !more.is_empty() {
                several.lead = format!("other layers: {}; ", more.join(", ")).into();
            }
            several
        }
    }
}

/// Commands, one for each of several layers, of which the program makes a file each.
pub fn of_layers(names: &[String], command: impl Fn(&str, &str) -> Command) -> Option<Command> {
    let parts = parts(names.iter().map(String::as_str));
    let told = names.iter().zip(&parts).take(MOST_TOLD);
    let commands: Vec<Command> = told.map(|(name, part)| command(name, part)).collect();
    Command::any(commands.into_iter())
}

/// The command that writes a file anew with attributes that it lacks, each with a value; none where the name of its
/// layer would need quotes of its own.
pub fn adding(file: &str, bytes: &[u8], attributes: &[(&str, &str)]) -> Option<Command> {
    let (stem, ending) = split(file);
    let own = || stem.rsplit(['/', '\\']).next().map(str::to_owned);
    let layer = match ending.to_ascii_lowercase().as_str() {
        "gpkg" => of_tables(bytes).into_iter().next(),
        "shp" => own(),
        // GDAL calls a layer of GeoJSON by the member `name`.
        _ => serde_json::from_slice::<serde_json::Value>(bytes)
            .ok()
            .and_then(|all| all.get("name")?.as_str().map(str::to_owned))
            .or_else(own),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let layer = layer.filter(|name| name.chars().all(plain) && !name.is_empty())?;
    let columns: Vec<String> = attributes
        .iter()
        .map(|(name, value)| format!("{value} AS {name}"))
        .collect();
    let sql = format!("SELECT *, {} FROM {layer}", columns.join(", "));
    let command = Command::new("ogr2ogr -sql").word(sql);
    Some(command.word(format!("{stem}-new.geojson")).word(file))
}

/// Tables with geometries, by the statements that made them, which stand in the file as they are.
fn of_tables(bytes: &[u8]) -> Vec<String> {
    const STATEMENT: &[u8] = b"CREATE TABLE ";
    let mut found: Vec<String> = Vec::new();
    let starts = bytes.windows(STATEMENT.len()).enumerate();
    for (at, _) in starts.filter(|(_, window)| *window == STATEMENT) {
        let rest = &bytes[at + STATEMENT.len()..bytes.len().min(at + 4096)];
        let Some(open) = rest.iter().position(|b| *b == b'(') else {
            continue;
        };
        let name = String::from_utf8_lossy(&rest[..open]);
        let name = name
            .trim()
            .trim_matches(['"', '\'', '`', '[', ']'])
            .to_owned();
        let internal = ["gpkg_", "rtree_", "sqlite_"];
        if internal.iter().any(|start| name.starts_with(start)) || found.contains(&name) {
            continue;
        }
        // The columns end where the statement does.
        let end = rest.windows(STATEMENT.len()).position(|w| w == STATEMENT);
        let columns = String::from_utf8_lossy(&rest[open..end.unwrap_or(rest.len())]);
        let columns = statement(&columns).to_uppercase();
        let typed = |part: &str| {
            let mut words = part.split_whitespace();
            let name = words
                .next()
                .unwrap_or_default()
                .trim_matches(['"', '\'', '`']);
            let kind = words.next().unwrap_or_default();
            GEOMETRIES.iter().any(|geometry| kind.contains(geometry))
                || ["GEOMETRY", "GEOM"].contains(&name)
        };
        if columns.split(',').any(typed) {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// What stands in the brackets that a text begins with.
fn statement(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return &text[1..at],
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.get(1..).unwrap_or_default()
}

/// The layers of GPX that are not empty, in the order in which they are worth most.
fn of_tracks(bytes: &[u8]) -> Vec<String> {
    let has = |tag: &[u8]| bytes.windows(tag.len()).any(|window| window == tag);
    let all: [(&[u8], &str); 3] = [
        (b"<trk", "tracks"),
        (b"<rte", "routes"),
        (b"<wpt", "waypoints"),
    ];
    let found = all.iter().filter(|(tag, _)| has(tag));
    found.map(|(_, layer)| (*layer).to_owned()).collect()
}

/// The folders of KML that hold marks, by their names.
fn of_folders(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let Ok(document) = roxmltree::Document::parse(&text) else {
        return Vec::new();
    };
    let is = |node: &roxmltree::Node, name: &str| node.tag_name().name() == name;
    let mut found = Vec::new();
    let holders = document
        .descendants()
        .filter(|node| is(node, "Folder") || is(node, "Document"));
    for holder in holders.filter(|node| node.children().any(|c| is(&c, "Placemark"))) {
        let name = holder.children().find(|c| is(c, "name"));
        found.push(
            name.and_then(|n| n.text())
                .unwrap_or_default()
                .trim()
                .to_owned(),
        );
    }
    // A single layer needs no name; layers without one cannot be told apart.
    match found.len() < 2 || found.iter().any(String::is_empty) {
        true => Vec::new(),
        false => found,
    }
}
