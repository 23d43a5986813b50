package common

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func formOf(value string) *Form {
	body := strings.NewReader(url.Values{"a": {value}}.Encode())
	r := httptest.NewRequest(http.MethodPost, "/", body)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return ReadForm(r)
}

func TestValuesKeepToTheirRules(t *testing.T) {
	for _, test := range []struct {
		kind         string
		read         func(*Form)
		right, wrong []string
	}{
		{"text", func(f *Form) { f.Text("a", 3) }, []string{"x", "  ", "öäü"}, []string{"", "öäüß", "\xff", "a\x00"}},
		{"email", func(f *Form) { f.Email("a", 9) }, []string{"@", "a@b"}, []string{"ab", "123456789@"}},
		{"nickname", func(f *Form) { f.Nickname("a", 9) }, []string{"Ab_9.-"}, []string{"ä", "a b", "a\n"}},
		{"id", func(f *Form) { f.ID("a") }, []string{"1", "999999999"}, []string{"0", "01", "+1", "-1", "1000000000", "1.0", " 1", "٣"}},
		{"number", func(f *Form) { f.Whole("a", 0, 10) }, []string{"0", "10"}, []string{"11", "00", "1\n"}},
		{"money", func(f *Form) { f.Money("a") }, []string{"0", "007.5", "9999999999.99"}, []string{"1.", ".5", "1.234", "1e3", "-1", "12345678901"}},
		{"choice", func(f *Form) { f.Choice("a", "-5", "3") }, []string{"-5", "3"}, []string{"5", "03"}},
	} {
		for value, fits := range values(test.right, test.wrong) {
			form := formOf(value)
			test.read(form)
			if (form.Err() == nil) != fits {
				t.Errorf("the %s %q gives %v", test.kind, value, form.Err())
			}
		}
	}
}

func values(right, wrong []string) map[string]bool {
	all := map[string]bool{}
	for _, value := range right {
		all[value] = true
	}
	for _, value := range wrong {
		all[value] = false
	}
	return all
}

func TestTheFirstWrongParameterIsNamed(t *testing.T) {
	form := formOf("x")
	form.Text("a", 1)
	form.ID("b")
	form.ID("a")
	if err := form.Err(); err == nil || !strings.Contains(err.Error(), "parameter b ") {
		t.Errorf("the fault is %v", err)
	}
}
