/* The operations of the description, and how gSOAP is fed with messages. */

#include "answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "StockQuoteSoap11.nsmap"
#include "soapH.h"

enum { MOST_LETTERS = 5, MOST_NODES = 10 };

/* Elements within each other. A list of ten nodes takes fourteen. */
enum { DEEPEST = 64 };

/* 2006-12-13T00:00:00Z */
static const time_t DAY = 1165968000;
enum { SECONDS_OF_A_DAY = 86400 };

static bool is_symbol(const char* text) {
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return length >= 1 && length <= MOST_LETTERS && text[length] == '\0';
}

static double hundredths(long number) {
    return (double)number / 100.0;
}

int __ns1__getStockQuote(struct soap* soap, struct _ns1__getStockQuote* request,
                         struct _ns1__getStockQuoteResponse* response) {
    if (!is_symbol(request->symbol)) {
        return soap_sender_fault(soap, "there is no such symbol", NULL);
    }
    struct ns1__Quote* quote = soap_malloc(soap, sizeof *quote);
    struct ns1__LastTrade* trade = soap_malloc(soap, sizeof *trade);
    struct ns1__Change* change = soap_malloc(soap, sizeof *change);
    if (quote == NULL || trade == NULL || change == NULL) {
        return soap->error = SOAP_EOM;
    }
    long n = (long)crc32(0, (const Bytef*)request->symbol, (uInt)strlen(request->symbol));
    trade->price = hundredths(n / 1000 % 100000 + 1);
    trade->date = DAY + n % SECONDS_OF_A_DAY;
    change->dollar = hundredths(n % 2001 - 1000);
    change->percent = hundredths(n / 2001 % 2001 - 1000);
    quote->symbol = request->symbol;
    quote->volume = (int)((n % 1000 + 1) * 100);
    quote->lastTrade = trade;
    quote->change = change;
    response->returnQuote = quote;
    return SOAP_OK;
}

/* gSOAP itself counts the structures, as the description says how many there may be. */
int __ns1__echoStruct(struct soap* soap, struct _ns1__echoStruct* request,
                      struct _ns1__echoStructResponse* response) {
    for (int at = 0; at < request->__sizeinputStruct; at++) {
        if (!isfinite(request->inputStruct[at].varFloat)) {
            return soap_sender_fault(soap, "varFloat is no number", NULL);
        }
    }
    response->__sizereturnStruct = request->__sizeinputStruct;
    response->returnStruct = request->inputStruct;
    return SOAP_OK;
}

int __ns1__echoList(struct soap* soap, struct _ns1__echoList* request,
                    struct _ns1__echoListResponse* response) {
    int nodes = 0;
    for (const struct ns1__Node* node = request->inputList; node != NULL; node = node->child) {
        if (++nodes > MOST_NODES) {
            return soap_sender_fault(soap, "a list has 1 to 10 nodes", NULL);
        }
    }
    response->returnList = request->inputList;
    return SOAP_OK;
}

/* What a message is read from, and what its answer is written to. */
struct exchange {
    const char* message;
    size_t left;
    char* body;
    size_t length;
    size_t room;
    int status;
};

static size_t receive(struct soap* soap, char* into, size_t most) {
    struct exchange* exchange = soap->user;
    size_t count = exchange->left < most ? exchange->left : most;
    memcpy(into, exchange->message, count);
    exchange->message += count;
    exchange->left -= count;
    return count;
}

static int send_part(struct soap* soap, const char* part, size_t length) {
    struct exchange* exchange = soap->user;
    if (length == 0) {
        return SOAP_OK;
    }
    if (exchange->length + length > exchange->room) {
        size_t room = 2 * (exchange->length + length);
        char* body = realloc(exchange->body, room);
        if (body == NULL) {
            return soap->error = SOAP_EOM;
        }
        exchange->body = body;
        exchange->room = room;
    }
    memcpy(exchange->body + exchange->length, part, length);
    exchange->length += length;
    return SOAP_OK;
}

/* HTTP is the web server's. */
static int note_status(struct soap* soap, int status, ULONG64 length) {
    (void)length;
    struct exchange* exchange = soap->user;
    exchange->status = status == SOAP_OK ? 200 : 500;
    return SOAP_OK;
}

/* What a thread uses for one message after the other. */
static _Thread_local struct exchange exchange;
static _Thread_local struct soap* soap;

void end_thread(void) {
    if (soap != NULL) {
        soap_destroy(soap);
        soap_end(soap);
        soap_free(soap);
        soap = NULL;
    }
    free(exchange.body);
    exchange = (struct exchange){0};
    end_looking();
}

static struct soap* new_context(void) {
    soap_mode mode = SOAP_XML_STRICT | SOAP_C_UTFSTRING;
    struct soap* fresh = soap_new2(mode, SOAP_IO_STORE | SOAP_C_UTFSTRING);
    if (fresh != NULL) {
        soap_set_namespaces(fresh, namespaces);
        fresh->user = &exchange;
        fresh->frecv = receive;
        fresh->fsend = send_part;
        fresh->fresponse = note_status;
        /* As many digits as a double has for certain. */
        fresh->double_format = "%.15lG";
        fresh->maxlevel = DEEPEST;
    }
    return fresh;
}

static void refuse(enum look look) {
    soap_begin(soap);
    /* The last message may have been of another version. */
    soap_set_version(soap, 1);
    if (look == NO_XML) {
        soap_sender_fault(soap, "it is no XML, or has a document type", NULL);
    } else {
        soap->error = SOAP_VERSIONMISMATCH;
    }
    soap_send_fault(soap);
}

struct answer answer_by_soap(const char* message, size_t length) {
    if (soap == NULL) {
        soap = new_context();
    }
    if (soap == NULL) {
        return (struct answer){.status = 503, .type = "text/plain", .body = "", .length = 0};
    }
    exchange.message = message;
    exchange.left = length;
    exchange.length = 0;
    /* What gSOAP gives up without an answer has failed. */
    exchange.status = 500;
    enum look look = look_at(message, length);
    if (look == ENVELOPE) {
        soap_serve(soap);
    } else {
        refuse(look);
    }
    bool is_12 = soap->version == 2;
    soap_destroy(soap);
    soap_end(soap);
    return (struct answer){
        .status = exchange.status,
        .type = is_12 ? "application/soap+xml; charset=utf-8" : "text/xml; charset=utf-8",
        .body = exchange.body,
        .length = exchange.length,
    };
}
