/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_layout.k.h - how the acceleration structures lie in memory, for host and kernels. A vector is four floats.
 *
 * BVH: a node is four vectors and knows the boxes of its two children, so that a visit decides on both.
 *   0: child 0: lo.x hi.x lo.y hi.y    1: child 1: the same    2: child 0: lo.z hi.z, child 1: lo.z hi.z
 *   3: link of child 0, link of child 1, axis along which they lie apart (0 1 2), 0: as bits
 *   A link is a node's number, or a leaf: LEAF, triangles - 1, number of the first one. Node 0 is the root.
 *
 * Octree: nodes in preorder, each two vectors; the child link of a node is the next node, the skip link is where to go
 * when its box is missed. A leaf's skip link is the next node.
 *   0: lo.x lo.y lo.z, skip link    1: hi.x hi.y hi.z, leaf link or ACCEL_INNER    Past the last node: ACCEL_END.
 *
 * Triangles: three vectors each, in the order of leaves: first corner and the triangle's number in the scene; the edges
 * from there to the second and to the third corner.
 */
#ifndef RD_RAY_ACCEL_LAYOUT_H
#define RD_RAY_ACCEL_LAYOUT_H

#define ACCEL_LEAF             0x80000000u
#define ACCEL_COUNT_SHIFT      28 /* three bits: triangles - 1 */
#define ACCEL_FIRST_MASK       0x0fffffffu
#define ACCEL_LEAF_MOST        8
#define ACCEL_INNER            0u
#define ACCEL_END              0xffffffffu
#define ACCEL_BVH_VECTORS      4
#define ACCEL_OCTREE_VECTORS   2
#define ACCEL_TRIANGLE_VECTORS 3
#define ACCEL_STACK            64 /* a BVH is less deep than this */

#define ACCEL_LINK_FIRST(link)        ((link)&ACCEL_FIRST_MASK)
#define ACCEL_LINK_COUNT(link)        ((((link) >> ACCEL_COUNT_SHIFT) & 7u) + 1u)
#define ACCEL_LEAF_LINK(first, count) (ACCEL_LEAF | ((count)-1u) << ACCEL_COUNT_SHIFT | (first))

#endif
