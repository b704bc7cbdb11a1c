// The fit of step 10's costs (fit.c): what build/order_fit does with its words; its exit status.
int order_fit(int count, char **words);
