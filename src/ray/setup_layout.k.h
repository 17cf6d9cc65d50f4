/* SPDX-License-Identifier: Apache-2.0 */
/* setup_layout.k.h - camera, sky, lights, surfaces and materials in memory, for host and kernel. In vectors. */
#ifndef RD_RAY_SETUP_LAYOUT_H
#define RD_RAY_SETUP_LAYOUT_H

/* Camera and light. A pixel's ray goes from the eye along corner + x * right + y * down. */
#define SETUP_EYE      0 /* w: how far secondary rays start from a surface */
#define SETUP_CORNER   1
#define SETUP_RIGHT    2
#define SETUP_DOWN     3
#define SETUP_AMBIENT  4
#define SETUP_SKY_LOW  5
#define SETUP_SKY_HIGH 6
#define SETUP_LIGHTS   7 /* two vectors each: place, colour */

/* Surface of a triangle: three normals, the first with the material's number as w; the face's own normal. With
 * SURFACE_TINTED beside the number the w of the other three are the colours of the corners: red, green, blue of
 * TINT_BITS each, red first. */
#define SURFACE_VECTORS 4
#define SURFACE_TINTED  0x40000000u
#define TINT_BITS       10
#define TINT_MOST       1023u
#define TINT_THERE      0x40000000u /* of a tint that may be none */
/* Material: diffuse, shine; specular, reflectivity; transparency, index of refraction, glow. */
#define MATERIAL_VECTORS 3

/* The last word of a task: pixel and depth. */
#define SETUP_DEPTH_SHIFT 28
#define SETUP_PIXEL_MASK  0x0fffffffu
#define SETUP_MOST_DEPTH  15

#endif
