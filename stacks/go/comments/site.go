package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
)

const (
	prefix   = "/comments/"
	htmlType = "text/html; charset=utf-8"
	// As in other servers; net/http only limits their bytes.
	maxHeaders = 100
)

// answer is what a request gets. Without a status, it is 200.
type answer struct {
	status      int
	contentType string
	body        []byte
}

// refusal says why a request isn't served.
type refusal struct {
	Status        int
	Heading, Text string
}

func (r *refusal) Error() string { return r.Text }

var (
	errNotFound    = &refusal{http.StatusNotFound, "Not found", "There is no such page."}
	errTooLong     = &refusal{http.StatusRequestEntityTooLarge, "Too long", "The request's body is too long."}
	errTooMany     = &refusal{http.StatusBadRequest, "Bad request", "There are too many parameters."}
	errUnreadable  = &refusal{http.StatusBadRequest, "Bad request", "The request's body cannot be read."}
	errManyHeaders = &refusal{http.StatusRequestHeaderFieldsTooLarge, "Bad request", "There are too many headers."}
	errInternal    = &refusal{http.StatusInternalServerError, "Internal error", "The page cannot be shown."}
)

func wrongMethod(right string) error {
	return &refusal{http.StatusMethodNotAllowed, "Wrong method", "This page is for " + right + " requests only."}
}

func badParameter(name string) error {
	return &refusal{http.StatusBadRequest, "Bad request", "The parameter " + name + " is missing, repeated or malformed."}
}

// store keeps the comments.
type store interface {
	add(context.Context, comment) (int64, error)
	all(context.Context) ([]comment, error)
}

// route is what a path stands for.
type route struct {
	method string
	answer func(*http.Request) (answer, error)
}

// site answers all requests.
type site struct {
	store  store
	routes map[string]route
}

func newSite(store store, files map[string]answer) *site {
	s := &site{store: store}
	s.routes = map[string]route{
		prefix + "StoreComment": {http.MethodPost, s.storeComment},
		prefix + "ListComments": {http.MethodGet, s.listComments},
	}
	for path, file := range files {
		s.routes[path] = route{http.MethodGet, func(*http.Request) (answer, error) { return file, nil }}
	}
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := s.answer(r)
	// What is left of the body is read first: net/http would close the connection, and the client could miss the answer.
	if _, unread := io.Copy(io.Discard, r.Body); unread != nil && err == nil {
		err = errUnreadable
	}
	if err != nil {
		a = refuse(err)
	}
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	// A client that has gone away needs no answer.
	_, _ = w.Write(a.body)
}

// target returns the path and the query as they were sent. A proxy may send the host before them.
func target(r *http.Request) (path, query string) {
	path, query, _ = strings.Cut(strings.TrimPrefix(r.RequestURI, r.URL.Scheme+"://"+r.URL.Host), "?")
	return path, query
}

// answer looks the path up as it was sent. http.ServeMux would clean it.
func (s *site) answer(r *http.Request) (answer, error) {
	if countHeaders(r.Header) > maxHeaders {
		return answer{}, errManyHeaders
	}
	path, _ := target(r)
	route, ok := s.routes[path]
	if !ok {
		return answer{}, errNotFound
	}
	if r.Method != route.method {
		return answer{}, wrongMethod(route.method)
	}
	return route.answer(r)
}

func (s *site) storeComment(r *http.Request) (answer, error) {
	body, err := readBody(r.Body)
	if err != nil {
		return answer{}, err
	}
	form, err := parseForm(body)
	if err != nil {
		return answer{}, err
	}
	comment, err := readComment(form)
	if err != nil {
		return answer{}, err
	}
	if comment.ID, err = s.store.add(r.Context(), comment); err != nil {
		return answer{}, err
	}
	return page("store_comment.html", comment)
}

func (s *site) listComments(r *http.Request) (answer, error) {
	_, query := target(r)
	if err := limitParameters(query); err != nil {
		return answer{}, err
	}
	all, err := s.store.all(r.Context())
	if err != nil {
		return answer{}, err
	}
	return page("list_comments.html", all)
}

func page(name string, values any) (answer, error) {
	body, err := render(name, values)
	return answer{contentType: htmlType, body: body}, err
}

// refuse makes a page of an error. Only refusals tell the client more than that something went wrong.
func refuse(err error) answer {
	var why *refusal
	if !errors.As(err, &why) {
		report(err)
		why = errInternal
	}
	a, err := page("error.html", why)
	if err != nil {
		report(err)
	}
	a.status = why.Status
	return a
}

// report logs a fault of our own. That a client has gone away is none.
func report(err error) {
	if !errors.Is(err, context.Canceled) {
		log.Print(err)
	}
}

func countHeaders(header http.Header) int {
	count := 0
	for _, values := range header {
		count += len(values)
	}
	return count
}
