# SPDX-License-Identifier: Apache-2.0
# Tests; included by the Makefile.
