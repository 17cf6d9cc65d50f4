0 1
1 2
abc 3
