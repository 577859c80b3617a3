#ifndef BAYESLIN_CLI_JSON_H
#define BAYESLIN_CLI_JSON_H
#include <stddef.h>
#include <stdint.h>
/* json - one JSON value (RFC 8259), written from its beginning to its end into memory; reading is in chains_json.c
 *
 * Commas, nesting and quotes are seen to here: an array or an object that was begun takes what follows until json_end. key: the
 * name in an object; it plays no part in an array. A NULL writer takes all of this and does nothing, so that code which fills it
 * need not ask whether JSON is wanted.
 *
 * Numbers have as few digits as read back to the same double, at most 17; infinities and NaN, which JSON does not have, are null.
 * Texts are UTF-8: bytes that are none become U+FFFD, one for each byte; control characters are escaped. */
typedef struct cli_json cli_json;

cli_json *json_create(void);
void  json_free(cli_json *j);

void json_object(cli_json *j, const char *key);
void json_array(cli_json *j, const char *key);
void json_end(cli_json *j);
void json_number(cli_json *j, const char *key, double value);
void json_count(cli_json *j, const char *key, uint64_t value);
void json_flag(cli_json *j, const char *key, int value);
void json_text(cli_json *j, const char *key, const char *value);          /* NULL: null */
void json_numbers(cli_json *j, const char *key, size_t n, const double *value);
void json_texts(cli_json *j, const char *key, size_t n, const char *const *value);

/* What was written, with all that is open closed: *n bytes, the last of them the end of a line, which are the writer's. */
const char *json_finish(cli_json *j, size_t *n);

#endif /* BAYESLIN_CLI_JSON_H */
