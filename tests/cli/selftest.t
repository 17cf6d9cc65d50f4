# SPDX-License-Identifier: Apache-2.0
# raddle selftest

t 'selftest --list' 0 '*' '' selftest --list
cases=$("$raddle" selftest --list -d cpu | wc -l)
ok 'there are cases' test "$cases" -gt 1
first=$("$raddle" selftest --list -d cpu | head -n 1)
t 'one case' 0 "*passed, 0 failed" '' selftest -d cpu --filter "$first" --repeats 5
t 'one case, told' 0 "ok *$first*passed, 0 failed" '' selftest -d cpu --filter "$first" --repeats 5 --verbose
t 'no case' 2 '' '*no case has *' selftest -d cpu --filter no-such-case
t 'a bad number' 2 '' '*--repeats wants a whole number*' selftest --repeats 0
t 'an argument' 2 '' '*takes no argument*' selftest cpu
t 'an absent device' 4 '' 'raddle selftest: *' selftest -d cuda:7
t 'a device that is none' 2 '' 'raddle selftest: *' selftest -d foo
"$raddle" selftest -d cpu --filter "$first" --repeats 5 --json > "$scratch/selftest.json"
ok 'selftest --json is JSON' "$json" < "$scratch/selftest.json"
same 'selftest --json ends with a summary' "$("$json" record < "$scratch/selftest.json" | tail -n 1)" '"summary"'
