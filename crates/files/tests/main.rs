//! The tests of this crate as one program: each module is one subject.

mod cases;
mod corpus;
mod corpus_digests;
mod esri_ascii;
mod files_of_users;
