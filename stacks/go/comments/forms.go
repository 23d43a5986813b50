package main

import (
	"io"
	"strings"
	"unicode/utf8"
)

const (
	maxBody       = 2 << 20
	maxAmpersands = 999
)

// form holds the values of each parameter.
type form map[string][]string

// readBody returns a request's body.
func readBody(body io.Reader) (string, error) {
	var text strings.Builder
	n, err := io.Copy(&text, io.LimitReader(body, maxBody+1))
	if err != nil {
		return "", errUnreadable
	}
	if n > maxBody {
		return "", errTooLong
	}
	return text.String(), nil
}

// parseForm reads parameters. Unlike url.ParseQuery it takes a broken escape as it stands, and a semicolon for a character
// like any other.
func parseForm(text string) (form, error) {
	if err := limitParameters(text); err != nil {
		return nil, err
	}
	f := form{}
	for part := range strings.SplitSeq(text, "&") {
		if part != "" {
			name, value, _ := strings.Cut(part, "=")
			name = unescape(name)
			f[name] = append(f[name], unescape(value))
		}
	}
	return f, nil
}

// limitParameters refuses a text with too many parameters.
func limitParameters(text string) error {
	if strings.Count(text, "&") > maxAmpersands {
		return errTooMany
	}
	return nil
}

// unescape replaces + by a blank and % with two hexadecimal digits by a byte.
func unescape(text string) string {
	if !strings.ContainsAny(text, "+%") {
		return text
	}
	var plain strings.Builder
	plain.Grow(len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '+':
			plain.WriteByte(' ')
		case c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]):
			plain.WriteByte(fromHex(text[i+1])<<4 | fromHex(text[i+2]))
			i += 2
		default:
			plain.WriteByte(c)
		}
	}
	return plain.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func fromHex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return (c | 0x20) - 'a' + 10
}

// field is a rule for a parameter.
type field struct {
	name string
	// maxLength is in code points.
	maxLength int
	// contains must be a part of the value.
	contains string
}

// value returns the field's value, if it is there once and keeps to the rule.
func (f form) value(of field) (string, error) {
	values := f[of.name]
	if len(values) != 1 || !of.allows(values[0]) {
		return "", badParameter(of.name)
	}
	return values[0], nil
}

func (f field) allows(value string) bool {
	length := utf8.RuneCountInString(value)
	return 1 <= length && length <= f.maxLength &&
		utf8.ValidString(value) && !strings.ContainsRune(value, 0) && strings.Contains(value, f.contains)
}

var (
	nameField  = field{name: "name", maxLength: 50}
	emailField = field{name: "email", maxLength: 80, contains: "@"}
	textField  = field{name: "comment", maxLength: 2048}
)

// readComment returns the comment that was filled in. The first field that breaks its rule is refused.
func readComment(from form) (c comment, err error) {
	if c.Name, err = from.value(nameField); err != nil {
		return c, err
	}
	if c.Email, err = from.value(emailField); err != nil {
		return c, err
	}
	c.Text, err = from.value(textField)
	return c, err
}
