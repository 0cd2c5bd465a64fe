//! The faults in an error of a part of a scene, below the path of the part.

use std::fmt;

use super::fault::{Fault, Faults};
use crate::error::Error;

impl Faults {
    /// The faults of a scene and those of its error, each with its place in the text.
    #[must_use]
    pub(crate) fn in_scene(error: Option<Error>, mut list: Vec<Fault>, text: &str) -> Self {
        let shape = list.clone();
        // What was put in the place of a value says nothing of the scene.
        let made_up = |fault: &Fault| shape.iter().any(|mended| mended.stands_for(fault));
        let further = error.into_iter().flat_map(from_error);
        list.extend(further.filter(|fault| !made_up(fault)));
        if list.iter().any(|fault| fault.refused.is_some()) {
            let scene = serde_json::from_str(text).unwrap_or_default();
            list.iter_mut().for_each(|fault| fault.narrow(&scene));
        }
        // An engine refuses once more what was refused before it was asked.
        let told: Vec<String> = list.iter().map(|fault| fault.path.clone()).collect();
        let mut number = 0..;
        list.retain(|fault| {
            let before = &told[..number.next().unwrap_or(0)];
            fault.refused.is_none() || fault.path.is_empty() || !before.contains(&fault.path)
        });
        Self::of(list, text)
    }

    /// The value of a part of the scene, if nothing is wrong with it; the faults of the part are kept below its path.
    pub fn take<T>(&mut self, path: &str, part: Result<T, impl Into<Error>>) -> Option<T> {
        match part {
            Ok(value) => Some(value),
            Err(error) => {
                let found = from_error(error.into());
                self.list
                    .extend(found.into_iter().map(|fault| fault.within(path)));
                None
            }
        }
    }
}

/// The path of a part on its faults.
pub trait At<T> {
    /// The same with every fault below a path.
    ///
    /// # Errors
    /// Those of the part.
    fn at(self, path: impl fmt::Display) -> Result<T, Faults>;
}

impl<T, E: Into<Error>> At<T> for Result<T, E> {
    fn at(self, path: impl fmt::Display) -> Result<T, Faults> {
        self.map_err(|error| {
            let mut faults = Faults::default();
            faults.take::<()>(&path.to_string(), Err(error));
            faults
        })
    }
}

/// The faults in an error of a part of a scene.
fn from_error(error: Error) -> Vec<Fault> {
    let (names, own) = error.parted();
    let names: String = names.iter().map(|name| format!("{name}: ")).collect();
    let mut found = match own {
        Error::Scene(faults) => faults.list,
        Error::Model { number, .. } => {
            let mut fault = Fault::new("", format!("{own:#}"));
            fault.refused = number;
            vec![fault]
        }
        Error::File(refusal) => {
            let mut fault = Fault::new("", &refusal);
            (fault.kind, fault.remedy) = (Some(refusal.kind), refusal.remedy);
            vec![fault]
        }
        other => vec![Fault::new("", format!("{other:#}"))],
    };
    found
        .iter_mut()
        .for_each(|fault| fault.found.insert_str(0, &names));
    found
}

#[cfg(test)]
mod tests {
    use klast_numerics::OutOfRange;

    use super::*;

    #[test]
    fn a_fault_of_a_part_stands_below_its_path() {
        let mut list = Faults::default();
        let one = || Fault::new("height_m", -1).accepted("above 0");
        assert_eq!(list.take::<()>("items[1]", Err(one())), None);
        let mut faults = Faults::default();
        assert_eq!(faults.take::<()>("wall", Err(list)), None);
        let refused = OutOfRange::new("width", -2.0, "above 0");
        assert_eq!(faults.take::<()>("wall", Err(refused)), None);
        assert_eq!(faults.take("other", Ok::<_, Fault>(3)), Some(3));
        let text = "{\"wall\": {\"width_m\": -2,\n\"items\": [{}, {\"height_m\": -1}]}}";
        let faults = Faults::in_scene(
            faults.or_all(|| Some(())).err().map(Error::from),
            Vec::new(),
            text,
        );
        let told: Vec<String> = faults.list.iter().map(Fault::to_string).collect();
        assert!(told[0].starts_with("line 1, wall.width_m: "), "{told:?}");
        let second = "line 2, wall.items[1].height_m: -1; accepted: above 0";
        assert_eq!(told[1..], [second]);
    }
}
