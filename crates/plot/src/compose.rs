/// Several SVG pictures below one another in one picture, `columns` side by side.
///
/// Pictures are what this crate's charts return; a text without a width and a height in its first
/// tag takes no room.
#[must_use]
pub fn stack(pictures: &[String], columns: usize) -> String {
    let columns = columns.max(1);
    let (mut body, mut width, mut top) = (String::new(), 0, 0);
    for row in pictures.chunks(columns) {
        let (mut left, mut height) = (0, 0);
        for picture in row {
            let (w, h) = size(picture);
            body.push_str(&format!(
                "<g transform=\"translate({left},{top})\">{picture}</g>\n"
            ));
            left += w;
            height = height.max(h);
        }
        width = width.max(left);
        top += height;
    }
    format!(
        "<svg width=\"{width}\" height=\"{top}\" viewBox=\"0 0 {width} {top}\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <rect width=\"{width}\" height=\"{top}\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

/// Width and height in the first tag of a picture (px); 0 where it states none.
#[must_use]
pub fn size(svg: &str) -> (u32, u32) {
    (attribute(svg, "width"), attribute(svg, "height"))
}

/// A number such as `width="720"` of the first tag.
fn attribute(svg: &str, name: &str) -> u32 {
    svg.split_once('>')
        .and_then(|(tag, _)| tag.split_once(&format!("{name}=\"")))
        .and_then(|(_, rest)| rest.split_once('"'))
        .and_then(|(value, _)| value.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_below_one_another() {
        let one = "<svg width=\"30\" height=\"20\" x=\"0\"></svg>".to_owned();
        let both = stack(&[one.clone(), one.clone(), one], 2);
        assert!(both.starts_with("<svg width=\"60\" height=\"40\""));
        assert!(both.contains("translate(30,0)") && both.contains("translate(0,20)"));
    }
}
