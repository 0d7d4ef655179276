// Nothing but SimGrid loaded: what a whole run is measured against.
int main() { return 0; }
