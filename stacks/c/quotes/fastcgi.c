/* A FastCGI program: it answers one request after the other. Its argument is the file with the plain answer.
 */

#include "answer.h"

#include <fcgiapp.h>
#include <stdio.h>
#include <stdlib.h>

/* The message, one byte longer than is allowed at most. */
static char message[LONGEST_MESSAGE + 1];

static const char* parameter(const FCGX_Request* request, const char* name) {
    const char* value = FCGX_GetParam(name, request->envp);
    return value == NULL ? "" : value;
}

static void answer(FCGX_Request* request) {
    int length = FCGX_GetStr(message, sizeof message, request->in);
    struct call call = {
        .method = parameter(request, "REQUEST_METHOD"),
        .target = parameter(request, "REQUEST_URI"),
        .message = message,
        .length = length < 0 ? 0 : (size_t)length,
    };
    struct answer answer = answer_to(&call);
    FCGX_FPrintF(request->out, "Status: %d\r\nContent-Type: %s\r\nContent-Length: %lu\r\n\r\n", answer.status,
                 answer.type, (unsigned long)answer.length);
    FCGX_PutStr(answer.body, (int)answer.length, request->out);
}

int main(int count, char** arguments) {
    if (count != 2 || !load_plain_answer(arguments[1])) {
        fputs("usage: quotes FILE\n", stderr);
        return EXIT_FAILURE;
    }
    FCGX_Request request;
    if (FCGX_Init() != 0 || FCGX_InitRequest(&request, 0, 0) != 0) {
        fputs("no FastCGI here\n", stderr);
        return EXIT_FAILURE;
    }
    while (FCGX_Accept_r(&request) == 0) {
        answer(&request);
        FCGX_Finish_r(&request);
    }
    return EXIT_SUCCESS;
}
