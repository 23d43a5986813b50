/* gSOAP alone: it reads HTTP itself, in a thread for each connection, as its manual has it. Its arguments are
   where to listen, for how many milliseconds an idle connection is held, and the folder with the files. */

#include "answer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "soapH.h"

/* As many connections may wait as the kernel lets them. */
enum { BACKLOG = 4096, SECONDS_FOR_A_REQUEST = 5, MOST_FILE = 65536, STACK = 1 << 20 };

/* More than is answered, so that whoever sends too much is told so. */
enum { MOST_READ = 4 * LONGEST_MESSAGE };

struct file {
    const char* path;
    const char* name;
    char body[MOST_FILE];
    size_t length;
};

static struct file files[] = {
    {.path = "/quotes/quote.xml", .name = "quote.xml"},
    {.path = "/quotes/StockQuoteService.wsdl", .name = "StockQuoteService.wsdl"},
};

static struct soap master;
static int keep_alive;

/* The method of the request that this thread has taken; POST needs no handler. */
static _Thread_local const char* method;

static bool load_files(const char* folder) {
    for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, files[at].name);
        if (at == 0 && !load_plain_answer(path)) {
            return false;
        }
        FILE* file = fopen(path, "rb");
        if (file == NULL) {
            return false;
        }
        files[at].length = fread(files[at].body, 1, sizeof files[at].body, file);
        fclose(file);
        if (files[at].length == 0 || files[at].length == sizeof files[at].body) {
            return false;
        }
    }
    return true;
}

/* Whatever is no POST is answered by what follows, without a body. */
static int on_get(struct soap* soap) {
    (void)soap;
    method = "GET";
    return SOAP_GET_METHOD;
}

static int on_other(struct soap* soap) {
    (void)soap;
    method = "OTHER";
    return SOAP_GET_METHOD;
}

/* How gSOAP reads a header, and whether this thread's request has told its length. */
static int (*read_header)(struct soap*, const char*, const char*);
static _Thread_local bool has_length;

/* gSOAP takes a length that is no number for 0, the last of several, and any transfer coding. */
static int on_header(struct soap* soap, const char* name, const char* value) {
    if (soap_tag_cmp(name, "Content-Length") == 0) {
        bool is_number = value[0] != '\0' && value[strspn(value, "0123456789")] == '\0';
        if (!is_number || has_length) {
            return soap->error = 400;
        }
        has_length = true;
    }
    if (soap_tag_cmp(name, "Transfer-Encoding") == 0 && soap_tag_cmp(value, "chunked") != 0) {
        return soap->error = 501;
    }
    return read_header(soap, name, value);
}

static struct answer file_or_refusal(const struct call* call) {
    size_t length = strcspn(call->target, "?");
    for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
        bool is_asked = strlen(files[at].path) == length && memcmp(files[at].path, call->target, length) == 0;
        if (is_asked && strcmp(call->method, "GET") == 0) {
            return (struct answer){200, "text/xml; charset=utf-8", files[at].body, files[at].length};
        }
    }
    return answer_to(call);
}

/* gSOAP's sockets don't block. */
static bool send_all(int socket, struct iovec* parts, int count) {
    struct pollfd waiting = {.fd = socket, .events = POLLOUT};
    while (count > 0) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0) {
            bool is_full = errno == EAGAIN && poll(&waiting, 1, SECONDS_FOR_A_REQUEST * 1000) > 0;
            if (!is_full && errno != EINTR) {
                return false;
            }
            continue;
        }
        size_t left = (size_t)sent;
        for (; count > 0 && left >= parts->iov_len; count--, parts++) {
            left -= parts->iov_len;
        }
        if (count > 0) {
            parts->iov_base = (char*)parts->iov_base + left;
            parts->iov_len -= left;
        }
    }
    return true;
}

static bool respond(int socket, const struct answer* answer, bool stays) {
    char head[256];
    int length =
        snprintf(head, sizeof head, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n",
                 answer->status, answer->status == 200 ? "OK" : "Refused", answer->type, answer->length,
                 stays ? "" : "Connection: close\r\n");
    struct iovec parts[] = {
        {.iov_base = head, .iov_len = (size_t)length},
        {.iov_base = (char*)answer->body, .iov_len = answer->length},
    };
    return send_all(socket, parts, 2);
}

/* Takes one request and answers it. Whether the connection stays. */
static bool serve_one(struct soap* soap) {
    struct pollfd waiting = {.fd = soap->socket, .events = POLLIN};
    if (soap->buflen <= soap->bufidx && poll(&waiting, 1, keep_alive) <= 0) {
        return false;
    }
    method = "POST";
    has_length = false;
    soap_begin(soap);
    soap->path[0] = '\0';
    soap->status = 0;
    soap->length = 0;
    int failed = soap_begin_recv(soap);
    if (failed == SOAP_EOF) {
        return false;
    }
    struct call call = {.method = method, .target = soap->path, .message = "", .length = 0};
    /* What gSOAP can't read, such as a path that is longer than its buffer, leads nowhere. */
    struct answer answer = {404, "text/plain; charset=utf-8", "", 0};
    bool stays = soap->keep_alive != 0;
    /* A message of no bytes is one, too. */
    bool is_post = soap->status == SOAP_POST;
    if (is_post && soap->length == 0 && (soap->mode & SOAP_IO) != SOAP_IO_CHUNK) {
        failed = SOAP_OK;
        answer = file_or_refusal(&call);
    } else if (failed == SOAP_OK) {
        char* body = soap_http_get_body(soap, &call.length);
        if (call.length == 0) {
            /* Chunks that are none end like a message of no bytes, and nobody cuts that into chunks. */
            failed = SOAP_EOF;
            answer.status = 400;
        } else {
            call.message = body;
            answer = file_or_refusal(&call);
        }
        soap_end_recv(soap);
    } else if (soap->path[0] == '/') {
        call.method = is_post ? "OTHER" : method;
        answer = file_or_refusal(&call);
    }
    /* Nobody knows where the next request begins. */
    stays = stays && failed == SOAP_OK && soap->path[0] == '/';
    return respond(soap->socket, &answer, stays) && stays;
}

static void* serve(void* connection) {
    struct soap* soap = connection;
    while (serve_one(soap)) {
        soap_destroy(soap);
        soap_end(soap);
    }
    soap_destroy(soap);
    soap_end(soap);
    soap_force_closesock(soap);
    soap_free(soap);
    end_thread();
    return NULL;
}

static void accept_all(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    for (;;) {
        if (!soap_valid_socket(soap_accept(&master))) {
            continue;
        }
        struct soap* soap = soap_copy(&master);
        pthread_t thread;
        if (soap == NULL || pthread_create(&thread, &attributes, serve, soap) != 0) {
            soap_force_closesock(&master);
            if (soap != NULL) {
                /* It is the one that has just been closed. */
                soap->socket = SOAP_INVALID_SOCKET;
                soap_free(soap);
            }
        }
    }
}

int main(int count, char** arguments) {
    if (count != 5 || !load_files(arguments[4])) {
        fputs("usage: quotes-server ADDRESS PORT MILLISECONDS FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    signal(SIGPIPE, SIG_IGN);
    keep_alive = atoi(arguments[3]);
    soap_init1(&master, SOAP_IO_KEEPALIVE);
    soap_set_namespaces(&master, namespaces);
    master.recv_timeout = SECONDS_FOR_A_REQUEST;
    master.send_timeout = SECONDS_FOR_A_REQUEST;
    master.recv_maxlength = MOST_READ;
    master.bind_flags = SO_REUSEADDR;
    read_header = master.fparsehdr;
    master.fparsehdr = on_header;
    master.fget = on_get;
    master.fput = on_other;
    master.fpatch = on_other;
    master.fdel = on_other;
    master.fopt = on_other;
    master.fhead = on_other;
    if (!soap_valid_socket(soap_bind(&master, arguments[1], atoi(arguments[2]), BACKLOG))) {
        soap_print_fault(&master, stderr);
        return EXIT_FAILURE;
    }
    int yes = 1;
    setsockopt(master.master, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    accept_all();
}
