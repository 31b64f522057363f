//! What makes two diagnostics the same one (ruling 9).

use super::Diagnostic;

impl Diagnostic {
    /// Its code; where it has none, its level: what it is asked for by.
    pub fn label(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.level)
    }

    /// blake3 of (code or null, level, file, line, message), each with its length before it.
    pub fn identity(&self) -> [u8; 32] {
        let mut hash = blake3::Hasher::new();
        let line = self.line_start.map(|line| line.to_string());
        let fields = [
            self.code.as_deref(),
            Some(self.level.as_str()),
            self.file_name.as_deref(),
            line.as_deref(),
            Some(self.message.as_str()),
        ];
        for field in fields {
            let length = field.map_or(u64::MAX, |text| text.len() as u64);
            hash.update(&length.to_le_bytes()).update(field.unwrap_or_default().as_bytes());
        }
        *hash.finalize().as_bytes()
    }

    /// `error[E0425] src/lib.rs:3: cannot find value`.
    pub fn line(&self) -> String {
        let mut line = self.level.clone();
        if let Some(code) = &self.code {
            line.push_str(&format!("[{code}]"));
        }
        if let Some(file) = &self.file_name {
            line.push_str(&format!(" {file}"));
            if let Some(at) = self.line_start {
                line.push_str(&format!(":{at}"));
            }
        }
        if !self.message.is_empty() {
            line.push_str(&format!(": {}", self.message));
        }
        line
    }
}
