//! The known name that is closest to an unknown one.

/// The name that is most like another, by the similarity of Jaro and Winkler; none of none. Of equal ones the last.
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |name: &&str| strsim::jaro_winkler(unknown, name);
    known
        .into_iter()
        .max_by(|a, b| alike(a).total_cmp(&alike(b)))
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
