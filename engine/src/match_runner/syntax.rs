//! The little language of arguments such as `cmd="/opt/my engine/bin" --uci,name=Old`.
//!
//! Items are separated by commas and have the form `key=value`. Double or single quotes group text
//! that contains commas or blanks; inside one kind the other is ordinary text. There are no escape
//! characters, so that Windows paths need none.

/// Splits at commas outside quotes and each item at its first `=`. Quotes stay in the values: see
/// [`unquote`] and [`words`].
pub(super) fn key_values(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut items = Vec::new();
    for item in split_outside_quotes(text, |c| c == ',')? {
        let item = item.trim();
        let Some((key, value)) = item.split_once('=') else {
            return Err(format!("'{item}' is not of the form key=value"));
        };
        items.push((key.trim(), value.trim()));
    }
    Ok(items)
}

/// Splits at blanks outside quotes and removes the quotes.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let parts = split_outside_quotes(text, char::is_whitespace)?;
    Ok(parts.into_iter().filter(|word| !word.is_empty()).map(unquote).collect())
}

/// Removes quotes; one kind inside the other stays.
pub(super) fn unquote(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut open = None;
    for c in text.chars() {
        match open {
            Some(quote) if c == quote => open = None,
            None if is_quote(c) => open = Some(c),
            _ => result.push(c),
        }
    }
    result
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'')
}

fn split_outside_quotes(text: &str, separator: fn(char) -> bool) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut start, mut open) = (0, None);
    for (i, c) in text.char_indices() {
        match open {
            Some(quote) if c == quote => open = None,
            Some(_) => {}
            None if is_quote(c) => open = Some(c),
            None if separator(c) => {
                parts.push(text.get(start..i).unwrap_or_default());
                start = i + c.len_utf8();
            }
            None => {}
        }
    }
    if let Some(quote) = open {
        return Err(format!("the {quote} quote is not closed"));
    }
    parts.push(text.get(start..).unwrap_or_default());
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items() {
        assert_eq!(key_values("a=1, b = x=y ,c=").unwrap(), [("a", "1"), ("b", "x=y"), ("c", "")]);
        assert_eq!(
            key_values(r#"cmd="/a b/c,d" -x,name='say "hi", twice'"#).unwrap(),
            [("cmd", r#""/a b/c,d" -x"#), ("name", r#"'say "hi", twice'"#)]
        );
        for bad in ["", "a", "a=1,", "a=1,,b=2", r#"a="1"#, "a='x,b=y"] {
            assert!(key_values(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn command_words() {
        assert_eq!(
            words(r#""/a b/c" -x  --y='1 2' "it's""#).unwrap(),
            ["/a b/c", "-x", "--y=1 2", "it's"]
        );
        assert_eq!(words(r"C:\dir\engine.exe").unwrap(), [r"C:\dir\engine.exe"]);
        assert!(words("  ").unwrap().is_empty());
        assert!(words("'a").is_err());
        assert_eq!(unquote("\"a'b\"'c\"'"), "a'bc\"");
    }
}
