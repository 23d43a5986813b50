package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// memory is a store without a database. If it is broken, it fails.
type memory struct {
	rows   []comment
	broken bool
}

func (m *memory) add(_ context.Context, c comment) (int64, error) {
	if m.broken {
		return 0, errors.New("secret of the database")
	}
	c.ID = int64(len(m.rows) + 1)
	m.rows = append(m.rows, c)
	return c.ID, nil
}

func (m *memory) all(context.Context) ([]comment, error) {
	if m.broken {
		return nil, errors.New("secret of the database")
	}
	return m.rows, nil
}

// serveMemory starts a site over HTTP.
func serveMemory(t *testing.T, m *memory) *httptest.Server {
	t.Helper()
	files := map[string]answer{prefix + "style.css": {contentType: "text/css; charset=utf-8", body: []byte("p {}")}}
	server := httptest.NewUnstartedServer(newSite(m, files))
	server.Config.MaxHeaderBytes = maxHeaderBytes
	server.Config.DisableGeneralOptionsHandler = true
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// send sends a request as it stands, and returns the answer with its body.
func send(t *testing.T, server *httptest.Server, request string) (*http.Response, string) {
	t.Helper()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	go io.WriteString(connection, request)
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n" }

func TestAPathCountsAsItWasSent(t *testing.T) {
	server := serveMemory(t, &memory{})
	for path, want := range map[string]int{
		"/comments/style.css":          200,
		"/comments/style.css?a=%x":     200,
		"/comments/ListComments":       200,
		"/comments/ListComments/":      404,
		"/comments/%73tyle.css":        404,
		"//comments/style.css":         404,
		"/comments/./style.css":        404,
		"http://a/comments/style.css":  200,
		"http://a//comments/style.css": 404,
		"/":                            404,
	} {
		if answer, _ := send(t, server, get(path)); answer.StatusCode != want {
			t.Errorf("%s gives %d, want %d", path, answer.StatusCode, want)
		}
	}
}

func TestOnlyAPathsOwnMethodIsServed(t *testing.T) {
	server := serveMemory(t, &memory{})
	for line, want := range map[string]int{
		"FOO /comments/ListComments":  405,
		"POST /comments/ListComments": 405,
		"POST /comments/style.css":    405,
		"GET /comments/StoreComment":  405,
		"OPTIONS *":                   404,
	} {
		answer, body := send(t, server, line+" HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
		if answer.StatusCode != want {
			t.Errorf("%s gives %d, want %d: %s", line, answer.StatusCode, want, body)
		}
	}
}

func TestAStoredCommentIsListedEscaped(t *testing.T) {
	server := serveMemory(t, &memory{})
	const form = "name=A%26B&email=a%40b&comment=%3Ci%3E"
	request := "POST /comments/StoreComment HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n26\r\n" + form + "\r\n0\r\n\r\n"
	if answer, body := send(t, server, request); answer.StatusCode != 200 {
		t.Fatalf("storing gives %d: %s", answer.StatusCode, body)
	}
	answer, body := send(t, server, get("/comments/ListComments"))
	if kind := answer.Header.Get("Content-Type"); kind != htmlType {
		t.Errorf("the list is %s", kind)
	}
	for _, want := range []string{"A&amp;B", "a@b", "&lt;i&gt;"} {
		if !strings.Contains(body, want) {
			t.Errorf("the list lacks %s: %s", want, body)
		}
	}
}

func TestALongBodyIsReadBeforeItIsRefused(t *testing.T) {
	server := serveMemory(t, &memory{})
	body := strings.Repeat("a", 4<<20)
	for path, want := range map[string]int{"/comments/StoreComment": 413, "/comments/ListComments": 405, "/nothing": 404} {
		answer, err := http.Post(server.URL+path, "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want || answer.Close {
			t.Errorf("%s gives %d, want %d; closes the connection: %v", path, answer.StatusCode, want, answer.Close)
		}
	}
}

func TestTooLongAHeadIsRefused(t *testing.T) {
	server := serveMemory(t, &memory{})
	long := func(n int) string { return strings.Repeat("a", n) }
	for name, test := range map[string]struct {
		request string
		want    int
	}{
		"a line of 16,000 bytes":   {get("/comments/style.css?" + long(15_950)), 200},
		"a line of 20,000 bytes":   {get("/comments/style.css?" + long(20_000)), 431},
		"a header of 20,000 bytes": {"GET /comments/style.css HTTP/1.1\r\nHost: a\r\nA: " + long(20_000) + "\r\n\r\n", 431},
		"500 headers":              {"GET /comments/style.css HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("A: a\r\n", 500) + "\r\n", 431},
	} {
		if answer, _ := send(t, server, test.request); answer.StatusCode != test.want {
			t.Errorf("%s gives %d, want %d", name, answer.StatusCode, test.want)
		}
	}
}

func TestAFaultOfTheDatabaseIsNotShown(t *testing.T) {
	server := serveMemory(t, &memory{broken: true})
	answer, body := send(t, server, get("/comments/ListComments"))
	if answer.StatusCode != 500 || strings.Contains(body, "secret") {
		t.Errorf("the answer is %d: %s", answer.StatusCode, body)
	}
}
