// error: nothing is wrong here
int well = 1;
