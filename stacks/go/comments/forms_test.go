package main

import (
	"net/url"
	"strings"
	"testing"
)

func TestAValueIsThereAndKeepsToItsRule(t *testing.T) {
	for body, wrong := range map[string]string{
		"name=a&email=b@c&comment=d":                                  "",
		"name=a&email=@&comment=+&more=1":                             "",
		"name=" + strings.Repeat("%C3%B6", 50) + "&email=@&comment=d": "",
		"name=" + strings.Repeat("%C3%B6", 51) + "&email=@&comment=d": "name",
		"name=a&email=@" + strings.Repeat("b", 80) + "&comment=d":     "email",
		"name=a&email=@&comment=" + strings.Repeat("d", 2049):         "comment",
		"name=&email=&comment=":                                       "name",
		"name=a&email=b&comment=":                                     "email",
		"name=a&email=b@c":                                            "comment",
		"name=%FF&email=b@c&comment=d":                                "name",
		"name=a%00&email=b@c&comment=d":                               "name",
	} {
		f, err := url.ParseQuery(body)
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
