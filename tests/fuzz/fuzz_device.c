/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_device.c - names of devices. What can be opened is closed again. Numbers are kept small: threads are real. */
#include "fuzz.h"

#include <ctype.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd_error err = {RD_OK, ""};
    rd_device *device = NULL;
    char *name = fuzz_copy(data, bytes, 1);
    int digits = 0, most = 0;
    for (const char *at = name; *at; at++) {
        digits = isdigit((unsigned char)*at) ? digits + 1 : 0;
        most = digits > most ? digits : most;
    }
    fuzz_begin();
    /* of two to four digits there would be thousands of threads; numbers that are out of range are welcome */
    if (most < 2 || most > 6) {
        const rd_status status = rd_device_open(name, NULL, &device, &err);
        fuzz_check(status, &err);
        if ((status == RD_OK) != (device != NULL))
            abort();
        rd_device_close(device);
    }
    free(name);
    fuzz_end();
    return 0;
}
