#include "answer.h"

#include <stdio.h>
#include <string.h>

static const char SERVICE[] = "/quotes/StockQuoteService";
static const char PLAIN[] = "/quotes/PlainQuote";

/* The web server sends these files by itself, where it is asked for them in the right way. */
static const char* const FILES[] = {"/quotes/quote.xml", "/quotes/StockQuoteService.wsdl"};

enum { MOST_PLAIN = 4096 };

static char plain_answer[MOST_PLAIN];
static size_t plain_length;

bool load_plain_answer(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    plain_length = fread(plain_answer, 1, sizeof plain_answer, file);
    fclose(file);
    return plain_length > 0 && plain_length < sizeof plain_answer;
}

static bool is_path(const char* target, const char* path) {
    size_t length = strlen(path);
    return strncmp(target, path, length) == 0 && (target[length] == '\0' || target[length] == '?');
}

static struct answer refusal(int status) {
    return (struct answer){.status = status, .type = "text/plain; charset=utf-8", .body = "", .length = 0};
}

struct answer answer_to(const struct call* call) {
    bool is_service = is_path(call->target, SERVICE);
    if (!is_service && !is_path(call->target, PLAIN)) {
        bool is_file = is_path(call->target, FILES[0]) || is_path(call->target, FILES[1]);
        return refusal(is_file ? 405 : 404);
    }
    if (strcmp(call->method, "POST") != 0) {
        return refusal(405);
    }
    if (call->length > LONGEST_MESSAGE) {
        return refusal(413);
    }
    if (is_service) {
        return answer_by_soap(call->message, call->length);
    }
    return (struct answer){
        .status = 200, .type = "text/xml; charset=utf-8", .body = plain_answer, .length = plain_length};
}
