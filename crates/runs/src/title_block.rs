//! The title block of a report: whose document it is. Every scene may have its keys; none has an effect on a run.

/// The keys of a title block: key, heading on the page, description.
pub const KEYS: [(&str, &str, &str); 6] = [
    ("project", "Project", "Name of the project, for reports."),
    (
        "client",
        "Client",
        "Who ordered the report, for its title block.",
    ),
    (
        "author",
        "Author",
        "Who made the report, for its title block.",
    ),
    (
        "reference",
        "Reference",
        "Number or name of the document, for its title block.",
    ),
    (
        "date",
        "Date",
        "Date of the document, for its title block; without it, the report shows the date of the run.",
    ),
    (
        "version",
        "Version",
        "Version of the document, for its title block.",
    ),
];
