//! Lines of code and of comments: blank lines are neither, and a line with both is code. Comments are recognised at
//! the begin of lines only, so that quoted text never counts.

#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) name: &'static str,
    endings: &'static [&'static str],
    line: &'static [&'static str],
    block: Option<(&'static str, &'static str)>,
}

const C_BLOCK: Option<(&str, &str)> = Some(("/*", "*/"));
const XML_BLOCK: Option<(&str, &str)> = Some(("<!--", "-->"));

const fn language(
    name: &'static str,
    endings: &'static [&'static str],
    line: &'static [&'static str],
    block: Option<(&'static str, &'static str)>,
) -> Language {
    Language { name, endings, line, block }
}

/// The languages of stacks. Files with other endings are no code.
static LANGUAGES: [Language; 26] = [
    language("C", &["c", "h"], &["//"], C_BLOCK),
    language("C#", &["cs"], &["//"], C_BLOCK),
    language("C++", &["cpp", "hpp", "cc", "hh"], &["//"], C_BLOCK),
    language("CSS", &["css"], &[], C_BLOCK),
    language("Elixir", &["ex", "exs"], &["#"], None),
    language("Go", &["go"], &["//"], C_BLOCK),
    language("HTML", &["html", "htm"], &[], XML_BLOCK),
    language("JSON", &["json"], &[], None),
    language("JSP", &["jsp", "jspf", "tag"], &[], Some(("<%--", "--%>"))),
    language("JTE", &["jte"], &[], Some(("<%--", "--%>"))),
    language("Java", &["java"], &["//"], C_BLOCK),
    language("JavaScript", &["js", "mjs", "cjs"], &["//"], C_BLOCK),
    language("Kotlin", &["kt", "kts"], &["//"], C_BLOCK),
    language("PHP", &["php"], &["//", "#"], C_BLOCK),
    language("Perl", &["pl", "pm", "psgi", "cgi"], &["#"], Some(("=", "=cut"))),
    language("Properties", &["properties", "ini"], &["#", ";"], None),
    language("Python", &["py"], &["#"], None),
    language("Ruby", &["rb"], &["#"], None),
    language("Rust", &["rs"], &["//"], C_BLOCK),
    language("SQL", &["sql"], &["--"], C_BLOCK),
    language("Scala", &["scala"], &["//"], C_BLOCK),
    language("Shell", &["sh"], &["#"], None),
    language("TOML", &["toml"], &["#"], None),
    language("TypeScript", &["ts", "tsx"], &["//"], C_BLOCK),
    language("XML", &["xml", "xsd", "wsdl"], &[], XML_BLOCK),
    language("YAML", &["yaml", "yml"], &["#"], None),
];

impl Language {
    pub(crate) fn of_ending(ending: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.endings.contains(&ending))
    }

    pub(crate) fn count(&self, text: &str) -> (u64, u64) {
        let (mut code, mut comments) = (0, 0);
        let mut is_inside = false;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let block = self.block.filter(|(open, _)| is_inside || line.starts_with(open));
            if let Some((open, close)) = block {
                let rest = if is_inside { line } else { line.get(open.len()..).unwrap_or_default() };
                let after = rest.split_once(close).map(|(_, after)| after.trim());
                is_inside = after.is_none();
                if after.is_some_and(|after| !after.is_empty()) { code += 1 } else { comments += 1 }
            } else if self.is_line_comment(line) {
                comments += 1;
            } else {
                code += 1;
            }
        }
        (code, comments)
    }

    fn is_line_comment(&self, line: &str) -> bool {
        // An attribute in PHP, an instruction to a shell elsewhere.
        let is_code = line.starts_with("#[") || line.starts_with("#!");
        !is_code && self.line.iter().any(|mark| line.starts_with(mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_counted_as_code() {
        for (ending, text, expected) in [
            ("php", "<?php\n\n// one\n# two\n#[Pure]\n/** three\n * four */\n$a = '// no';\n", (3, 4)),
            ("java", "/* a */ int b;\n/*\n\n int c;\n*/\nint d; /* e */\n", (2, 3)),
            ("pm", "#!/usr/bin/perl\n=head1 A\n\ntext\n=cut\n1; # one\n", (2, 3)),
            ("html", "<!-- a\nb -->\n<p>c</p> <!-- d -->\n", (1, 2)),
            ("sql", "-- a\nSELECT 1;\n", (1, 1)),
            ("json", "{}\n", (1, 0)),
        ] {
            assert_eq!(Language::of_ending(ending).unwrap().count(text), expected, "{ending}");
        }
    }

    #[test]
    fn an_ending_belongs_to_one_language() {
        for language in &LANGUAGES {
            for ending in language.endings {
                assert_eq!(Language::of_ending(ending).unwrap().name, language.name);
            }
        }
        assert!(Language::of_ending("png").is_none());
    }
}
