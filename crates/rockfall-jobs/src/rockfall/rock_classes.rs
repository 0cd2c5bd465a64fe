//! Classes of rock that a calibrated ground tells apart.

use klast_runs::error::Result;

use super::scene::{Rock, Scene};
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;

/// Names of the classes of a scene's rocks, in the order in which they first stand; empty where no rock has one.
#[must_use]
pub fn names(scene: &Scene) -> Vec<&str> {
    let mut names = Vec::new();
    let shapes = scene.sources.iter().flat_map(|s| &s.shapes);
    for name in shapes.filter_map(|rock| rock.class.as_deref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Number of a rock's class among the names of its scene.
#[must_use]
pub fn number(rock: &Rock, names: &[&str]) -> usize {
    let found = names.iter().position(|n| rock.class.as_deref() == Some(n));
    found.unwrap_or(0)
}

/// Refuses rocks whose class a ground with classes does not know, rocks without one on such a ground, and classes where
/// the ground tells none apart.
///
/// # Errors
/// All of them at once.
pub fn check(scene: &Scene, posteriors: &[(&str, Vec<&str>)], text: &SceneText) -> Result<()> {
    let by_class = || posteriors.iter().filter(|(_, classes)| !classes.is_empty());
    let mut wrong = Vec::new();
    for (source, of) in scene.sources.iter().enumerate() {
        for (shape, rock) in of.shapes.iter().enumerate() {
            let said = match rock.class.as_deref() {
                None => by_class().next().map(|(file, classes)| {
                    format!("no class; accepted: {} ({file})", classes.join(", "))
                }),
                Some(class) if by_class().next().is_none() => Some(format!(
                    "class is '{class}', and the ground tells no classes of rock apart; accepted: no class, or a posterior with classes as ground"
                )),
                Some(class) => by_class()
                    .find(|(_, classes)| !classes.contains(&class))
                    .map(|(file, classes)| {
                        format!(
                            "class is '{class}'; accepted: {} ({file})",
                            classes.join(", ")
                        )
                    }),
            };
            let path = format!("sources[{source}].shapes[{shape}]");
            let named = |said| format!("source '{}', shape {}: {said}", of.name, shape + 1);
            wrong.extend(said.map(|said| Fault::new(&path, named(said))));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Faults::of(wrong, &text.text).into()),
    }
}
