//! The points as a drawing: logarithms on both axes, so that what grows with the executions is a line that rises
//! by one, and what does not grow is level.

use std::fmt::Write;

use super::{PEAK_MIB, Point, ROWS, Shape, power};

/// A panel's inside, and what is around it.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const GAP: f64 = 70.0;
/// For the names.
const RIGHT: f64 = 230.0;

const COLOURS: [&str; 8] =
    ["#0b6e99", "#c4501b", "#3a7d34", "#8b3a8f", "#b08900", "#444444", "#d1495b", "#2a9d8f"];

/// A figure of each point, by row.
struct Panel<'p> {
    title: &'static str,
    rows: Vec<(&'static str, Vec<(f64, f64)>)>,
    guides: Vec<Guide<'p>>,
}

/// What a line is to be like.
enum Guide<'p> {
    /// Rises by one with each power of ten.
    Rising,
    Level(f64, &'p str),
}

/// The drawing, and under it what it was made on.
pub fn draw(points: &[Point], about: &str) -> String {
    let of = |shape: Option<Shape>, figure: &dyn Fn(&Point) -> Option<f64>| {
        let rows = ROWS.iter().filter(|row| shape.is_none_or(|shape| row.1 == shape));
        let rows = rows.map(|(row, _)| {
            let own = points.iter().filter(|it| it.row == *row);
            (*row, own.filter_map(|it| Some((it.count as f64, figure(it)?))).collect::<Vec<_>>())
        });
        rows.filter(|it| !it.1.is_empty()).collect()
    };
    let panels = [
        Panel {
            title: "Seconds for all of so many executions (dashed: twice as many, twice as long)",
            rows: of(Some(Shape::Straight), &|it| Some(it.seconds)),
            guides: vec![Guide::Rising],
        },
        Panel {
            title: "Milliseconds for one call, with so many executions behind it",
            rows: of(Some(Shape::Flat), &|it| Some(it.seconds * 1e3)),
            guides: vec![],
        },
        Panel {
            title: "Peak memory, MiB",
            rows: of(None, &|it| Some(it.peak_bytes? as f64 / f64::from(1 << 20))),
            guides: vec![Guide::Level(PEAK_MIB, "64 MiB")],
        },
    ];
    let height = TOP + panels.len() as f64 * (HEIGHT + GAP) + 20.0;
    let width = LEFT + WIDTH + RIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (at, panel) in panels.iter().enumerate() {
        panel.draw(TOP + at as f64 * (HEIGHT + GAP), &mut svg);
    }
    text(&mut svg, (LEFT, height - 12.0), "start", "#666", about);
    svg + "</svg>\n"
}

impl Panel<'_> {
    fn draw(&self, top: f64, svg: &mut String) {
        text(svg, (LEFT, top - 12.0), "start", "#000", self.title);
        let all = || self.rows.iter().flat_map(|it| it.1.iter().copied());
        if all().next().is_none() {
            return text(svg, (LEFT, top + 20.0), "start", "#666", "not measured");
        }
        let decades = |of: fn(&(f64, f64)) -> f64, more: &[f64]| {
            let logs = all().map(|it| of(&it)).chain(more.iter().copied()).map(f64::log10);
            let (low, high) =
                logs.fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(it), high.max(it)));
            (low.floor(), high.ceil().max(low.floor() + 1.0))
        };
        let levels: Vec<f64> = self
            .guides
            .iter()
            .filter_map(|it| match it {
                Guide::Level(level, _) => Some(*level),
                Guide::Rising => None,
            })
            .collect();
        let ((left, right), (low, high)) = (decades(|it| it.0, &[]), decades(|it| it.1, &levels));
        let x = |value: f64| LEFT + (value.log10() - left) / (right - left) * WIDTH;
        let y = |value: f64| top + HEIGHT - (value.log10() - low) / (high - low) * HEIGHT;
        for exponent in left as i32..=right as i32 {
            let at = x(10_f64.powi(exponent));
            line(svg, (at, top), (at, top + HEIGHT), "#ddd", "");
            let name = power(10_u64.pow(exponent.max(0).unsigned_abs()));
            text(svg, (at, top + HEIGHT + 16.0), "middle", "#333", &name);
        }
        for exponent in low as i32..=high as i32 {
            let at = y(10_f64.powi(exponent));
            line(svg, (LEFT, at), (LEFT + WIDTH, at), "#ddd", "");
            let name = format!("{}", 10_f64.powi(exponent));
            text(svg, (LEFT - 8.0, at + 4.0), "end", "#333", &name);
        }
        for guide in &self.guides {
            match guide {
                Guide::Level(level, name) => {
                    line(svg, (LEFT, y(*level)), (LEFT + WIDTH, y(*level)), "#999", "6 4");
                    text(svg, (LEFT + 6.0, y(*level) - 4.0), "start", "#666", name);
                }
                Guide::Rising => {
                    // From the lower left corner as far as both axes go.
                    let decades = (right - left).min(high - low);
                    let from = (10_f64.powf(left), 10_f64.powf(low));
                    let to = (10_f64.powf(left + decades), 10_f64.powf(low + decades));
                    line(svg, (x(from.0), y(from.1)), (x(to.0), y(to.1)), "#999", "6 4");
                }
            }
        }
        self.draw_rows(top, &x, &y, svg);
    }

    fn draw_rows(
        &self,
        top: f64,
        x: &dyn Fn(f64) -> f64,
        y: &dyn Fn(f64) -> f64,
        svg: &mut String,
    ) {
        // Names stand beside the ends of their lines, and never on each other.
        let mut ends: Vec<(f64, usize)> = Vec::new();
        for (at, (_, points)) in self.rows.iter().enumerate() {
            let colour = colour(self.rows[at].0);
            let places: Vec<String> =
                points.iter().map(|it| format!("{:.1},{:.1}", x(it.0), y(it.1))).collect();
            // Writing into a string cannot fail.
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>",
                places.join(" ")
            );
            for it in points {
                // As above.
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                    x(it.0),
                    y(it.1)
                );
            }
            if let Some(last) = points.last() {
                ends.push((y(last.1), at));
            }
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut next = top;
        for (end, at) in ends {
            let end = end.max(next).min(top + HEIGHT + 12.0);
            next = end + 14.0;
            let (name, points) = &self.rows[at];
            let last = points.last().map_or(0.0, |it| it.1);
            let name = format!("{name}: {}", short(last));
            text(
                svg,
                (LEFT + WIDTH + 10.0, end + 4.0),
                "start",
                COLOURS[at % COLOURS.len()],
                &name,
            );
        }
    }
}

/// A row's own, wherever it is drawn.
fn colour(row: &str) -> &'static str {
    let shape = ROWS.iter().find(|it| it.0 == row).map(|it| it.1);
    let alike = ROWS.iter().filter(|it| Some(it.1) == shape);
    let at = alike.map(|it| it.0).position(|it| it == row).unwrap_or_default();
    COLOURS[at % COLOURS.len()]
}

/// Three digits.
fn short(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 1.0 => format!("{v:.1}"),
        v => format!("{v:.3}"),
    }
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, dashes: &str) {
    // Writing into a string cannot fail.
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
         stroke-dasharray=\"{dashes}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, colour: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Writing into a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>",
        at.0, at.1
    );
}
