package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
)

// contentTypes are those of the files, by the endings of their names.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": htmlType,
	".svg":  "image/svg+xml; charset=utf-8",
}

// loadFiles reads the application's files. The folder mirrors URLs, and so do the keys of the map.
func loadFiles(folder string) (map[string]answer, error) {
	files := map[string]answer{}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		contentType, ok := contentTypes[path.Ext(name)]
		if !ok {
			return fmt.Errorf("%s/%s has an ending that we know no content type of", folder, name)
		}
		body, err := fs.ReadFile(root, name)
		files["/"+name] = answer{contentType: contentType, body: body}
		return err
	})
	return files, err
}
