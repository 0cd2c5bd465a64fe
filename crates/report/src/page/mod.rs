//! A self-contained HTML report: a verdict first, then what it rests on, in one file that a client can read, print and
//! keep.
//!
//! A page is data: a header, an answer, and sections of blocks in the order in which a reader asks. Every kind of scene
//! fills the same sections, so that a page of one reads like a page of another.

mod html;

use klast_runs::answer::{Answer, Judgement};

/// What a page is about, beside its results.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Kind of the scene, in words.
    pub kind: String,
    /// Headings and values of the title block that the scene states.
    pub title_block: Vec<(&'static str, String)>,
    /// Date of the run, as 2026-11-25.
    pub date: Option<String>,
}

/// A part of a page, in the order of a page: what was found, what it rests on, and what others need to find it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Figures and tables of results.
    Results,
    /// The view in space.
    View,
    /// What was understood of the scene: terrain, materials, engine, settings.
    Inputs,
    /// What was understood of each file.
    Read,
    /// What was computed, and how.
    Method,
    /// What the model leaves out.
    Limits,
    /// Every number of the summary.
    Numbers,
    /// What was run: version, hash, seed, counts.
    Run,
    /// Files beside the page.
    Files,
}

impl Section {
    const ALL: [Self; 9] = [
        Self::Results,
        Self::View,
        Self::Inputs,
        Self::Read,
        Self::Method,
        Self::Limits,
        Self::Numbers,
        Self::Run,
        Self::Files,
    ];

    fn heading(self) -> &'static str {
        match self {
            Self::Results => "Results",
            Self::View => "3D view",
            Self::Inputs => "Inputs",
            Self::Read => "Input files",
            Self::Method => "Method",
            Self::Limits => "Limits of the model",
            Self::Numbers => "All numbers",
            Self::Run => "Run data",
            Self::Files => "Files",
        }
    }

    fn id(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::View => "view",
            Self::Inputs => "inputs",
            Self::Read => "read",
            Self::Method => "method",
            Self::Limits => "limits",
            Self::Numbers => "numbers",
            Self::Run => "run",
            Self::Files => "files",
        }
    }
}

/// The one picture that answers the question of a scene. Each kind has one: what draws its figures returns it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    svg: String,
    caption: String,
}

impl Picture {
    /// A picture with what it shows.
    #[must_use]
    pub fn new(svg: &str, caption: &str) -> Self {
        Self {
            svg: svg.to_owned(),
            caption: caption.to_owned(),
        }
    }

    /// In place of a picture, why this run has nothing to draw.
    #[must_use]
    pub fn nothing(reason: &str) -> Self {
        Self::new("", reason)
    }
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    List(Vec<String>),
    Table(Table),
    Figure { svg: String, caption: String },
    View { data: String, caption: String },
    Links(Vec<String>),
}

/// What stands in a cell without a value.
pub const NONE: &str = "–";

/// A cell of a number, or of none.
#[must_use]
pub fn or_none(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), klast_runs::answer::short)
}

/// A table whose header says words and units.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Columns: words, and the unit if there is one.
    pub header: Vec<(String, String)>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of these columns.
    #[must_use]
    pub fn new(header: &[(&str, &str)]) -> Self {
        let owned = |(words, unit): &(&str, &str)| ((*words).to_owned(), (*unit).to_owned());
        Self {
            header: header.iter().map(owned).collect(),
            rows: Vec::new(),
        }
    }
}

/// A page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    title: String,
    /// What it is about.
    pub about: About,
    answer: Option<Answer>,
    picture: Option<Picture>,
    remarks: Vec<String>,
    warnings: Vec<(Section, String)>,
    blocks: Vec<(Section, Block)>,
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            ..Self::default()
        }
    }

    /// The verdict and its figures, above all else.
    pub fn answer(&mut self, answer: &Answer) {
        self.answer = Some(answer.clone());
    }

    /// A sentence beside the verdict: how far it can be trusted.
    pub fn remark(&mut self, text: &str) {
        self.remarks.push(text.to_owned());
    }

    /// The picture beside the verdict.
    pub fn picture(&mut self, picture: Picture) {
        self.picture = Some(picture);
    }

    /// A warning, at the head of the section that it concerns; the first page counts them. One that a section has
    /// already is not told again.
    pub fn warning(&mut self, section: Section, text: &str) {
        let text = crate::words::sentence_of(text);
        if self.warnings.iter().all(|(_, known)| *known != text) {
            self.warnings.push((section, text));
        }
    }

    /// A heading within a section.
    pub fn heading(&mut self, section: Section, text: &str) {
        self.push(section, Block::Heading(text.to_owned()));
    }

    /// A paragraph.
    pub fn text(&mut self, section: Section, text: &str) {
        self.push(section, Block::Text(text.to_owned()));
    }

    /// Sentences one below the other.
    pub fn list(&mut self, section: Section, lines: &[String]) {
        if !lines.is_empty() {
            self.push(section, Block::List(lines.to_vec()));
        }
    }

    /// A table, unless it is empty.
    pub fn table(&mut self, section: Section, table: Table) {
        if !table.rows.is_empty() {
            self.push(section, Block::Table(table));
        }
    }

    /// Whether it has a table of the same cells.
    pub(crate) fn shows(&self, table: &Table) -> bool {
        let same = |block: &Block| matches!(block, Block::Table(t) if t.rows == table.rows);
        self.blocks.iter().any(|(_, block)| same(block))
    }

    /// A figure with a line under it.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let (svg, caption) = (svg.to_owned(), caption.to_owned());
        self.push(Section::Results, Block::Figure { svg, caption });
    }

    /// A view in space, as JSON of [`crate::view::View`].
    pub fn view(&mut self, data: String, caption: &str) {
        let caption = caption.to_owned();
        self.push(Section::View, Block::View { data, caption });
    }

    /// The names of files beside the page, as links.
    pub fn files(&mut self, names: &[String]) {
        self.push(Section::Files, Block::Links(names.to_vec()));
    }

    fn push(&mut self, section: Section, block: Block) {
        self.blocks.push((section, block));
    }

    fn section(&self, section: Section) -> impl Iterator<Item = &Block> {
        let own = self.blocks.iter().filter(move |(of, _)| *of == section);
        own.map(|(_, block)| block)
    }
}

impl Page {
    fn warnings(&self, section: Section) -> impl Iterator<Item = &str> {
        let own = self.warnings.iter().filter(move |(of, _)| *of == section);
        own.map(|(_, text)| text.as_str())
    }
}

/// The class that gives a verdict its colour, and the word that says the same without one.
fn tone(judgement: Judgement) -> (&'static str, &'static str) {
    match judgement {
        Judgement::Holds => ("holds", "Holds"),
        Judgement::Fails => ("fails", "Fails"),
        Judgement::Undecided => ("undecided", "Undecided"),
        Judgement::Measured => ("measured", "Result"),
    }
}
