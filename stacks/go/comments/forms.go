package main

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// field is a rule for a parameter.
type field struct {
	name string
	// maxLength is in code points.
	maxLength int
	// contains must be a part of the value.
	contains string
}

// value returns a field's value, if it keeps to the rule.
func value(form url.Values, of field) (string, error) {
	value := form.Get(of.name)
	if !of.allows(value) {
		return "", badParameter(of.name)
	}
	return value, nil
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
func readComment(from url.Values) (c comment, err error) {
	if c.Name, err = value(from, nameField); err != nil {
		return c, err
	}
	if c.Email, err = value(from, emailField); err != nil {
		return c, err
	}
	c.Text, err = value(from, textField)
	return c, err
}
