//! Pages in a real browser: they open from a disk without a network and without an error, the view in space draws and
//! moves, and they print on A4. Without Chromium there is nothing to ask; where `KLAST_BROWSER=required` its absence is
//! a failure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use klast_report::{Page, introduce, report};
use klast_runs::files::Memory;
use klast_scenes::Scene;
use serde_json::Value;

pub(crate) fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let found = folders
        .iter()
        .flat_map(|f| names.map(|n| f.join(n)))
        .find(|p| p.is_file());
    let required = std::env::var("KLAST_BROWSER").is_ok_and(|v| v == "required");
    assert!(
        found.is_some() || !required,
        "no Chromium on the PATH, and KLAST_BROWSER=required"
    );
    if found.is_none() {
        eprintln!("skipped: 1 test, no Chromium on the PATH");
    }
    found
}

/// Before everything: what goes wrong is kept.
const LISTEN: &str = "<script>window.wrong = [];
window.addEventListener('error', (e) => wrong.push(String(e.message)));
const old = console.error; console.error = (...a) => { wrong.push(a.join(' ')); old(...a); };</script>";

/// After everything: what the canvas shows at the start, after the slider has moved, and after a turn of the view.
const ASK: &str = "<script>window.addEventListener('load', () => setTimeout(() => {
  const look = (canvas) => {
    const copy = document.createElement('canvas');
    copy.width = 160; copy.height = 100;
    const g = copy.getContext('2d', { willReadFrequently: true });
    g.drawImage(canvas, 0, 0, 160, 100);
    return Array.from(g.getImageData(0, 0, 160, 100).data);
  };
  const colours = (pixels) => {
    const seen = new Set();
    for (let k = 0; k < pixels.length; k += 4) seen.add(pixels[k] * 65536 + pixels[k + 1] * 256 + pixels[k + 2]);
    return seen.size;
  };
  const apart = (a, b) => a.filter((v, k) => Math.abs(v - b[k]) > 8).length;
  const told = { views: [], charts: document.querySelectorAll('svg.chart').length };
  for (const figure of document.querySelectorAll('figure.scene')) {
    const canvas = figure.querySelector('canvas.space'), slider = figure.querySelector('input[type=range]');
    const before = look(canvas);
    if (slider) { slider.value = slider.max / 2; slider.dispatchEvent(new Event('input')); }
    const after = look(canvas);
    const at = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, bubbles: true }));
    try { at('pointerdown', 100, 100); } catch (e) { /* a pointer that is not real cannot be captured */ }
    at('pointermove', 180, 120); at('pointerup', 180, 120);
    const counted = (is) => before.filter((_, k) => k % 4 === 0 && is(before[k], before[k + 1], before[k + 2])).length;
    told.views.push({ red: counted((r, g, b) => r > 120 && g < 60 && b < 60), blue: counted((r, g, b) => b > 120 && g < 60 && r < 60), colours: colours(before), moved: apart(before, after), turned: apart(after, look(canvas)),
      slider: Boolean(slider), frames: Number(figure.querySelector('.stage').dataset.frames) });
  }
  const chart = document.querySelector('svg.chart');
  if (chart) {
    const r = chart.getBoundingClientRect(), [l, t, w, h] = chart.dataset.area.split(' ').map(Number);
    const at = { clientX: r.left + l + w / 2, clientY: r.top + t + h / 2, bubbles: true };
    chart.dispatchEvent(new PointerEvent('pointermove', at));
    told.readout = chart.closest('.paper').querySelector('.readout').textContent;
    chart.dispatchEvent(new MouseEvent('dblclick', at));
    told.zoomed = Boolean(chart.querySelector('g.zoomed'));
  }
  told.wide = document.documentElement.scrollWidth <= window.innerWidth;
  told.wrong = window.wrong;
  const answer = document.createElement('pre');
  answer.id = 'told';
  answer.textContent = JSON.stringify(told);
  document.body.append(answer);
}, 200));</script>";

/// The page of a scene.
pub(crate) fn page(scene: &str) -> String {
    page_with(scene, BTreeMap::new())
}

/// The page of a scene with files at hand.
pub(crate) fn page_with(scene: &str, files: BTreeMap<String, Vec<u8>>) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (scene, _) = Scene::parse(scene, examples).unwrap();
    let scene = scene.with_files(files);
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let (mut page, mut files) = (Page::new("a page"), Memory::default());
    introduce(&scene, &mut page);
    report(&outcome, &mut page, &mut files).unwrap();
    page.html()
}

pub(crate) fn headless(browser: &Path) -> Command {
    let mut command = Command::new(browser);
    command.args([
        "--headless=new",
        "--no-sandbox",
        "--enable-unsafe-swiftshader",
        "--use-angle=swiftshader",
        "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--virtual-time-budget=3000",
    ]);
    command
}

/// What the browser answers on a page in a window of a width.
fn asked(browser: &Path, folder: &Path, name: &str, html: &str, width: u32) -> Value {
    answer(browser, folder, (name, html), ASK, (width, 900), &[])
}

/// What the browser answers to a script at the end of a page, in a window of a size.
pub(crate) fn answer(
    browser: &Path,
    folder: &Path,
    (name, html): (&str, &str),
    script: &str,
    (width, height): (u32, u32),
    flags: &[&str],
) -> Value {
    let file = folder.join(format!("{name}-{width}.html"));
    let html = html.replacen("<head>", &format!("<head>{LISTEN}"), 1);
    let html = html.replacen("</body>", &format!("{script}</body>"), 1);
    std::fs::write(&file, html).unwrap();
    let output = headless(browser)
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("--window-size={width},{height}"))
        .args(flags)
        .args(["--dump-dom", &format!("file://{}", file.display())])
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let told = dom
        .split("<pre id=\"told\">")
        .nth(1)
        .and_then(|t| t.split("</pre>").next());
    let told = told.unwrap_or_else(|| {
        panic!(
            "{name}: no answer: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    serde_json::from_str(
        &told
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&"),
    )
    .unwrap()
}

#[test]
fn views_draw_and_move_without_a_network_and_without_an_error() {
    let Some(browser) = chromium() else { return };
    let work = tempfile::tempdir().unwrap();
    let example = |name: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(name);
        std::fs::read_to_string(file).unwrap()
    };
    let falling = r#"{"schema": 1, "kind": "bodies", "materials": {"stone": {"friction": 0.5, "density_kg_m3": 2400}},
        "bodies": [{"name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]}, "at_m": [0, 0, 2]}],
        "planes": [{"material": "stone", "normal": [0, 0, 1]}], "solver": {"step_s": 0.01}, "duration_s": 1}"#;
    let pages = [
        (
            "rockfall",
            page(&example("rockfall.json").replace("\"rocks\": 300", "\"rocks\": 40")),
            1200,
        ),
        ("bodies", page(falling), 1200),
        ("rocking", page(&example("rocking.json")), 400),
        ("stack", page(&example("stack.json")), 2000),
        (
            "assembly",
            page(&example("assembly.json").replace("\"duration_s\": 4.0", "\"duration_s\": 1.0")),
            1200,
        ),
    ];
    for (name, html, width) in pages {
        let told = asked(&browser, work.path(), name, &html, width);
        assert_eq!(told["wrong"], Value::Array(Vec::new()), "{name}: {told}");
        let view = &told["views"][0];
        assert!(
            view["colours"].as_u64().unwrap() > 8,
            "{name}: an empty canvas: {told}"
        );
        assert_eq!(view["slider"], true, "{name}: {told}");
        assert!(
            view["moved"].as_u64().unwrap() > 4,
            "{name}: the slider moves nothing: {told}"
        );
        assert!(
            view["turned"].as_u64().unwrap() > 50,
            "{name}: the view does not turn: {told}"
        );
        assert!(told["charts"].as_u64().unwrap() > 0, "{name}: {told}");
        assert!(
            told["readout"].as_str().is_some_and(|r| r.contains(',')),
            "{name}: {told}"
        );
        assert_eq!(told["zoomed"], true, "{name}: {told}");
        assert_eq!(
            told["wide"], true,
            "{name}: the page is wider than a window of {width} px: {told}"
        );
    }
}

/// Blue in the north and red in the south: both lie over the ground.
#[test]
fn a_picture_lies_over_the_ground() {
    let Some(browser) = chromium() else { return };
    let work = tempfile::tempdir().unwrap();
    let picture: Vec<u8> = [
        &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0\x12\x16\xf1\x4d"[..],
        b"\0\0\0\x11IDATx\xdac\x10\x11\xf9\x05A\x0c\xbf`L\0D\x0c\x06\xcd\xa2A&\x1a",
        b"\0\0\0\0IEND\xaeB`\x82",
    ]
    .concat();
    let files = BTreeMap::from([
        ("photo.png".to_owned(), picture),
        (
            "photo.pgw".to_owned(),
            b"100\n0\n0\n-100\n2600050\n1200150\n".to_vec(),
        ),
    ]);
    let scene = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rockfall.json"),
    );
    let scene = scene.unwrap().replace("\"rocks\": 300", "\"rocks\": 20");
    let with = scene.replacen('{', "{\"orthophoto\": \"photo.png\",", 1);
    for (name, html, over) in [
        ("with", page_with(&with, files), true),
        ("without", page(&scene), false),
    ] {
        let told = asked(&browser, work.path(), name, &html, 1200);
        assert_eq!(told["wrong"], Value::Array(Vec::new()), "{name}: {told}");
        let view = &told["views"][0];
        // Of 16,000 points of the canvas the ground fills some thousands.
        let enough = ["red", "blue"].map(|c| view[c].as_u64().unwrap() > 300);
        assert_eq!(enough, [over; 2], "{name}: {told}");
    }
}

/// The boxes of the pages that a page is printed on.
pub(crate) fn printed(browser: &Path, folder: &Path, html: &str) -> Vec<String> {
    let file = folder.join("page.html");
    std::fs::write(&file, html).unwrap();
    let pdf = folder.join("page.pdf");
    let done = headless(browser)
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let bytes =
        std::fs::read(&pdf).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    let text = String::from_utf8_lossy(&bytes);
    let boxes = text.split("/MediaBox").skip(1);
    boxes
        .map(|b| b.split(']').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_page_prints_on_a4() {
    let Some(browser) = chromium() else { return };
    let work = tempfile::tempdir().unwrap();
    let text = r#"{"schema": 1, "kind": "rocking", "project": "Museum, hall 3", "duration_s": 2, "tilt_rad": 0.1,
        "block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}}"#;
    let boxes = printed(&browser, work.path(), &page(text));
    assert!((2..12).contains(&boxes.len()), "{} pages", boxes.len());
    for of_page in boxes {
        let numbers: Vec<f64> = of_page
            .split(|c: char| c.is_whitespace() || c == '[')
            .filter_map(|n| n.parse().ok())
            .collect();
        // 210 mm by 297 mm in points of 1/72 inch.
        assert!(
            (numbers[2] - 595.3).abs() < 2.0 && (numbers[3] - 841.9).abs() < 2.0,
            "{numbers:?}"
        );
    }
}
