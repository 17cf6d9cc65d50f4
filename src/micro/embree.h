/* SPDX-License-Identifier: Apache-2.0 */
/* embree.h - Intel's Embree as a peer of ray, for `raddle bench ray`. Its header must be there at build time, its
 * library (libembree3.so.3) at run time; neither is needed for anything else. */
#ifndef RD_MICRO_EMBREE_H
#define RD_MICRO_EMBREE_H

#include "device/device.h"

typedef struct rd__embree rd__embree;

/* Opens a scene of ray and builds Embree's structure over it. packets: rays go in packets of the processor's width. */
rd_status rd__embree_open(const rd_device *device, const char *scene, uint32_t side, int packets, rd__embree **out,
                          rd_error *err);
/* Shoots side x side primary rays with as many threads as the device has. */
rd_status rd__embree_run(rd__embree *embree, double *seconds, uint64_t *rays, rd_error *err);
void rd__embree_close(rd__embree *embree);

#endif
