#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# unoptimised.sh - the C compiler, whatever it is asked for, without optimisation: RADDLE_CC of tests about what own apps do.
exec cc "$@" -O0
