//! Paths in a file: in its `use` lines, its code and the arguments of macros.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// What a `use` line brings in.
pub enum Import {
    /// All of a path.
    Glob(Vec<String>),
    /// A path under a name.
    Name { bound: String, path: Vec<String> },
}

/// All that a `use` line brings in.
pub fn imports(tree: &syn::UseTree) -> Vec<Import> {
    let mut found = Vec::new();
    walk(tree, &mut Vec::new(), &mut found);
    found
}

fn walk(tree: &syn::UseTree, before: &mut Vec<String>, found: &mut Vec<Import>) {
    let with = |last: &syn::Ident| {
        let mut path = before.clone();
        path.push(last.to_string());
        path
    };
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            walk(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                walk(tree, before, found);
            }
        }
        syn::UseTree::Glob(_) => found.push(Import::Glob(before.clone())),
        syn::UseTree::Name(name) => {
            let path = match name.ident == "self" {
                true => before.clone(),
                false => with(&name.ident),
            };
            let bound = path.last().cloned().unwrap_or_default();
            found.push(Import::Name { bound, path });
        }
        syn::UseTree::Rename(name) => found.push(Import::Name {
            bound: name.rename.to_string(),
            path: with(&name.ident),
        }),
    }
}

/// The name that an item defines.
pub fn defined(item: &syn::Item) -> Option<String> {
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
pub fn for_tests(item: &syn::Item) -> bool {
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
pub struct Paths {
    pub found: BTreeSet<Vec<String>>,
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
        for import in imports(&item.tree) {
            if let Import::Name { path, .. } = import {
                self.found.insert(path);
            }
        }
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
