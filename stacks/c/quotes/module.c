/* An Apache module, which answers in the server's own threads. */

#include "answer.h"

#include <httpd.h>

#include <apr_strings.h>
#include <http_config.h>
#include <http_protocol.h>
#include <string.h>

/* Reads the message, or one byte more than is allowed. Returns an HTTP status, or OK. */
static int read_message(request_rec* request, char** message, apr_size_t* length) {
    int status = ap_setup_client_block(request, REQUEST_CHUNKED_DECHUNK);
    *message = NULL;
    *length = 0;
    if (status != OK || !ap_should_client_block(request)) {
        return status;
    }
    apr_size_t room = request->remaining > 0 ? (apr_size_t)request->remaining : 4096;
    if (room > LONGEST_MESSAGE) {
        room = LONGEST_MESSAGE;
    }
    char* bytes = apr_palloc(request->pool, room + 1);
    for (;;) {
        if (*length == room + 1) {
            if (room == LONGEST_MESSAGE) {
                break;
            }
            apr_size_t larger = 2 * room < LONGEST_MESSAGE ? 2 * room : LONGEST_MESSAGE;
            char* copy = apr_palloc(request->pool, larger + 1);
            memcpy(copy, bytes, *length);
            bytes = copy;
            room = larger;
        }
        long count = ap_get_client_block(request, bytes + *length, room + 1 - *length);
        if (count < 0) {
            return HTTP_BAD_REQUEST;
        }
        if (count == 0) {
            break;
        }
        *length += (apr_size_t)count;
    }
    *message = bytes;
    return OK;
}

static int handle(request_rec* request) {
    if (request->handler == NULL || strcmp(request->handler, "quotes") != 0) {
        return DECLINED;
    }
    char* message;
    apr_size_t length;
    int status = read_message(request, &message, &length);
    if (status != OK) {
        return status;
    }
    struct call call = {
        .method = request->method,
        .target = request->unparsed_uri,
        .message = message == NULL ? "" : message,
        .length = length,
    };
    struct answer answer = answer_to(&call);
    request->status = answer.status;
    ap_set_content_type(request, answer.type);
    ap_set_content_length(request, (apr_off_t)answer.length);
    ap_rwrite(answer.body, (int)answer.length, request);
    return OK;
}

static const char* set_plain_answer(cmd_parms* command, void* ignored, const char* path) {
    (void)ignored;
    return load_plain_answer(path) ? NULL : apr_pstrcat(command->pool, path, " can't be read", NULL);
}

static const command_rec commands[] = {
    AP_INIT_TAKE1("QuotesAnswer", set_plain_answer, NULL, RSRC_CONF, "the file with the plain answer"),
    {.name = NULL},
};

static void register_hooks(apr_pool_t* pool) {
    (void)pool;
    ap_hook_handler(handle, NULL, NULL, APR_HOOK_MIDDLE);
}

AP_DECLARE_MODULE(quotes) = {
    STANDARD20_MODULE_STUFF, NULL, NULL, NULL, NULL, commands, register_hooks, 0,
};
