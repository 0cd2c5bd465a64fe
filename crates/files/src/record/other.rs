//! What a file seems to be that is no acceleration over seconds.

use super::RecordError;

fn refused(seems: &'static str) -> Result<(), RecordError> {
    Err(RecordError::NotARecord { seems })
}

/// First bytes of what is no text.
const MAGIC: [(&[u8], &str); 12] = [
    (
        b"version https://git-lfs",
        "a pointer of Git LFS: `git lfs pull` fetches the file",
    ),
    (
        b"MATLAB 5.0 MAT-file",
        "a file of MATLAB (.mat): write it as two columns, as MATLAB does with writematrix([t(:) a(:)], 'record.csv')",
    ),
    (
        b"PK\x03\x04",
        "a zip archive or a spreadsheet (.xlsx): unpack it, or save the sheet as CSV",
    ),
    (
        b"\x93NUMPY",
        "a file of NumPy (.npy): write it as two columns, as NumPy does with savetxt('record.txt', column_stack([t, a]), header='time (s) acc (m/s2)')",
    ),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it"),
    (b"Rar!", "a rar archive: unpack it"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x89HDF", "an HDF5 file"),
    (
        b"\xd0\xcf\x11\xe0",
        "an old spreadsheet or document (.xls, .doc): save the sheet as CSV",
    ),
];

/// Refuses bytes that are no text.
pub fn refuse_bytes(bytes: &[u8]) -> Result<(), RecordError> {
    if bytes.trim_ascii().is_empty() {
        return refused("an empty file");
    }
    if let Some((_, seems)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return refused(seems);
    }
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if wide {
        return Ok(());
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return refused("a tar archive: unpack it");
    }
    // A miniSEED record begins with six digits and a letter of quality.
    let digits = bytes
        .get(..6)
        .is_some_and(|head| head.iter().all(u8::is_ascii_digit));
    let head = &bytes[..bytes.len().min(4096)];
    // A text may hold a stray zero, as headers of old SMC files do.
    let control = |byte: u8| byte < 0x20 && !b"\t\n\x0b\x0c\r\x1a".contains(&byte);
    let foreign = head.iter().filter(|byte| control(**byte)).count();
    if 100 * foreign > head.len() {
        let quality = bytes.get(6).is_some_and(|letter| b"DRQM".contains(letter));
        let seems = if digits && quality {
            "a miniSEED volume, a binary file: write it as two columns, as ObsPy and NumPy do with numpy.savetxt(\"record.csv\", \
             numpy.c_[trace.times(), trace.data], delimiter=\",\"), of counts after trace.remove_response(output=\"ACC\")"
        } else {
            "a binary file, as SAC or an instrument's own: write it as two columns, time (s) and acceleration, with the \
             program that reads it (ObsPy reads SAC)"
        };
        return refused(seems);
    }
    Ok(())
}

/// Refuses texts of known kinds that are read by none of the readers.
pub fn refuse_text(text: &str) -> Result<(), RecordError> {
    let head: Vec<String> = text.lines().take(60).map(str::to_uppercase).collect();
    let first = head
        .iter()
        .find(|line| !line.trim().is_empty())
        .map_or("", |line| line.trim());
    let any = |part: &str| head.iter().any(|line| line.contains(part));
    if first.starts_with("<!DOCTYPE") || first.starts_with("<HTML") || first.starts_with("<?XML") {
        return refused("a web page or XML: was the download refused?");
    }
    if first.starts_with("\"TOA5\"") || first.starts_with("TOA5,") {
        return refused(
            "a table of a Campbell logger (TOA5): put one line of names with units in place of its first four lines, as \"time,AccX (g),AccY (g)\", and delete the columns that are no accelerations",
        );
    }
    if first.starts_with('{') || first.starts_with('[') {
        return refused("JSON");
    }
    if first.starts_with("WID2") || first.starts_with("BEGIN GSE") {
        return refused(
            "a GSE file of counts: correct it for the response of the instrument (ObsPy does with remove_response), and write it as two columns, time (s) and acceleration",
        );
    }
    // Comments and keywords of LS-DYNA, of which *KEYWORD is the first.
    if text
        .lines()
        .take(40)
        .any(|line| line.to_uppercase().starts_with("*DEFINE_CURVE"))
    {
        return refused(
            "a curve of LS-DYNA (*DEFINE_CURVE): keep its rows of time and acceleration, multiplied by sfa and sfo, without the lines that begin with * or $, and without the line of lcid",
        );
    }
    // The value of SAC for what is not known, in its header of thirty lines.
    if head
        .iter()
        .take(30)
        .filter(|line| line.contains("-12345"))
        .count()
        > 10
    {
        return refused(
            "a SAC file in letters; accepted: its values alone, below the thirty lines of its header, with the step (its \
             first number) as step_s",
        );
    }
    if any("VELOCITY TIME HISTORY") || any("VELOCITY TIME SERIES") {
        return refused("velocities (PEER VT2)");
    }
    if any("DISPLACEMENT TIME HISTORY") || any("DISPLACEMENT TIME SERIES") {
        return refused("displacements (PEER DT2)");
    }
    if super::at2::has_header(text) {
        return Ok(());
    }
    if any("RESPONSE AND FOURIER AMPLITUDE SPECTRA")
        || any("RESPONSE SPECTRA")
        || any("DATABASE SPECTRUM")
    {
        return refused("response spectra");
    }
    if any("UNIVERSIDAD DE CHILE - RENADIC") {
        return refused(
            "a file of Chile's network RENADIC: three components with headers of numbers; keep the values of one",
        );
    }
    if any("UNCORRECTED ACCELEROGRAM DATA") {
        return refused(
            "an uncorrected accelerogram (Volume 1) that lists times and values in pairs; a corrected Volume 2 is read",
        );
    }
    if first.starts_with("* VOL") {
        return refused(
            "a file of Iran's network (BHRC): three components with headers of numbers, in the unit that each header \
             states (G/10); keep the values of one component, in g",
        );
    }
    if first.contains("CORRECTED ACCELEROGRAM") {
        return refused(
            "an accelerogram of Caltech's or USC's Volume 2, with headers of numbers; keep its accelerations alone",
        );
    }
    refuse_spectrum(&head)
}

/// Refuses a table whose first column is named as a period or a frequency: in the last two lines above its numbers.
/// A title as "Frequency range: 0.02-50.0 Hz" names no column.
fn refuse_spectrum(head: &[String]) -> Result<(), RecordError> {
    let number = |word: &str| word.parse::<f64>().is_ok();
    let words = |line: &str| {
        line.split([',', ';', ' ', '\t'])
            .any(|word| !word.is_empty())
    };
    let is_row = |line: &&String| {
        words(line)
            && line
                .split([',', ';', ' ', '\t'])
                .all(|word| word.is_empty() || number(word))
    };
    let above = head.iter().take_while(|line| !is_row(line));
    let above: Vec<&str> = above
        .map(|line| line.trim_start_matches(['#', '%', '!', '/', ' ', '"']))
        .filter(|line| !line.trim().is_empty())
        .collect();
    let names = above.iter().rev().take(2).take_while(|line| {
        // What stands above the names of times is a title.
        !line.starts_with("TIME")
    });
    for line in names {
        let word: String = line.chars().take_while(|c| c.is_alphabetic()).collect();
        let named = ["PERIOD", "PERIODS", "FREQUENCY", "FREQ"].contains(&word.as_str());
        if named && !line.contains([':', '=']) {
            return refused("a spectrum over periods or frequencies");
        }
    }
    Ok(())
}
