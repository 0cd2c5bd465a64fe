//! What a client sees and signs, measured in a real browser: verdict, picture and numbers on one screen and on one
//! printed page; texts that do not lie over one another, are large enough on paper and dark enough on their ground;
//! names that draw nothing.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::{answer, chromium, page, printed};

/// Where verdict, numbers and picture end, which texts of pictures overlap, and the least contrast of a text.
const MEASURE: &str = r##"<script>window.addEventListener('load', () => setTimeout(() => {
  const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  const box = (s) => { const e = document.querySelector(s); if (!e) return null; const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const told = { wrong: window.wrong, boxes: { first: box('#first'), answer: box('#answer'), numbers: box('#answer dl'), picture: box('#picture svg'), signature: box('.signature') } };
  told.overlaps = [];
  for (const svg of document.querySelectorAll('.paper > svg')) {
    const texts = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim() && shown(t));
    const boxes = texts.map((t) => t.getBoundingClientRect());
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const [a, b] = [boxes[i], boxes[j]];
      const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // A box has room above and below its letters: a quarter of it is no letter.
      const least = 0.25 * Math.min(a.height, b.height, a.width, b.width);
      if (w > 1 && h > least) told.overlaps.push([texts[i].textContent, texts[j].textContent]);
    }
  }
  const numbers = (c) => { const n = c.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const linear = (x) => { const s = x / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (a, b) => { const [p, q] = [light(a), light(b)].sort((x, y) => y - x); return (p + 0.05) / (q + 0.05); };
  const over = (c, ground) => [0, 1, 2].map((k) => c[3] * c[k] + (1 - c[3]) * ground[k]);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (c[3] > 0.5) return c; } return [255, 255, 255, 1]; };
  told.contrast = [Infinity, ''];
  told.points = [Infinity, ''];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement, words = node.textContent.trim();
    if (!words || e.closest('script, noscript, title, style') || !shown(e)) continue;
    const style = getComputedStyle(e), picture = e.closest('svg');
    const back = picture ? [255, 255, 255, 1] : ground(e), own = numbers(picture ? style.fill : style.color);
    if (picture) { own[3] *= Number(style.fillOpacity) * Number(style.opacity); }
    const c = contrast(over(own, back), back);
    if (c < told.contrast[0]) told.contrast = [c, words];
    const scale = picture ? Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) : 1;
    const points = 0.75 * scale * parseFloat(style.fontSize);
    if (points < told.points[0]) told.points = [points, words];
  }
  const captions = [...document.querySelectorAll('figcaption')].map((c) => c.textContent);
  told.repeated = captions.filter((c, k) => captions.indexOf(c) !== k);
  told.exact = getComputedStyle(document.querySelector('#answer')).printColorAdjust;
  told.drawn = document.querySelectorAll('img, iframe, object, embed, form').length;
  told.handlers = [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length;
  told.ran = window.ran === undefined ? 0 : 1;
  told.scripts = document.scripts.length;
  const answer = document.createElement('pre');
  answer.id = 'told';
  answer.textContent = JSON.stringify(told);
  document.body.append(answer);
}, 200));</script>"##;

/// Scenes of all subjects that run at once.
fn pages() -> Vec<(&'static str, String)> {
    let example = |name: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(name);
        std::fs::read_to_string(file).unwrap()
    };
    let block = r#"{"schema": 1, "kind": "bodies", "project": "Tower", "materials": {"stone": {"friction": 0.5, "density_kg_m3": 2400}},
        "bodies": [{"name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]}, "at_m": [0, 0, 0.5]}],
        "planes": [{"material": "stone", "normal": [0, 0, 1]}], "solver": {"step_s": 0.01}, "duration_s": 1}"#;
    let named = r#"{"project": "Cantonal road, km 12.4", "client": "Roads department", "author": "A. Engineer",
        "reference": "2026-17", "version": "1","#;
    let rockfall = example("rockfall.json").replace("\"rocks\": 300", "\"rocks\": 40");
    vec![
        ("rockfall", page(&rockfall.replacen('{', named, 1))),
        ("bodies", page(block)),
        ("rocking", page(&example("rocking.json"))),
        (
            "rocking-fragility",
            page(&example("rocking-fragility.json")),
        ),
        ("rocking-map", page(&example("rocking-map.json"))),
        ("rocking-fit", page(&example("rocking-fit.json"))),
        ("assess", page(&example("assess.json"))),
        ("stack", page(&example("stack.json"))),
        ("study", page(&example("study.json"))),
        ("rockfall-study", page(&example("rockfall-study.json"))),
        (
            "assembly",
            page(&example("assembly.json").replace("\"duration_s\": 4.0", "\"duration_s\": 1.0")),
        ),
    ]
}

/// Left, top, right and bottom of a part of the page (px).
fn part(told: &Value, name: &str) -> [f64; 4] {
    let sides = told["boxes"][name].as_array();
    let sides = sides.unwrap_or_else(|| panic!("no {name}: {told}"));
    [0, 1, 2, 3].map(|k| sides[k].as_f64().unwrap())
}

/// WCAG 2.2, success criterion 1.4.3: text of a usual size.
const CONTRAST: f64 = 4.5;
/// The least size of letters on paper (pt), less what rounding of a scale takes.
const POINTS: f64 = 6.99;
/// A page travels by mail.
const BYTES: usize = 3_000_000;

#[test]
fn verdict_picture_and_numbers_are_on_one_screen_and_on_one_printed_page() {
    let Some(browser) = chromium() else { return };
    let work = tempfile::tempdir().unwrap();
    let dark = [
        "--force-dark-mode",
        "--blink-settings=preferredColorScheme=0",
    ];
    for (name, html) in pages() {
        assert!(html.len() < BYTES, "{name}: {} bytes", html.len());
        let ask = |html: &str, name: &str, size: (u32, u32), flags: &[&str]| {
            let told = answer(&browser, work.path(), (name, html), MEASURE, size, flags);
            assert_eq!(told["wrong"], json!([]), "{name}");
            assert_eq!(told["overlaps"], json!([]), "{name}");
            assert_eq!(told["repeated"], json!([]), "{name}");
            let contrast = told["contrast"][0].as_f64().unwrap();
            assert!(contrast >= CONTRAST, "{name}: {}", told["contrast"]);
            told
        };
        let screen = ask(&html, name, (1280, 800), &[]);
        ask(&html, &format!("{name}-dark"), (1280, 800), &dark);
        for part in ["answer", "numbers", "picture"].map(|p| part(&screen, p)) {
            assert!(part[1] >= 0.0 && part[2] <= 1280.0, "{name}: {part:?}");
            assert!(part[3] <= 800.0, "{name}: {screen}");
        }
        // As it is printed: the text area of A4 with the margins of the page, 180 mm by 265 mm.
        let print = html.replacen("@media print {", "@media all {", 1);
        let paper = ask(&print, &format!("{name}-print"), (680, 1001), &[]);
        let points = paper["points"][0].as_f64().unwrap();
        assert!(points >= POINTS, "{name}: {}", paper["points"]);
        assert_eq!(paper["exact"], "exact", "{name}");
        let first = part(&paper, "first");
        assert!(first[3] - first[1] <= 1001.0, "{name}: {first:?}");
        for inside in ["answer", "numbers", "picture", "signature"].map(|p| part(&paper, p)) {
            assert!(inside[3] <= first[3] + 0.5, "{name}: {paper}");
        }
        let picture = part(&paper, "picture");
        assert!(picture[3] - picture[1] > 300.0, "{name}: {picture:?}");
    }
}

#[test]
fn a_rockfall_is_reported_on_eight_pages() {
    let Some(browser) = chromium() else { return };
    let work = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rockfall.json");
    let html = page(&std::fs::read_to_string(file).unwrap());
    assert!(html.len() < BYTES, "{} bytes", html.len());
    let pages = printed(&browser, work.path(), &html).len();
    assert!((2..=8).contains(&pages), "{pages} pages");
}

/// A name of a user is text wherever it stands: in a title block, a table, a caption, a picture, the data of a view.
#[test]
fn no_name_draws_or_runs_anything() {
    let Some(browser) = chromium() else { return };
    let work = tempfile::tempdir().unwrap();
    let rockfall = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rockfall.json");
    let rockfall = std::fs::read_to_string(rockfall).unwrap();
    let rockfall = rockfall.replace("\"rocks\": 300", "\"rocks\": 20");
    for (number, name) in [
        "</script><script>window.ran = 1</script>",
        "\"><img src=x onerror=\"window.ran = 1\">",
        "<svg onload='window.ran = 1'></svg>",
        "<!--<script>window.ran = 1",
        "]]></style><style>*{display:none}</style>",
        "&lt;script&gt;window.ran = 1&lt;/script&gt;\u{202e}\u{b}",
    ]
    .into_iter()
    .enumerate()
    {
        let mut slope: Value = serde_json::from_str(&rockfall).unwrap();
        for key in [
            "project",
            "client",
            "author",
            "reference",
            "date",
            "version",
        ] {
            slope[key] = json!(name);
        }
        slope["barriers"][0]["name"] = json!(name);
        slope["sources"][0]["name"] = json!(name);
        slope["materials"][0]["name"] = json!(name);
        slope["collectors"][0]["name"] = json!(format!("{name} road"));
        let cubes = json!({
            "schema": 1, "kind": "bodies", "project": name,
            "materials": {name: {"friction": 0.5, "density_kg_m3": 2400}},
            "bodies": [{"name": name, "material": name, "shape": {"kind": "box", "edges_m": [1, 1, 1]}, "at_m": [0, 0, 0.5]}],
            "planes": [{"material": name, "normal": [0, 0, 1]}], "solver": {"step_s": 0.01}, "duration_s": 0.1
        });
        for (kind, scene) in [("slope", slope), ("cubes", cubes)] {
            let html = page(&scene.to_string());
            let title = format!("{kind}-{number}");
            let told = answer(
                &browser,
                work.path(),
                (&title, &html),
                MEASURE,
                (1280, 800),
                &[],
            );
            assert_eq!(told["wrong"], json!([]), "{title}");
            let found = ["ran", "drawn", "handlers"].map(|key| told[key].as_u64());
            assert_eq!(found, [Some(0); 3], "{title}: {name}");
            // The page's own two, the data of the view, and the two of this test.
            assert_eq!(told["scripts"], 5, "{title}: {name}");
            assert!(part(&told, "answer")[3] > 0.0, "{title}");
        }
    }
}
