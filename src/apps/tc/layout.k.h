/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - numbers that both sides of triangle counting share. Plain numbers: both include it. */
#ifndef RD_APPS_TC_LAYOUT_H
#define RD_APPS_TC_LAYOUT_H

#define TC_CHUNK 64u   /* edges that a lane looks through at once while the graph is made acyclic */
#define TC_PARTS 1024u /* pieces of the prefix sum over chunks */
#define TC_SLOTS 4096u /* words of 64 bits in which triangles are counted */

#endif
