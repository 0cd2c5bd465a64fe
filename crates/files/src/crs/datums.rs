//! Names of datums: those of ESRI beside those of the EPSG registry, in plain letters.

/// Names that ESRI gives to datums, and other spellings, with those of the registry's definitions here; from the names
/// that PROJ's database has of each code. In the order of the alphabet.
const ALIASES: [(&str, &str); 113] = [
    ("ats1977", "averageterrestrialsystem1977"),
    ("australian1966", "australiangeodeticdatum1966"),
    ("australian1984", "australiangeodeticdatum1984"),
    ("belge1950", "reseaunationalbelge1950"),
    ("belge1972", "reseaunationalbelge1972"),
    ("bogota", "bogota1975"),
    ("chathamisland1971", "chathamislandsdatum1971"),
    ("chathamislands1979", "chathamislandsdatum1979"),
    ("corregoalegre", "corregoalegre197072"),
    ("dealulpiscului1933", "dealulpiscului1930"),
    ("dos714", "astrodos71"),
    ("etrf2000poland", "europeanterrestrialreferencesystem1989"),
    ("etrs1989", "europeanterrestrialreferencesystem1989"),
    ("european1950", "europeandatum1950"),
    ("european1950ed77", "europeandatum19501977"),
    ("europeanlibyan1979", "europeanlibyandatum1979"),
    ("fatuiva1972", "fatuiva72"),
    ("fd1958", "finaldatum1958"),
    ("fiji1986", "fijigeodeticdatum1986"),
    ("fortdesaix", "martinique1938"),
    ("gda1994", "geocentricdatumofaustralia1994"),
    ("gda2020", "geocentricdatumofaustralia2020"),
    ("gdbd2009", "geocentricdatumbruneidarussalam2009"),
    ("gdm2000", "geodeticdatumofmalaysia2000"),
    ("ggrs1987", "greekgeodeticreferencesystem1987"),
    ("grandcayman1959", "grandcaymangeodeticdatum1959"),
    ("hartebeesthoek1994", "hartebeesthoek94"),
    ("hungarian1972", "hungariandatum1972"),
    ("hutzushan", "hutzushan1950"),
    ("ig052012intermediatedatum", "ig0512intermediatedatum"),
    ("igm1995", "istitutogeograficomilitaire1995"),
    ("indonesian1974", "indonesiandatum1974"),
    ("islandsnetwork1993", "islandsnet1993"),
    ("islandsnetwork2004", "islandsnet2004"),
    ("israel", "israel1993"),
    ("israelgeodeticdatum2005", "israeligeodeticdatum2005"),
    ("jgd2000", "japanesegeodeticdatum2000"),
    ("jgd2011", "japanesegeodeticdatum2011"),
    ("karbala1979polservice", "karbala1979"),
    ("kertau", "kertau1968"),
    ("kkj", "kartastokoordinaattijarjestelma1966"),
    ("korea2000", "geocentricdatumofkorea"),
    ("kyrgyzrepublic2006", "kyrgyzstangeodeticdatum2006"),
    ("lisbon", "lisbon1937"),
    ("lithuania1994", "lithuania1994etrs89"),
    ("littlecayman1961", "sisterislandsgeodeticdatum1961"),
    ("magna", "marcogeocentriconacionaldereferencia"),
    ("marcogeodesiconacional", "marcogeodesiconacionaldebolivia"),
    ("maupiti1983", "maupiti83"),
    ("mexicandatumof1993", "mexicoitrf92"),
    ("mgi", "militargeographischeinstitute"),
    (
        "militargeographischeinstitut",
        "militargeographischeinstitute",
    ),
    ("moorea1987", "moorea87"),
    ("moznet", "moznetitrf94"),
    ("nad1927cgq77", "northamericandatum1927cgq77"),
    ("nad1927definition1976", "northamericandatum19271976"),
    ("nad19832011", "nad83nationalspatialreferencesystem2011"),
    (
        "nad1983cors96",
        "nad83continuouslyoperatingreferencestation1996",
    ),
    ("nad1983federalbasenetwork", "nad83federalbasenetwork"),
    (
        "nad1983highaccuracyreferencenetworkcorrected",
        "nad83highaccuracyreferencenetworkcorrected",
    ),
    ("nad1983ma11", "nad83nationalspatialreferencesystemma11"),
    ("nad1983nsrs2007", "nad83nationalspatialreferencesystem2007"),
    ("nad1983pa11", "nad83nationalspatialreferencesystempa11"),
    ("newzealand1949", "newzealandgeodeticdatum1949"),
    ("ngn", "nationalgeodeticnetwork"),
    ("northamerican1927", "northamericandatum1927"),
    ("northamerican1983", "northamericandatum1983"),
    (
        "northamerican1983csrs",
        "nad83canadianspatialreferencesystem",
    ),
    ("northamerican1983harn", "nad83highaccuracyreferencenetwork"),
    ("ntf", "nouvelletriangulationfrancaise"),
    ("nzgd2000", "newzealandgeodeticdatum2000"),
    ("pdo1993", "pdosurveydatum1993"),
    ("pointenoire", "congo1960pointenoire"),
    ("posgar1994", "posicionesgeodesicasargentinas1994"),
    ("posgar1998", "posicionesgeodesicasargentinas1998"),
    ("posgar2007", "posicionesgeodesicasargentinas2007"),
    ("potsdam1983", "potsdamdatum83"),
    (
        "provisionalsamerican1956",
        "provisionalsouthamericandatum1956",
    ),
    ("ptra08", "autonomousregionsofportugal2008"),
    ("pulkovo1942adj1958", "pulkovo194258"),
    ("pulkovo1942adj1983", "pulkovo194283"),
    ("qatar", "qatar1974"),
    ("qnd1995", "qatarnationaldatum1995"),
    ("rauenberg1983", "rauenbergdatum83"),
    ("regven", "redgeodesicavenezolana"),
    (
        "reseaugeodesiquedenouvellecaledonie199193",
        "reseaugeodesiquedenouvellecaledonie9193",
    ),
    (
        "reseaugeodesiquedestpierreetmiquelon2006",
        "reseaugeodesiquedesaintpierreetmiquelon2006",
    ),
    (
        "reseaugeodesiquefrancais1993v1",
        "reseaugeodesiquefrancais1993",
    ),
    (
        "reseaugeodesiquenouvellecaledonie1991",
        "reseaugeodesiquedenouvellecaledonie9193",
    ),
    ("rgf1993", "reseaugeodesiquefrancais1993"),
    ("rgfg1995", "reseaugeodesiquefrancaisguyane1995"),
    ("rgr1992", "reseaugeodesiquedelareunion1992"),
    ("rraf1991", "reseaudereferencedesantillesfrancaises1991"),
    ("rt1990", "riketskoordinatsystem1990"),
    ("sainteanne", "guadeloupe1948"),
    ("selvagemgrande1938", "selvagemgrande"),
    ("sierraleone1924", "sierraleonecolony1924"),
    (
        "sirgas",
        "sistemadereferenciageocentricoparaamericadelsur1995",
    ),
    (
        "sirgas2000",
        "sistemadereferenciageocentricoparalasamericas2000",
    ),
    ("sjtsk", "systemjednotnetrigonometrickesitekatastralni"),
    (
        "sjtskjtsk03",
        "systemoftheunifiedtrigonometricalcadastralnetworkjtsk03",
    ),
    ("southamerican1969", "southamericandatum1969"),
    ("tahaa1954", "tahaa54"),
    ("tahiti1952", "tahiti52"),
    ("tahiti1979", "tahiti79"),
    ("tm75", "geodeticdatumof1965"),
    ("twd1967", "taiwandatum1967"),
    ("twd1997", "taiwandatum1997"),
    ("wgs1966", "worldgeodeticsystem1966"),
    ("wgs1972be", "wgs1972transitbroadcastephemeris"),
    ("wgs84", "wgs1984"),
    ("worldgeodeticsystem1984", "wgs1984"),
    ("yemenngn1996", "yemennationalgeodeticnetwork1996"),
];

/// Letters and digits of a datum's name as the registry has it, behind them the place of its meridian where that is not
/// Greenwich: the registry has the place in the name, ESRI beside it.
pub fn plain(name: &str, meridian: &str) -> String {
    let name = letters(name.strip_prefix("D_").unwrap_or(name));
    let place = letters(meridian);
    if place == "greenwich" || place == "referencemeridian" || name.is_empty() {
        return registered(&name);
    }
    registered(name.strip_suffix(&place).unwrap_or(&name)) + &place
}

fn letters(name: &str) -> String {
    // The plus of CH1903+ tells two datums apart.
    let kept = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '+');
    let plain: String = kept.collect::<String>().to_ascii_lowercase();
    plain.trim_end_matches("ensemble").to_owned()
}

fn registered(plain: &str) -> String {
    let at = ALIASES.binary_search_by_key(&plain, |(name, _)| name);
    at.map_or(plain, |k| ALIASES[k].1).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(ALIASES.is_sorted_by_key(|(name, _)| name));
        for (esri, meridian, registered) in [
            (
                "D_ETRS_1989",
                "Greenwich",
                "European_Terrestrial_Reference_System_1989",
            ),
            ("D_NTF", "Paris", "Nouvelle_Triangulation_Francaise_Paris"),
            ("D_MGI", "Ferro", "Militar-Geographische_Institut_Ferro"),
            (
                "D_North_American_1983_HARN",
                "Greenwich",
                "NAD83_High_Accuracy_Reference_Network",
            ),
        ] {
            assert_eq!(plain(esri, meridian), plain(registered, meridian));
        }
        assert_ne!(plain("CH1903", "Greenwich"), plain("CH1903+", "Greenwich"));
    }
}
