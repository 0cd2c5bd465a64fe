//! From bytes to text, keys of JSON, numbers for people.

use klast_files::Kind;
use klast_files::digits::short;
use klast_files::json::keys_once;
use klast_files::text::{ascii, strict};

#[test]
fn marks_of_byte_order_are_no_content() {
    let plain = "ncols 2\nΩ";
    let utf16 = |order: fn(u16) -> [u8; 2], mark: [u8; 2]| -> Vec<u8> {
        let units = plain.encode_utf16().flat_map(order);
        mark.into_iter().chain(units).collect()
    };
    for bytes in [
        plain.as_bytes().to_vec(),
        ["\u{feff}".as_bytes(), plain.as_bytes()].concat(),
        utf16(u16::to_le_bytes, [0xff, 0xfe]),
        utf16(u16::to_be_bytes, [0xfe, 0xff]),
    ] {
        assert_eq!(strict(&bytes).unwrap(), plain);
        assert_eq!(ascii(&bytes).unwrap(), plain);
    }
    for broken in [&[0xff, 0xfe, 0x41][..], &[0xff, 0xfe, 0x00, 0xd8]] {
        assert!(strict(broken).is_err());
    }
}

#[test]
fn latin_1_stands_in_comments_of_what_is_ascii() {
    let bytes = b"# c\xf4te\nv 0 0 0\n";
    assert_eq!(ascii(bytes).unwrap(), "# côte\nv 0 0 0\n");
    assert_eq!(strict(bytes).unwrap_err().kind, Kind::Letters);
}

#[test]
fn lines_end_as_on_any_system() {
    assert_eq!(ascii(b"a\rb\r").unwrap().lines().count(), 2);
    assert_eq!(
        ascii(b"a\r\nb").unwrap().lines().collect::<Vec<_>>(),
        ["a", "b"]
    );
}

#[test]
fn a_key_twice_is_refused_at_any_depth() {
    for (text, line) in [
        ("{\"a\":1,\"a\":2}", 1),
        ("[{},\n{\"b\":{\"c\":[1,{\"d\":null,\n\"d\":null}]}}]", 3),
        // The same letters by an escape.
        ("{\"wood\":{},\"woo\\u0064\":{}}", 1),
    ] {
        let error = keys_once(text).unwrap_err();
        assert_eq!(error.line, line, "{text}");
        assert!(error.to_string().contains("duplicate field"), "{error}");
    }
    for text in [
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
        "[1,1]",
        "1e999",
        "{\"a\":1,",
        "",
        "no",
    ] {
        assert!(keys_once(text).is_ok(), "{text}");
    }
}

#[test]
fn seven_digits_are_enough() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (2.5, "2.5"),
        (2_600_170.25, "2600170"),
        (1.0 / 3.0, "0.3333333"),
        (1e-9, "1.000e-9"),
        (1200.0, "1200"),
        (-12.000_000_01, "-12"),
    ] {
        assert_eq!(short(value), text);
    }
}
