//! The tests of this crate as one program: each module is one subject.

mod corpus;
mod corpus_digests;
mod esri_ascii;
mod files_of_users;
mod record_columns;
mod record_doubts;
mod record_formats;
mod record_loggers;
mod record_networks;
mod record_tables;
mod record_texts;
mod sixty_files;
