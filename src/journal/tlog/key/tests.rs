//! Keys of every kind: what each signs it alone signed, and what is kept of it is read back.

use ed25519_dalek::{Signer, SigningKey};

use super::epochs::EpochsKey;
use super::locked::LockedKey;
use super::public::Algorithm;
use super::*;

const DAY: u64 = 86_400;

#[test]
fn a_key_of_an_epoch_signs_in_it_alone_and_the_one_before_is_gone() {
    let first = EpochsKey::of("me", 1_000 * DAY, DAY as u32, [7; 32]);
    let line = first.public().to_string();
    let public = PublicKey::parse(&line).unwrap();
    assert_eq!(public, first.public());
    let at = |day: u64| 1_000 * DAY + day * DAY + 5;
    let early = first.signature_at("text\n", at(0)).unwrap();
    assert_eq!(public.verify(b"text\n", &early), Signed::By { at_s: Some((at(0), DAY)) });
    assert_eq!(public.verify(b"another\n", &early), Signed::Not);
    // Days later, at once and day by day.
    let later = first.evolved(at(9)).unwrap();
    let stepped = (1..=9).fold(first.clone(), |key, day| key.evolved(at(day)).unwrap());
    assert_eq!(later.text(), stepped.text());
    assert_eq!(later.public(), public);
    let signed = later.signature_at("text\n", at(9)).unwrap();
    assert_eq!(public.verify(b"text\n", &signed), Signed::By { at_s: Some((at(9), DAY)) });
    // It never goes back, and does not sign for another day than its own.
    assert!(later.evolved(at(3)).is_none() && later.evolved(at(9)).is_none());
    assert!(later.signature_at("text\n", at(3)).is_err());
    assert!(later.signature_at("text\n", at(10)).is_err());
    // Whoever has today's key can neither date back nor take another's place in the tree.
    let mut dated = signed.clone();
    dated[4..12].copy_from_slice(&at(3).to_be_bytes());
    assert_eq!(public.verify(b"text\n", &dated), Signed::Not);
    let mut moved = signed.clone();
    moved[..4].copy_from_slice(&3_u32.to_be_bytes());
    assert_eq!(public.verify(b"text\n", &moved), Signed::Not);
    for at in [0, 4, 12, 44, 200, signed.len() - 1] {
        assert_eq!(public.verify(b"text\n", &signed[..at]), Signed::Not);
    }
    // A key that somebody kept, used when its epoch is over.
    let kept = EpochsKey::of("me", 1_000 * DAY, DAY as u32, [7; 32]);
    assert_eq!(public.verify(b"text\n", &kept.forged("text\n", at(9))), Signed::Expired);
    // Read back.
    let leaves = later.leaves.concat();
    let read = Key::parse(&Key::Epochs(later.clone()).text(), Some(leaves.clone())).unwrap();
    assert_eq!(read.text(), Key::Epochs(later.clone()).text());
    let mut wrong = leaves;
    wrong[40] ^= 1;
    let other = Key::parse(&Key::Epochs(later).text(), Some(wrong)).unwrap();
    assert_ne!(other.public(), public);
}

#[test]
fn a_passphrase_opens_its_key_and_no_other_does() {
    let key = SecretKey::generate("me");
    let public = key.public();
    let locked = Key::Locked(LockedKey::of(&key, b"correct horse").unwrap());
    let text = locked.text();
    let Some(Key::Locked(read)) = Key::parse(&text, None) else { panic!("{text}") };
    assert_eq!(read.unlock(b"correct horse").unwrap().public(), public);
    assert!(read.unlock(b"correct hors").is_err());
    assert!(Key::Locked(read).alone().is_none());
    // What a file asks for is bounded.
    let hungry = text.replace("argon2id 65536", "argon2id 4000000000");
    assert!(hungry != text && Key::parse(&hungry, None).is_none());
}

#[test]
fn a_witness_signs_a_time_as_well() {
    let secret = SigningKey::from_bytes(&[3; 32]);
    let witness = PublicKey::new("w.example", Algorithm::Cosigner(secret.verifying_key()));
    let parsed = PublicKey::parse(&witness.to_string()).unwrap();
    assert!(parsed == witness && parsed.is_cosigner());
    let text = "origin\n3\nroot\n";
    let signed = secret.sign(format!("cosignature/v1\ntime 1679315147\n{text}").as_bytes());
    let bytes = [1_679_315_147_u64.to_be_bytes().as_slice(), &signed.to_bytes()].concat();
    assert_eq!(
        witness.verify(text.as_bytes(), &bytes),
        Signed::By { at_s: Some((1_679_315_147, 0)) }
    );
    assert_eq!(witness.verify(b"other\n", &bytes), Signed::Not);
    assert_eq!(witness.verify(text.as_bytes(), &signed.to_bytes()), Signed::Not);
}
