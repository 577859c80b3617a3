#ifndef BAYESLIN_CLI_JSON_H
#define BAYESLIN_CLI_JSON_H
#include <stddef.h>
#include <stdint.h>
/* json - one JSON value (RFC 8259), written from its beginning to its end into memory; reading is in chains_json.c
 *
 * The writer adds commas, nesting and quotes: what follows json_array or json_object goes into it until json_end. key: the name in
 * an object; ignored in an array. With a NULL writer all calls do nothing, so that callers need not check whether JSON is wanted.
 *
 * Numbers have the fewest digits that read back to the same double, at most 17; infinities and NaN, which JSON does not have, are
 * null. Texts are UTF-8: each byte that is not becomes U+FFFD; control characters are escaped. */
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

/* Closes all that is open and returns what was written: *n bytes, the last a line end. They belong to the writer. */
const char *json_finish(cli_json *j, size_t *n);

#endif /* BAYESLIN_CLI_JSON_H */
