//! Headers, answers and addresses.

use super::*;

#[test]
fn headers_are_decoded_and_answers_read() {
    assert_eq!(decoded("Bearer%20a%2Cb%zz%2"), b"Bearer a,b%zz%2");
    let told = br#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#;
    assert_eq!(of_json(told), (3, Some("too old".to_owned())));
    assert_eq!(of_json(b"{}"), (0, None));
    assert_eq!(of_json(b"\0"), (0, None));
    for (address, said) in [
        ("http://h:4318", Ok("http://h:4318/v1/traces")),
        ("http://h:4318/", Ok("http://h:4318/v1/traces")),
        ("https://h/otlp?key=secret#x", Ok("https://h/otlp")),
        ("http://me:secret@h:4318", Err("no name or password")),
        ("http://", Err("that is no address")),
    ] {
        let sender = Sender::of(address, Encoding::Json).map_err(|it| it.to_string());
        match (sender, said) {
            (Ok(sender), Ok(said)) => assert_eq!(sender.place(), said),
            (Err(told), Err(said)) => assert!(told.starts_with(said), "{told}"),
            (sender, _) => panic!("{address}: {:?}", sender.map(|it| it.place().to_owned())),
        }
    }
}
