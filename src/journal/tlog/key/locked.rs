//! A key behind a passphrase: its seed and as many bytes that argon2id makes of that, the one added to the other.
//! Which salt is used once. The public key beside it says whether a passphrase was the right one.

use argon2::{Algorithm as Variant, Argon2, Params, Version};
use data_encoding::BASE64;
use ed25519_dalek::SigningKey;

use super::public::PublicKey;
use super::secret::SecretKey;
use super::{Sign, TlogError};
use crate::journal::id;

const SALT_BYTES: usize = 16;
/// RFC 9106's second choice of parameters, for little memory: KiB, passes, lanes.
const COST: (u32, u32, u32) = (64 << 10, 3, 4);
/// More than this no file of a key makes this program use.
const COST_MAX: (u32, u32, u32) = (1 << 20, 64, 16);

pub struct LockedKey {
    pub public: PublicKey,
    salt: [u8; SALT_BYTES],
    cost: (u32, u32, u32),
    sealed: [u8; 32],
}

impl LockedKey {
    pub fn of(key: &SecretKey, passphrase: &[u8]) -> Result<Self, TlogError> {
        let mut salt = [0; SALT_BYTES];
        salt.copy_from_slice(&id::entropy()[..SALT_BYTES]);
        let mut sealed = stretched(passphrase, &salt, COST)?;
        sealed.iter_mut().zip(key.key.as_bytes()).for_each(|(it, seed)| *it ^= seed);
        Ok(Self { public: key.public(), salt, cost: COST, sealed })
    }

    pub fn unlock(&self, passphrase: &[u8]) -> Result<SecretKey, TlogError> {
        let mut seed = stretched(passphrase, &self.salt, self.cost)?;
        seed.iter_mut().zip(self.sealed).for_each(|(it, sealed)| *it ^= sealed);
        let (name, key) = (self.public.name().to_owned(), SigningKey::from_bytes(&seed));
        let key = SecretKey { name, key };
        match key.public() == self.public {
            true => Ok(key),
            false => {
                Err(TlogError::Refused { what: "this is not the key's passphrase".to_owned() })
            }
        }
    }

    /// `argon2id MEMORY PASSES LANES SALT SEALED`, and the line of the public key behind it.
    pub(super) fn parse(value: &str, public: &str) -> Option<Self> {
        let words: Vec<_> = value.split(' ').collect();
        let ["argon2id", memory, passes, lanes, salt, sealed] = words[..] else { return None };
        let number = |text: &str| text.parse::<u32>().ok(); // no key of ours
        let cost = (number(memory)?, number(passes)?, number(lanes)?);
        let bytes = |text: &str| BASE64.decode(text.as_bytes()).ok(); // as above
        let (salt, sealed) = (bytes(salt)?.try_into().ok()?, bytes(sealed)?.try_into().ok()?); // as above
        let is_bounded = cost.0 <= COST_MAX.0 && cost.1 <= COST_MAX.1 && cost.2 <= COST_MAX.2;
        let public = PublicKey::parse(public.strip_prefix("public ")?)?;
        is_bounded.then_some(Self { public, salt, cost, sealed })
    }

    pub(super) fn text(&self) -> String {
        let ((memory, passes, lanes), salt) = (self.cost, BASE64.encode(&self.salt));
        format!("argon2id {memory} {passes} {lanes} {salt} {}", BASE64.encode(&self.sealed))
    }
}

fn stretched(passphrase: &[u8], salt: &[u8], cost: (u32, u32, u32)) -> Result<[u8; 32], TlogError> {
    let refused = |error: argon2::Error| TlogError::Refused { what: error.to_string() };
    let params = Params::new(cost.0, cost.1, cost.2, Some(32)).map_err(refused)?;
    let mut made = [0; 32];
    let argon2 = Argon2::new(Variant::Argon2id, Version::V0x13, params);
    argon2.hash_password_into(passphrase, salt, &mut made).map_err(refused)?;
    Ok(made)
}
