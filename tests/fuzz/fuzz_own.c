/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_own.c - the text of an own app: scanner, declarations and sums. Nothing is registered or compiled. */
#include "fuzz.h"

#include "apps/own/own.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd_error err = {RD_OK, ""};
    rd__own_app *app = NULL;
    fuzz_begin();
    char *text = fuzz_copy(data, bytes, 1);
    fuzz_check(rd__own_open(text, "fuzz.k.c", &app, &err), &err);
    rd__own_forget(app);
    free(text);
    fuzz_end();
    return 0;
}
