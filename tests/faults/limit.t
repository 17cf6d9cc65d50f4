# SPDX-License-Identifier: Apache-2.0
# The limit of these tests themselves is on work, not on the clock: it stops who works for ever, and nobody who only waits
# for a turn, as everybody does on a loaded machine.
ok 'who waits is not stopped' limit 1 sleep 3
ok 'nor is a child of it' limit 1 sh -c 'sleep 2; sleep 1'
limit 1 sh -c 'while :; do :; done' 2> "$scratch/err"
ok 'who works for ever is' test $? -ne 0
