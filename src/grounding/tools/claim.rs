//! A claim of success, judged and recorded.

use super::{ToolError, ToolLayer};
use crate::grounding::gate::{Cited, Claim, judge_claim, refusal_alone};

impl ToolLayer<'_> {
    /// Holds a claim against what the journal has of the session, and records what became of it.
    ///
    /// # Errors
    /// Where the journal cannot be read or written.
    pub fn claim(&self, text: &str) -> Result<Claim, ToolError> {
        let grounding = self.grounding()?;
        let cited = Cited::new(self.project());
        let claim = judge_claim(&grounding, text, |citation| cited.find(citation))?;
        let refusal = claim.refusal.iter();
        let refused = refusal.map(|refusal| refusal_alone(refusal, self.mode(), None, None));
        let bodies = [claim.body()].into_iter().chain(refused).collect();
        self.record(bodies).map_err(|source| ToolError::Record { source })?;
        Ok(claim)
    }
}
