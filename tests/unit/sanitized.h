/* SPDX-License-Identifier: Apache-2.0 */
/* sanitized.h - SANITIZED: 1 in a build with a sanitizer. What takes ten to fifty times as long there is done with
 * smaller inputs, which have the same threads and the same paths; the other builds have the large ones. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
