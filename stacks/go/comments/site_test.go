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

func TestOnlyAPathsOwnMethodIsServed(t *testing.T) {
	server := serveMemory(t, &memory{})
	for line, want := range map[string]int{
		"GET /comments/style.css":     200,
		"GET /comments/nowhere":       404,
		"POST /comments/ListComments": 405,
		"POST /comments/style.css":    405,
		"GET /comments/StoreComment":  405,
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
	request := "POST /comments/StoreComment HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n26\r\n" + form + "\r\n0\r\n\r\n"
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

func TestTooLongABodyIsRefused(t *testing.T) {
	server := serveMemory(t, &memory{})
	form := "name=a&email=@&comment=" + strings.Repeat("a", maxBody)
	answer, err := http.Post(server.URL+prefix+"StoreComment", "application/x-www-form-urlencoded", strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 400 {
		t.Errorf("the answer is %d", answer.StatusCode)
	}
}

func TestAFaultOfTheDatabaseIsNotShown(t *testing.T) {
	server := serveMemory(t, &memory{broken: true})
	answer, body := send(t, server, get("/comments/ListComments"))
	if answer.StatusCode != 500 || strings.Contains(body, "secret") {
		t.Errorf("the answer is %d: %s", answer.StatusCode, body)
	}
}
