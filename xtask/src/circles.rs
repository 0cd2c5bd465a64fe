//! Circles of files: within a crate, files use one another one way.
//!
//! Each crate's files are parsed, every path in them is followed through modules and re-exports to the file that defines
//! what it names, and the strongly connected parts of that graph with more than one file are circles. Left out: code
//! that is compiled for tests only, methods (whose file a path does not name), and what macros write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::run::root;

/// Prints every circle of files in any crate with the names that close it; true where there is none.
pub fn none() -> Result<bool> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root().join("crates"))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    folders.push(root().join("xtask"));
    folders.sort();
    let mut found = 0;
    for folder in folders {
        for top in ["src/lib.rs", "src/main.rs"] {
            let top = folder.join(top);
            if top.exists() {
                found += report(&Tree::read(&top)?, &folder);
            }
        }
    }
    println!("circles of files: {found}");
    Ok(found == 0)
}

fn report(tree: &Tree, folder: &Path) -> usize {
    let uses = tree.uses();
    let circles = circles(&uses);
    let name = |file: usize| {
        let path = &tree.files[file];
        path.strip_prefix(folder).unwrap_or(path).display()
    };
    for circle in &circles {
        println!(
            "{}: {} files use one another",
            folder.display(),
            circle.len()
        );
        for ((from, to), names) in &uses {
            if circle.contains(from) && circle.contains(to) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                println!("    {} -> {}: {}", name(*from), name(*to), names.join(", "));
            }
        }
    }
    circles.len()
}

/// What each file takes from each other one.
type Uses = BTreeMap<(usize, usize), BTreeSet<String>>;

/// Strongly connected parts of more than one file: those that reach each other.
fn circles(uses: &Uses) -> Vec<BTreeSet<usize>> {
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in uses.keys() {
        next.entry(*from).or_default().push(*to);
    }
    let reach = |start: usize| {
        let mut seen = BTreeSet::new();
        let mut stack = vec![start];
        while let Some(file) = stack.pop() {
            for to in next.get(&file).into_iter().flatten() {
                if seen.insert(*to) {
                    stack.push(*to);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<usize, BTreeSet<usize>> = next.keys().map(|f| (*f, reach(*f))).collect();
    let mutual = |a: usize, b: usize| {
        reached[&a].contains(&b) && reached.get(&b).is_some_and(|r| r.contains(&a))
    };
    let mut placed: BTreeSet<usize> = BTreeSet::new();
    let mut parts = Vec::new();
    for file in next.keys().copied() {
        if mutual(file, file) && !placed.contains(&file) {
            let part: BTreeSet<usize> = next.keys().copied().filter(|b| mutual(file, *b)).collect();
            placed.extend(&part);
            parts.push(part);
        }
    }
    parts
}

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
struct Tree {
    files: Vec<PathBuf>,
    modules: Vec<Module>,
}

impl Tree {
    fn read(top: &Path) -> Result<Self> {
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
                    self.import(module, &item.tree, &mut Vec::new(), again);
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

    fn import(
        &mut self,
        module: usize,
        tree: &syn::UseTree,
        before: &mut Vec<String>,
        again: bool,
    ) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(module, &path.tree, before, again);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(module, tree, before, again);
                }
            }
            syn::UseTree::Glob(_) => self.modules[module].globs.push(before.clone()),
            syn::UseTree::Name(name) => {
                let name = name.ident.to_string();
                let mut path = before.clone();
                if name != "self" {
                    path.push(name);
                }
                let bound = path.last().cloned().unwrap_or_default();
                self.bind_import(module, bound, path, again);
            }
            syn::UseTree::Rename(name) => {
                let mut path = before.clone();
                path.push(name.ident.to_string());
                self.bind_import(module, name.rename.to_string(), path, again);
            }
        }
    }

    fn bind_import(&mut self, module: usize, bound: String, path: Vec<String>, again: bool) {
        // What is only handed on is no use of it; a private import is, and may be a trait that no path names.
        if !again {
            self.modules[module].paths.insert(path.clone());
        }
        self.bind(module, bound, Binding::Import(path));
    }

    fn uses(&self) -> Uses {
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

fn defined(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Whether an item is compiled for tests only.
fn for_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|only| only == "test")
    })
}

/// Collects the paths of an item, those in the arguments of macros and in inner `use` lines included.
#[derive(Default)]
struct Paths {
    found: BTreeSet<Vec<String>>,
}

impl<'a> Visit<'a> for Paths {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.found
            .insert(path.segments.iter().map(|s| s.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.tokens(call.tokens.clone());
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let mut inner = Tree {
            files: Vec::new(),
            modules: vec![Module {
                file: 0,
                parent: None,
                names: BTreeMap::new(),
                globs: Vec::new(),
                paths: BTreeSet::new(),
            }],
        };
        inner.import(0, &item.tree, &mut Vec::new(), false);
        self.found.append(&mut inner.modules[0].paths);
    }
}

impl Paths {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.tokens(group.stream());
                }
                _ => {
                    self.end(&mut path);
                    colons = 0;
                }
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        if !path.is_empty() {
            self.found.insert(std::mem::take(path));
        }
    }
}
