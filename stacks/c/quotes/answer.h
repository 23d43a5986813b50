/* What is answered to a request, whichever server has taken it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* More than that is not read. */
enum { LONGEST_MESSAGE = 2 * 1024 * 1024 };

/* An answer. Its body stays as it is until this thread asks for the next answer. */
struct answer {
    int status;
    const char* type;
    const char* body;
    size_t length;
};

/* A call, as its server has read it: nothing of the message need be read where the target takes none. */
struct call {
    const char* method;
    /* The path with its query, as it was sent. */
    const char* target;
    const char* message;
    size_t length;
};

/* Reads the answer that PlainQuote gives. False if there is no such file. */
bool load_plain_answer(const char* path);

/* Answers a call. */
struct answer answer_to(const struct call* call);

/* Answers a message by gSOAP. */
struct answer answer_by_soap(const char* message, size_t length);

/* What a message looks like: no well-formed XML in UTF-8 without a document type, XML of another kind, or an
   envelope of one of SOAP's two versions. */
enum look { NO_XML, NO_ENVELOPE, ENVELOPE };

enum look look_at(const char* message, size_t length);

/* Gives back what this thread has used, before it ends. */
void end_thread(void);
void end_looking(void);
