/* gSOAP's parser reads XML and much that is none, such as attributes without quotes, what stands after the
   end, and document types, which it skips. An envelope of another namespace it takes for an operation. So
   each message first passes a parser that refuses what is no XML, and looks at the first element. */

#include "answer.h"

#include <expat.h>
#include <string.h>

/* The name of an element is that of its namespace, this, and its own. */
static const XML_Char BETWEEN = ' ';

static const char* const ENVELOPES[] = {
    "http://schemas.xmlsoap.org/soap/envelope/ Envelope",
    "http://www.w3.org/2003/05/soap-envelope Envelope",
};

static _Thread_local XML_Parser parser;

void end_looking(void) {
    if (parser != NULL) {
        XML_ParserFree(parser);
        parser = NULL;
    }
}

/* Parsers hand themselves to their handlers, and keep whether they have seen an envelope in this. */
static _Thread_local bool has_envelope;

static void XMLCALL look_at_first(void* which, const XML_Char* name, const XML_Char** attributes) {
    (void)attributes;
    has_envelope = strcmp(name, ENVELOPES[0]) == 0 || strcmp(name, ENVELOPES[1]) == 0;
    XML_SetStartElementHandler((XML_Parser)which, NULL);
}

static void XMLCALL refuse_document_type(void* which, const XML_Char* name, const XML_Char* system,
                                         const XML_Char* public, int has_internal) {
    (void)name;
    (void)system;
    (void)public;
    (void)has_internal;
    XML_StopParser((XML_Parser)which, XML_FALSE);
}

enum look look_at(const char* message, size_t length) {
    if (parser == NULL) {
        parser = XML_ParserCreateNS("UTF-8", BETWEEN);
    } else {
        XML_ParserReset(parser, "UTF-8");
    }
    if (parser == NULL) {
        return NO_XML;
    }
    has_envelope = false;
    XML_UseParserAsHandlerArg(parser);
    XML_SetStartElementHandler(parser, look_at_first);
    XML_SetStartDoctypeDeclHandler(parser, refuse_document_type);
    if (XML_Parse(parser, message, (int)length, XML_TRUE) != XML_STATUS_OK) {
        return NO_XML;
    }
    return has_envelope ? ENVELOPE : NO_ENVELOPE;
}
