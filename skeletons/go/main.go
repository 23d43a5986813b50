// Sends the application's files, and one page from the database for everything else: server ADDRESS FILES KEEP_ALIVE.
package main

import (
	"context"
	"database/sql"
	"errors"
	"html/template"
	"log"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
)

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1><p>The database has these tables:</p><ul>{{range .}}<li>{{.}}</li>{{end}}</ul></body>
</html>
`))

// Both databases describe themselves so.
const tables = `SELECT table_name FROM information_schema.tables
	WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'pg_catalog') ORDER BY table_name`

func openDatabase() (*sql.DB, error) {
	at := func(name string) string { return os.Getenv("TIERBENCH_DB_" + name) }
	address := net.JoinHostPort(at("HOST"), at("PORT"))
	if at("SERVICE") == "mariadb" {
		config := mysql.NewConfig()
		config.Net, config.Addr, config.DBName = "tcp", address, at("NAME")
		config.User, config.Passwd = at("USER"), at("PASSWORD")
		return sql.Open("mysql", config.FormatDSN())
	}
	place := url.URL{Scheme: "postgres", User: url.UserPassword(at("USER"), at("PASSWORD")), Host: address, Path: at("NAME"), RawQuery: "sslmode=disable"}
	return sql.Open("pgx", place.String())
}

func listTables(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, tables)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// sendFile tells whether there is such a file. The folder mirrors URLs: FILES/comments/style.css is /comments/style.css.
func sendFile(w http.ResponseWriter, r *http.Request, files string) bool {
	file, err := os.Open(filepath.Join(files, filepath.FromSlash(path.Clean("/"+r.URL.Path))))
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	http.ServeContent(w, r, info.Name(), info.ModTime(), file)
	return true
}

func main() {
	address, files := os.Args[1], os.Args[2]
	keepAlive, err := time.ParseDuration(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	mime.AddExtensionType(".svg", "image/svg+xml; charset=utf-8")
	db, err := openDatabase()
	if err != nil {
		log.Fatal(err)
	}
	answer := func(w http.ResponseWriter, r *http.Request) {
		if sendFile(w, r, files) {
			return
		}
		names, err := listTables(r.Context(), db)
		if err != nil {
			log.Print(err)
			http.Error(w, "The database gives no answer.", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page.Execute(w, names)
	}
	server := http.Server{Addr: address, Handler: http.HandlerFunc(answer), IdleTimeout: keepAlive}
	stopped, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-stopped.Done()
		server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	<-ended
}
