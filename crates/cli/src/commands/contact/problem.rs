//! Contact problems in files.

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What a file may hold.
const ACCEPTED: &str = "contacts, mu, q and blocks of a contact problem, or M and q of a linear complementarity problem";

/// A file of either sort: with `M` it is one of complementarity.
pub enum Problem {
    Friction {
        contacts: usize,
        mu: Vec<f64>,
        q: Vec<f64>,
        blocks: Vec<(usize, usize, [f64; 9])>,
    },
    Complementarity {
        m: Vec<f64>,
        q: Vec<f64>,
    },
}

impl Problem {
    /// Field by field, so that what is wrong is said with the field's name, and with lengths that agree.
    pub fn parse(text: &str) -> Result<Self> {
        let mut object: Map<String, Value> =
            serde_json::from_str(text).with_context(|| format!("accepted: {ACCEPTED}"))?;
        let q: Vec<f64> = field(&mut object, "q")?;
        if object.contains_key("M") {
            if object.contains_key("n") {
                let n: usize = field(&mut object, "n")?;
                ensure!(n == q.len(), "n is {n}, accepted: {}, as q has", q.len());
            }
            let m = field(&mut object, "M")?;
            return Ok(Self::Complementarity { m, q });
        }
        let contacts: usize = field(&mut object, "contacts")?;
        let mu: Vec<f64> = field(&mut object, "mu")?;
        ensure!(
            mu.len() == contacts,
            "mu has {} numbers, accepted: one for each of {contacts} contacts",
            mu.len()
        );
        ensure!(
            contacts.checked_mul(3) == Some(q.len()),
            "q has {} numbers, accepted: 3 for each of {contacts} contacts",
            q.len()
        );
        let blocks = field(&mut object, "blocks")?;
        Ok(Self::Friction {
            contacts,
            mu,
            q,
            blocks,
        })
    }
}

fn field<T: DeserializeOwned>(object: &mut Map<String, Value>, name: &str) -> Result<T> {
    let value = object
        .remove(name)
        .with_context(|| format!("{name} is missing, accepted: {ACCEPTED}"))?;
    serde_json::from_value(value).with_context(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_problem_is_named() {
        let block = "[[0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]]]";
        let friction = |contacts: &str, mu: &str, q: &str, blocks: &str| {
            format!("{{\"contacts\": {contacts}, \"mu\": {mu}, \"q\": {q}, \"blocks\": {blocks}}}")
        };
        let good = friction("1", "[0.5]", "[-1, 0, 0]", block);
        assert!(Problem::parse(&good).is_ok());
        assert!(Problem::parse("{\"n\": 1, \"M\": [1], \"q\": [-1]}").is_ok());
        for (text, named) in [
            (friction("1", "[]", "[-1, 0, 0]", block), "mu has 0"),
            (friction("1", "[1, 1]", "[-1, 0, 0]", block), "mu has 2"),
            (friction("1", "[\"much\"]", "[-1, 0, 0]", block), "mu: "),
            (friction("1", "[1]", "[-1, 0]", block), "q has 2"),
            (
                friction("1", "[1]", "[-1, 0, 0]", "[[0, 0, [1]]]"),
                "blocks: ",
            ),
            (friction("-1", "[1]", "[-1, 0, 0]", block), "contacts: "),
            (
                friction("18446744073709551615", "[1]", "[]", block),
                "mu has 1",
            ),
            (
                "{\"mu\": [1], \"q\": [-1, 0, 0]}".into(),
                "contacts is missing",
            ),
            ("{\"n\": 3, \"M\": [1], \"q\": [-1]}".into(), "n is 3"),
            ("{\"M\": [[1]], \"q\": [-1]}".into(), "M: "),
            ("{\"M\": [1]}".into(), "q is missing"),
            ("[]".into(), "accepted: contacts"),
            (String::new(), "accepted: contacts"),
        ] {
            let error = match Problem::parse(&text) {
                Ok(_) => panic!("{text}"),
                Err(error) => format!("{error:#}"),
            };
            assert!(error.starts_with(named), "{text}: {error}");
        }
    }
}
