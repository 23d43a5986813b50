package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"strconv"
)

const (
	prefix   = "/comments/"
	htmlType = "text/html; charset=utf-8"
	maxBody  = 2 << 20
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
	errUnreadable = &refusal{http.StatusBadRequest, "Bad request", "The request's body cannot be read."}
	errInternal   = &refusal{http.StatusInternalServerError, "Internal error", "The page cannot be shown."}
)

func badParameter(name string) error {
	return &refusal{http.StatusBadRequest, "Bad request", "The parameter " + name + " is missing, repeated or malformed."}
}

// store keeps the comments.
type store interface {
	add(context.Context, comment) (int64, error)
	all(context.Context) ([]comment, error)
}

// newSite answers all requests: the files and two pages.
func newSite(store store, files map[string]answer) http.Handler {
	s := &site{store}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+prefix+"StoreComment", handler(s.storeComment))
	mux.HandleFunc("GET "+prefix+"ListComments", handler(s.listComments))
	for path, file := range files {
		mux.HandleFunc("GET "+path, handler(func(*http.Request) (answer, error) { return file, nil }))
	}
	return http.MaxBytesHandler(mux, maxBody)
}

type site struct{ store store }

// handler sends an answer, or the page of an error.
func handler(answer func(*http.Request) (answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := answer(r)
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
}

func (s *site) storeComment(r *http.Request) (answer, error) {
	if err := r.ParseForm(); err != nil {
		return answer{}, errUnreadable
	}
	comment, err := readComment(r.PostForm)
	if err != nil {
		return answer{}, err
	}
	if comment.ID, err = s.store.add(r.Context(), comment); err != nil {
		return answer{}, err
	}
	return page("store_comment.html", comment)
}

func (s *site) listComments(r *http.Request) (answer, error) {
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
