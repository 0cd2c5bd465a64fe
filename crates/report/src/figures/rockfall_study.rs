//! A rockfall many times over.

use anyhow::Result;
use klast_scenes::kinds::rockfall_study::result::Results;

use crate::sheet::Sheet;

/// What is found, or how much each number matters, as tables.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let number = |x: f64| format!("{x:.4}");
    if !results.found.is_empty() {
        let header = ["number", "from", "to", "5 %", "median", "95 %", "open"];
        let rows = results.found.iter().map(|f| {
            let values = [f.lower, f.upper, f.q05, f.median, f.q95, f.open];
            let mut cells = vec![f.key.clone()];
            cells.extend(values.map(number));
            cells
        });
        sheet.page.table(&header, &rows.collect::<Vec<_>>());
        sheet.page.text(
            "Open: the width of the band over that of an even spread over the range. Near 1 what was found tells nothing of the number.",
        );
    }
    if !results.effects.is_empty() {
        let header = [
            "outcome",
            "number",
            "mean absolute effect",
            "mean effect",
            "standard deviation",
        ];
        let rows = results.effects.iter().map(|e| {
            let mut cells = vec![e.outcome.clone(), e.key.clone()];
            cells.extend([e.mean_absolute, e.mean, e.standard_deviation].map(number));
            cells
        });
        sheet.page.table(&header, &rows.collect::<Vec<_>>());
        sheet.page.text(
            "Elementary effects (Morris 1991): the change of the outcome for a change over the whole range of the number.",
        );
    }
    if !results.sensitivity.is_empty() {
        let header = ["number", "value", "outcome", "found"];
        let rows = results.sensitivity.iter().map(|r| {
            let found = r.found.map_or(String::new(), number);
            vec![r.key.clone(), number(r.value), r.outcome.clone(), found]
        });
        sheet.page.table(&header, &rows.collect::<Vec<_>>());
    }
    Ok(())
}
