package common

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Whoever stops us waits 10 s.
const graceful = 8 * time.Second

// Open connects an application to its database, and returns its site.
type Open func(ctx context.Context, s Settings, files string) (http.Handler, error)

// Main is the program of an application.
func Main(open Open) {
	listen := flag.String("listen", "127.0.0.1:8080", "the `address` and port to listen on")
	files := flag.String("files", "static", "the `folder` with the application's files")
	keepAlive := flag.Duration("keep-alive", time.Minute, "how `long` an idle connection is held")
	version := flag.Bool("version", false, "print the versions of Go and of the libraries")
	flag.Parse()
	if *version {
		fmt.Println(versions())
		return
	}
	if err := run(open, *listen, *files, *keepAlive); err != nil {
		slog.Error("the server ends", "error", err)
		os.Exit(1)
	}
}

// run serves until it gets TERM or INT.
func run(open Open, listen, files string, keepAlive time.Duration) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	settings, err := settingsFrom(os.Getenv)
	if err != nil {
		return err
	}
	site, err := open(ctx, settings, files)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:     site,
		IdleTimeout: keepAlive,
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

// libraries are those that every request goes through.
var libraries = []string{"github.com/go-sql-driver/mysql", "github.com/jackc/pgx/v5", "gorm.io/gorm"}

// versions says in a line what the program was built with.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "Go of an unknown version"
	}
	all := []string{"Go " + strings.TrimPrefix(info.GoVersion, "go")}
	for _, module := range info.Deps {
		if slices.Contains(libraries, module.Path) {
			all = append(all, module.Path+" "+module.Version)
		}
	}
	return strings.Join(all, ", ")
}
