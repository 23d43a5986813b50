package main

import (
	"bytes"
	"embed"
	"html/template"
)

//go:embed templates
var sources embed.FS

// html/template escapes each value as its place in the page needs it.
var templates = template.Must(template.ParseFS(sources, "templates/*.html"))

// render fills a page's template in.
func render(name string, values any) ([]byte, error) {
	var page bytes.Buffer
	if err := templates.ExecuteTemplate(&page, name, values); err != nil {
		return nil, err
	}
	return page.Bytes(), nil
}
