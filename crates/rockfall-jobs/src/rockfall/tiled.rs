//! A rockfall run by tiles of a raster: parts are tiles, and a tile is all that a process holds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use klast_rockfall::{Ground, Seeder, Simulation, steep_cells};
use klast_runs::Results;
use klast_runs::answer::counted;
use klast_runs::error::{Context as _, Result};
use klast_runs::faults::Fault;
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::parts::{pack, unpacked};
use klast_runs::progress::Interrupted;
use klast_runs::results::Part;
use klast_runs::text::SceneText;
use klast_runs::{bail, ensure};
use klast_sampling::{Purpose, Streams};
use serde_json::json;

use super::ground_extent::Land;
use super::lumped::Lumped;
use super::scene::{Layout, Release, Scene, Source};
use super::tile_part::{Kept, Tile, file};
use super::tiled_result::TiledResults;
use super::tiles::{Tiling, by_cell};
use super::told::{tell_counts, tell_swallowed};
use super::{convert, ground, input_remarks, maps, materials, result};

/// Numbers that keep the streams of tiles apart.
const TILE: Purpose = Purpose::Custom(1);

/// A scene whose raster has tiles.
pub struct TiledJob {
    scene: Scene,
    text: SceneText,
    tiling: Tiling,
    /// Draw the rocks of the whole raster; none of a source that takes its places from heights.
    seeders: Vec<Seeder>,
    /// That of all tiles, but for a layout that is a raster.
    ground: Ground,
}

impl TiledJob {
    /// Of a scene, if it has tiles.
    ///
    /// # Errors
    /// What is wrong with the scene.
    pub fn of(scene: &Scene, text: &SceneText) -> Result<Option<Self>> {
        let Some((tiling, land)) = Tiling::of(scene, text)? else {
            return Ok(None);
        };
        let drawn = sources(scene, |source| !by_cell(source));
        let seeders = convert::seeders(&drawn, text, &land)?;
        on_the_raster(&seeders, &tiling, text)?;
        let job = Self {
            scene: scene.clone(),
            text: text.clone(),
            tiling,
            seeders,
            ground: convert::checked_ground(scene, text, &land)?,
        };
        Ok(Some(job))
    }

    /// What draws the rocks of a tile on its ground.
    fn seeders(&self, number: u64, land: Option<&Land>) -> Result<Vec<Seeder>> {
        let area = self.tiling.releases(number);
        let by_heights = match land {
            // No cell of a lake is steep.
            Some(land) => {
                let steep = |source: &Source| by_cell(source) && has_cells(source, land);
                convert::seeders(&sources(&self.scene, steep), &self.text, land)?
            }
            None => Vec::new(),
        };
        let all = self.seeders.iter().cloned().chain(by_heights);
        Ok(all.filter_map(|seeder| seeder.cut(area)).collect())
    }

    fn by_heights(&self) -> bool {
        self.scene.sources.iter().any(by_cell)
    }

    fn run_tile(&self, number: u64, key: String, seed: u64, run: &Run) -> Result<Tile> {
        let mut tile = Tile::without_rocks(key);
        let anywhere = self.seeders(number, None)?;
        if !self.by_heights() && anywhere.is_empty() {
            return Ok(tile);
        }
        let place = || format!("tile {number}");
        let ground = self.tiling.ground(&self.scene.terrain, number, &self.text);
        let Some((land, cautions)) = ground.with_context(place)? else {
            tile.not_run = anywhere.iter().map(|seeder| seeder.count).sum();
            return Ok(tile);
        };
        let (mut seeders, drawn) = (Vec::new(), self.seeders(number, Some(&land))?);
        for seeder in drawn {
            let count = seeder.count;
            match seeder.over_ground(&*land.terrain) {
                Some(seeder) => seeders.push(seeder),
                None => tile.not_run += count,
            }
        }
        if seeders.is_empty() {
            return Ok(tile);
        }
        tile.cautions.extend(cautions);
        let seed = Streams::new(seed).seed(TILE, number);
        let ground = |land: &Land| match self.scene.layout {
            Layout::Raster { .. } => materials::ground(&self.scene, &self.text, land),
            _ => Ok(self.ground.clone()),
        };
        let made = (ground, |_: &Land| Ok(seeders));
        let simulation = convert::on(&self.scene, &self.text, seed, Ok(land), made);
        let simulation = simulation.with_context(place)?;
        let terrain = &simulation.scene().terrain;
        tile.origin = terrain.origin().truncate();
        tile.resolution = terrain.vertical_resolution().height;
        self.rocks(number, &simulation, &mut tile, run)?;
        Ok(tile)
    }

    fn rocks(
        &self,
        number: u64,
        simulation: &Simulation,
        tile: &mut Tile,
        run: &Run,
    ) -> Result<()> {
        let (mut results, mut lost) = (simulation.empty_results(), 0u64);
        let count = simulation.count();
        let next = simulation.run(0..count, &mut results, |_, rock| {
            match input_remarks::swallowed(simulation, rock) {
                true => tile.swallowed += 1,
                false => lost += u64::from(self.tiling.lost(number, simulation, rock)),
            }
            !run.progress.interrupted()
        });
        if next < count {
            return Err(Interrupted.into());
        }
        let found = format!(
            "{lost} of {count} rocks of tile {number} left the ground that was read, {} m around it",
            self.tiling.halo()
        );
        let fault = || Fault::new("terrain.raster.tiles.halo_m", found);
        ensure!(lost == 0, fault().accepted("more than the longest runout"));
        tile.statistics = Some(results);
        Ok(())
    }

    /// The results of all tiles.
    fn joined(&self, kept: Kept, run: &mut Run) -> Result<Box<dyn Results>> {
        let results = TiledResults::of(&self.scene, self.tiling.clone(), kept)?;
        ensure!(
            results.total().account.seeded > 0,
            Fault::new("sources", "no rock starts in any tile").accepted("a release on the raster")
        );
        let (total, said) = (results.total(), results.said());
        run.warnings(&maps::warnings(&self.scene));
        run.warnings(&ground::warnings(&self.scene, &self.ground));
        run.warnings(&self.text.cautions());
        run.warnings(&said.cautions());
        run.warnings(said.not_run().as_slice());
        run.warnings(&ground::beyond_the_field(total));
        tell_counts(run, total);
        run.count("tiles", self.tiling.count());
        tell_swallowed(run, said.swallowed, total.account.seeded);
        run.warnings(&input_remarks::ends(total));
        run.warnings(&input_remarks::near_the_release(total));
        run.warnings(&input_remarks::computation(total));
        let unresolved = Lumped::unresolved(total.unresolved_share(), said.resolution);
        run.warnings(unresolved.as_slice());
        Ok(Box::new(results))
    }
}

impl Job for TiledJob {
    fn describe(&self) -> String {
        let tiles = self.tiling.count();
        format!(
            "rockfall: {} from {}; parts: --shard 1/{tiles} to {tiles}/{tiles}, or fewer",
            counted(tiles, "tile"),
            counted(self.scene.sources.len() as u64, "source")
        )
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::WhenStopped
    }

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        let tiles = self.tiling.count();
        let range = run.shard.map_or(0..tiles, |s| s.range(tiles));
        let (mut packed, mut rocks) = (BTreeMap::new(), 0u64);
        run.progress.begin("tiles", range.end - range.start);
        for number in range.start + 1..=range.end {
            let (name, key) = (file(number), format!("{seed} {number} {}", self.text.key()));
            let earlier = run.files.read(&name);
            let earlier = earlier.and_then(|bytes| unpacked::<Tile>(bytes.as_slice()).ok());
            let tile = match earlier.filter(|tile| tile.key == key) {
                Some(tile) => {
                    run.files.keep(&name);
                    tile
                }
                None => {
                    let tile = self.run_tile(number, key, seed, run)?;
                    pack(run.files, &name, &tile)?;
                    tile
                }
            };
            if run.shard.is_some() {
                let cautions = tile.cautions.iter();
                let cautions: Vec<_> = cautions.map(|c| format!("tile {number}: {c}")).collect();
                run.warnings(&cautions);
            }
            rocks += tile.statistics.map_or(0, |s| s.account.seeded);
            run.progress.add(1);
            run.check_interrupted()?;
        }
        run.progress.finish();
        if run.shard.is_some() {
            run.count("rocks", rocks);
            let numbers = json!({ "tiles": [range.start + 1, range.end], "seeded": rocks });
            let file = result::ROCKS;
            return Ok(Box::new(Part { file, numbers }));
        }
        for number in 1..=tiles {
            let bytes = run
                .files
                .read(&file(number))
                .context("a tile that was written")?;
            packed.insert(number, bytes);
            run.files.remove(&file(number));
        }
        self.joined(Kept::Packed(packed), run)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        if parts.is_empty() {
            bail!("no parts");
        }
        self.joined(Kept::Folders(parts.to_vec()), run)
    }
}

/// Refuses sources beside the raster, and says which lie beside it in part.
fn on_the_raster(seeders: &[Seeder], tiling: &Tiling, text: &SceneText) -> Result<()> {
    let whole = tiling.whole();
    for seeder in seeders {
        let name = &seeder.name;
        let fault = || Fault::new("sources", format!("source '{name}' lies beside the raster"));
        let kept = seeder
            .clone()
            .cut(whole)
            .ok_or_else(|| fault().accepted(format!("a release in {whole}")))?;
        if kept.count < seeder.count {
            text.caution(format!(
                "source '{name}': {} of {} rocks would start beside the raster, and are not run",
                seeder.count - kept.count,
                seeder.count
            ));
        }
    }
    Ok(())
}

/// Whether a source that takes its places from heights has any on some land.
fn has_cells(source: &Source, land: &Land) -> bool {
    match (&source.release, &land.grid) {
        (Release::SteeperThanDeg(angle), Some(grid)) => {
            !steep_cells(grid, angle.to_radians()).is_empty()
        }
        _ => true,
    }
}

/// The scene with some of its sources.
fn sources(scene: &Scene, wanted: impl Fn(&Source) -> bool) -> Scene {
    let mut some = scene.clone();
    some.sources.retain(wanted);
    some
}
