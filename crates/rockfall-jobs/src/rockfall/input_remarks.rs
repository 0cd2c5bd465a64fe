//! What was understood of the files of a scene, and what became of the rocks that is probably not meant.

use glam::DVec3;
use klast_files::digits::short;
use klast_files::raster::Ground;
use klast_geometry::terrain::{Facet, Mesh, SurveyLine, Terrain as _};
use klast_rockfall::{Outcome, Results as Statistics, RockResult, Simulation};
use klast_runs::text::SceneText;

/// A mesh in a line: triangles, extent, heights, what was passed over.
pub fn mesh(mesh: &Mesh) -> String {
    triangles(mesh.triangles(), mesh.origin(), mesh.passed_over())
}

/// The same of triangles in local coordinates.
pub fn triangles(facets: &[Facet], origin: DVec3, passed_over: usize) -> String {
    let corners = || facets.iter().flat_map(|f| f.corners);
    let low = corners().fold(DVec3::INFINITY, DVec3::min) + origin;
    let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max) + origin;
    let passed_over = match passed_over {
        0 => String::new(),
        n => format!(", {n} without an area in plan passed over"),
    };
    format!(
        "{} triangles{passed_over}, x {} to {}, y {} to {}, heights {} to {} m",
        facets.len(),
        short(low.x),
        short(high.x),
        short(low.y),
        short(high.y),
        short(low.z),
        short(high.z)
    )
}

/// What was understood of a profile with faces and overhangs; nothing is said of one whose stations increase.
pub fn survey(line: &SurveyLine, text: &SceneText) {
    let (vertical, roofs) = (line.vertical(), line.roofs());
    if vertical + roofs.len() == 0 {
        return;
    }
    let part = if roofs.len() == 1 { "part" } else { "parts" };
    text.note(format!(
        "terrain: profile with {vertical} vertical and {} overhanging {part}; a vertical facet leans by {} m, its upper edge is where it was surveyed",
        roofs.len(),
        SurveyLine::LEAN
    ));
    if !roofs.is_empty() {
        let stations = roofs.iter();
        let stations = stations.map(|[a, b]| format!("{} to {} m", short(*a), short(*b)));
        text.caution(format!(
            "terrain: the space under an overhang counts as solid, with a vertical facet under its lip (stations {}): a rock that bounces back under the roof \
             meets that facet, and none can be released beneath it",
            stations.collect::<Vec<_>>().join(", ")
        ));
    }
}

/// What was understood of a terrain's raster, and what it is warned of.
pub fn ground(file: &str, ground: &Ground, text: &SceneText) {
    let said = std::iter::once(&ground.described).chain(&ground.remarks);
    for line in said {
        text.note(format!("terrain {file}: {line}"));
    }
    for caution in &ground.cautions {
        text.caution(format!("terrain {file}: {caution}"));
    }
}

/// Whether a rock ended in missing data: it left the ground well inside the rectangle of the terrain.
pub fn swallowed(simulation: &Simulation, rock: &RockResult) -> bool {
    if rock.outcome != Outcome::LeftMap || rock.off_map || rock.below_ground {
        return false;
    }
    let terrain = &simulation.scene().terrain;
    let area = terrain.extent();
    // A rock that leaves over the rim may be a step behind it, or a radius before it.
    let margin = glam::DVec2::splat(2.0 * terrain.resolution());
    let end = rock.end.truncate();
    end.cmpgt(area.lower + margin).all() && end.cmplt(area.upper - margin).all()
}

/// Ends of rocks that are probably not meant, with their counts.
pub fn ends(statistics: &Statistics) -> Vec<String> {
    let account = &statistics.account;
    let of = account.seeded;
    let list = [
        (
            account.released_off_map,
            "were released where there is no ground",
        ),
        (
            account.released_below_ground,
            "were released below the ground and not run",
        ),
        (
            account.raised_starts,
            "would have started in the ground and were raised to stand on it (`raise_buried_up_to_m`)",
        ),
        (
            account.timed_out,
            "ran out of time or steps: where they would end is not known",
        ),
        (
            account.unresolved,
            "are unresolved: the length of their steps in contact holds them up, not friction; compare with a smaller `contact_step_s`",
        ),
    ];
    let told = list.iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{count} of {of} rocks {what}"))
        .collect()
}

/// Distance from the release (m) within which a rock has hardly moved, and the share of such rocks above which a run is
/// warned of them: choices of this program. A histogram has a bound of its classes at 5.
const NEAR_M: f64 = 5.0;
const MANY_NEAR: f64 = 0.5;

/// Warns where most of the rocks end at their release: quantiles of the runout and maps are then those of a few.
pub fn near_the_release(statistics: &Statistics) -> Vec<String> {
    let bins = statistics.runout.bins();
    let near: u64 = bins.filter(|b| b.1 <= NEAR_M).map(|b| b.2).sum();
    let of = statistics.account.seeded;
    let told = (near as f64 > MANY_NEAR * of as f64).then(|| {
        format!(
            "{near} of {of} rocks end within {NEAR_M} m of their release in plan (more than {} % is told): most rocks do not begin to run. Check the place of \
             the release and the ground there, or state `velocity_m_s` or `height_m` of the sources",
            100.0 * MANY_NEAR
        )
    });
    told.into_iter().collect()
}

/// What the computation of the rocks does not carry, with its counts.
pub fn computation(statistics: &Statistics) -> Vec<String> {
    let list = [
        (
            "contact problems that were not solved to their tolerance",
            statistics.unconverged,
            "the rocks of these problems are not certain",
        ),
        (
            "impacts whose law gains energy",
            statistics.energy_gains,
            "Newton's law with friction and Poisson's law can: such an impact is replaced by one that finds the normal impulses first, or is plastic, except with the `manual` of a program; compare with `impact_law: stronge`, which cannot",
        ),
        (
            "phases of contact that gained energy",
            statistics.energy_rises,
            "compare with a smaller `contact_step_s`",
        ),
        (
            "steps that moved a rock deeper into the ground",
            statistics.forced,
            "no contact force was found that holds it; compare with a smaller `contact_step_s`",
        ),
    ];
    let told = list.iter().filter(|(_, count, _)| *count > 0);
    let told = told.map(|(what, count, hint)| format!("{what}: {count} ({hint})"));
    told.chain(out_of_the_ground(statistics)).collect()
}

/// Part of a rock's largest kinetic energy above which the energy that taking it out of the ground gave it is told.
const LIFTED: f64 = 0.01;

fn out_of_the_ground(statistics: &Statistics) -> Option<String> {
    let part = statistics.lifted_part;
    (part > LIFTED).then(|| {
        format!(
            "taking rocks out of the ground gave them {:.3e} J in all, and one of them {:.1} % of its largest kinetic energy (compare with a smaller `contact_step_s`)",
            statistics.lifted_mj as f64 * 1e-3,
            100.0 * part
        )
    })
}
