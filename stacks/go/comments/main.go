// Command comments serves the comment page over HTTP.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

const (
	// A page's address and a browser's headers are short; net/http allows 1 MiB.
	maxHeaderBytes = 16 << 10
	// Whoever stops us waits 10 s.
	graceful = 8 * time.Second
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "the `address` and port to listen on")
	files := flag.String("files", "static", "the `folder` with the application's files")
	keepAlive := flag.Duration("keep-alive", time.Minute, "how `long` an idle connection is held")
	version := flag.Bool("version", false, "print the versions of Go and of the drivers")
	flag.Parse()
	if *version {
		fmt.Println(versions())
		return
	}
	if err := run(*listen, *files, *keepAlive); err != nil {
		log.Fatal(err)
	}
}

// run serves until it gets TERM or INT.
func run(listen, files string, keepAlive time.Duration) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()

	settings, err := settingsFrom(os.Getenv)
	if err != nil {
		return err
	}
	comments, err := openComments(ctx, settings)
	if err != nil {
		return err
	}
	defer comments.close()
	static, err := loadFiles(files)
	if err != nil {
		return err
	}

	server := &http.Server{
		Handler:        newSite(comments, static),
		MaxHeaderBytes: maxHeaderBytes,
		IdleTimeout:    keepAlive,
		// A connection without a request so far is idle as well.
		ReadHeaderTimeout: keepAlive,
	}
	// The backlog is the kernel's net.core.somaxconn: 4096.
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	return serve(ctx, server, listener)
}

// serve answers requests until ctx ends, and then those that have begun.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.Background(), graceful)
	defer cancel()
	err := server.Shutdown(deadline)
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}

// versions says in a line what the program was built with.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "Go of an unknown version"
	}
	all := []string{"Go " + strings.TrimPrefix(info.GoVersion, "go")}
	for _, module := range info.Deps {
		if module.Path == "github.com/go-sql-driver/mysql" || module.Path == "github.com/jackc/pgx/v5" {
			all = append(all, module.Path+" "+module.Version)
		}
	}
	return strings.Join(all, ", ")
}
