package common

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/shopspring/decimal"
)

const maxBody = 2 << 20

// Link leads from a page to another.
type Link struct{ Href, Text string }

// Refusal says why a request isn't served.
type Refusal struct {
	Status int
	Text   string
	// Onward leads on who can mend it.
	Onward *Link
}

func (r *Refusal) Error() string { return r.Text }

// Heading is that of the page.
func (r *Refusal) Heading() string {
	switch r.Status {
	case http.StatusBadRequest:
		return "Bad request"
	case http.StatusForbidden:
		return "Access denied"
	case http.StatusNotFound:
		return "Not found"
	case http.StatusInternalServerError:
		return "Internal error"
	}
	return "Refused"
}

// Unknown refuses to show a row that isn't there.
func Unknown(what string, id int64) error {
	return &Refusal{Status: http.StatusNotFound, Text: fmt.Sprintf("There is no %s %d.", what, id)}
}

// Page is the name of a template, and what it shows.
type Page struct {
	Template string
	Values   any
}

// Handler makes the page that answers a request.
type Handler func(*http.Request) (Page, error)

// Site is an application's pages and files.
type Site struct {
	mux       *http.ServeMux
	templates *template.Template
}

// NewSite has no pages yet, but the application's files. The folder mirrors URLs.
func NewSite(application, files string, templates fs.FS) (*Site, error) {
	// The package mime knows the type of pictures, but not that these are UTF-8.
	if err := mime.AddExtensionType(".svg", "image/svg+xml; charset=utf-8"); err != nil {
		return nil, err
	}
	all, err := template.New("").Funcs(template.FuncMap{"money": money}).ParseFS(templates, "templates/*.html")
	if err != nil {
		return nil, err
	}
	s := &Site{mux: http.NewServeMux(), templates: all}
	return s, s.addFiles(application, files)
}

// addFiles gives each file its own path, so that FileServer, which answers 500 to a long name, is asked for no other.
func (s *Site) addFiles(application, folder string) error {
	entries, err := os.ReadDir(filepath.Join(folder, application))
	if err != nil {
		return err
	}
	server := http.FileServer(http.Dir(folder))
	for _, entry := range entries {
		address, shown := path.Join("/", application, entry.Name()), server
		if entry.Name() == "index.html" {
			// FileServer redirects an index.html to its folder, and shows it there.
			shown = http.StripPrefix(address, http.FileServer(http.Dir(filepath.Join(folder, application))))
		}
		s.mux.Handle("GET "+address, shown)
	}
	return nil
}

// money writes an amount. Templates know no currency.
func money(amount decimal.Decimal) string {
	return amount.StringFixed(2)
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	s.mux.ServeHTTP(w, r)
}

// Get answers GET of a path.
func (s *Site) Get(path string, answer Handler) {
	s.handle("GET "+path, answer)
}

// Post answers POST to a path.
func (s *Site) Post(path string, answer Handler) {
	s.handle("POST "+path, answer)
}

func (s *Site) handle(pattern string, answer Handler) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		page, err := answer(r)
		if err != nil {
			refusal := refusal(err)
			status, page = refusal.Status, Page{"error.html", refusal}
		}
		s.send(w, status, page)
	})
}

// refusal hides from clients what went wrong inside. That a client has gone away is no fault.
func refusal(err error) *Refusal {
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		return refusal
	}
	if !errors.Is(err, context.Canceled) {
		slog.Error("a page failed", "error", err)
	}
	return &Refusal{Status: http.StatusInternalServerError, Text: "The page cannot be shown."}
}

func (s *Site) send(w http.ResponseWriter, status int, page Page) {
	var body bytes.Buffer
	if err := s.templates.ExecuteTemplate(&body, page.Template, page.Values); err != nil {
		slog.Error("a template failed", "error", err)
		http.Error(w, "The page cannot be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	// A client that has gone away needs no answer.
	_, _ = body.WriteTo(w)
}
