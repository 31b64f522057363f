//! Directions, rankings, and what a command may answer.

use std::path::PathBuf;
use std::time::Duration;

use super::{CommandVectors, cosine, direction, fused};

#[test]
fn only_the_direction_of_a_vector_counts() {
    assert_eq!(direction(&[0.5, -1.0, 0.0]), Some(vec![64, 0x81, 0]));
    assert_eq!(direction(&[50.0, -100.0, 0.0]), direction(&[0.5, -1.0, 0.0]));
    for none in [&[][..], &[0.0, 0.0], &[f32::INFINITY, 1.0]] {
        assert_eq!(direction(none), None, "{none:?}");
    }
    let of = |vector: &[f32]| direction(vector).unwrap();
    let alike = |a: &[f32], b: &[f32]| cosine(&of(a), &of(b));
    assert!((alike(&[1.0, 0.0], &[3.0, 0.0]) - 1.0).abs() < 1e-9);
    assert!(alike(&[1.0, 0.0], &[0.0, 2.0]).abs() < 1e-9);
    assert!((alike(&[1.0, 1.0], &[-1.0, -1.0]) + 1.0).abs() < 1e-9);
    // Within what a byte a component loses.
    assert!((alike(&[0.3, 0.8, 0.1], &[0.7, 0.2, 0.4]) - 0.571).abs() < 0.01);
    assert!(alike(&[1.0], &[1.0, 1.0]).abs() < 1e-9);
}

#[test]
fn rankings_are_fused_by_their_ranks() {
    for (rankings, expect) in [
        (&[vec![1, 2, 3], vec![]][..], vec![1, 2, 3]),
        (&[vec![1, 2, 3], vec![3, 1]], vec![1, 3, 2]),
        (&[vec![1], vec![2]], vec![2, 1]),
        (&[vec![1, 2], vec![9, 2]], vec![2, 9, 1]),
    ] {
        assert_eq!(fused(rankings), expect, "{rankings:?}");
    }
}

#[test]
fn an_answer_is_read_or_says_what_is_wrong_with_it() {
    let command = CommandVectors::new("x", PathBuf::new(), Duration::ZERO);
    let one = "{\"vector\":[1,2],\"model\":\"m\"}\n";
    let made = command.answer(format!("{one}\n{one}").as_bytes(), 2).unwrap();
    assert_eq!((made.model.as_str(), made.vectors), ("m", vec![vec![64, 127]; 2]));
    let many = format!("{{\"vector\":[{}1]}}", "1,".repeat(4_096));
    for (printed, says) in [
        ("", "line 0: there are 0 lines for 2 texts"),
        (one, "line 1: there are 1 lines for 2 texts"),
        ("loading\n", "line 1: it is none: "),
        ("\n[1,2]\n", "line 2: it is none: "),
        ("{\"vector\":[]}", "line 1: its vector has 0 numbers, not 1 to 4096"),
        (&many, "line 1: its vector has 4097 numbers"),
        ("{\"vector\":[0,0]}", "line 1: its vector is all zeros"),
        ("{\"vector\":[1e39]}", "line 1: "),
        ("{\"vector\":[1]}\n{\"vector\":[1,2]}", "line 2: its vector has 2 numbers, the first 1"),
        (
            "{\"vector\":[1]}\n{\"vector\":[1],\"model\":\"n\"}",
            "line 2: its model is \"n\", the first's \"\"",
        ),
    ] {
        let error = command.answer(printed.as_bytes(), 2).unwrap_err().to_string();
        assert!(error.contains(says), "{printed:.80}: {error}");
        assert!(error.contains("it must print one line {\"vector\": [numbers]}"), "{error}");
    }
}
