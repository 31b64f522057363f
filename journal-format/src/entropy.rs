//! Salts and nonces, grown from a seed that the caller gives.

/// An endless run of random bytes: blake3 as an extendable output over the seed, so that no
/// append asks the system and a simulated disk sees the same bytes at every run.
pub struct Entropy {
    output: blake3::OutputReader,
    block: [u8; BLOCK_BYTES],
    used: usize,
}

const BLOCK_BYTES: usize = 4096;
const CONTEXT: &str = "annals journal salts v1";

impl Entropy {
    /// Two seeds that differ in any bit give unrelated bytes; one seed must never serve two
    /// writers outside a simulation.
    pub fn new(seed: &[u8; 32]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        hasher.update(seed);
        Self { output: hasher.finalize_xof(), block: [0; BLOCK_BYTES], used: BLOCK_BYTES }
    }

    /// The next sixteen bytes.
    pub fn take(&mut self) -> [u8; 16] {
        if self.used == BLOCK_BYTES {
            self.output.fill(&mut self.block);
            self.used = 0;
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.block[self.used..self.used + 16]);
        self.used += 16;
        bytes
    }
}

impl std::fmt::Debug for Entropy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not a byte of it: salts that are still to come guard redacted payloads.
        f.write_str("Entropy")
    }
}
