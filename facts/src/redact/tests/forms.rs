//! Ways to write a secret down, and what is written the same way and is none.

use super::{WORD, random, redactor};

/// What a person made up, what a generator drew, a key of a web framework.
const MADE: &str = "Velvet$meadow(4711)&aZ3";
const DRAWN: &str = "k9$x(#2m!q&7Z^p@w%t4u)c8";

#[test]
fn a_secret_goes_whole_however_it_is_assigned() {
    let redactor = redactor();
    let long = random(WORD, 24);
    for (before, secret, after) in [
        ("SECRET_KEY = 'django-insecure-", "", "'\n"),
        ("SECRET_KEY = os.environ.get('SECRET_KEY', '", DRAWN, "')"),
        ("SECRET_KEY = env('SECRET_KEY', default='", DRAWN, "')"),
        ("define( 'AUTH_KEY',         '", "q $m|Y)7/zN=hF4!kL@x9{W}c;3T-b_Ue(8*G", "' );"),
        ("define ( 'NONCE_SALT' , '", DRAWN, "' ) ;"),
        ("DB_PASSWORD=", MADE, "\nPORT=1\n"),
        ("db_password: ", MADE, "\n"),
        ("jdbc:x?password=", "k9$x#2m!q", "&user=app"),
        ("Server=x;Password=", "k9$x#2m!q", ";Encrypt=True"),
        ("f(password=", "k9$x#2m!q", ", user=x)"),
        ("{password: ", "k9$x#2m!q", "}"),
        ("password = \"", "p@ss(word)1", "\""),
        ("api_key ::= \"", &long, "\""),
        ("$secret .= '", &long, "';"),
        ("token ||= '", &long, "'"),
        ("token <- \"", &long, "\""),
        ("var apiToken string = \"", &long, "\""),
        ("const KEY_PASSWORD: &'static str = \"", MADE, "\";"),
        ("password: Final[str] = '", MADE, "'"),
        ("char password[32] = \"", MADE, "\";"),
        ("DECLARE @password VARCHAR(64) = N'", MADE, "';"),
        ("<password>\n    ", "hunter2xy", "\n  </password>"),
        ("<password>\\n  ", "hunter2xy", "\\n</password>"),
        ("<password encrypted=\"false\">", MADE, "</password>"),
        ("<password><![CDATA[", MADE, "]]></password>"),
        ("<key>api_key</key>\n  <string>", &long, "</string>"),
        ("<property name=\"password\">\n  <value>", "hunter2xy", "</value>"),
        ("user.setPassword(\"", MADE, "\");"),
        ("Password of root is ", MADE, ".\n"),
        ("the password for db is '", MADE, "'"),
        ("the API key is ", &long, ".\n"),
        ("log in with the password `", MADE, "`"),
    ] {
        let secret = if secret.is_empty() { DRAWN } else { secret };
        let clean = redactor.redact_text(&format!("{before}{secret}{after}"));
        let rule = ["assignment", "environment"].map(|rule| {
            format!("{before}[REDACTED:{rule}]{after}").replace("django-insecure-", "")
        });
        assert!(rule.contains(&clean), "{before}{secret}{after} became {clean}");
    }
}

#[test]
fn what_no_name_calls_a_secret_is_told_by_its_place() {
    let redactor = redactor();
    let coded = "VmVsdmV0JG1lYWRvdzQ3MTE=";
    let wide = |text: &str, low: bool| -> String {
        text.chars().flat_map(|c| if low { [c, '\0'] } else { ['\0', c] }).collect()
    };
    let token = format!("ghp_{}", random(WORD, 36));
    let hex: String = format!("token={token}").bytes().map(|byte| format!("{byte:02x}")).collect();
    let escaped: String = token.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    let (little, big) = (wide(&token, true), wide(&token, false));
    for (before, secret, after, rule) in [
        ("login('admin', '", MADE, "')", "login"),
        ("conn = mysqli_connect(\"h\", \"root\", \"", MADE, "\", \"db\");", "login"),
        ("auth=(\\\"u\\\", \\\"", "hunter2xy", "\\\")", "login"),
        ("CREATE USER a IDENTIFIED BY '", MADE, "';", "login"),
        ("alter user a identified with x by \"", "hunter2xy", "\"", "login"),
        ("ALTER USER scott IDENTIFIED BY ", "tiger123", ";", "login"),
        ("kind: Secret\ndata:\n  user: YWRtaW4=\n  a.b: ", coded, "\n---\n", "kubernetes-secret"),
        ("stringData:\n  a: \"", "hunter2xy", "\"\nkind: Secret\n", "kubernetes-secret"),
        ("{\"data\":{\"a\":\"", coded, "\"},\"kind\":\"Secret\"}", "kubernetes-secret"),
        ("kind: Secret\\ndata:\\n  a: ", coded, "\\nkind: Pod", "kubernetes-secret"),
        ("kind: Secret\nstringData:\n  a: |\n    ", "hunter2xy", "\n", "kubernetes-secret"),
        ("mysql://root:", "k$9x(2)m", "@h/x", "url-credentials"),
        ("postgres://u:", "p@ss!w0rd#1", "@h:5432/x", "url-credentials"),
        ("key_", &token, " b", "github-token"),
        ("tokenis", &token, " b", "github-token"),
        ("echo ", &hex, " | xxd -r -p", "github-token"),
        ("0x", &hex, " ", "github-token"),
        ("a ", &little, "\n", "github-token"),
        ("a\0 \0\0", &big, "\n", "github-token"),
        ("\"", &escaped, "\"", "github-token"),
    ] {
        let text = format!("{before}{secret}{after}");
        let clean = redactor.redact_text(&text);
        // The `0x` goes with its digits, the zero of a space with what follows it.
        let expect = format!("{before}[REDACTED:{rule}]{after}");
        let expect = expect.replace("0x[", "[").replace("\0\0[", "\0[");
        assert!(
            clean == expect || clean.replace('\0', "") == expect.replace('\0', ""),
            "{clean:?}"
        );
        assert_eq!(redactor.redact_text(&clean), clean, "twice is once");
    }
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    let redactor = redactor();
    let png = format!("iVBORw0KGgoAAAANSUhEUgAA{}", random(WORD, 60));
    let image = format!("\"secret_image\": \"{png}\"");
    for text in [
        "INFO model_session_id=test-session-1767707352 path=/a",
        "session_id=3f2a9c1d4e5b60718293a4b5c6d7e8f9 turn=4",
        "Session state: SessionID=2026-01-22-test-session-1, x",
        "env = append(env, \"GITHUB_TOKEN=\"+token)",
        "\"API_KEY=\" + v + \" x\"",
        "\"PASSWORD=\" . $password . \"\"",
        "POSTHOG_API_KEY=phc_test_key cargo run",
        "API_KEY=STRIPE-KEY-REMOVED",
        "password = \"my-secret-key\"",
        "login('admin', 'wrong-password')",
        "login(user.name, user.password1)",
        "password: {{ .Values.password }}",
        "password: ${DB_PASSWORD:-x2}",
        "password = \"$(cat /run/secret2)\"",
        "password = \"%(password)s\"",
        "let password = format!(\"{}{}\", a, b1);",
        "\"pattern\": \"password=[A-Za-z0-9]{8,}\"",
        "sed 's/password=.*/password=x/'",
        "http://localhost:8080?to=me2@x",
        "password: $2b$12$abcdefghijklmnopqrstuv",
        "password = get_password(\"db2\")",
        "secret: Secret.from(\"a1\")",
        "ERROR_NULL_PASSWORD: WIN32_ERROR = 1304",
        "type Token = std::num::NonZeroU32;",
        "password: SecretKeySpec2",
        "Token: '#dddddd',",
        "szOID_challengePwd: &'static str = \"1.2.840.113549.1.9.7\";",
        "the password is stored as bcrypt2",
        "the password is base64-encoded",
        "the token is sent in X-Api-2",
        "users are identified by 'name'",
        "IDENTIFIED BY PASSWORD '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'",
        "kind: ConfigMap\ndata:\n  mode: cHJvZHVjdGlvbg==\n",
        "kind: Secret\nmetadata:\n  name: velvet2meadow\n",
        "<password>\n  <min>12</min>\n</password>",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "keyghp_some_words_here_and_there_and_more_x",
        &image,
    ] {
        assert_eq!(redactor.redact_text(text), text);
    }
}
