//! What growth is judged by, what is kept of a run that was stopped, and what is drawn.

use super::fit::{growth, slope};
use super::plot;
use super::points::{Point, Points};

fn points(row: &str, seconds: &[f64]) -> Vec<Point> {
    let counts = (4..).map(|exponent| 10_u64.pow(exponent));
    counts.zip(seconds).map(|(count, seconds)| Point::new(row, count, *seconds, 1)).collect()
}

#[test]
fn growth_is_told_from_none() {
    for (seconds, exponent, grown) in [
        (&[0.1, 1.0, 10.0][..], 1.0, 100.0),
        (&[1.0, 1.0, 1.0], 0.0, 1.0),
        (&[1.0, 10.0, 1_000.0], 1.5, 1_000.0),
        // What falls did not grow, and what rises after it did.
        (&[2.0, 1.0], -0.301, 1.0),
        (&[2.0, 1.0, 1.2], -0.110, 1.2),
    ] {
        let points = points("replay", seconds);
        let points: Vec<&Point> = points.iter().collect();
        assert!((slope(&points) - exponent).abs() < 1e-3, "{seconds:?}: {}", slope(&points));
        assert!((growth(&points) - grown).abs() < 1e-9, "{seconds:?}: {}", growth(&points));
    }
    // As a part of its floor.
    let mut points = points("hook", &[1.0, 3.0]);
    points[0].floor_seconds = Some(0.5);
    points[1].floor_seconds = Some(1.5);
    assert_eq!(growth(&points.iter().collect::<Vec<_>>()), 1.0);
}

#[test]
fn a_run_that_was_killed_goes_on_and_points_of_another_program_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.jsonl");
    let mut kept = Points::open(&path).unwrap();
    for point in points("replay", &[1.0, 2.0]) {
        kept.add(point).unwrap();
    }
    let mut text = std::fs::read_to_string(&path).unwrap();
    let other = text.lines().find(|it| it.contains("10000,")).unwrap().replace("replay", "import");
    let (before, build) = other.split_once("\"build\":\"").unwrap();
    text += &format!("{before}\"build\":\"of another{build}\n{}", &other[..20]);
    std::fs::write(&path, text).unwrap();
    let mut kept = Points::open(&path).unwrap();
    assert!(kept.has("replay", 10_000) && kept.has("replay", 100_000));
    assert!(!kept.has("import", 10_000));
    kept.add(points("import", &[1.0]).remove(0)).unwrap();
    assert!(Points::open(&path).unwrap().has("import", 10_000));
    assert_eq!(Points::open(&path).unwrap().into_all().len(), 3);
}

#[test]
fn every_row_that_was_measured_is_drawn_and_none_measured_is_no_fault() {
    let mut all = points("replay", &[0.01, 0.1, 1.0]);
    all.extend(points("hook", &[0.004, 0.004]));
    all[2].peak_bytes = Some(40 << 20);
    let drawing = plot::draw(&all, "a machine & <its> disk");
    assert_eq!(drawing.matches("<polyline").count(), 3);
    assert_eq!(drawing.matches("<circle").count(), 6);
    for text in ["replay: 1.0", "hook: 4.0", "10^6", "a machine &amp; &lt;its&gt; disk"] {
        assert!(drawing.contains(text), "{text}");
    }
    assert!(!drawing.contains("NaN") && !drawing.contains("inf"));
    assert!(plot::draw(&[], "").contains("not measured"));
}
