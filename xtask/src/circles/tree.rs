//! The modules of a crate, and the files that define what its paths name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use syn::visit::Visit as _;

use super::paths::{Import, Paths, defined, for_tests, imports};

/// What each file takes from each other one.
pub type Uses = BTreeMap<(usize, usize), BTreeSet<String>>;

/// What a name stands for in a module.
enum Binding {
    Module(usize),
    /// Defined in this module's file.
    Item,
    /// Brought in by `use`: the path, seen from this module.
    Import(Vec<String>),
}

/// A module, in a file of its own or within another's.
struct Module {
    file: usize,
    parent: Option<usize>,
    names: BTreeMap<String, Vec<Binding>>,
    globs: Vec<Vec<String>>,
    /// Paths written in it: those of private `use` lines, and those in its code.
    paths: BTreeSet<Vec<String>>,
}

/// The modules of one crate.
pub struct Tree {
    pub files: Vec<PathBuf>,
    modules: Vec<Module>,
}

impl Tree {
    /// Those of the crate whose first file this is.
    pub fn read(top: &Path) -> Result<Self> {
        let mut tree = Self {
            files: Vec::new(),
            modules: Vec::new(),
        };
        let folder = top.parent().unwrap_or(top).to_path_buf();
        tree.read_file(top, &folder, None)?;
        Ok(tree)
    }

    fn read_file(&mut self, path: &Path, folder: &Path, parent: Option<usize>) -> Result<usize> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let syntax = syn::parse_file(&text).with_context(|| path.display().to_string())?;
        self.files.push(path.to_path_buf());
        let file = self.files.len() - 1;
        self.read_module(&syntax.items, file, folder, parent)
    }

    fn read_module(
        &mut self,
        items: &[syn::Item],
        file: usize,
        folder: &Path,
        parent: Option<usize>,
    ) -> Result<usize> {
        let module = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            names: BTreeMap::new(),
            globs: Vec::new(),
            paths: BTreeSet::new(),
        });
        for item in items.iter().filter(|item| !for_tests(item)) {
            match item {
                syn::Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let below = folder.join(&name);
                    let child = match &inner.content {
                        Some((_, items)) => self.read_module(items, file, &below, Some(module))?,
                        None => {
                            let beside = folder.join(format!("{name}.rs"));
                            let path = if beside.exists() {
                                beside
                            } else {
                                below.join("mod.rs")
                            };
                            self.read_file(&path, &below, Some(module))?
                        }
                    };
                    self.bind(module, name, Binding::Module(child));
                }
                syn::Item::Use(item) => {
                    let again = !matches!(item.vis, syn::Visibility::Inherited);
                    for import in imports(&item.tree) {
                        self.import(module, import, again);
                    }
                }
                item => {
                    if let Some(name) = defined(item) {
                        self.bind(module, name, Binding::Item);
                    }
                    let mut paths = Paths::default();
                    paths.visit_item(item);
                    self.modules[module].paths.extend(paths.found);
                }
            }
        }
        Ok(module)
    }

    fn bind(&mut self, module: usize, name: String, binding: Binding) {
        self.modules[module]
            .names
            .entry(name)
            .or_default()
            .push(binding);
    }

    fn import(&mut self, module: usize, import: Import, again: bool) {
        match import {
            Import::Glob(path) => self.modules[module].globs.push(path),
            Import::Name { bound, path } => {
                // What is only handed on is no use of it; a private import is, and may be a trait that no path names.
                if !again {
                    self.modules[module].paths.insert(path.clone());
                }
                self.bind(module, bound, Binding::Import(path));
            }
        }
    }

    /// What each file takes from each other one.
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (index, module) in self.modules.iter().enumerate() {
            for path in &module.paths {
                for to in self.resolve(index, path, 0) {
                    if to != module.file {
                        uses.entry((module.file, to))
                            .or_default()
                            .insert(path.join("::"));
                    }
                }
            }
        }
        uses
    }

    /// The files that define what a path names, seen from a module; none for another crate's, or a module alone.
    fn resolve(&self, module: usize, path: &[String], depth: usize) -> BTreeSet<usize> {
        let mut at = module;
        let mut rest = path;
        while let [first, after @ ..] = rest {
            match first.as_str() {
                "crate" => at = 0,
                "self" => {}
                "super" => match self.modules[at].parent {
                    Some(parent) => at = parent,
                    None => return BTreeSet::new(),
                },
                name => return self.look_up(at, name, after, depth),
            }
            rest = after;
        }
        BTreeSet::new()
    }

    fn look_up(&self, at: usize, name: &str, after: &[String], depth: usize) -> BTreeSet<usize> {
        let mut ends = BTreeSet::new();
        if depth > 12 {
            return ends;
        }
        let bindings = self.modules[at].names.get(name);
        let child = bindings.into_iter().flatten().find_map(|b| match b {
            Binding::Module(child) => Some(*child),
            _ => None,
        });
        // A function may be called as a module is: only the module leads on.
        if let (Some(child), false) = (child, after.is_empty()) {
            return self.resolve(child, after, depth + 1);
        }
        for binding in bindings.into_iter().flatten() {
            match binding {
                Binding::Item => _ = ends.insert(self.modules[at].file),
                // A crate outside that is called as what it brings (`use libm;`).
                Binding::Import(path) if path.len() == 1 && path[0] == name => {}
                Binding::Import(path) => {
                    let whole: Vec<String> = path.iter().chain(after).cloned().collect();
                    ends.extend(self.resolve(at, &whole, depth + 1));
                }
                Binding::Module(_) => {}
            }
        }
        if ends.is_empty() {
            for glob in &self.modules[at].globs {
                let name = name.to_string();
                if glob.first().is_some_and(|g| *g != name) {
                    let whole: Vec<String> =
                        glob.iter().chain([&name]).chain(after).cloned().collect();
                    ends.extend(self.resolve(at, &whole, depth + 1));
                }
            }
        }
        ends
    }
}
