/* The walk that the three peers share, and their main program: `perft DEPTH RUNS`.
 *
 * Counts the start and every position reached by an applied move, interior and leaves;
 * every leaf is made, and whether the game has ended in it is worked out and counted.
 * Prints: positions, positions in which the game is over, seconds (of the processor) of the best run.
 *
 * The including file defines State, START, over(), and children(): the states after all
 * legal moves of a state, written one after another; it returns how many.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int over(const State *s);
static int children(const State *s, State *out);

static int64_t ended;

static int64_t perft(const State *s, int depth, State *stack) {
    if (over(s)) {
        ended++;
        return 1;
    }
    if (depth == 0)
        return 1;
    int64_t nodes = 1;
    int n = children(s, stack);
    for (int i = 0; i < n; i++)
        nodes += perft(&stack[i], depth - 1, stack + n);
    return nodes;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    static State stack[4096];
    int depth = atoi(argv[1]), runs = argc > 2 ? atoi(argv[2]) : 1;
    double best = 1e9;
    int64_t nodes = 0;
    for (int i = 0; i < runs; i++) {
        State start = START;
        double begin = now();
        ended = 0;
        nodes = perft(&start, depth, stack);
        double spent = now() - begin;
        if (spent < best)
            best = spent;
    }
    printf("%lld %lld %.9f\n", (long long)nodes, (long long)ended, best);
    return 0;
}
