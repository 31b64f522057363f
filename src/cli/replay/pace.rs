//! Pauses between steps, as the recorded times say.

use std::time::Duration;

/// No pause is longer, whatever the speed: a night between two prompts is none.
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// Pauses between steps.
#[derive(Debug)]
pub struct Pace {
    speed: f64,
    last_ms: Option<u64>,
}

impl Pace {
    /// At this many times the recorded speed.
    pub fn new(speed: f64) -> Self {
        Self { speed, last_ms: None }
    }

    /// How long to wait before a step of that time.
    pub fn before(&mut self, at_ms: Option<u64>) -> Duration {
        let Some(at_ms) = at_ms else { return Duration::ZERO };
        let since = self.last_ms.map_or(0, |last_ms| at_ms.saturating_sub(last_ms));
        self.last_ms = Some(at_ms);
        let wait = Duration::from_millis(since).as_secs_f64() / self.speed;
        Duration::try_from_secs_f64(wait).map_or(PAUSE_MAX, |wait| wait.min(PAUSE_MAX))
    }
}

/// Reads `--speed`: a number above 0.
pub fn speed(text: &str) -> Result<f64, String> {
    match text.trim_end_matches(['x', '×']).parse::<f64>() {
        Ok(speed) if speed > 0.0 && speed.is_finite() => Ok(speed),
        _ => Err("give a number above 0: 1 as recorded, 10 ten times as fast".to_owned()),
    }
}
