/* What no server is needed for, under sanitizers. scripts/c-check runs it. */

#include "../quotes/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(bool holds, const char* what) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        failures++;
    }
}

#define ENVELOPE_OF(namespace, body) \
    "<?xml version=\"1.0\"?>\n<e:Envelope xmlns:e=\"" namespace "\"><e:Body>" body "</e:Body></e:Envelope>"
#define SOAP_11 "http://schemas.xmlsoap.org/soap/envelope/"
#define SOAP_12 "http://www.w3.org/2003/05/soap-envelope"
#define CALL(operation, content) \
    "<q:" operation " xmlns:q=\"http://example.org/web-services/stock-quotes\">" content "</q:" operation ">"
#define QUOTE(symbol) CALL("getStockQuote", "<q:symbol>" symbol "</q:symbol>")

static void test_look(void) {
    static const struct {
        const char* message;
        enum look look;
    } cases[] = {
        {ENVELOPE_OF(SOAP_11, ""), ENVELOPE},
        {ENVELOPE_OF(SOAP_12, ""), ENVELOPE},
        {ENVELOPE_OF("urn:nobody", ""), NO_ENVELOPE},
        {"<Envelope/>", NO_ENVELOPE},
        {"", NO_XML},
        {"x", NO_XML},
        {ENVELOPE_OF(SOAP_11, "") "x", NO_XML},
        {ENVELOPE_OF(SOAP_11, "<a b=1/>"), NO_XML},
        {"<!DOCTYPE x><x/>", NO_XML},
        {"<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><x>&e;</x>", NO_XML},
        {"<x>\xff</x>", NO_XML},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        expect(look_at(cases[at].message, strlen(cases[at].message)) == cases[at].look, cases[at].message);
    }
}

static struct answer answered(const char* method, const char* target, const char* message) {
    struct call call = {.method = method, .target = target, .message = message, .length = strlen(message)};
    return answer_to(&call);
}

static void test_paths(void) {
    static const struct {
        const char *method, *target;
        int status;
    } cases[] = {
        {"GET", "/quotes/StockQuoteService", 405},
        {"GET", "/quotes/PlainQuote?x", 405},
        {"POST", "/quotes/quote.xml", 405},
        {"POST", "/quotes/PlainQuote", 200},
        {"POST", "/quotes/PlainQuotes", 404},
        {"POST", "/quotes//PlainQuote", 404},
        {"POST", "", 404},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct answer answer = answered(cases[at].method, cases[at].target, "");
        expect(answer.status == cases[at].status, cases[at].target);
    }
    struct call call = {"POST", "/quotes/PlainQuote", "", LONGEST_MESSAGE + 1};
    expect(answer_to(&call).status == 413, "a message may be too long");
}

static void expect_answer(const char* message, int status, const char* type, const char* part) {
    struct answer answer = answered("POST", "/quotes/StockQuoteService", message);
    expect(answer.status == status, message);
    expect(strncmp(answer.type, type, strlen(type)) == 0, message);
    expect(memmem(answer.body, answer.length, part, strlen(part)) != NULL, message);
}

/* In both versions by turns: an answer mustn't depend on the message before. */
static void test_service(void) {
    for (int round = 0; round < 3; round++) {
        expect_answer(ENVELOPE_OF(SOAP_12, QUOTE("IBM")), 200, "application/soap+xml", ":volume>18400<");
        expect_answer("x", 500, "text/xml", ":Client<");
        expect_answer(ENVELOPE_OF(SOAP_11, QUOTE("IBM")), 200, "text/xml", ":price>441.69<");
        expect_answer(ENVELOPE_OF(SOAP_12, QUOTE("ibm")), 500, "application/soap+xml", ":Sender<");
        expect_answer(ENVELOPE_OF("urn:nobody", ""), 500, "text/xml", ":VersionMismatch<");
        expect_answer(ENVELOPE_OF(SOAP_11, CALL("echoStruct", "")), 500, "text/xml", ":Client<");
        expect_answer(ENVELOPE_OF(SOAP_11, CALL("echoStruct", "<q:inputStruct/>")), 500, "text/xml",
                      ":Client<");
        expect_answer(
            ENVELOPE_OF(SOAP_11, CALL("echoStruct",
                                      "<q:inputStruct><q:varInt>1</q:varInt><q:varFloat>INF</q:varFloat>"
                                      "<q:varString/></q:inputStruct>")),
            500, "text/xml", ":Client<");
        expect_answer(
            ENVELOPE_OF(SOAP_11,
                        CALL("echoList",
                             "<q:inputList><q:varInt>-1</q:varInt><q:varString>a &lt; b</q:varString>"
                             "</q:inputList>")),
            200, "text/xml", ">a &lt; b<");
    }
}

int main(int count, char** arguments) {
    if (count != 2 || !load_plain_answer(arguments[1])) {
        fputs("usage: unit FILE\n", stderr);
        return EXIT_FAILURE;
    }
    test_look();
    test_paths();
    test_service();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
