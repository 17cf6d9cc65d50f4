/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.c - names that an app cannot give to what it declares, for they are words of a language that its text is
 * compiled as somewhere: C11 (CPUs), C++ (CUDA) or OpenCL C. Refused everywhere, where the name stands: an app that
 * runs on one device shall not be an error of the compiler on another. linux and unix are numbers in GNU C. Vectors of
 * OpenCL C are known by their end.
 */
#include "apps/own/reader.h"

#include <stdlib.h>
#include <string.h>

/* In order. */
/* clang-format off */
static const char *const words[] = {
    "NULL",
    "alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "compl", "const",
    "constant", "constexpr", "continue", "decltype", "default", "delete", "do", "double", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "generic", "global", "goto", "half", "if",
    "image1d_t", "image2d_t", "image3d_t", "inline", "int", "kernel", "linux", "local", "long", "mutable", "namespace",
    "new", "noexcept", "not", "nullptr", "operator", "or", "pipe", "private", "protected", "public", "read_only",
    "read_write", "register", "reinterpret_cast", "restrict", "return", "sampler_t", "short", "signed", "sizeof",
    "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "uchar", "uint", "ulong", "union", "unix", "unsigned", "ushort", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "write_only", "xor"};
/* clang-format on */

static int compare(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

/* float4, uint16: the type and its width. */
static int is_vector(const char *name)
{
    static const char *const types[] = {"char", "uchar", "short", "ushort", "int", "uint",
                                        "long", "ulong", "float", "double", "half"};
    static const char widths[] = " 2 3 4 8 16 ";
    char width[8] = " ";
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const size_t length = strlen(types[i]);
        if (strncmp(name, types[i], length) != 0 || !name[length] || strlen(name + length) > 2)
            continue;
        strcpy(width + 1, name + length);
        strcat(width, " ");
        if (strstr(widths, width))
            return 1;
    }
    return 0;
}

int rd__own_is_word(const char *name)
{
    return bsearch(name, words, sizeof words / sizeof words[0], sizeof words[0], compare) != NULL || is_vector(name);
}
