//! Commands that make of a file one that is read: a program and its arguments, some of which are the file itself or one
//! beside it. A reader takes bytes; the name comes in where it is known.

use std::borrow::Cow;
use std::fmt;

/// How GDAL writes a raster anew: no ground of 0 m where the new raster is larger than the old one, whatever number the
/// old one has for missing data and of whatever type its samples are; and whatever an earlier try has left there.
pub const WARP: &str = "-overwrite -r bilinear -ot Float32 -dstnodata -9999";
/// The same for numbers of classes, which have nothing between them.
pub const WARP_CLASSES: &str = "-overwrite -r near -ot Int16 -dstnodata -9999";

/// A word of a command.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// As it stands, whatever is in it.
    Word(String),
    /// A sign that the shell reads: `<`, `>`.
    Sign(&'static str),
    /// The file that is refused, or one beside it, behind the start of a word.
    File {
        /// What stands before the name in the same word: `--outfile=`.
        before: String,
        /// What is added to the name of a file beside the one that is refused; none for that one.
        part: Option<String>,
        /// Ending of its name where the file itself is not known, and of one beside it.
        ending: String,
    },
}

/// A command, with the words around it in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What stands before it in a sentence.
    pub lead: Cow<'static, str>,
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// What stands behind it in a sentence.
    pub note: Cow<'static, str>,
    /// Another one, in its place or after it as the words between them say.
    pub next: Option<Box<Command>>,
}

impl Command {
    /// From a line without quotes: the program and its arguments between blanks. `{in}.tif` is the file itself,
    /// `{out}.tif` and `{metres}.tif` are files beside it.
    #[must_use]
    pub fn new(line: &str) -> Self {
        let (program, rest) = line.split_once(' ').unwrap_or((line, ""));
        let command = Self {
            lead: Cow::Borrowed(""),
            program: program.to_owned(),
            arguments: Vec::new(),
            note: Cow::Borrowed(""),
            next: None,
        };
        command.words(rest)
    }

    /// With more arguments between blanks, as in [`Command::new`].
    #[must_use]
    pub fn words(mut self, line: &str) -> Self {
        let words = line.split(' ').filter(|word| !word.is_empty());
        self.arguments.extend(words.map(argument));
        self
    }

    /// With an argument as it stands.
    #[must_use]
    pub fn word(mut self, word: impl Into<String>) -> Self {
        self.arguments.push(Argument::Word(word.into()));
        self
    }

    /// With a file beside the one that is refused, by what is added to its name.
    #[must_use]
    pub fn beside(mut self, part: &str, ending: &str) -> Self {
        self.arguments.push(Argument::File {
            before: String::new(),
            part: Some(part.to_owned()),
            ending: ending.to_owned(),
        });
        self
    }

    /// With words before it.
    #[must_use]
    pub fn led(mut self, lead: impl Into<Cow<'static, str>>) -> Self {
        self.lead = lead.into();
        self
    }

    /// With words behind it.
    #[must_use]
    pub fn noted(mut self, note: impl Into<Cow<'static, str>>) -> Self {
        self.note = note.into();
        self
    }

    /// With another one behind it.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.next = Some(Box::new(next));
        self
    }

    /// Several, of which one is to be chosen.
    #[must_use]
    pub fn any(commands: impl DoubleEndedIterator<Item = Self>) -> Option<Self> {
        commands
            .rev()
            .reduce(|next, one| one.noted(" or ").then(next))
    }

    /// Puts the name of the file into the arguments; one that cannot stand in a command is left out.
    pub fn name(&mut self, file: &str) {
        let (stem, _) = split(file);
        for argument in &mut self.arguments {
            let Argument::File {
                before,
                part,
                ending,
            } = argument
            else {
                continue;
            };
            let name = match part {
                None => file.to_owned(),
                Some(part) => format!("{stem}-{part}.{ending}"),
            };
            let here = match name.starts_with('-') && before.is_empty() {
                true => "./",
                false => "",
            };
            if may_stand(file) {
                *argument = Argument::Word(format!("{before}{here}{name}"));
            }
        }
        if let Some(next) = &mut self.next {
            next.name(file);
        }
    }
}

/// A word of a line, which may stand for a file.
fn argument(word: &str) -> Argument {
    if let Some(sign) = ["<", ">"].into_iter().find(|sign| *sign == word) {
        return Argument::Sign(sign);
    }
    let file = || {
        let (before, rest) = word.split_once('{')?;
        let (name, ending) = rest.split_once("}.")?;
        let part = match name {
            "in" => None,
            "out" => Some("new".to_owned()),
            part => Some(part.to_owned()),
        };
        Some(Argument::File {
            before: before.to_owned(),
            part,
            ending: ending.to_owned(),
        })
    };
    file().unwrap_or_else(|| Argument::Word(word.to_owned()))
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sign(sign) => f.write_str(sign),
            Self::Word(word) => match word.split_once('=') {
                // The value of an option is quoted, not its name.
                Some((option, value)) if option.starts_with("--") => {
                    write!(f, "{option}={}", quoted(value))
                }
                // Options begin with a stroke, names of files have "./" before it.
                _ if word.starts_with('-')
                    && word[1..]
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) =>
                {
                    f.write_str(word)
                }
                _ => f.write_str(&quoted(word)),
            },
            Self::File {
                before,
                part,
                ending,
            } => {
                let name = match part.as_deref() {
                    None => "in",
                    Some("new") => "out",
                    Some(part) => part,
                };
                write!(f, "{before}{{{name}}}.{ending}")
            }
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}`{}", self.lead, self.program)?;
        for argument in &self.arguments {
            write!(f, " {argument}")?;
        }
        write!(f, "`{}", self.note)?;
        match &self.next {
            Some(next) => next.fmt(f),
            None => Ok(()),
        }
    }
}

/// The name of a file without its ending, and the ending as it stands.
#[must_use]
pub fn split(file: &str) -> (&str, &str) {
    match file.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !ending.contains(['/', '\\']) => (stem, ending),
        _ => (file, ""),
    }
}

/// The names of the parts of a file, such as layers, as parts of the names of other files: each another one.
pub fn parts<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    for name in names {
        let plain: String = name.chars().take(40).map(plain).collect();
        let numbered = (2..).map(|k| format!("{plain}-{k}"));
        let mut free = std::iter::once(plain.clone()).chain(numbered);
        made.extend(free.find(|name| !made.contains(name)));
    }
    made
}

/// Whether a name can stand in a command between backticks.
fn may_stand(name: &str) -> bool {
    !name.contains(|c: char| c == '`' || c.is_control())
}

/// A word as a shell reads it, whatever is in it: names of layers come from files of others. NAME stands for one that
/// would end the command.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || "/._-:+,=".contains(c) || (cfg!(windows) && c == '\\');
    if !may_stand(word) {
        return "NAME".to_owned();
    }
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with(['-', '=']) {
        return word.to_owned();
    }
    let read_within =
        word.contains(['"', '$', '!', '\'']) || (!cfg!(windows) && word.contains('\\'));
    match read_within {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => format!("\"{word}\""),
    }
}
