package main

import (
	"errors"
	"strings"
	"testing"
)

func TestBrokenEscapesStayAsTheyAre(t *testing.T) {
	for text, want := range map[string]string{
		"a+b":       "a b",
		"%41%5a":    "AZ",
		"%C3%B6":    "ö",
		"%":         "%",
		"%4":        "%4",
		"%zz%41":    "%zzA",
		"%4%41":     "%4A",
		"%%41":      "%A",
		"a;b":       "a;b",
		"100%25":    "100%",
		"%2B%26%3D": "+&=",
	} {
		if got := unescape(text); got != want {
			t.Errorf("unescape(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNamesAreComparedAfterDecoding(t *testing.T) {
	f, err := parseForm("&na%6De=a&&email&x=1=2")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"name": "a", "email": "", "x": "1=2"} {
		if got := f[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q once", name, got, want)
		}
	}
	if len(f) != 3 {
		t.Errorf("empty parts count as parameters: %q", f)
	}
}

func TestOverNineHundredNinetyNineAmpersandsAreRefused(t *testing.T) {
	if _, err := parseForm(strings.Repeat("&", 999)); err != nil {
		t.Errorf("999 are refused: %v", err)
	}
	if _, err := parseForm(strings.Repeat("&", 1000)); !errors.Is(err, errTooMany) {
		t.Errorf("1000 give %v", err)
	}
}

func TestABodyHasTwoMebibytesAtMost(t *testing.T) {
	if body, err := readBody(strings.NewReader(strings.Repeat("a", maxBody))); err != nil || len(body) != maxBody {
		t.Errorf("the longest body gives %d bytes and %v", len(body), err)
	}
	if _, err := readBody(strings.NewReader(strings.Repeat("a", maxBody+1))); !errors.Is(err, errTooLong) {
		t.Errorf("a byte more gives %v", err)
	}
}

func TestAValueIsThereOnceAndKeepsToItsRule(t *testing.T) {
	for body, wrong := range map[string]string{
		"name=a&email=b@c&comment=d":                                  "",
		"name=a&email=@&comment=+&more=1":                             "",
		"name=" + strings.Repeat("%C3%B6", 50) + "&email=@&comment=d": "",
		"name=" + strings.Repeat("%C3%B6", 51) + "&email=@&comment=d": "name",
		"name=a&email=@" + strings.Repeat("b", 80) + "&comment=d":     "email",
		"name=a&email=@&comment=" + strings.Repeat("d", 2049):         "comment",
		"name=a&name=a&email=@&comment=d":                             "name",
		"name=&email=&comment=":                                       "name",
		"name=a&email=b&comment=":                                     "email",
		"name=a&email=b@c":                                            "comment",
		"name=%FF&email=b@c&comment=d":                                "name",
		"name=a%00&email=b@c&comment=d":                               "name",
	} {
		f, err := parseForm(body)
		if err != nil {
			t.Fatal(err)
		}
		var want error
		if wrong != "" {
			want = badParameter(wrong)
		}
		if _, err := readComment(f); (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("%.60q gives %v, want %v", body, err, want)
		}
	}
}
