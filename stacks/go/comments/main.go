// Command comments serves the comment page over HTTP.
package main

import (
	"context"
	"embed"
	"net/http"

	"tierbench/stacks/go/common"
)

//go:embed templates
var templates embed.FS

func main() {
	common.Main(func(ctx context.Context, s common.Settings, files string) (http.Handler, error) {
		store, err := openStore(ctx, s)
		if err != nil {
			return nil, err
		}
		return newSite(store, files)
	})
}

type site struct{ store store }

// newSite answers all requests: the files and two pages.
func newSite(store store, files string) (http.Handler, error) {
	pages, err := common.NewSite("comments", files, templates)
	if err != nil {
		return nil, err
	}
	s := &site{store}
	pages.Post("/comments/StoreComment", s.storeComment)
	pages.Get("/comments/ListComments", s.listComments)
	return pages, nil
}

func (s *site) storeComment(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	comment := Comment{Name: form.Text("name", 50), Email: form.Email("email", 80), Comment: form.Text("comment", 2048)}
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	err := s.store.add(r.Context(), &comment)
	return common.Page{Template: "store_comment.html", Values: comment}, err
}

func (s *site) listComments(r *http.Request) (common.Page, error) {
	all, err := s.store.all(r.Context())
	return common.Page{Template: "list_comments.html", Values: all}, err
}
