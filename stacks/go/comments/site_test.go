package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// memory is a store without a database. If it is broken, it fails.
type memory struct {
	rows   []Comment
	broken bool
}

func (m *memory) add(_ context.Context, c *Comment) error {
	if m.broken {
		return errors.New("secret of the database")
	}
	c.ID = int64(len(m.rows) + 1)
	m.rows = append(m.rows, *c)
	return nil
}

func (m *memory) all(context.Context) ([]Comment, error) {
	if m.broken {
		return nil, errors.New("secret of the database")
	}
	return m.rows, nil
}

// ask sends a request to a site with a style sheet and a first page.
func ask(t *testing.T, m *memory, r *http.Request) (int, http.Header, string) {
	t.Helper()
	files := t.TempDir()
	if err := os.Mkdir(filepath.Join(files, "comments"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "style.css", "logo.svg"} {
		if err := os.WriteFile(filepath.Join(files, "comments", name), []byte("content"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	site, err := newSite(m, files)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, w.Result().Header, string(body)
}

func TestOnlyAPathsOwnMethodIsServed(t *testing.T) {
	for line, want := range map[string]int{
		"GET /comments/index.html":                  200,
		"GET /comments/style.css":                   200,
		"GET /comments/":                            404,
		"GET /comments/nowhere":                     404,
		"GET /nowhere":                              404,
		"GET /comments/" + strings.Repeat("a", 300): 404,
		"POST /comments/ListComments":               405,
		"POST /comments/style.css":                  405,
		"GET /comments/StoreComment":                405,
	} {
		method, path, _ := strings.Cut(line, " ")
		if status, _, body := ask(t, &memory{}, httptest.NewRequest(method, path, nil)); status != want {
			t.Errorf("%s gives %d, want %d: %s", line, status, want, body)
		}
	}
}

func TestFilesAreOfTheirTypes(t *testing.T) {
	for name, want := range map[string]string{"index.html": "text/html", "style.css": "text/css", "logo.svg": "image/svg+xml"} {
		_, header, _ := ask(t, &memory{}, httptest.NewRequest("GET", "/comments/"+name, nil))
		if kind := header.Get("Content-Type"); kind != want+"; charset=utf-8" {
			t.Errorf("%s is %s", name, kind)
		}
	}
}

func TestAStoredCommentIsListedEscaped(t *testing.T) {
	form := url.Values{"name": {"A&B"}, "email": {"a@b"}, "comment": {"<i>"}}
	r := httptest.NewRequest("POST", "/comments/StoreComment", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	m := &memory{}
	if status, _, body := ask(t, m, r); status != 200 {
		t.Fatalf("storing gives %d: %s", status, body)
	}
	_, _, body := ask(t, m, httptest.NewRequest("GET", "/comments/ListComments", nil))
	for _, want := range []string{"A&amp;B", "a@b", "&lt;i&gt;"} {
		if !strings.Contains(body, want) {
			t.Errorf("the list lacks %s: %s", want, body)
		}
	}
}

func TestAFaultOfTheDatabaseIsNotShown(t *testing.T) {
	status, _, body := ask(t, &memory{broken: true}, httptest.NewRequest("GET", "/comments/ListComments", nil))
	if status != 500 || strings.Contains(body, "secret") {
		t.Errorf("the answer is %d: %s", status, body)
	}
}
