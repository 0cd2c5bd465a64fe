//! Published truth against us: tables, cases, verdicts.
