/* Tic-tac-toe: int8 cells, all eight lines looked at. */
#include <stdint.h>

typedef struct {
    int8_t cell[9], turn;
} State;

static const State START;

#include "perft.h"

static int over(const State *s) {
    static const int8_t lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                       {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++) {
        int8_t first = s->cell[lines[i][0]];
        if (first && first == s->cell[lines[i][1]] && first == s->cell[lines[i][2]])
            return 1;
    }
    for (int i = 0; i < 9; i++)
        if (!s->cell[i])
            return 0;
    return 1;
}

static int children(const State *s, State *out) {
    int n = 0;
    for (int at = 0; at < 9; at++) {
        if (s->cell[at])
            continue;
        State *child = &out[n++];
        *child = *s;
        child->cell[at] = s->turn + 1;
        child->turn = 1 - s->turn;
    }
    return n;
}
