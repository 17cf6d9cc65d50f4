# header
0 1
% more

  3	1  
