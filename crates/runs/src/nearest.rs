//! The known name that is closest to an unknown one.

/// Letters of an unknown name that are compared: no known name is as long, and the effort grows with their square.
const COMPARED: usize = 100;

/// The name that is most like another, by the similarity of Jaro and Winkler; none of none. Of equal ones the last.
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let cut = unknown.char_indices().nth(COMPARED);
    let start = cut.map_or(unknown, |(end, _)| &unknown[..end]);
    let alike = known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(start, name), name));
    let best = alike.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_hand_finds_its_name() {
        let known = ["rockfall", "rocking", "bodies"];
        assert_eq!(nearest("rokfall", known), Some("rockfall"));
        assert_eq!(nearest("bodys", known), Some("bodies"));
        assert_eq!(nearest("bodies", []), None);
    }
}
