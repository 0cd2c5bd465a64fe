//! The fenced blocks of a page and the text between them.

/// A fenced block.
pub struct Block {
    /// Its language: the first word behind the fence.
    pub language: String,
    /// The file that it is to be saved as (`save=NAME`).
    pub save: Option<String>,
    /// The file that it is an excerpt of (`from=NAME`).
    pub from: Option<String>,
    /// Its lines.
    pub text: String,
    /// Bytes of the page that its lines take.
    pub place: std::ops::Range<usize>,
}

/// What a block may be. Rust runs as doctests, Python in the tests of the package; `text` is for reading: trees, the
/// workspace's own commands.
const LANGUAGES: [&str; 8] = [
    "sh", "output", "json", "csv", "rust", "text", "python", "toml",
];

/// The blocks of a page, and its prose with the blocks taken out.
pub fn split(page: &str) -> (Vec<Block>, String) {
    let (mut blocks, mut prose) = (Vec::new(), String::new());
    let mut open: Option<Block> = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let fence = line.trim_end().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(info)) => open = Some(begin(info, at + line.len())),
            (None, None) => prose.push_str(line),
            (Some(_), Some("")) => {
                let mut block = open.take().unwrap();
                block.place.end = at;
                block.text = page[block.place.clone()].to_owned();
                blocks.push(block);
            }
            (Some(_), _) => {}
        }
        at += line.len();
    }
    assert!(open.is_none(), "a block is not closed");
    (blocks, prose)
}

fn begin(info: &str, at: usize) -> Block {
    let mut words = info.split([' ', ',']).filter(|w| !w.is_empty());
    let language = words.next().unwrap_or_default();
    assert!(
        LANGUAGES.contains(&language),
        "a block of '{language}' that nothing tests"
    );
    let mut block = Block {
        language: language.to_owned(),
        save: None,
        from: None,
        text: String::new(),
        place: at..at,
    };
    for word in words {
        match word.split_once('=') {
            Some(("save", file)) => block.save = Some(file.to_owned()),
            Some(("from", file)) => block.from = Some(file.to_owned()),
            _ => panic!("'{word}' behind a fence means nothing"),
        }
    }
    let loose = ["json", "csv"].contains(&language) && block.save.is_none() && block.from.is_none();
    assert!(
        !loose,
        "a block of {language} that is neither saved nor compared"
    );
    block
}

/// The commands of a block of the shell.
pub fn commands(block: &Block) -> Vec<&str> {
    let lines = block.text.lines();
    let commands = lines.map(|line| line.split('#').next().unwrap_or("").trim());
    let commands: Vec<&str> = commands.filter(|line| !line.is_empty()).collect();
    for line in &commands {
        assert!(line.starts_with("klast "), "`{line}` is not tested");
    }
    commands
}
